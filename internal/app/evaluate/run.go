package evaluate

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/engine/compare"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/toolkit/bench"
	"github.com/sqbyl/sqbyl/internal/toolkit/eval"
	"github.com/sqbyl/sqbyl/internal/toolkit/heldout"
	"github.com/sqbyl/sqbyl/internal/toolkit/score"
)

// Solvers answer a set.
type Solvers struct {
	list []eval.Solver
	// predictions answer where the questions are held out.
	predictions []heldout.Predictions
}

// ParseSolvers makes solvers of a list of names: oracle, mute, and files of
// predictions in BIRD's layout. warnings tell of predictions for no question.
func ParseSolvers(names []string, s Set) (solvers Solvers, warnings []string, err error) {
	taken := map[string]bool{eval.OracleName: true, eval.MuteName: true}
	seen := map[string]bool{}
	for _, name := range names {
		name = strings.TrimSpace(name)
		switch {
		case name == "":
			return Solvers{}, nil, fmt.Errorf("a name is empty")
		case seen[name]:
			return Solvers{}, nil, fmt.Errorf("%s stands there twice", name)
		}
		seen[name] = true
		if own(name) {
			continue // every table has them
		}
		read, err := predictions(name)
		if err != nil {
			return Solvers{}, nil, err
		}
		label := strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
		if taken[label] {
			label = name
		}
		taken[label] = true
		solvers.predictions = append(solvers.predictions, heldout.Predictions{Name: label, Answers: read})
		sql, unknown := read.Of(s.Items, s.Total)
		if s.file != nil && s.Split == All {
			unknown = s.file.Unknown(read)
		}
		if len(unknown) > 0 && s.Split != Test {
			warnings = append(warnings, fmt.Sprintf("%s: %s of no question, %s first", name, term.Counted(len(unknown), "prediction"), unknown[0]))
		}
		solvers.list = append(solvers.list, eval.Listed(label, sql))
	}
	solvers.list = eval.WithOwn(solvers.list)
	return solvers, warnings, nil
}

func predictions(path string) (*bench.Predictions, error) {
	f, err := os.Open(path)
	if err != nil {
		if !looksLikeFile(path) {
			return nil, fmt.Errorf("%q is not scored here: eval takes oracle, mute, and files of predictions, and asks no model", path)
		}
		return nil, err
	}
	defer f.Close()
	return bench.ReadPredictions(f, path)
}

