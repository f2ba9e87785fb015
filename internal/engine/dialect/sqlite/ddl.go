package sqlite

import (
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
)

// SQLite keeps the text of each CREATE statement and nothing else of what a
// comment or CHECK says, so both are read from there.

// annotate adds to a table the comments and the CHECK … IN lists of its DDL.
func annotate(t *catalog.Table, ddl string) {
	if t.Kind != catalog.BaseTable || ddl == "" {
		return
	}
	script := sqltext.Scan(ddl, &rules)
	start, end, ok := body(script)
	if !ok {
		return
	}
	parts := split(script, start, end)
	names := columnNames(t, script, parts)
	t.Comment = tableComment(script, start)
	for i, name := range names {
		if name == nil {
			continue
		}
		name.Comment = partComment(script, parts, i)
	}
	for i := start; i < end; i++ {
		if wordAt(script, i, "check") && script.Is(i+1, "(") {
			applyCheck(t, script, i+2, closing(script, i+1))
		}
	}
}

var rules = sqltext.SQLiteRules

// body is the range of tokens between the brackets of CREATE TABLE t (…).
func body(s *sqltext.Script) (start, end int, ok bool) {
	for i := range s.Tokens {
		if s.Is(i, "(") {
			return i + 1, closing(s, i), true
		}
	}
	return 0, 0, false
}

// closing is the bracket that closes the one at i, or the end.
func closing(s *sqltext.Script, i int) int {
	depth := 0
	for ; i < len(s.Tokens); i++ {
		switch s.Tokens[i].Kind {
		case sqltext.Open:
			depth++
		case sqltext.Close:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(s.Tokens)
}

// part is the definition of one column or constraint: tokens [from, to).
type part struct{ from, to int }

func split(s *sqltext.Script, start, end int) []part {
	var parts []part
	depth, from := 0, start
	for i := start; i < end; i++ {
		switch s.Tokens[i].Kind {
		case sqltext.Open:
			depth++
		case sqltext.Close:
			depth--
		case sqltext.Comma:
			if depth == 0 {
				parts, from = append(parts, part{from, i}), i+1
			}
		}
	}
	if from < end {
		parts = append(parts, part{from, end})
	}
	return parts
}

// columnNames gives the column that each part defines, nil for a constraint.
func columnNames(t *catalog.Table, s *sqltext.Script, parts []part) []*catalog.Column {
	columns := make([]*catalog.Column, len(parts))
	next := 0
	for i, p := range parts {
		name := nameAt(s, p.from)
		if next < len(t.Columns) && strings.EqualFold(t.Columns[next].Name, name) {
			columns[i] = &t.Columns[next]
			next++
		}
	}
	return columns
}

// tableComment is what stands before the first column: beside the name or the
// bracket, or on lines of its own that a blank line parts from the column.
func tableComment(s *sqltext.Script, start int) string {
	if start >= len(s.Tokens) {
		return ""
	}
	open, first := int(s.Tokens[start-1].Start), int(s.Tokens[start].Start)
	line := lineEnd(s.SQL, open)
	var texts []string
	for _, c := range s.Comments {
		if at := int(c.Start); at < open || at < line && int(c.End) <= first {
			texts = append(texts, commentText(s, c))
		}
	}
	return strings.Join(texts, " ")
}

// partComment is the comment of a column: inside its definition, behind it on
// the same line, or on whole lines directly above it.
func partComment(s *sqltext.Script, parts []part, i int) string {
	p := parts[i]
	from, to := int(s.Tokens[p.from].Start), int(s.Tokens[p.to-1].End)
	after := lineEnd(s.SQL, to)
	if i+1 < len(parts) {
		after = min(after, int(s.Tokens[parts[i+1].from].Start))
	}
	before := lineEnd(s.SQL, int(s.Tokens[p.from-1].Start))
	var texts []string
	for _, c := range s.Comments {
		at := int(c.Start)
		above := at >= before && at < from
		if above || at >= from && at < after {
			texts = append(texts, commentText(s, c))
		}
	}
	return strings.Join(texts, " ")
}

func lineEnd(text string, from int) int {
	if n := strings.IndexByte(text[from:], '\n'); n >= 0 {
		return from + n
	}
	return len(text)
}

func commentText(s *sqltext.Script, c sqltext.Token) string {
	text := s.SQL[c.Start:c.End]
	if inner, ok := strings.CutPrefix(text, "/*"); ok {
		text = strings.TrimSuffix(inner, "*/")
	}
	text = strings.TrimLeft(text, "-*")
	return strings.Join(strings.Fields(text), " ")
}

// applyCheck reads name IN ('a', 'b') out of a CHECK; other forms say nothing
// about single values.
func applyCheck(t *catalog.Table, s *sqltext.Script, from, to int) {
	if to-from < 4 || !wordAt(s, from+1, "in") || !s.Is(from+2, "(") || closing(s, from+2) != to-1 {
		return
	}
	name := nameAt(s, from)
	var values []string
	for i := from + 3; i < to-1; i++ {
		switch {
		case s.IsKind(i, sqltext.String), s.IsKind(i, sqltext.Number):
			values = append(values, sqltext.Unquote(s.Text(i)))
		case !s.IsKind(i, sqltext.Comma):
			return
		}
	}
	for i := range t.Columns {
		if strings.EqualFold(t.Columns[i].Name, name) {
			t.Columns[i].Checks = values
		}
	}
}

func wordAt(s *sqltext.Script, i int, word string) bool {
	return s.IsKind(i, sqltext.Word) && strings.EqualFold(s.Text(i), word)
}

// nameAt is the name at i as it is spelled; SQLite takes 'x' for a name too.
func nameAt(s *sqltext.Script, i int) string {
	if i >= len(s.Tokens) {
		return ""
	}
	return sqltext.Unquote(s.Text(i))
}
