package orderkey

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
)

// Query is a gold rewritten so that its result also holds its order key.
type Query struct {
	// SQL are ways to write it, best first: the first the engine accepts is
	// the one to run.
	SQL []string
	// Start, where it is not empty, is a query of how many rows the gold skips.
	Start string

	width  int   // columns of the gold
	keys   []int // columns of the result that are the terms, in their order
	added  int   // terms that are columns of their own, behind the gold's
	offset int
	limit  int
}

// Ordered reports a top-level ORDER BY.
func Ordered(sql string, rules *sqltext.Rules) bool {
	keys, _ := sqltext.Scan(sql, rules).OrderKeys()
	return len(keys) > 0
}

// New rewrites a gold that returned the given result: without LIMIT
// and OFFSET, and with every term of its ORDER BY that is not selected as a
// column behind its own. A DENSE_RANK over the terms, where one can be
// written, tells ties as the engine does, collations included. The error says
// what of the text has no such form.
func New(sql string, rules *sqltext.Rules, gold *db.Result) (*Query, error) {
	s, outline := unwrapped(sql, rules)
	b := &keyBuilder{Script: s, outline: outline, columns: gold.Columns}
	if b.outline.Order < 0 || b.outline.Statements != 1 {
		return nil, fmt.Errorf("rewrite the gold with its order key: no ORDER BY at its top level")
	}
	q := &Query{width: len(gold.Columns), limit: -1}
	if err := b.readWindow(q, len(gold.Rows)); err != nil {
		return nil, fmt.Errorf("rewrite the gold with its order key: %w", err)
	}
	b.readItems()
	if err := b.readTerms(q); err != nil {
		return nil, fmt.Errorf("rewrite the gold with its order key: %w", err)
	}
	b.write(q)
	return q, nil
}

// unwrapped is a query without the brackets around all of it.
func unwrapped(sql string, rules *sqltext.Rules) (*sqltext.Script, *sqltext.Outline) {
	s := sqltext.Scan(sql, rules)
	o := s.Outline()
	if o.Order >= 0 || o.Statements != 1 || !s.Is(0, "(") || !s.Is(o.End-1, ")") {
		return s, o
	}
	depth := 0
	for i := range o.End - 1 {
		switch s.Tokens[i].Kind {
		case sqltext.Open:
			depth++
		case sqltext.Close:
			depth--
		default:
		}
		if depth == 0 {
			return s, o
		}
	}
	return unwrapped(sql[s.Tokens[0].End:s.Tokens[o.End-1].Start], rules)
}

// keyBuilder reads the parts of one gold.
type keyBuilder struct {
	*sqltext.Script
	outline *sqltext.Outline
	columns []db.Column
	items   []selectItem // of the only outermost SELECT; nil where there are several
	unique  bool         // SELECT DISTINCT
	terms   []keyTerm
}

// selectItem is an item of the select list in tokens [from, to); alias is its
// name's token, -1 for none.
type selectItem struct {
	from, to, alias int
}

// keyTerm is a term of the ORDER BY.
type keyTerm struct {
	text   string // to append and to rank by; "" where a rank cannot be written
	output int    // column of the gold, -1 for none
	order  string // " DESC NULLS LAST"
}

// readWindow reads what of all rows the gold returns. How many is known of the
// gold itself, however its LIMIT is written; where they begin is a number, or
// to be asked for.
func (b *keyBuilder) readWindow(q *Query, rows int) error {
	from, to := -1, b.outline.End
	for _, i := range b.outermost(b.tail(), b.outline.End) {
		switch b.Key(i) {
		case sqltext.KeyLimit, sqltext.KeyFetch:
			if from >= 0 && i > from {
				to = i
			}
			if k := b.Key(i + 1); k != sqltext.KeyAll && k != sqltext.KeyNull {
				q.limit = rows
			}
		case sqltext.KeyOffset:
			from = i + 1
		default:
			if b.IsKind(i, sqltext.Comma) { // LIMIT offset, rows
				from, to = b.outline.Limit+1, i
			}
		}
	}
	if from < 0 || from >= to {
		return nil
	}
	if last := b.Text(to - 1); to-from > 1 && (strings.EqualFold(last, "rows") || strings.EqualFold(last, "row")) {
		to--
	}
	text := b.span(from, to)
	if n, err := strconv.Atoi(strings.ReplaceAll(text, "_", "")); err == nil && to-from == 1 {
		q.offset = n
		return nil
	}
	with := ""
	if b.Key(0) == sqltext.KeyWith {
		first := b.firstSelect()
		if first < 0 {
			return fmt.Errorf("its OFFSET is not a number")
		}
		with = b.SQL[:b.Tokens[first].Start] // the OFFSET may read them
	}
	q.Start = with + "SELECT (" + text + ")"
	return nil
}

