// Package ansi is SQL that several dialects share.
package ansi

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// Spelling is what differs in otherwise common SQL.
type Spelling struct {
	Quote func(name string) string
	// Parameter is the n-th parameter, from 1.
	Parameter func(n int) string
	// Indexed tells that a declared key has an index which lookups use.
	Indexed bool
	// Strict tells that a number does not compare with text.
	Strict bool
}

// Evidence composes the statements of db.Evidence.
func (p Spelling) Evidence() db.Evidence {
	e := db.Evidence{Present: p.present}
	if p.Strict {
		e.AsText = func(expression string) string { return "CAST(" + expression + " AS text)" }
	}
	return e
}

func (p Spelling) present(ctx context.Context, s db.Session, t catalog.Table, columns []string, tuples [][]db.Value, rows int) (*db.Result, bool, error) {
	if len(tuples) == 0 {
		return &db.Result{}, true, nil
	}
	from, whole := p.table(t), true
	if !p.Indexed || !declared(t, columns) {
		from = fmt.Sprintf("(SELECT %s FROM %s LIMIT %d)", p.list(columns), from, rows)
		whole = t.Rows >= 0 && t.RowsExact && t.Rows <= int64(rows)
	}
	condition, args := p.oneOf(columns, tuples)
	found, err := s.Own(ctx, db.OwnSQL(fmt.Sprintf("SELECT DISTINCT %s FROM %s AS t WHERE %s", p.list(columns), from, condition)), args...)
	return found, whole, err
}

func (p Spelling) oneOf(columns []string, tuples [][]db.Value) (string, []db.Value) {
	var args []db.Value
	parameter := func(v db.Value) string {
		args = append(args, v)
		return p.Parameter(len(args))
	}
	parts := make([]string, len(tuples))
	if len(columns) == 1 {
		for i, tuple := range tuples {
			parts[i] = parameter(tuple[0])
		}
		return p.Quote(columns[0]) + " IN (" + strings.Join(parts, ", ") + ")", args
	}
	for i, tuple := range tuples {
		terms := make([]string, len(columns))
		for j, c := range columns {
			terms[j] = p.Quote(c) + " = " + parameter(tuple[j])
		}
		parts[i] = "(" + strings.Join(terms, " AND ") + ")"
	}
	return strings.Join(parts, " OR "), args
}

func (p Spelling) table(t catalog.Table) string {
	if t.Schema == "" {
		return p.Quote(t.Name)
	}
	return p.Quote(t.Schema) + "." + p.Quote(t.Name)
}

func (p Spelling) list(columns []string) string {
	quoted := make([]string, len(columns))
	for i, c := range columns {
		quoted[i] = p.Quote(c)
	}
	return strings.Join(quoted, ", ")
}

// declared reports whether columns are exactly a declared key.
func declared(t catalog.Table, columns []string) bool {
	want := slices.Sorted(slices.Values(columns))
	return slices.ContainsFunc(slices.Concat([][]string{t.PrimaryKey}, t.Unique), func(key []string) bool {
		return slices.Equal(slices.Sorted(slices.Values(key)), want)
	})
}
