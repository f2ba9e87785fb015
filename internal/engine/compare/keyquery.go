package compare

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
)

// KeyQuery is a gold rewritten so that its result also holds its order key.
type KeyQuery struct {
	// SQL are ways to write it, best first: the first the engine accepts is
	// the one to run.
	SQL []string

	width   int   // columns of the gold
	outputs []int // columns of the gold that are key terms
	added   int   // terms that are columns of their own, behind the gold's
	offset  int
	limit   int
}

// Ordered reports a top-level ORDER BY.
func Ordered(sql string, rules *sqltext.Rules) bool {
	keys, _ := sqltext.Scan(sql, rules).OrderKeys()
	return len(keys) > 0
}

// NewKeyQuery rewrites a gold that returned the given columns: without LIMIT
// and OFFSET, and with every term of its ORDER BY that is not selected as a
// column behind its own. A DENSE_RANK over the terms, where one can be
// written, tells ties as the engine does, collations included. The error says
// what of the text has no such form.
func NewKeyQuery(sql string, rules *sqltext.Rules, columns []db.Column) (*KeyQuery, error) {
	s := sqltext.Scan(sql, rules)
	b := &keyBuilder{Script: s, outline: s.Outline(), columns: columns}
	if b.outline.Order < 0 || b.outline.Statements != 1 {
		return nil, fmt.Errorf("rewrite the gold with its order key: no ORDER BY at its top level")
	}
	q := &KeyQuery{width: len(columns), limit: -1}
	if err := b.readLimit(q); err != nil {
		return nil, fmt.Errorf("rewrite the gold with its order key: %w", err)
	}
	b.readItems()
	if err := b.readTerms(q); err != nil {
		return nil, fmt.Errorf("rewrite the gold with its order key: %w", err)
	}
	b.write(q)
	return q, nil
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

// readLimit reads what stands behind the ORDER BY.
func (b *keyBuilder) readLimit(q *KeyQuery) error {
	number := func(i int) (int, error) {
		if !b.IsKind(i, sqltext.Number) {
			return 0, fmt.Errorf("its LIMIT is not a number")
		}
		n, err := strconv.Atoi(strings.ReplaceAll(b.Text(i), "_", ""))
		if err != nil {
			return 0, fmt.Errorf("its LIMIT is not a number: %w", err)
		}
		return n, nil
	}
	o := b.outline
	var err error
	for i := b.tail(); i < o.End && err == nil; {
		switch b.Key(i) {
		case sqltext.KeyLimit:
			i++
			if b.Key(i) == sqltext.KeyAll || b.Key(i) == sqltext.KeyNull {
				i++
				continue
			}
			if q.limit, err = number(i); err == nil && b.IsKind(i+1, sqltext.Comma) {
				q.offset = q.limit
				q.limit, err = number(i + 2)
				i += 2
			}
			i++
		case sqltext.KeyOffset:
			q.offset, err = number(i + 1)
			i += 2
			if b.Key(i) == sqltext.KeyRows || strings.EqualFold(b.textAt(i), "row") {
				i++
			}
		case sqltext.KeyFetch:
			q.limit, err = number(i + 2)
			if i += 5; b.Key(i-1) != sqltext.KeyOnly {
				return fmt.Errorf("it ends in FETCH … WITH TIES")
			}
		default:
			return fmt.Errorf("%q stands behind its ORDER BY", b.Text(i))
		}
	}
	return err
}

func (b *keyBuilder) textAt(i int) string {
	if i >= len(b.Tokens) {
		return ""
	}
	return b.Text(i)
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
// is an alias.
func (b *keyBuilder) endsValue(i int) bool {
	switch b.Tokens[i].Kind {
	case sqltext.Close, sqltext.Name, sqltext.String, sqltext.Number, sqltext.Param:
		return true
	case sqltext.Word:
		return b.Key(i) == sqltext.KeyNone || b.Key(i) == sqltext.KeyEnd || b.Key(i) == sqltext.KeyNull
	}
	return false
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

func (b *keyBuilder) readTerms(q *KeyQuery) error {
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
			q.outputs = append(q.outputs, t.output)
		} else {
			if b.items == nil || b.unique {
				return fmt.Errorf("%s is not selected, and cannot be beside DISTINCT or a set operation", key.Text)
			}
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
	if !b.starred() {
		for i, it := range b.items {
			if sameTokens(s, sqltext.Scan(b.span(it.from, it.to), b.Rules)) {
				return keyTerm{text, i, ""}
			}
		}
	}
	return keyTerm{text, -1, ""}
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
func (b *keyBuilder) write(q *KeyQuery) {
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
	if b.items == nil || b.unique {
		return ""
	}
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

// Key reads the order key from the result of one of the queries.
func (q *KeyQuery) Key(r *db.Result) (*Key, error) {
	extra := len(r.Columns) - q.width
	if extra != q.added && extra != q.added+1 {
		return nil, fmt.Errorf("read the gold's order key: %d columns, want %d", len(r.Columns), q.width+q.added)
	}
	ranked := extra == q.added+1
	k := &Key{Offset: q.offset, Limit: q.limit, Cut: r.Truncated != db.Whole, Tie: make([]int32, len(r.Rows))}
	k.Rows = make([][]db.Value, len(r.Rows))
	tie := int32(-1)
	for i, row := range r.Rows {
		if i == 0 || !q.tied(r.Rows[i-1], row, ranked) {
			tie++
			k.Label = append(k.Label, q.label(row))
		}
		k.Rows[i], k.Tie[i] = row[:q.width], tie
	}
	return k, nil
}

func (q *KeyQuery) tied(a, b []db.Value, ranked bool) bool {
	if ranked {
		return exactly.equal(&a[len(a)-1], &b[len(b)-1])
	}
	for _, j := range q.terms() {
		if !exactly.equal(&a[j], &b[j]) {
			return false
		}
	}
	return true
}

// terms are the columns that make up the key.
func (q *KeyQuery) terms() []int {
	list := q.outputs[:len(q.outputs):len(q.outputs)]
	for i := range q.added {
		list = append(list, q.width+i)
	}
	return list
}

func (q *KeyQuery) label(row []db.Value) string {
	var cells []string
	for _, j := range q.terms() {
		cells = append(cells, cellText(&row[j]))
	}
	return strings.Join(cells, ", ")
}
