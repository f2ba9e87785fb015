package splice_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/sqbyl/sqbyl/internal/toolkit/edit/splice"
	"github.com/sqbyl/sqbyl/internal/toolkit/project/yamldoc"
	"github.com/sqbyl/sqbyl/semantic"
)

// FuzzRewrite changes any text that reads as a table: the result reads as
// meant, or the text is refused.
func FuzzRewrite(f *testing.F) {
	for _, text := range []string{human, "table: t", "{table: t, synonyms: [a]}", "? table\n: t\n", "---\ntable: t\n...\n", "table: t\nmeasures:\n-\n  name: a\n  sql: >+\n\n   b\n\n\n", "\ufefftable: 't'\r\n", "table: t\njoins: [ { to: a , on: 'b' } , ]\n", "table: t\nsynonyms:\n- - a\n"} {
		f.Add([]byte(text), "new: one", byte(0))
	}
	f.Fuzz(func(t *testing.T, text []byte, word string, which byte) {
		var table semantic.Table
		if splice.Read("t.yaml", text, &table) != nil {
			return
		}
		if _, err := yamldoc.Write(table); err != nil {
			return
		}
		change(&table, word, which)
		want, err := yamldoc.Write(table)
		if err != nil {
			return
		}
		out, err := splice.Rewrite("t.yaml", text, table)
		var refusal *splice.Refusal
		if errors.As(err, &refusal) {
			return
		}
		if err != nil {
			t.Fatalf("%v\n%q", err, text)
		}
		var got semantic.Table
		if err := splice.Read("t.yaml", out, &got); err != nil {
			t.Fatalf("%v\n%q", err, out)
		}
		if back, err := yamldoc.Write(got); err != nil || !bytes.Equal(back, want) {
			t.Fatalf("reads as %s, want %s, %v", back, want, err)
		}
	})
}

func change(table *semantic.Table, word string, which byte) {
	switch which % 8 {
	case 0:
		table.Synonyms = append(table.Synonyms, word)
	case 1:
		table.Description = word
	case 2:
		table.Measures = append(table.Measures, semantic.Measure{Name: "n", SQL: "x" + word})
	case 3:
		if len(table.Measures) > 0 {
			table.Measures = table.Measures[1:]
		}
	case 4:
		if len(table.Columns) > 0 {
			table.Columns[0].Description, table.Columns[0].Synonyms = word, nil
		}
	case 5:
		table.Joins = []semantic.Join{{To: "t", On: "x" + word}}
	case 6:
		table.Filters, table.Synonyms = nil, []string{word}
	default:
		if n := len(table.Columns); n > 0 {
			table.Columns = table.Columns[:n-1]
		}
	}
}
