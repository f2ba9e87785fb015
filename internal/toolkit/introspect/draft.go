// Package introspect drafts a project's semantics files from what a database
// says of itself, and merges a changed database into files that people have
// edited. It compares and composes; reading the database and writing files is
// done around it.
package introspect

import (
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
// declared reference and for each found one that is sure.
func Draft(schema catalog.Schema, d *db.Dialect, found []joins.Candidate) []semantic.Table {
	w := newDrafting(schema, d)
	byTable := map[string][]joins.Candidate{}
	for _, c := range found {
		if c.Sure() {
			name := w.name(c.From.Schema, c.From.Table)
			byTable[name] = append(byTable[name], c)
		}
	}
	drafts := make([]semantic.Table, len(schema.Tables))
	for i := range schema.Tables {
		drafts[i] = w.table(&schema.Tables[i])
		for _, c := range byTable[drafts[i].Name] {
			confidence := c.Confidence
			drafts[i].Joins = append(drafts[i].Joins, semantic.Join{To: w.name(c.To.Schema, c.To.Table), Type: c.Type, On: c.On, Confidence: &confidence})
		}
	}
	return drafts
}

type drafting struct {
	d             *db.Dialect
	defaultSchema string
	tables        map[[2]string]*catalog.Table
}

func newDrafting(schema catalog.Schema, d *db.Dialect) *drafting {
	w := &drafting{d: d, defaultSchema: schema.DefaultSchema, tables: make(map[[2]string]*catalog.Table, len(schema.Tables))}
	for i := range schema.Tables {
		t := &schema.Tables[i]
		w.tables[[2]string{t.Schema, t.Name}] = t
	}
	return w
}

func (w *drafting) name(schema, table string) string { return Name(schema, table, w.defaultSchema) }

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
	out.Columns = make([]semantic.Column, len(t.Columns))
	for i := range t.Columns {
		out.Columns[i] = column(t, &t.Columns[i])
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
	if to == nil || len(key.Columns) == 0 || len(key.RefColumns) != len(key.Columns) || !has(t, key.Columns) || !has(to, key.RefColumns) {
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
