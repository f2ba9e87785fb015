package introspect

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sqbyl/sqbyl/internal/toolkit/edit"
	"github.com/sqbyl/sqbyl/internal/toolkit/project"
	"github.com/sqbyl/sqbyl/semantic"
)

// Change is one difference between a database and the files of a project.
type Change struct {
	Kind   ChangeKind `json:"kind"`
	Table  string     `json:"table"`
	Column string     `json:"column,omitempty"`
	// What names the fact that differs: type, nullable, enum, comment, …
	What string `json:"what,omitempty"`
	From string `json:"from,omitempty"` // as the file has it
	To   string `json:"to,omitempty"`   // as the database has it
	File string `json:"file,omitempty"`
}

// ChangeKind says what a Change is and what is done about it.
type ChangeKind string

// The kinds of change. What the database has more or otherwise is written
// into the files; what it has no longer is reported and stays.
const (
	TableAdded    ChangeKind = "table_added"
	ColumnAdded   ChangeKind = "column_added"
	FactChanged   ChangeKind = "fact_changed"
	JoinAdded     ChangeKind = "join_added"
	TableDropped  ChangeKind = "table_dropped"
	ColumnDropped ChangeKind = "column_dropped"
	NotChanged    ChangeKind = "not_changed" // the file's layout cannot be followed
)

// Merge is what a changed database asks of a project's files.
type Merge struct {
	Changes []Change
	// LeftOut are the tables that were taken out of the files by hand.
	LeftOut []string
	// Seen is what to remember once the plan is applied.
	Seen Seen
	// Plan writes them; applying it is the caller's.
	Plan *edit.Plan
}

// New drafts files for the tables that the project does not describe and has
// not seen; files that exist are left alone.
func New(p *project.Project, drafts []semantic.Table, seen Seen) (Merge, error) {
	w := newMerging(p, drafts, seen)
	for _, d := range drafts {
		if w.have[d.Name] == nil {
			w.add(d)
		}
	}
	return w.finish()
}

// Sync merges drafts of the live database into the project's files: tables,
// columns and declared joins are added, facts that the database states
// otherwise are changed, nothing else is touched. What was seen before and is
// not in the files was taken out by hand and does not come back; so joins that
// were found, not declared, are added for new tables and columns only.
func Sync(p *project.Project, drafts []semantic.Table, seen Seen) (Merge, error) {
	w := newMerging(p, drafts, seen)
	for _, d := range drafts {
		have := w.have[d.Name]
		if have == nil {
			w.add(d)
			continue
		}
		if err := w.merge(*have, d); err != nil {
			return Merge{}, err
		}
	}
	for _, t := range p.Semantic.Tables {
		if !w.found[t.Name] {
			w.note(Change{Kind: TableDropped, Table: t.Name, File: p.TableFile(t.Name)})
		}
	}
	return w.finish()
}

type merging struct {
	p       *project.Project
	have    map[string]*semantic.Table // by the draft's name
	found   map[string]bool            // the project's tables that a draft describes
	seen    Seen
	next    Seen // with what is offered to the files now
	edits   []edit.Edit
	changes []Change
	leftOut []string
}

func newMerging(p *project.Project, drafts []semantic.Table, seen Seen) *merging {
	w := &merging{p: p, seen: seen, next: Seen{}, have: map[string]*semantic.Table{}, found: map[string]bool{}}
	maps.Copy(w.next, seen)
	w.match(drafts)
	return w
}