// firstSelect is the first SELECT outside brackets, -1 for none.
func (b *keyBuilder) firstSelect() int {
	for _, i := range b.outermost(0, b.outline.Order) {
		if b.Key(i) == sqltext.KeySelect {
			return i
		}
	}
	return -1
}

// tail is the first token behind the terms of the ORDER BY.
func (b *keyBuilder) tail() int {
	end := b.outline.End
	for _, i := range []int{b.outline.Limit, b.outline.Offset, b.outline.Fetch} {
		if i > b.outline.Order && i < end {
			end = i
		}
	}
	return end
}

// readItems reads the select list where there is one outermost SELECT.
func (b *keyBuilder) readItems() {
	if b.outline.SetOp >= 0 {
		return
	}
	at := -1
	for _, i := range b.outermost(0, b.outline.Order) {
		if b.Key(i) == sqltext.KeySelect {
			if at >= 0 {
				return
			}
			at = i
		}
	}
	if at < 0 {
		return
	}
	from := at + 1
	if k := b.Key(from); k == sqltext.KeyDistinct || k == sqltext.KeyAll {
		b.unique = k == sqltext.KeyDistinct
		from++
	}
	start := from
	for _, i := range append(b.outermost(from, b.outline.Order), b.outline.Order) {
		ends := i == b.outline.Order || endsItems(b.Key(i))
		if !ends && !b.IsKind(i, sqltext.Comma) {
			continue
		}
		if i > start {
			b.items = append(b.items, b.item(start, i))
		}
		if start = i + 1; ends {
			return
		}
	}
}

func endsItems(k sqltext.Key) bool {
	switch k {
	case sqltext.KeyFrom, sqltext.KeyWhere, sqltext.KeyGroup, sqltext.KeyHaving, sqltext.KeyWindow, sqltext.KeyInto, sqltext.KeyQualify:
		return true
	}
	return false
}

// outermost lists the tokens of [from, to) outside brackets.
func (b *keyBuilder) outermost(from, to int) []int {
	var list []int
	depth := 0
	for i := from; i < to; i++ {
		switch b.Tokens[i].Kind {
		case sqltext.Open:
			depth++
		case sqltext.Close:
			depth--
		default:
			if depth == 0 {
				list = append(list, i)
			}
		}
	}
	return list
}

func (b *keyBuilder) item(from, to int) selectItem {
	last := to - 1
	isName := b.IsKind(last, sqltext.Name) || b.IsKind(last, sqltext.Word) && b.Key(last) != sqltext.KeyEnd
	switch {
	case last-from >= 2 && b.Key(last-1) == sqltext.KeyAs:
		return selectItem{from, last - 1, last}
	case last > from && isName && b.endsValue(last-1):
		return selectItem{from, last, last}
	}
	return selectItem{from, to, -1}
}

// endsValue reports that a value can end at token i, so that a name behind it
// is an alias. Most keywords are names too, in one engine or another.
func (b *keyBuilder) endsValue(i int) bool {
	switch b.Tokens[i].Kind {
	case sqltext.Close, sqltext.Name, sqltext.String, sqltext.Number, sqltext.Param:
		return true
	case sqltext.Word:
		return !wantsValue[b.Key(i)]
	}
	return false
}

// wantsValue are keywords behind which a value goes on.
var wantsValue = map[sqltext.Key]bool{
	sqltext.KeyAnd: true, sqltext.KeyOr: true, sqltext.KeyXor: true, sqltext.KeyNot: true, sqltext.KeyIs: true, sqltext.KeyIn: true,
	sqltext.KeyLike: true, sqltext.KeyIlike: true, sqltext.KeyRlike: true, sqltext.KeyRegexp: true, sqltext.KeyGlob: true, sqltext.KeyMatch: true,
	sqltext.KeySimilar: true, sqltext.KeyTo: true, sqltext.KeyBetween: true, sqltext.KeyEscape: true, sqltext.KeyCollate: true,
	sqltext.KeyCase: true, sqltext.KeyWhen: true, sqltext.KeyThen: true, sqltext.KeyElse: true, sqltext.KeyDistinct: true, sqltext.KeyAll: true,
	sqltext.KeyFrom: true, sqltext.KeyAs: true, sqltext.KeyDiv: true, sqltext.KeyMod: true, sqltext.KeyZone: true, sqltext.KeyInterval: true,
	sqltext.KeyAny: true, sqltext.KeySome: true, sqltext.KeyOver: true,
}

func (b *keyBuilder) span(from, to int) string {
	return b.SQL[b.Tokens[from].Start:b.Tokens[to-1].End]
}

// starred reports a * before item n: places of columns are then not those of
// items.
func (b *keyBuilder) starred() bool {
	for _, it := range b.items {
		if b.Is(it.to-1, "*") {
			return true
		}
	}
	return len(b.items) != len(b.columns)
}
