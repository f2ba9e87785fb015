package joins

import (
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/sqbyl/sqbyl/internal/engine/catalog"
)

// Bounds of proposing: a name that more keys share than sharedKeys says
// nothing, and no more than maxPairs pairs are looked at.
const (
	sharedKeys = 24
	maxPairs   = 20_000
	// shortestEnd is the fewest letters of a key's name that end another word
	// not by chance.
	shortestEnd = 5
)

// reading is a table as the proposer sees it.
type reading struct {
	*catalog.Table
	entity  []string
	columns []columnName
	types   []family
	primary int   // the only column of the declared key, -1 for none
	own     int   // the column that is this table's key by declaration or name, -1 for none
	keys    []int // columns that others may refer to
	unique  map[int]bool
	taken   map[string]bool // columns of declared references, joined by a zero byte
}

// Propose lists the pairs that names and types allow, without those that the
// database declares. The order is that of the schema.
func Propose(schema catalog.Schema) []Pair {
	p := newProposing(schema)
	for s := range p.tables {
		if p.tables[s].Kind == catalog.View {
			continue
		}
		for c := range p.tables[s].Columns {
			p.column(s, c)
		}
		p.composites(s)
	}
	p.extensions()
	if len(p.pairs) > maxPairs {
		p.pairs = p.pairs[:maxPairs]
	}
	return p.pairs
}

type proposing struct {
	tables   []reading
	byLast   map[string][]int // entity's last word → tables
	byWhole  map[string][]int // entity's words in one → tables
	byShort  map[string][]int // initials → tables
	byName   map[string][]ref // a key's words in one → keys
	people   []int
	wide     []wideKey
	related  map[string][]string // word → last words of entities it may stand for
	pairs    []Pair
	proposed map[[4]int]bool
}

// ref is a column of a table.
type ref struct{ table, column int }

// wideKey is a declared key of several columns.
type wideKey struct {
	table   int
	columns []string
}

// maxWide is the most columns of a key that are looked at.
const maxWide = 4

func newProposing(schema catalog.Schema) *proposing {
	p := &proposing{byLast: map[string][]int{}, byWhole: map[string][]int{}, byShort: map[string][]int{}, byName: map[string][]ref{},
		related: map[string][]string{}, proposed: map[[4]int]bool{}}
	names := make([]string, len(schema.Tables))
	for i, t := range schema.Tables {
		names[i] = t.Name
	}
	prefix := sharedPrefix(names)
	for i := range schema.Tables {
		t := read(&schema.Tables[i], prefix)
		p.tables = append(p.tables, t)
		if t.Kind == catalog.View || len(t.entity) == 0 {
			continue
		}
		last := t.entity[len(t.entity)-1]
		p.byLast[last] = append(p.byLast[last], i)
		whole := strings.Join(t.entity, "")
		p.byWhole[whole] = append(p.byWhole[whole], i)
		if len(t.entity) > 1 {
			p.byShort[initials(t.entity)] = append(p.byShort[initials(t.entity)], i)
		}
		if people[last] {
			p.people = append(p.people, i)
		}
		for _, key := range slices.Concat([][]string{t.PrimaryKey}, t.Unique) {
			if len(key) > 1 && len(key) <= maxWide {
				p.wide = append(p.wide, wideKey{i, key})
			}
		}
		for _, k := range t.keys {
			name := strings.Join(t.columns[k].words, " ")
			p.byName[name] = append(p.byName[name], ref{i, k})
		}
	}
	return p
}

func read(t *catalog.Table, prefix string) reading {
	r := reading{Table: t, entity: entity(t.Name, prefix), primary: -1, own: -1, unique: map[int]bool{}, taken: map[string]bool{}}
	at := map[string]int{}
	for i, c := range t.Columns {
		at[c.Name] = i
		r.columns = append(r.columns, readColumn(c.Name, prefix))
		f := familyOf(c.Type)
		if len(c.Enum) > 0 {
			f = never
		}
		r.types = append(r.types, f)
	}
	for _, key := range slices.Concat([][]string{t.PrimaryKey}, t.Unique) {
		// A key may stand on a column that the role may not read.
		if i, ok := at[strings.Join(key, "\x00")]; ok {
			r.unique[i] = true
		}
	}
	if i, ok := at[strings.Join(t.PrimaryKey, "\x00")]; ok {
		r.primary, r.own = i, i
	}
	for _, key := range t.ForeignKeys {
		r.taken[strings.Join(key.Columns, "\x00")] = true
	}
	for i, c := range r.columns {
		if r.types[i] == never {
			continue
		}
		if r.unique[i] || r.namesItself(c) || c.isKey && len(t.PrimaryKey) == 0 {
			r.keys = append(r.keys, i)
		}
		if r.own < 0 && r.ownName(c) {
			r.own = i
		}
	}
	return r
}

// ownName reports a name that can only be that of the table's own key.
func (r *reading) ownName(c columnName) bool {
	like := names(c.stem, r.entity)
	return c.plainKey() || c.isKey && (like == exact || like == abbreviated) || c.initialKey(r.entity)
}