// match finds the project's table of each draft: by its very name, then
// without regard to case, since the names of two tables may differ in case
// alone; then one that the project writes with a schema where the database
// needs none, or without one where only one schema has the name.
func (w *merging) match(drafts []semantic.Table) {
	for _, key := range []func(string) string{func(name string) string { return name }, fold} {
		mine := map[string]*semantic.Table{}
		for i := range w.p.Semantic.Tables {
			if t := &w.p.Semantic.Tables[i]; !w.found[t.Name] {
				mine[key(t.Name)] = t
			}
		}
		for _, d := range drafts {
			if t := mine[key(d.Name)]; t != nil && w.have[d.Name] == nil && !w.found[t.Name] {
				w.have[d.Name], w.found[t.Name] = t, true
			}
		}
	}
	bare := map[string][]string{}
	for _, d := range drafts {
		bare[fold(lastPart(d.Name))] = append(bare[fold(lastPart(d.Name))], d.Name)
	}
	for i := range w.p.Semantic.Tables {
		t := &w.p.Semantic.Tables[i]
		same := bare[fold(lastPart(t.Name))]
		if w.found[t.Name] || len(same) != 1 || w.have[same[0]] != nil || strings.Contains(t.Name, ".") == strings.Contains(same[0], ".") {
			continue // described, or another schema's table
		}
		w.have[same[0]], w.found[t.Name] = t, true
	}
}

func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

func (w *merging) note(c Change) { w.changes = append(w.changes, c) }

func (w *merging) add(t semantic.Table) {
	if _, before := w.seen[t.Name]; before {
		w.leftOut = append(w.leftOut, t.Name)
		return
	}
	w.next[t.Name] = columnNames(t)
	w.edits = append(w.edits, edit.PutTable{Table: t})
	w.note(Change{Kind: TableAdded, Table: t.Name})
}

// merge composes the table as its file should read.
func (w *merging) merge(have, live semantic.Table) error {
	want, file := have, w.p.TableFile(have.Name)
	before := len(w.changes)
	note := func(c Change) {
		c.Table, c.File = have.Name, file
		w.note(c)
	}
	mergeTableFacts(&want, live, note)
	added := map[string]bool{}
	if len(have.Columns) > 0 {
		want.Columns = mergeColumns(have.Columns, live.Columns, w.seen[live.Name], added, note)
	}
	for _, j := range live.Joins {
		j.To = w.spelled(j.To)
		if j.Confidence != nil && !mentions(j.On, added) || covered(have.Joins, j) {
			continue
		}
		want.Joins = append(slices.Clip(want.Joins), j)
		note(Change{Kind: JoinAdded, To: j.To, What: j.On})
	}
	if len(w.changes) == before {
		w.next[live.Name] = columnNames(live)
		return nil
	}
	e := edit.PutTable{Table: want}
	if _, err := edit.NewPlan(w.p, e); err != nil {
		w.changes = w.changes[:before]
		note(Change{Kind: NotChanged, What: err.Error()})
		return nil
	}
	w.next[live.Name] = columnNames(live)
	w.edits = append(w.edits, e)
	return nil
}

// spelled is a table's name as the project writes it.
func (w *merging) spelled(name string) string {
	if t := w.have[name]; t != nil {
		return t.Name
	}
	return name
}

// fact compares one thing that the database states with what the file says of
// it. A file that says nothing, and a database that says nothing, is no
// difference.
func fact(have *string, live, what string, same func(a, b string) bool, note func(Change)) {
	if *have == "" || live == "" || same(*have, live) {
		return
	}
	note(Change{Kind: FactChanged, What: what, From: *have, To: live})
	*have = live
}

func equal(a, b string) bool { return a == b }

func mergeTableFacts(want *semantic.Table, live semantic.Table, note func(Change)) {
	fact(&want.Comment, live.Comment, "comment", equal, note)
	if kind := live.Kind; want.Kind != "" && want.Kind != kind && (kind != "" || want.Kind != semantic.BaseTable) {
		if kind == "" {
			kind = semantic.BaseTable
		}
		note(Change{Kind: FactChanged, What: "kind", From: string(want.Kind), To: string(kind)})
		want.Kind = kind
	}
	if len(want.PrimaryKey) > 0 && len(live.PrimaryKey) > 0 && !slices.EqualFunc(want.PrimaryKey, live.PrimaryKey, strings.EqualFold) {
		note(Change{Kind: FactChanged, What: "primary_key", From: strings.Join(want.PrimaryKey, ", "), To: strings.Join(live.PrimaryKey, ", ")})
		want.PrimaryKey = live.PrimaryKey
	}
}

