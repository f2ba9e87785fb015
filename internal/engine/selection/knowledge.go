// Package selection decides what goes into a prompt: it joins what a project
// says about its tables with what the database says of itself, and picks the
// part a question needs, with a reason for each item.
package selection

import (
	"fmt"
	"sort"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/engine/values"
	"github.com/sqbyl/sqbyl/semantic"
)

// Knowledge is everything there is to choose from.
type Knowledge struct {
	Tables       []Table
	Examples     []semantic.Example
	Assets       []semantic.Asset
	Instructions string
	// Notes say where project and database do not agree.
	Notes []string
	// Values finds the stored values that a question names; nil finds none.
	Values *values.Index
}

// Table is a table as a project describes it, completed by the catalogue.
type Table struct {
	semantic.Table
	// Schema and Relation are the parts of the table's name, unquoted; Schema
	// is empty for the database's default schema.
	Schema   string
	Relation string
	// ForeignKeys are the references the database declares.
	ForeignKeys []catalog.ForeignKey
}

// Combine joins a catalogue and a project's model. A model that names tables
// is the choice of its author: other tables of the database stay out, and so
// do columns that a table with a list of columns leaves out. Without tables
// in the model the whole catalogue is taken, and without a catalogue the
// model stands as it is written.
func Combine(schema catalog.Schema, model semantic.Model) Knowledge {
	k := Knowledge{Examples: model.Examples, Assets: sortedAssets(model.Assets), Instructions: strings.TrimSpace(model.Instructions)}
	live := indexTables(schema)

	switch {
	case len(model.Tables) == 0:
		for i := range schema.Tables {
			k.Tables = append(k.Tables, complete(semantic.Table{}, &schema.Tables[i], schema.DefaultSchema, &k.Notes))
		}
	case len(schema.Tables) == 0:
		for _, t := range model.Tables {
			k.Tables = append(k.Tables, bare(t))
		}
	default:
		for _, t := range model.Tables {
			found := live.find(t.Name)
			if found == nil {
				k.Notes = append(k.Notes, fmt.Sprintf("%s is described in the project, but the database has no such table", t.Name))
				continue
			}
			k.Tables = append(k.Tables, complete(t, found, schema.DefaultSchema, &k.Notes))
		}
	}

	sort.SliceStable(k.Tables, func(i, j int) bool {
		a, b := &k.Tables[i], &k.Tables[j]
		if a.Schema != b.Schema {
			return a.Schema < b.Schema
		}
		return a.Relation < b.Relation
	})
	return k
}

func sortedAssets(assets []semantic.Asset) []semantic.Asset {
	sorted := append([]semantic.Asset(nil), assets...)
	sort.SliceStable(sorted, func(i, j int) bool { return sorted[i].Name < sorted[j].Name })
	return sorted
}

// named finds things by name: as it is written first, then without case where
// only one thing has that name.
type named[T any] struct {
	exact, folded map[string]*T
}

func newNamed[T any](size int) named[T] {
	return named[T]{exact: make(map[string]*T, size), folded: make(map[string]*T, size)}
}

func (n named[T]) add(name string, thing *T) {
	n.exact[name] = thing
	key := fold(name)
	if other, taken := n.folded[key]; taken && other != thing {
		thing = nil
	}
	n.folded[key] = thing
}

func (n named[T]) find(name string) *T {
	if thing := n.exact[name]; thing != nil {
		return thing
	}
	return n.folded[fold(name)]
}

// indexTables keys each table by every spelling a project may use: qualified
// always, bare in the default schema or when no other schema has that name.
func indexTables(schema catalog.Schema) named[catalog.Table] {
	index := newNamed[catalog.Table](2 * len(schema.Tables))
	count := make(map[string]int, len(schema.Tables))
	for i := range schema.Tables {
		count[fold(schema.Tables[i].Name)]++
	}
	for i := range schema.Tables {
		t := &schema.Tables[i]
		if t.Schema == "" || t.Schema == schema.DefaultSchema || count[fold(t.Name)] == 1 {
			index.add(t.Name, t)
		}
		if t.Schema != "" {
			index.add(t.Schema+"."+t.Name, t)
		}
	}
	return index
}

func fold(name string) string { return strings.ToLower(name) }

// bare takes a table as the project writes it; the first dot ends its schema.
func bare(t semantic.Table) Table {
	schema, relation, found := strings.Cut(t.Name, ".")
	if !found {
		schema, relation = "", t.Name
	}
	return Table{Table: t, Schema: schema, Relation: relation}
}

func complete(t semantic.Table, live *catalog.Table, defaultSchema string, notes *[]string) Table {
	out := Table{Table: t, Schema: live.Schema, Relation: live.Name, ForeignKeys: live.ForeignKeys}
	if live.Schema == defaultSchema {
		out.Schema = ""
	}
	if out.Name == "" {
		out.Name = live.Name
		if out.Schema != "" {
			out.Name = out.Schema + "." + live.Name
		}
	}
	if out.Kind == "" {
		out.Kind = semantic.Kind(live.Kind)
	}
	if out.Comment == "" {
		out.Comment = live.Comment
	}
	if len(out.PrimaryKey) == 0 {
		out.PrimaryKey = live.PrimaryKey
	}
	if out.Rows == nil && live.Rows >= 0 {
		rows := live.Rows
		out.Rows = &rows
	}
	out.Columns = columns(t, live, notes)
	return out
}

func columns(t semantic.Table, live *catalog.Table, notes *[]string) []semantic.Column {
	if len(t.Columns) == 0 {
		all := make([]semantic.Column, 0, len(live.Columns))
		for i := range live.Columns {
			all = append(all, fill(semantic.Column{}, &live.Columns[i], live))
		}
		return all
	}

	index := newNamed[catalog.Column](len(live.Columns))
	for i := range live.Columns {
		index.add(live.Columns[i].Name, &live.Columns[i])
	}
	var kept []semantic.Column
	for _, c := range t.Columns {
		found := index.find(c.Name)
		if found == nil {
			*notes = append(*notes, fmt.Sprintf("%s.%s is described in the project, but the database has no such column", t.Name, c.Name))
			continue
		}
		kept = append(kept, fill(c, found, live))
	}
	return kept
}

func fill(c semantic.Column, live *catalog.Column, table *catalog.Table) semantic.Column {
	c.Name = live.Name
	if live.Type != "" {
		c.Type = live.Type
	}
	if c.Comment == "" {
		c.Comment = live.Comment
	}
	if c.Nullable == nil {
		nullable := live.Nullable
		c.Nullable = &nullable
	}
	if len(c.Enum) == 0 {
		c.Enum = append(append([]string(nil), live.Enum...), live.Checks...)
	}
	if len(table.PrimaryKey) == 1 && table.PrimaryKey[0] == live.Name {
		c.PrimaryKey = true
	}
	for _, unique := range table.Unique {
		if len(unique) == 1 && unique[0] == live.Name {
			c.Unique = true
		}
	}
	return c
}
