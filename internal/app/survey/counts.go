package survey

import (
	"fmt"
	"strings"

	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/toolkit/joins"
)

// Counts are the size of a schema.
type Counts struct {
	Tables     int      `json:"tables"`
	Columns    int      `json:"columns"`
	Schemas    int      `json:"schemas"`
	Unreadable []string `json:"unreadable"`
}

func countSchema(s catalog.Schema) Counts {
	out := Counts{Tables: len(s.Tables), Unreadable: filled(s.Unreadable)}
	schemas := map[string]bool{}
	for _, t := range s.Tables {
		out.Columns += len(t.Columns)
		schemas[t.Schema] = true
	}
	out.Schemas = len(schemas)
	return out
}

func declaredJoins(s catalog.Schema) int {
	n := 0
	for _, t := range s.Tables {
		n += len(t.ForeignKeys)
	}
	return n
}

func filled[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func schemaLine(c Counts, style term.Style) string {
	line := term.Counted(c.Tables, "table") + ", " + term.Counted(c.Columns, "column")
	if c.Schemas > 1 {
		line += ", " + term.Counted(c.Schemas, "schema")
	}
	if n := len(c.Unreadable); n > 0 {
		line += fmt.Sprintf(" %s %s not readable, left out", style.Dot, term.Counted(n, "table"))
	}
	return line
}

// joinsLine counts what is declared and what was found: sure ones go into the
// drafts, others wait for somebody to choose.
func joinsLine(declared int, found []joins.Candidate) string {
	sure, decide := countJoins(found)
	line := fmt.Sprintf("%d declared, %d found", declared, sure+decide)
	switch {
	case sure > 0 && decide > 0:
		line += fmt.Sprintf(" (%d sure, %d to decide)", sure, decide)
	case decide > 0:
		line += " (to decide)"
	}
	return line
}

func countJoins(found []joins.Candidate) (sure, decide int) {
	chosen := map[string]bool{}
	for _, c := range found {
		from := c.From.Schema + "\x00" + c.From.Table + "\x00" + strings.Join(c.From.Columns, "\x00")
		switch {
		case c.Sure():
			sure++
		case c.Decide && !chosen[from]: // the targets of a column are one decision
			chosen[from] = true
			decide++
		}
	}
	return sure, decide
}

// decisions shows the targets that somebody has to choose between.
func decisions(s *term.Streams, found []joins.Candidate) string {
	var b strings.Builder
	for _, c := range found {
		if c.Decide {
			line := fmt.Sprintf("to decide: %s (confidence %.2f; %s)", c.On, c.Confidence, strings.Join(c.Evidence, "; "))
			fmt.Fprintf(&b, "  %s\n", s.Style.Dim(term.Wrap(term.Clean(line), s.Width, 2, 4)))
		}
	}
	return b.String()
}
