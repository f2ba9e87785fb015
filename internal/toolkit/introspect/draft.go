// Package introspect drafts a project's semantics files from what a database
// says of itself, and merges a changed database into files that people have
// edited. It compares and composes; reading the database and writing files is
// done around it.
package introspect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/toolkit/joins"
	"github.com/sqbyl/sqbyl/semantic"
)

// Name is how a project writes a table: with its schema unless that is the
// database's default.
func Name(schema, table, defaultSchema string) string {
	if schema == "" || schema == defaultSchema {
		return table
	}
	return schema + "." + table
}

// Draft describes every table as the database does, with a join for each
// declared reference and for each found one that is sure. What the files of a
// project cannot name is left out; Unnamed says what that is.
func Draft(schema catalog.Schema, d *db.Dialect, found []joins.Candidate) []semantic.Table {
	w := newDrafting(schema, d)
	byTable := map[string][]joins.Candidate{}
	for _, c := range found {
		if c.Sure() && w.named(w.tables[[2]string{c.From.Schema, c.From.Table}]) && w.named(w.tables[[2]string{c.To.Schema, c.To.Table}]) {
			name := w.name(c.From.Schema, c.From.Table)
			byTable[name] = append(byTable[name], c)
		}
	}
	drafts := make([]semantic.Table, 0, len(schema.Tables))
	for i := range schema.Tables {
		if !w.named(&schema.Tables[i]) {
			continue
		}
		draft := w.table(&schema.Tables[i])
		for _, c := range byTable[draft.Name] {
			confidence := c.Confidence
			draft.Joins = append(draft.Joins, semantic.Join{To: w.name(c.To.Schema, c.To.Table), Type: c.Type, On: c.On, Confidence: &confidence})
		}
		drafts = append(drafts, draft)
	}
	return drafts
}

// Unnamed says what Draft leaves out: tables and columns whose name is empty,
// and a table whose name and schema, written as a project writes them, are the
// name of another.
func Unnamed(schema catalog.Schema) []string {
	w := newDrafting(schema, nil)
	var notes []string
	for i := range schema.Tables {
		t := &schema.Tables[i]
		switch {
		case t.Name == "":
			notes = append(notes, "a table without a name")
		case !w.named(t):
			notes = append(notes, fmt.Sprintf("table %q of schema %q: a project's files write another one as %s, too", t.Name, t.Schema, w.name(t.Schema, t.Name)))
		case slices.ContainsFunc(t.Columns, func(c catalog.Column) bool { return c.Name == "" }):
			notes = append(notes, "a column without a name, of "+w.name(t.Schema, t.Name))
		}
	}
	return notes
}

type drafting struct {
	d             *db.Dialect
	defaultSchema string
	tables        map[[2]string]*catalog.Table
	written       map[string]*catalog.Table // by the project's name
}

func newDrafting(schema catalog.Schema, d *db.Dialect) *drafting {
	w := &drafting{d: d, defaultSchema: schema.DefaultSchema,
		tables: make(map[[2]string]*catalog.Table, len(schema.Tables)), written: make(map[string]*catalog.Table, len(schema.Tables))}
	for i := range schema.Tables {
		t := &schema.Tables[i]
		w.tables[[2]string{t.Schema, t.Name}] = t
		if name := w.name(t.Schema, t.Name); w.written[name] == nil || t.Schema+"."+t.Name == name {
			w.written[name] = t
		}
	}
	return w
}

func (w *drafting) name(schema, table string) string { return Name(schema, table, w.defaultSchema) }

// named reports a table that the project's name leads to.
func (w *drafting) named(t *catalog.Table) bool {
	return t != nil && t.Name != "" && w.written[w.name(t.Schema, t.Name)] == t
}

func (w *drafting) table(t *catalog.Table) semantic.Table {
	out := semantic.Table{Name: w.name(t.Schema, t.Name), Comment: t.Comment}
	if has(t, t.PrimaryKey) {
		out.PrimaryKey = slices.Clone(t.PrimaryKey)
	}
	if t.Kind != catalog.BaseTable {
		out.Kind = semantic.Kind(t.Kind)
	}
	if t.Rows >= 0 {
		rows := t.Rows
		out.Rows = &rows
	}
	out.Columns = make([]semantic.Column, 0, len(t.Columns))
	for i := range t.Columns {
		if t.Columns[i].Name != "" {
			out.Columns = append(out.Columns, column(t, &t.Columns[i]))
		}
	}
	for _, key := range t.ForeignKeys {
		if j, ok := w.declared(t, key); ok {
			out.Joins = append(out.Joins, j)
		}
	}
	return out
}

// column says of NULL only that there is none: a column without the key may
// hold it.
func column(t *catalog.Table, c *catalog.Column) semantic.Column {
	out := semantic.Column{Name: c.Name, Type: c.Type, Comment: c.Comment, Enum: slices.Concat(c.Enum, c.Checks)}
	if !c.Nullable {
		out.Nullable = new(bool)
	}
	out.PrimaryKey = len(t.PrimaryKey) == 1 && t.PrimaryKey[0] == c.Name
	out.Unique = slices.ContainsFunc(t.Unique, func(u []string) bool { return len(u) == 1 && u[0] == c.Name })
	return out
}

// declared is the join of a foreign key, none where the role may not read its
// target.
func (w *drafting) declared(t *catalog.Table, key catalog.ForeignKey) (semantic.Join, bool) {
	to := w.tables[[2]string{key.RefSchema, key.RefTable}]
	if to == nil {
		to = w.tables[[2]string{t.Schema, key.RefTable}]
	}
	if !w.named(to) || len(key.Columns) == 0 || len(key.RefColumns) != len(key.Columns) || !has(t, key.Columns) || !has(to, key.RefColumns) {
		return semantic.Join{}, false
	}
	kind := semantic.ManyToOne
	if isKey(t, key.Columns) {
		kind = semantic.OneToOne
	}
	return semantic.Join{To: w.name(to.Schema, to.Name), Type: kind, On: joins.Condition(w.d, *t, key.Columns, *to, key.RefColumns)}, true
}

// has reports whether the role may read all of some columns.
func has(t *catalog.Table, columns []string) bool {
	return !slices.ContainsFunc(columns, func(name string) bool {
		return !slices.ContainsFunc(t.Columns, func(c catalog.Column) bool { return c.Name == name })
	})
}

// isKey reports whether columns hold a key of the table.
func isKey(t *catalog.Table, columns []string) bool {
	for _, key := range slices.Concat([][]string{t.PrimaryKey}, t.Unique) {
		whole := len(key) > 0
		for _, k := range key {
			whole = whole && slices.Contains(columns, k)
		}
		if whole {
			return true
		}
	}
	return false
}

func fold(name string) string { return strings.ToLower(name) }