// keyOf reports a key's name that is or begins with that of the table:
// team_id, team_api_id.
func (r *reading) keyOf(c columnName) bool {
	n := len(r.entity)
	return c.isKey && (names(c.stem, r.entity) != unlike || n > 0 && len(c.stem) > n && slices.Equal(c.stem[:n], r.entity))
}

// namesItself reports a column that reads like the key of its own table.
func (r *reading) namesItself(c columnName) bool {
	return c.plainKey() || r.keyOf(c) || names(c.stem, r.entity) != unlike || names(c.words, r.entity) == exact || c.initialKey(r.entity)
}

func (p *proposing) add(s int, c int, t int, k int, rule Rule) {
	from, to := &p.tables[s], &p.tables[t]
	if s == t && c == k || from.types[c] == never || from.taken[from.Columns[c].Name] {
		return
	}
	fit := agree(from.types[c], to.types[k])
	if fit < 0 || p.proposed[[4]int{s, c, t, k}] {
		return
	}
	p.proposed[[4]int{s, c, t, k}] = true
	p.pairs = append(p.pairs, Pair{From: side(from.Table, c), To: side(to.Table, k), Rule: rule, Declared: to.unique[k], Converted: fit == 0, from: s, to: t})
}

// column proposes the targets of one column.
func (p *proposing) column(s, c int) {
	from := &p.tables[s]
	name := from.columns[c]
	if from.types[c] == never || len(name.words) == 0 {
		return
	}
	if c == from.own && from.ownName(name) {
		return
	}
	p.sameName(s, c)
	for _, t := range p.near(name.stem) {
		p.toTable(s, c, t)
	}
	p.above(s, c)
	p.role(s, c)
}

// near lists the tables that words may name, in order.
func (p *proposing) near(stem []string) []int {
	stem = withoutNumbers(stem)
	if len(stem) == 0 {
		return nil
	}
	found := map[int]bool{}
	add := func(tables []int) {
		for _, t := range tables {
			found[t] = true
		}
	}
	add(p.byWhole[strings.Join(stem, "")])
	if len(stem) == 1 {
		add(p.byShort[stem[0]])
	}
	for _, word := range p.standsFor(stem[len(stem)-1]) {
		add(p.byLast[word])
	}
	out := make([]int, 0, len(found))
	for t := range found {
		out = append(out, t)
	}
	sort.Ints(out)
	return out
}

func (p *proposing) standsFor(word string) []string {
	if list, ok := p.related[word]; ok {
		return list
	}
	var list []string
	for last := range p.byLast {
		if last == word || isShort(word, last) {
			list = append(list, last)
		}
	}
	p.related[word] = list
	return list
}

// withoutNumbers takes the number off player_1, player_2.
func withoutNumbers(stem []string) []string {
	for len(stem) > 1 && strings.Trim(stem[len(stem)-1], "0123456789") == "" {
		stem = stem[:len(stem)-1]
	}
	return stem
}

// toTable compares a column's words with a table and proposes its key.
func (p *proposing) toTable(s, c, t int) {
	to := &p.tables[t]
	name := p.tables[s].columns[c]
	rule, ok := tableRule(name, to.entity, p.tables[s].entity)
	if !ok || s == t && rule != Qualified && rule != QualifiedName {
		return
	}
	for _, k := range to.keys {
		key := to.columns[k]
		if k == to.primary || key.plainKey() || key.initialKey(to.entity) || key.isKey && names(key.stem, to.entity) != unlike {
			p.add(s, c, t, k, rule)
		}
	}
}

// tableRule says how a column of the table own names the table entity. The
// status_id of orders means order_statuses, not payment_statuses.
func tableRule(name columnName, entity, own []string) (Rule, bool) {
	stem := withoutNumbers(name.stem)
	if !name.isKey && len(stem) == 1 && utf8.RuneCountInString(stem[0]) == 1 {
		return "", false // a letter names a table x by chance
	}
	like := names(stem, entity)
	if like == headOnly && slices.Equal(slices.Concat(own, stem), entity) {
		like = exact
	}
	if like != unlike {
		rules := map[likeness][2]Rule{exact: {NamesTable, NamesKey}, headOnly: {NamesLast, NamesLastKey}, abbreviated: {NamesShort, NamesShortKey}}
		if name.isKey {
			return rules[like][1], true
		}
		return rules[like][0], true
	}
	for i := 1; i < len(stem); i++ {
		switch names(stem[i:], entity) {
		case exact:
			if name.isKey {
				return Qualified, true
			}
			return QualifiedName, true
		case headOnly, abbreviated:
			if name.isKey {
				return NamesLast, true
			}
		}
	}
	return "", false
}

