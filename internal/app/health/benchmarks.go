package health

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/sqbyl/sqbyl/internal/app/evaluate"
	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/toolkit/bench"
	"github.com/sqbyl/sqbyl/internal/toolkit/heldout"
	"github.com/sqbyl/sqbyl/internal/toolkit/project"
)

// benchmarks looks at the two benchmarks of a project; of the held-out one it
// tells numbers and places.
func (e *Examination) benchmarks(pr *project.Project) {
	const area = "bench"
	dev, err := evaluate.ReadDev(pr)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return // a project need not have any
	case err != nil:
		e.mistakes(area, err)
	default:
		e.Add(area, Good, fmt.Sprintf("%s in dev", term.Counted(dev.Len(), "question")))
		for _, w := range dev.Warnings {
			e.Add(area, Warning, w)
		}
	}
	place := heldout.InProject(pr.Dir)
	held, err := heldout.Open(pr.Dir, pr.Semantic.Assets, place)
	if errors.Is(err, heldout.ErrNone) {
		e.Add(area, Warning, "there is no held-out benchmark: what tuning gains cannot be told from what it learned by heart", "write questions that tuning never reads into "+heldout.File)
		return
	}
	if err != nil {
		e.mistakes(area, err)
		return
	}
	sum := held.Summary()
	looks, err := place.Record()
	if err != nil {
		e.Fail(area, err)
		return
	}
	text := fmt.Sprintf("%s held out", term.Counted(sum.Questions, "question"))
	if n := looksAt(looks, sum.Hash); n > 0 {
		text += fmt.Sprintf(", looked at %s", times(n))
	}
	e.Add(area, Good, text)
	for _, w := range sum.Warnings {
		e.Add(area, Warning, w.String())
	}
}

func looksAt(looks []heldout.Look, hash string) (n int) {
	for _, l := range looks {
		if l.Hash == hash {
			n++
		}
	}
	return n
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// mistakes adds what is wrong in a file, each at its place.
func (e *Examination) mistakes(area string, err error) {
	var list bench.Mistakes
	if !errors.As(err, &list) {
		e.Fail(area, err)
		return
	}
	for _, m := range list {
		e.Add(area, Broken, m.String())
	}
}
