package orderkey

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
)

// closed reports that nothing can be added to the select list without changing
// the rows. The key can then be made of the columns only.
func (b *keyBuilder) closed() bool { return b.items == nil || b.unique }

// wrap selects from the gold, so that ties are told by a rank over its columns
// and not by their values alone.
func (b *keyBuilder) wrap(q *Query) {
	gold := b.splice(nil)
	var terms, added []string
	ok := true
	for _, t := range b.terms {
		text := columnName(t.output)
		if t.output < 0 {
			text, ok = b.ofColumns(t.text)
			added = append(added, text)
		}
		terms = append(terms, text+t.order)
	}
	if ok {
		names := make([]string, len(b.columns))
		for i := range names {
			names[i] = columnName(i)
		}
		list, by := strings.Join(names, ", "), strings.Join(terms, ", ")
		q.SQL = append(q.SQL, fmt.Sprintf("WITH gold_(%s) AS (%s) SELECT %s, DENSE_RANK() OVER (ORDER BY %s) AS %s FROM gold_ ORDER BY %s",
			list, gold, strings.Join(append(names, added...), ", "), by, rankName, by))
	}
	if q.added == 0 {
		q.SQL = append(q.SQL, gold)
	}
}

func columnName(i int) string { return "c" + strconv.Itoa(i+1) + "_" }

// ofColumns writes a term with the names that columns have in wrap, where it
// is made of them: name COLLATE NOCASE, 2 COLLATE NOCASE, lower(name). A name
// that is no column's is left for the engine to refuse, unless it is quoted:
// some take that for a text.
func (b *keyBuilder) ofColumns(term string) (string, bool) {
	s := sqltext.Scan(term, b.Rules)
	var out strings.Builder
	done, found := int32(0), false
	put := func(from, to int, column int) {
		out.WriteString(term[done:s.Tokens[from].Start] + columnName(column))
		done, found = s.Tokens[to].End, true
	}
	for i, t := range s.Tokens {
		switch {
		case t.Key == sqltext.KeySelect:
			return "", false // its names are others
		case i == 0 && t.Kind == sqltext.Number && s.Key(1) == sqltext.KeyCollate:
			if n, err := strconv.Atoi(s.Text(0)); err == nil && n >= 1 && n <= len(b.columns) {
				put(0, 0, n-1)
			}
		case t.Kind != sqltext.Name && t.Kind != sqltext.Word,
			s.Is(i+1, "("), s.IsKind(i+1, sqltext.Dot), s.Key(i-1) == sqltext.KeyCollate, s.Key(i-1) == sqltext.KeyAs:
		default:
			from, column := i, b.named(s.Name(i))
			for from >= 2 && s.IsKind(from-1, sqltext.Dot) {
				from -= 2
			}
			if from < i { // of a table, whose column may be selected under another name
				column = b.selected(sqltext.Scan(term[s.Tokens[from].Start:t.End], b.Rules))
			}
			switch {
			case column >= 0:
				put(from, i, column)
			case t.Kind == sqltext.Name || from < i:
				return "", false
			}
		}
	}
	out.WriteString(term[done:])
	return out.String(), found
}