// mergeColumns puts new columns where the database has them: behind the one
// that stands before them.
func mergeColumns(have, live []semantic.Column, seen []string, added map[string]bool, note func(Change)) []semantic.Column {
	want := slices.Clone(have)
	names := same(have, live)
	next := 0
	present := map[string]bool{}
	for _, c := range live {
		if name, ok := names[c.Name]; ok {
			i := slices.IndexFunc(want, func(h semantic.Column) bool { return h.Name == name })
			next, present[name] = i+1, true
			mergeColumn(&want[i], c, note)
			continue
		}
		if slices.Contains(seen, c.Name) {
			continue
		}
		want = slices.Insert(want, next, c)
		next++
		added[c.Name] = true
		note(Change{Kind: ColumnAdded, Column: c.Name, To: c.Type})
	}
	for _, c := range have {
		if !present[c.Name] {
			note(Change{Kind: ColumnDropped, Column: c.Name})
		}
	}
	return want
}

// same gives the file's name of each live column: the very one, or else the
// one that differs from it in case alone.
func same(have, live []semantic.Column) map[string]string {
	names, taken := map[string]string{}, map[string]bool{}
	for _, key := range []func(string) string{func(name string) string { return name }, fold} {
		mine := map[string]string{}
		for _, h := range have {
			if !taken[h.Name] {
				mine[key(h.Name)] = h.Name
			}
		}
		for _, c := range live {
			name, ok := mine[key(c.Name)]
			if _, done := names[c.Name]; ok && !done && !taken[name] {
				names[c.Name], taken[name] = name, true
			}
		}
	}
	return names
}

func mergeColumn(want *semantic.Column, live semantic.Column, note func(Change)) {
	ofColumn := func(c Change) {
		c.Column = want.Name
		note(c)
	}
	fact(&want.Type, live.Type, "type", sameType, ofColumn)
	fact(&want.Comment, live.Comment, "comment", equal, ofColumn)
	if nullable := live.Nullable == nil || *live.Nullable; want.Nullable != nil && *want.Nullable != nullable {
		ofColumn(Change{Kind: FactChanged, What: "nullable", From: fmt.Sprint(*want.Nullable), To: fmt.Sprint(nullable)})
		want.Nullable = &nullable
	}
	if len(want.Enum) > 0 && len(live.Enum) > 0 && !slices.Equal(want.Enum, live.Enum) {
		ofColumn(Change{Kind: FactChanged, What: "enum", From: strings.Join(want.Enum, ", "), To: strings.Join(live.Enum, ", ")})
		want.Enum = live.Enum
	}
}

// mentions reports whether a condition is about one of the new columns.
func mentions(on string, added map[string]bool) bool {
	in := terms(on)
	for name := range added {
		if contains(in, terms(name)) {
			return true
		}
	}
	return false
}

// covered reports a join that a file has already, whichever way round, with
// or without further conditions.
func covered(have []semantic.Join, j semantic.Join) bool {
	return slices.ContainsFunc(have, func(h semantic.Join) bool {
		return fold(h.To) == fold(j.To) && contains(terms(h.On), terms(j.On))
	})
}

func contains(all, some []string) bool {
	return !slices.ContainsFunc(some, func(s string) bool { return !slices.Contains(all, s) })
}

// terms are the words of a condition, columns without their tables.
func terms(on string) []string {
	words := strings.FieldsFunc(fold(on), func(r rune) bool { return strings.ContainsRune(" \t\r\n=()\"`", r) })
	var out []string
	for _, w := range words {
		if w = lastPart(w); w != "and" && w != "trim" && w != "" {
			out = append(out, w)
		}
	}
	return out
}

func (w *merging) finish() (Merge, error) {
	plan, err := edit.NewPlan(w.p, w.edits...)
	if err != nil {
		return Merge{}, fmt.Errorf("plan the changes of the semantics files: %w", err)
	}
	return Merge{Changes: w.changes, LeftOut: w.leftOut, Seen: w.next, Plan: plan}, nil
}
