package evaluate

import (
	"fmt"
	"strings"

	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/toolkit/eval"
	"github.com/sqbyl/sqbyl/internal/toolkit/heldout"
)

// wrongIDs lists held-out questions that were not right, by id and verdict.
func (r *Report) wrongIDs(b *strings.Builder, s *term.Streams) {
	for _, solver := range r.Cards.Document("").Solvers {
		if solver.Name == eval.MuteName {
			continue
		}
		var list []string
		for _, line := range solver.Questions {
			if !line.Correct && line.Verdict.Charged() {
				list = append(list, line.ID+" ("+string(line.Verdict)+")")
			}
		}
		if len(list) > 0 {
			paragraph(b, s, solver.Name+", wrong: "+strings.Join(list, ", "))
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