// sameName proposes keys that are spelled like the column.
func (p *proposing) sameName(s, c int) {
	name := p.tables[s].columns[c]
	if name.plainKey() {
		return
	}
	same := p.byName[strings.Join(name.words, " ")]
	for _, k := range same {
		to := &p.tables[k.table]
		if k.table == s {
			continue
		}
		switch like := max(names(name.stem, to.entity), names(name.words, to.entity)); {
		case like == exact:
			p.add(s, c, k.table, k.column, SpellsKey)
		case like == abbreviated, name.initialKey(to.entity):
			p.add(s, c, k.table, k.column, NamesShortKey)
		case like == headOnly:
			p.add(s, c, k.table, k.column, NamesLastKey)
		case len(same) > sharedKeys:
		case name.isKey:
			p.add(s, c, k.table, k.column, SameKeyName)
		case everyday(name.words):
			p.add(s, c, k.table, k.column, SameAttribute)
		default:
			p.add(s, c, k.table, k.column, SameName)
		}
	}
	p.endsInKey(s, c)
}

// endsInKey proposes keys whose whole name ends the column's: home_team_api_id
// for teams.team_api_id, txcustid for customers.custid.
func (p *proposing) endsInKey(s, c int) {
	words := p.tables[s].columns[c].words
	var ends []string
	for i := 1; i+1 < len(words); i++ {
		ends = append(ends, strings.Join(words[i:], " "))
	}
	if len(words) == 1 {
		for i := 1; i+shortestEnd <= len(words[0]); i++ {
			ends = append(ends, words[0][i:])
		}
	}
	for _, end := range ends {
		for _, k := range p.byName[end] {
			to := &p.tables[k.table]
			if to.keyOf(to.columns[k.column]) {
				p.add(s, c, k.table, k.column, Qualified)
			}
		}
	}
}

func everyday(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !attributes[w] })
}

// above proposes a table's own key for parent_id, reports_to and their like.
func (p *proposing) above(s, c int) {
	t := &p.tables[s]
	name := t.columns[c]
	last := name.words[len(name.words)-1]
	if refers := name.isKey || last == "to" || parents[last]; t.own < 0 || len(t.entity) == 0 || !refers {
		return
	}
	for _, w := range name.stem {
		if parents[w] && (!roles[w] || people[t.entity[len(t.entity)-1]]) {
			p.add(s, c, s, t.own, Hierarchy)
		}
	}
}

// role proposes tables of people for support_rep_id, created_by.
func (p *proposing) role(s, c int) {
	name := p.tables[s].columns[c]
	last := name.words[len(name.words)-1]
	if refers := name.isKey || last == "by" || last == "to" || roles[last]; !refers || p.tables[s].types[c] == fractional {
		return
	}
	for _, w := range name.stem {
		if !roles[w] && (w != "assigned" || last != "to") {
			continue
		}
		for _, t := range p.people {
			if k := p.tables[t].own; k >= 0 {
				p.add(s, c, t, k, Role)
			}
		}
	}
}

// composites proposes tables whose declared key of several columns stands
// wholly among the columns of a table.
func (p *proposing) composites(s int) {
	from := &p.tables[s]
	at := map[string]int{}
	for i, c := range from.columns {
		at[strings.Join(c.words, " ")] = i
	}
	last := -1 // the table found last: one key of it is enough
	for _, k := range p.wide {
		if k.table == s || k.table == last {
			continue
		}
		if pair, ok := p.composite(s, k.table, k.columns, at); ok {
			p.pairs = append(p.pairs, pair)
			last = k.table
		}
	}
}

func (p *proposing) composite(s, t int, key []string, at map[string]int) (Pair, bool) {
	from, to := &p.tables[s], &p.tables[t]
	var mine, theirs []int
	for _, name := range key {
		k := slices.IndexFunc(to.Columns, func(c catalog.Column) bool { return c.Name == name })
		if k < 0 {
			return Pair{}, false
		}
		words := to.columns[k].words
		c, ok := at[strings.Join(words, " ")]
		if !ok {
			c, ok = at[strings.Join(slices.Concat(to.entity, words), " ")]
		}
		if !ok || agree(from.types[c], to.types[k]) < 1 {
			return Pair{}, false
		}
		mine, theirs = append(mine, c), append(theirs, k)
	}
	out := Pair{From: side(from.Table, mine...), To: side(to.Table, theirs...), Rule: Composite, Declared: true, from: s, to: t}
	return out, !from.taken[strings.Join(out.From.Columns, "\x00")]
}

// extensions proposes tables of like names whose keys may be one: cars_data
// and car_names.
func (p *proposing) extensions() {
	byWord := map[string][]int{}
	for i, t := range p.tables {
		if t.own < 0 || t.Kind == catalog.View {
			continue
		}
		for _, w := range singulars(split(t.Name)) {
			if !fillers[w] {
				byWord[w] = append(byWord[w], i)
			}
		}
	}
	words := make([]string, 0, len(byWord))
	for w := range byWord {
		words = append(words, w)
	}
	sort.Strings(words)
	for _, w := range words {
		if len(byWord[w]) > 8 {
			continue
		}
		for _, s := range byWord[w] {
			for _, t := range byWord[w] {
				if s != t && p.tables[s].types[p.tables[s].own] != never {
					p.add(s, p.tables[s].own, t, p.tables[t].own, Extension)
				}
			}
		}
	}
}
