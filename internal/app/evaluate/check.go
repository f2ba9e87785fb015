package evaluate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/engine/compare"
	"github.com/sqbyl/sqbyl/internal/toolkit/score"
)

// mostIDs is how many questions of one reason are named, mostDatabases how
// many databases.
const (
	mostIDs       = 5
	mostDatabases = 8
)

// CheckDocument is the harness tried on itself.
type CheckDocument struct {
	Passed bool `json:"passed"`
	// Problems are why it did not pass.
	Problems    []string    `json:"problems,omitempty"`
	Adversaries []Adversary `json:"adversaries"`
	GoldBroken  []Reason    `json:"gold_broken"`
	NotRun      []Reason    `json:"not_run"`
}

// Adversary is what came of one of the answers whose verdict is known.
type Adversary struct {
	Name       score.Adversary `json:"name"`
	Tried      int             `json:"tried"`
	Unexpected []Reason        `json:"unexpected"`
	// Apart are questions on which its change cannot show.
	Apart []Reason `json:"cannot_show"`
}

// Reason is a question and what is to say about it.
type Reason struct {
	ID   string `json:"id"`
	Text string `json:"reason"`
}

func (r *Report) checkDocument() *CheckDocument {
	c := r.Check
	if c == nil {
		return nil
	}
	d := &CheckDocument{Passed: c.Passed(), Problems: r.problems(nil), GoldBroken: reasons(c.GoldBroken), NotRun: reasons(c.NotRun)}
	for _, row := range c.Rows {
		d.Adversaries = append(d.Adversaries, Adversary{row.Adversary, row.Tried, reasons(row.Wrong), reasons(row.Apart)})
	}
	return d
}

func reasons(list []score.Reason) []Reason {
	out := make([]Reason, len(list))
	for i, r := range list {
		out[i] = Reason(r)
	}
	return out
}

// joined is the check of both halves of a benchmark; either may be nil.
func joined(dev, heldOut *score.Check) *score.Check {
	if dev == nil || heldOut == nil {
		return heldOut
	}
	all := &score.Check{GoldBroken: slices.Concat(dev.GoldBroken, heldOut.GoldBroken), NotRun: slices.Concat(dev.NotRun, heldOut.NotRun)}
	for i, row := range dev.Rows {
		other := heldOut.Rows[i]
		all.Rows = append(all.Rows, score.CheckRow{
			Adversary: row.Adversary, Tried: row.Tried + other.Tried,
			Wrong: slices.Concat(row.Wrong, other.Wrong), Apart: slices.Concat(row.Apart, other.Apart),
		})
	}
	return all
}

// problems are why the check did not pass, each with what can be done; s is
// nil for a document.
func (r *Report) problems(s *term.Streams) []string {
	c := r.Check
	if c.Passed() {
		return nil
	}
	var list []string
	wrong := 0
	for _, row := range c.Rows {
		wrong += len(row.Wrong)
	}
	if wrong > 0 {
		list = append(list, term.Counted(wrong, "answer")+" judged otherwise than counted by hand: the harness or the data is at fault, and no figure of this benchmark can be believed until it is found")
	}
	if n := len(c.NotRun); n > 0 {
		text := fmt.Sprintf("%d of %s could not be run", n, term.Counted(r.Set.Len(), "question"))
		if names := r.databasesNotRun(); len(names) > 0 {
			what := "databases "
			if len(names) == 1 {
				what = "database "
			}
			text += " (" + what + some(s, names, mostDatabases) + ")"
		}
		what := "the reasons say what has to be mended"
		switch {
		case r.Set.file == nil:
			what += "; sqbyl doctor looks at the project's database"
		case slices.ContainsFunc(c.NotRun, func(reason score.Reason) bool { return strings.HasPrefix(reason.Text, "database ") }):
			what = "give --databases the folder or server that has them, or leave their questions out"
		}
		list = append(list, text+"; "+what)
	}
	if len(c.Rows) > 0 && c.Rows[0].Tried == 0 && len(c.NotRun) == 0 {
		list = append(list, "no gold runs, so nothing could be checked: mend the golds, or name the databases they are for")
	}
	return list
}

// databasesNotRun are the databases of the questions that could not be run.
func (r *Report) databasesNotRun() []string {
	names := make(map[string]bool)
	for _, q := range r.Results[0].Questions {
		if q.Outcome.Verdict == compare.NotRun && q.Item.DB != "" && q.Item.Quarantine == "" && !q.Item.Unanswerable {
			names[q.Item.DB] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

func (r *Report) renderCheck(b *strings.Builder, s *term.Streams) {
	c := r.Check
	t := term.Table{Indent: 2, Header: []string{"check", "tried", "as expected", "cannot show"}, Right: []bool{false, true, true, true}}
	for _, row := range c.Rows {
		t.Rows = append(t.Rows, []string{string(row.Adversary), fmt.Sprint(row.Tried), fmt.Sprint(row.Tried - len(row.Wrong)), fmt.Sprint(len(row.Apart))})
	}
	b.WriteString("\n" + t.Render(s.Width, s.Style) + "\n")
	for _, row := range c.Rows {
		for i, w := range row.Wrong {
			if i == mostIDs {
				paragraph(b, s, fmt.Sprintf("%s and %d more of %s (--json has all)", s.Style.More, len(row.Wrong)-i, row.Adversary))
				break
			}
			paragraph(b, s, fmt.Sprintf("%s %s, question %s: %s", s.Style.Bad, row.Adversary, w.ID, w.Text))
		}
	}
	for _, row := range c.Rows {
		listReasons(b, s, string(row.Adversary), row.Apart)
	}
	listReasons(b, s, string(compare.GoldBroken), c.GoldBroken)
	listReasons(b, s, string(compare.NotRun), c.NotRun)
	if c.Passed() {
		fmt.Fprintf(b, "%s the check passed: oracle 100 %%, mute 0 %%, every adversary judged as counted by hand\n", s.Style.Good(s.Style.OK))
		return
	}
	fmt.Fprintf(b, "%s the check did not pass\n", s.Style.Wrong(s.Style.Bad))
	for _, text := range r.problems(s) {
		paragraph(b, s, text)
	}
}

// listReasons lists the questions of each reason.
func listReasons(b *strings.Builder, s *term.Streams, title string, list []score.Reason) {
	ids := make(map[string][]string)
	for _, r := range list {
		ids[r.Text] = append(ids[r.Text], r.ID)
	}
	for _, text := range slices.Sorted(maps.Keys(ids)) {
		paragraph(b, s, fmt.Sprintf("%s, %s (%s): %s", title, text, term.Counted(len(ids[text]), "question"), some(s, ids[text], mostIDs)))
	}
}

// some are the first of a list, and how many more there are.
func some(s *term.Streams, list []string, most int) string {
	if len(list) <= most {
		return strings.Join(list, ", ")
	}
	dots := "…"
	if s != nil {
		dots = s.Style.More
	}
	return fmt.Sprintf("%s, %s and %d more", strings.Join(list[:most], ", "), dots, len(list)-most)
}
