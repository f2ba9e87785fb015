package orderkey

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
)

func (b *keyBuilder) readTerms(q *Query) error {
	keys, _ := b.OrderKeys()
	for _, key := range keys {
		t := b.term(key.Text)
		if key.Desc {
			t.order = " DESC"
		}
		if key.Nulls != "" {
			t.order += " NULLS " + key.Nulls
		}
		if t.output >= 0 {
			q.keys = append(q.keys, t.output)
		} else {
			if _, ok := b.ofColumns(key.Text); !ok && b.closed() {
				return fmt.Errorf("%s is not selected, and cannot be beside DISTINCT or a set operation", key.Text)
			}
			q.keys = append(q.keys, q.width+q.added)
			q.added++
		}
		b.terms = append(b.terms, t)
	}
	if len(b.terms) == 0 {
		return fmt.Errorf("its ORDER BY has no terms")
	}
	return nil
}

// term finds the column of the gold a term of its ORDER BY means.
func (b *keyBuilder) term(text string) keyTerm {
	s := sqltext.Scan(text, b.Rules)
	if len(s.Tokens) == 1 {
		switch s.Tokens[0].Kind {
		case sqltext.Number:
			if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= len(b.columns) {
				return keyTerm{b.expression(n - 1), n - 1, ""}
			}
		case sqltext.Word, sqltext.Name:
			if i := b.named(s.Name(0)); i >= 0 {
				return keyTerm{b.expression(i), i, ""}
			}
		default:
		}
	}
	return keyTerm{text, b.selected(s), ""}
}

// selected is the column that selects an expression, -1 for none.
func (b *keyBuilder) selected(expression *sqltext.Script) int {
	if b.starred() {
		return -1
	}
	for i, it := range b.items {
		if sameTokens(expression, sqltext.Scan(b.span(it.from, it.to), b.Rules)) {
			return i
		}
	}
	return -1
}

// named is the column with that name: an alias, else a column of the result.
func (b *keyBuilder) named(name string) int {
	if !b.starred() {
		for i, it := range b.items {
			if it.alias >= 0 && strings.EqualFold(b.Name(it.alias), name) {
				return i
			}
		}
	}
	for i, col := range b.columns {
		if strings.EqualFold(col.Name, name) {
			return i
		}
	}
	return -1
}

// expression is what column i selects, "" where the text does not show it.
func (b *keyBuilder) expression(i int) string {
	if b.starred() || b.unique {
		return ""
	}
	return b.span(b.items[i].from, b.items[i].to)
}

func sameTokens(a, b *sqltext.Script) bool {
	if len(a.Tokens) != len(b.Tokens) {
		return false
	}
	for i := range a.Tokens {
		if a.Tokens[i].Kind != b.Tokens[i].Kind {
			return false
		}
		same := a.Text(i) == b.Text(i)
		if a.Tokens[i].Kind == sqltext.Word {
			same = strings.EqualFold(a.Text(i), b.Text(i))
		}
		if !same {
			return false
		}
	}
	return true
}

// write spells the ways to ask for the key.
func (b *keyBuilder) write(q *Query) {
	if b.closed() {
		b.wrap(q)
		return
	}
	plain, inlined := b.added(func(t string) string { return t }), b.added(b.inline)
	for _, added := range [][]string{plain, inlined} {
		if added == nil {
			continue
		}
		if rank := b.rank(added); rank != "" {
			q.SQL = append(q.SQL, b.splice(append(added[:len(added):len(added)], rank)))
		}
		q.SQL = append(q.SQL, b.splice(added))
	}
	if strings.Join(plain, ",") == strings.Join(inlined, ",") {
		q.SQL = q.SQL[:len(q.SQL)/2]
	}
}

// added are the terms to append, in order.
func (b *keyBuilder) added(spell func(string) string) []string {
	list := []string{}
	for _, t := range b.terms {
		if t.output < 0 {
			list = append(list, spell(t.text))
		}
	}
	return list
}

// inline puts expressions in the place of aliases, which some engines allow
// within a term and none in a select list.
func (b *keyBuilder) inline(term string) string {
	s := sqltext.Scan(term, b.Rules)
	var out strings.Builder
	done := int32(0)
	for i, t := range s.Tokens {
		isName := t.Kind == sqltext.Word && t.Key == sqltext.KeyNone || t.Kind == sqltext.Name
		if !isName || s.Is(i+1, "(") || s.IsKind(i+1, sqltext.Dot) || s.IsKind(i-1, sqltext.Dot) {
			continue
		}
		for _, it := range b.items {
			if it.alias >= 0 && strings.EqualFold(b.Name(it.alias), s.Name(i)) {
				out.WriteString(term[done:t.Start] + "(" + b.span(it.from, it.to) + ")")
				done = t.End
				break
			}
		}
	}
	out.WriteString(term[done:])
	return out.String()
}

// rank is a column that numbers the ties, "" where none can be written.
func (b *keyBuilder) rank(added []string) string {
	terms := make([]string, 0, len(b.terms))
	next := 0
	for _, t := range b.terms {
		text := t.text
		if t.output < 0 {
			text = added[next]
			next++
		}
		if text == "" {
			return ""
		}
		terms = append(terms, text+t.order)
	}
	return "DENSE_RANK() OVER (ORDER BY " + strings.Join(terms, ", ") + ") AS " + rankName
}

const rankName = "order_rank_"

// splice writes the gold with further columns and without its LIMIT.
func (b *keyBuilder) splice(added []string) string {
	end := int(b.Tokens[b.tail()-1].End)
	if len(added) == 0 {
		return b.SQL[:end]
	}
	at := int(b.Tokens[b.lastItemEnd()].End)
	return b.SQL[:at] + ", " + strings.Join(added, ", ") + b.SQL[at:end]
}

func (b *keyBuilder) lastItemEnd() int {
	last := b.items[len(b.items)-1]
	if last.alias >= 0 {
		return last.alias
	}
	return last.to - 1
}
