package mysql

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/db"
	own "github.com/sqbyl/sqbyl/internal/engine/dialect/mysql"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
)

// admit is the part of the guard that needs the live catalogue: what the
// views that a statement reads do in turn.
func (s *session) admit(ctx context.Context, statement guard.Statement) error {
	if statement.IsZero() {
		return &guard.Refusal{Layer: guard.LayerSession, Rule: "unchecked", Message: "the statement has not been through the guard"}
	}
	if ctx.Err() != nil {
		return s.failed(ctx, ctx.Err(), "")
	}
	if s.closed || s.conn.broken {
		return &db.Error{Kind: db.ErrUnreachable, Message: "the session's connection is closed", Offset: -1}
	}
	tables := statement.Facts().Tables
	if len(tables) == 0 {
		return nil
	}
	if err := s.readViews(ctx, statement); err != nil {
		return err
	}
	for _, table := range tables {
		if table.Schema == "" {
			table.Schema = s.d.name
		}
		for view, refusal := range s.views {
			if strings.EqualFold(view.Schema, table.Schema) && strings.EqualFold(view.Table, table.Table) {
				refused := *refusal
				refused.Layer = guard.LayerPrepare
				return &refused
			}
		}
	}
	return nil
}

// readViews holds every view of the schemas that a statement names against the
// policy. One whose text the user may not see is refused: what it calls is not
// known. A view may read what the statement might name: tables of its own
// database, of the schemas it names and of those that the project allows.
func (s *session) readViews(ctx context.Context, statement guard.Statement) error {
	schemas := []string{s.d.name}
	for _, table := range statement.Facts().Tables {
		if table.Schema != "" && !slices.Contains(schemas, table.Schema) {
			schemas = append(schemas, table.Schema)
		}
	}
	policy := s.d.dialect.Policy
	policy.Grammar, policy.Allowed, policy.Schemas = s.d.grammar, statement.Allowed(), append(slices.Clone(schemas), statement.Schemas()...)
	held := fmt.Sprintf("%q %q %q", schemas, policy.Allowed, policy.Schemas)
	if s.views != nil && s.held == held {
		return nil
	}
	read, err := s.Own(ctx, own.ViewBodies(schemas))
	if err != nil {
		return err
	}
	bodies := map[guard.Name]string{}
	var blind []guard.Name
	for _, row := range read.Rows {
		name := guard.Name{Schema: row[0].Raw(), Table: row[1].Raw()}
		if body := row[2].Raw(); body != "" {
			bodies[name] = body
		} else {
			blind = append(blind, name)
		}
	}
	s.views, s.held = guard.CheckViews(ctx, bodies, &policy), held
	for _, name := range blind {
		s.views[name] = &guard.Refusal{
			Layer: guard.LayerPrepare, Rule: "view", Names: []string{name.String()},
			Message: fmt.Sprintf("the view %s may not be read: its text is hidden from this user, so what it calls is not known", name),
			Repair:  fmt.Sprintf("GRANT SHOW VIEW ON %s.* TO the user, or read the tables behind the view", own.Quote(name.Schema)),
		}
	}
	return nil
}

// suggest names what may have been meant.
func (s *session) suggest(ctx context.Context, e *db.Error, statement guard.Statement) {
	if e.Name == "" || s.conn.broken {
		return
	}
	name := e.Name[strings.LastIndexByte(e.Name, '.')+1:]
	var query db.Own
	switch e.Kind {
	case db.ErrUnknownTable:
		query = own.TableNames()
	case db.ErrUnknownColumn:
		var tables []string
		for _, table := range statement.Facts().Tables {
			tables = append(tables, table.Table)
		}
		query = own.ColumnNames(tables)
	default:
		return
	}
	if read, err := s.Own(ctx, query); err == nil {
		e.Candidates = db.Nearest(name, firstColumn(read), 3)
	}
}
