package evaluate

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/engine/compare"
	"github.com/sqbyl/sqbyl/internal/toolkit/eval"
	"github.com/sqbyl/sqbyl/internal/toolkit/stats"
)

// mostWrong is how many wrong answers of a solver are shown.
const mostWrong = 20

// Render shows a report on a terminal or a page of text.
func (r *Report) Render(s *term.Streams) string {
	var b strings.Builder
	dot := " " + s.Style.Dot + " "
	head := []string{"eval " + r.Set.Name}
	if r.Set.Split != All && r.Set.Split != r.Set.Name {
		head = append(head, r.Set.Split)
	}
	head = append(head, term.Counted(r.Set.Len(), "question"), "right by the rule "+string(r.Set.Headline))
	paragraph(&b, s, strings.Join(head, dot))
	b.WriteString("\n")
	t := term.Table{Indent: 2, Header: eval.Header, Rows: eval.Table(r.Results), Right: []bool{false, true, true, true, true, true, true, true, true, true}}
	b.WriteString(t.Render(s.Width, s.Style) + "\n")
	judged, last := 0, ""
	for _, sum := range r.summaries() {
		judged = max(judged, sum.N)
		// Most often it is the same for all of them.
		if left := notJudged(sum); left != last {
			paragraph(&b, s, sum.Solver+": "+cmp.Or(left, "all judged"))
			last = left
		}
	}
	paragraph(&b, s, stats.Reach(judged))
	r.compared(&b, s)
	for _, res := range r.open {
		wrong(&b, s, res)
	}
	if r.Cards != nil {
		r.wrongIDs(&b, s)
	}
	if r.Check != nil {
		r.renderCheck(&b, s)
	}
	return b.String()
}

func paragraph(b *strings.Builder, s *term.Streams, text string) {
	fmt.Fprintf(b, "  %s\n", term.Wrap(term.Clean(text), s.Width, 2, 4))
}

// notJudged says what is in no denominator.
func notJudged(s eval.Summary) string {
	var parts []string
	for _, c := range []struct {
		n    int
		what string
	}{{s.GoldBroken, "gold broken"}, {s.NotRun, "not run"}, {s.Quarantined, "in quarantine"}} {
		if c.n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", c.what, c.n))
		}
	}
	if s.Unanswerable > 0 {
		parts = append(parts, fmt.Sprintf("refused to guess %d of %d unanswerable", s.Abstained, s.Unanswerable))
	}
	return strings.Join(parts, ", ")
}

// compared holds the solvers that are not the harness's own against the first
// of them.
func (r *Report) compared(b *strings.Builder, s *term.Streams) {
	first := -1
	solvers := r.summaries()
	for i, sum := range solvers {
		if own(sum.Solver) {
			continue
		}
		if first < 0 {
			first = i
			continue
		}
		p := eval.Pair(r.Results[first], r.Results[i])
		line := fmt.Sprintf("%s against %s: +%d fixed, -%d broken, p = %.2g", sum.Solver, solvers[first].Solver, p.Fixed, p.Broken, p.McNemar())
		if p.McNemar() > 0.05 {
			line += " (too few to tell)"
		}
		paragraph(b, s, line)
	}
}

func own(solver string) bool { return solver == eval.OracleName || solver == eval.MuteName }

// wrong lists what a solver got wrong and how, and what was not judged. That
// the mute solver says nothing needs no list.
func wrong(b *strings.Builder, s *term.Streams, res eval.Result) {
	var rows [][3]string
	more, silent := 0, 0
	for i := range res.Questions {
		q := &res.Questions[i]
		charged := q.Outcome.Verdict.Charged()
		switch {
		case q.Correct, q.Item.Quarantine != "", q.Item.Unanswerable, charged && res.Solver == eval.MuteName:
			continue
		case !charged && res.Solver != eval.OracleName:
			continue // told once, of the oracle
		case q.Outcome.Verdict == compare.NoSQL:
			silent++
			continue
		case len(rows) == mostWrong:
			more++
			continue
		}
		rows = append(rows, [3]string{q.Item.ID, string(q.Outcome.Verdict), q.Outcome.Difference})
	}
	if len(rows)+silent == 0 {
		return
	}
	title := "wrong"
	if res.Solver == eval.OracleName {
		title = "not judged, or not what the gold itself returns"
	}
	fmt.Fprintf(b, "\n  %s: %s\n", s.Style.Strong(term.Clean(res.Solver)), title)
	for _, row := range rows {
		lead := fmt.Sprintf("%-10s %-15s ", term.Clean(row[0]), row[1])
		fmt.Fprintf(b, "  %s%s\n", lead, term.Wrap(term.Clean(row[2]), s.Width, 2+term.Width(lead), 6))
	}
	if silent > 0 {
		paragraph(b, s, fmt.Sprintf("no SQL for %s", term.Counted(silent, "question")))
	}
	if more > 0 {
		paragraph(b, s, fmt.Sprintf("%s %d more (--json has all)", s.Style.More, more))
	}
}