// looksLikeFile tells the name of a file from that of a model.
func looksLikeFile(name string) bool {
	return filepath.Ext(name) == ".json" || !strings.Contains(name, ":") && strings.ContainsAny(name, `./\`)
}

// Job is what is run.
type Job struct {
	Set     Set
	Solvers Solvers
	Runner  *score.Runner
	// Command is what the record of looks calls the job.
	Command string
	// Check tries the harness on itself too.
	Check bool
	// Progress, when set, is told how many of all comparisons are done.
	Progress func(done, all int)
}

// Report is what came of a job.
type Report struct {
	Set Set
	// Results are in the order of the questions; those held out have no text.
	Results []eval.Result
	Check   *score.Check // nil where none was asked for
	// Cards are there where questions are held out.
	Cards *heldout.Scorecards

	open []eval.Result // of the questions that may be seen
}

// summaries are one a solver.
func (r *Report) summaries() []eval.Summary {
	list := make([]eval.Summary, len(r.Results))
	for i, res := range r.Results {
		list[i] = eval.Summarize(res)
	}
	return list
}

// Run runs a job. Its error is that of ctx, or that nothing could be judged
// for want of a database.
func Run(ctx context.Context, j Job) (*Report, error) {
	r := &Report{Set: j.Set}
	all := j.Set.Len()
	if j.Check {
		all *= 2
	}
	runner := *j.Runner
	runner.Done = counter(all, j.Progress)
	if len(j.Set.Items) > 0 || j.Set.HeldOut == nil {
		r.open = eval.Run(ctx, eval.Config{Items: j.Set.Items, Solvers: j.Solvers.list, Runner: &runner, Headline: j.Set.Headline})
		r.Results = r.open
		if j.Check {
			r.Check = runner.Check(ctx, eval.Cases(judged(j.Set.Items)))
		}
	}
	if err := ctx.Err(); err != nil || j.Set.HeldOut == nil {
		return r, err
	}
	cards, err := j.Set.HeldOut.Score(ctx, heldout.Config{
		Command: j.Command, Predictions: j.Solvers.predictions, Runner: &runner, Headline: j.Set.Headline, Check: j.Check,
	})
	if err != nil {
		return nil, err
	}
	r.Cards = cards
	r.Results = inOrder(r.open, cards.Results())
	r.Check = joined(r.Check, cards.Check)
	return r, nil
}

// inOrder puts both halves of a benchmark together.
func inOrder(dev, heldOut []eval.Result) []eval.Result {
	if dev == nil {
		return heldOut
	}
	all := make([]eval.Result, len(dev))
	for i := range dev {
		all[i] = eval.Result{Solver: dev[i].Solver, Questions: slices.Concat(dev[i].Questions, heldOut[i].Questions)}
		slices.SortStableFunc(all[i].Questions, func(a, b eval.Question) int { return a.Item.Position - b.Item.Position })
	}
	return all
}

// judged are the items that have a right SQL and count.
func judged(items []bench.Item) []bench.Item {
	var out []bench.Item
	for _, it := range items {
		if it.Quarantine == "" && !it.Unanswerable {
			out = append(out, it)
		}
	}
	return out
}

// counter counts what is done and tells of it ten times a second.
func counter(all int, tell func(done, all int)) func() {
	if tell == nil {
		return nil
	}
	var mu sync.Mutex
	done := 0
	var last time.Time
	return func() {
		mu.Lock()
		defer mu.Unlock()
		done++
		if now := time.Now(); now.Sub(last) > 100*time.Millisecond {
			last = now
			tell(done, all)
		}
	}
}

// Document is the JSON of a report.
type Document struct {
	eval.Document
	Check    *CheckDocument `json:"check,omitempty"`
	Warnings []string       `json:"warnings,omitempty"`
}

// Document is the report as JSON; run names it.
func (r *Report) Document(run string) Document {
	d := Document{Document: eval.NewDocument(run, r.Set.Split, r.Set.Headline, r.Results, r.Set.Split == Test), Warnings: r.Set.Warnings}
	d.Check = r.checkDocument()
	return d
}

// Lowest is the least share of right answers, in percent, among the solvers
// that are not the harness's own; among those where there is no other.
func (r *Report) Lowest() (percent float64, solver string) {
	percent = 101
	for _, own := range []bool{false, true} {
		for _, sum := range r.summaries() {
			if (sum.Solver == eval.OracleName || sum.Solver == eval.MuteName) != own || own && sum.Solver == eval.MuteName {
				continue
			}
			if p := 100 * sum.Share(sum.Correct); p < percent {
				percent, solver = p, sum.Solver
			}
		}
		if solver != "" {
			break
		}
	}
	return percent, solver
}

// untold is what is said of why held-out questions could not be run.
const untold = "the dev half tells why"

// Unrunnable is why no question could be run, nil when one was judged or had
// a broken gold.
func (r *Report) Unrunnable() error {
	reason := ""
	for _, res := range r.Results {
		for i := range res.Questions {
			q := &res.Questions[i]
			switch {
			case q.Item.Quarantine != "" || q.Item.Unanswerable:
			case q.Outcome.Verdict != compare.NotRun:
				return nil
			case reason == "" || reason == untold:
				reason = cmp.Or(q.Outcome.Difference, untold)
			}
		}
	}
	if reason == "" {
		return nil
	}
	return &db.Error{Kind: db.ErrUnreachable, Message: "no question could be run: " + reason, Offset: -1}
}
