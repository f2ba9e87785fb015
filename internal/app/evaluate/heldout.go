package evaluate

import (
	"fmt"
	"strings"

	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/toolkit/eval"
	"github.com/sqbyl/sqbyl/internal/toolkit/heldout"
)

// wrongIDs lists held-out questions that were not right, by id and verdict,
// and once those that could not be judged.
func (r *Report) wrongIDs(b *strings.Builder, s *term.Streams) {
	b.WriteString("\n")
	for _, res := range r.Cards.Results() {
		if res.Solver == eval.MuteName {
			continue
		}
		var wrong, left []string
		for _, q := range res.Questions {
			line := q.Item.ID + " (" + string(q.Outcome.Verdict) + ")"
			switch {
			case q.Correct || q.Item.Quarantine != "" || q.Item.Unanswerable:
			case q.Outcome.Verdict.Charged():
				wrong = append(wrong, line)
			case res.Solver == eval.OracleName:
				left = append(left, line)
			}
		}
		for _, l := range []struct {
			what string
			ids  []string
		}{{"wrong", wrong}, {"not judged", left}} {
			if len(l.ids) > 0 {
				paragraph(b, s, fmt.Sprintf("%s, %s of the held-out questions (%d): %s", res.Solver, l.what, len(l.ids), some(s, l.ids, mostWrong)))
			}
		}
	}
	paragraph(b, s, "of held-out questions ids and verdicts are shown; this look is on record")
}

// RenderRows shows held-out rows to the person who asked for them.
func RenderRows(s *term.Streams, rows []heldout.Row) string {
	var b strings.Builder
	for _, row := range rows {
		fmt.Fprintf(&b, "\n  %s  %s  %s\n", s.Style.Strong(term.Clean(row.ID)), term.Clean(row.Solver), row.Verdict)
		for _, part := range [][2]string{{"question", row.Question}, {"gold", row.Gold}, {"answer", row.SQL}, {"", row.Difference}} {
			if text := strings.Join(strings.Fields(part[1]), " "); text != "" {
				fmt.Fprintf(&b, "    %-9s %s\n", part[0], term.Wrap(term.Clean(text), s.Width, 14, 14))
			}
		}
	}
	return b.String()
}
