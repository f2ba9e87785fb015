// Package survey is what can be known of a database without a model: its
// schema, joins, a profile; how that becomes the files of a project, and how
// it looks on a terminal.
package survey

import (
	"context"
	"fmt"
	"slices"

	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/app/workbench"
	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/toolkit/introspect"
	"github.com/sqbyl/sqbyl/internal/toolkit/joins"
	"github.com/sqbyl/sqbyl/semantic"
)

// Look reads the schema and looks for joins.
func Look(ctx context.Context, s *term.Streams, wb *workbench.Workbench, b joins.Bounds) (catalog.Schema, joins.Found, error) {
	defer s.Status("")
	s.Status("reading the schema …")
	schema, err := wb.Schema(ctx)
	if err != nil {
		return schema, joins.Found{}, err
	}
	s.Status("looking for joins …")
	found, err := wb.Joins(ctx, b)
	return schema, found, err
}

// Merging says what becomes of what the database says.
type Merging struct {
	Sync   bool // into files that exist, too
	DryRun bool // nowhere
	// Tables are wanted by name, also when they were taken out by hand.
	Tables []string
}

// Introspected is what a database says and what its project makes of it.
type Introspected struct {
	Database string              `json:"database"`
	Schema   Counts              `json:"schema"`
	Declared int                 `json:"declared_joins"`
	Joins    []joins.Candidate   `json:"found_joins"`
	Changes  []introspect.Change `json:"changes"`
	Files    []string            `json:"changed_files"`
	LeftOut  []string            `json:"left_out"`
	Notes    []string            `json:"notes"`

	how              Merging
	described, limit int // tables in the project, and how many are good for it
}

// Introspect drafts semantics files for tables without one and, with Sync,
// merges what has changed into those there are.
func Introspect(ctx context.Context, s *term.Streams, wb *workbench.Workbench, how Merging) (*Introspected, error) {
	schema, found, err := Look(ctx, s, wb, joins.Bounds{})
	if err != nil {
		return nil, err
	}
	database, err := wb.Database(ctx)
	if err != nil {
		return nil, err
	}
	drafts := introspect.Draft(schema, database.Dialect(), found.Candidates)
	merge := introspect.New
	if how.Sync {
		merge = introspect.Sync
	}
	p := wb.Project()
	seen, err := introspect.LoadSeen(p.Dir)
	if err != nil {
		return nil, err
	}
	for _, name := range how.Tables {
		if !slices.ContainsFunc(drafts, func(t semantic.Table) bool { return t.Name == name }) {
			return nil, unknownTable(name, drafts)
		}
		delete(seen, name)
	}
	m, err := merge(p, drafts, seen)
	if err != nil {
		return nil, err
	}
	out := &Introspected{
		Database: wb.Location(), Schema: countSchema(schema), Declared: declaredJoins(schema), Joins: filled(found.Candidates),
		Changes: filled(m.Changes), Files: []string{}, LeftOut: filled(m.LeftOut), Notes: filled(slices.Concat(introspect.Unnamed(schema), found.Notes)),
		how: how, described: len(p.Semantic.Tables), limit: p.Manifest.Defaults.MaxTablesWarn,
	}
	for _, c := range m.Plan.Changes {
		out.Files = append(out.Files, c.File)
	}
	if how.DryRun {
		return out, nil
	}
	m.Plan.Title = "introspect " + term.Counted(len(out.Files), "table")
	if err := m.Plan.Apply(wb.Now()); err != nil {
		return nil, err
	}
	return out, m.Seen.Save(p.Dir)
}

// UnknownTableError names a table that the database does not have.
type UnknownTableError struct {
	Name string
	Near []string
}

func unknownTable(name string, drafts []semantic.Table) error {
	var known []string
	for _, t := range drafts {
		known = append(known, t.Name)
	}
	return &UnknownTableError{name, db.Nearest(name, known, 3)}
}

func (e *UnknownTableError) Error() string {
	return fmt.Sprintf("the database has no table %q", e.Name)
}
