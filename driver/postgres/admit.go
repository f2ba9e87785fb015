package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/sqbyl/sqbyl/internal/engine/db"
	own "github.com/sqbyl/sqbyl/internal/engine/dialect/postgres"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
)

// admit is the part of the guard that needs the live catalogue: what the
// statement's functions, operators and views stand for in this database.
func (s *session) admit(ctx context.Context, statement guard.Statement) error {
	if statement.IsZero() {
		return &guard.Refusal{Layer: guard.LayerSession, Rule: "unchecked", Message: "the statement has not been through the guard"}
	}
	if s.closed {
		return &db.Error{Kind: db.ErrUnreachable, Message: "the session is closed", Offset: -1}
	}
	policy := s.d.policy(statement)
	if err := s.admitHomemade(ctx, statement.SQL(), statement.Facts().Tables, &policy); err != nil {
		return err
	}
	if !s.d.options.AsOf.IsZero() {
		if err := refuseAge(statement.SQL(), &policy.Rules); err != nil {
			return err
		}
	}
	return s.admitViews(ctx, statement.Facts().Tables, &policy)
}

// policy is what views are held against.
func (d *database) policy(statement guard.Statement) guard.Policy {
	policy := d.dialect.Policy
	policy.Grammar, policy.Allowed, policy.Schemas = d.grammar, statement.Allowed(), statement.Schemas()
	return policy
}

// refuseAge refuses age(x), which counts from the server's own day; with two
// arguments it counts from the first.
func refuseAge(sql string, rules *sqltext.Rules) error {
	script := sqltext.Scan(sql, rules)
	for i, token := range script.Tokens {
		if token.Kind > sqltext.Name || script.Name(i) != "age" || !script.Is(i+1, "(") {
			continue
		}
		depth, commas := 0, 0
		for j := i + 1; j < len(script.Tokens) && (depth > 0 || j == i+1); j++ {
			switch script.Tokens[j].Kind {
			case sqltext.Open:
				depth++
			case sqltext.Close:
				depth--
			case sqltext.Comma:
				if depth == 1 {
					commas++
				}
			}
		}
		if commas == 0 {
			line, column := sqltext.Position(sql, int(token.Start))
			return &guard.Refusal{
				Layer: guard.LayerPrepare, Rule: "as_of", Names: []string{"age"},
				Position: guard.Position{Offset: int(token.Start), Line: line, Column: column},
				Message:  "age() of one value counts from the server's own day, not from the as-of",
				Repair:   "write age(current_date, …)",
			}
		}
	}
	return nil
}

// admitViews holds the bodies of the views that a statement reads, and of
// those behind them, against the same policy: a view may hide a function.
func (s *session) admitViews(ctx context.Context, tables []guard.Name, policy *guard.Policy) error {
	var names []db.Value
	for _, table := range tables {
		if !s.viewsSeen[table] {
			names = append(names, db.TextValue(regclass(table)))
		}
	}
	if len(names) == 0 {
		return nil
	}
	bodies, err := s.Own(ctx, own.ViewBodies, db.ListValue(names...))
	if err != nil {
		return err
	}
	for _, row := range bodies.Rows {
		view, body := row[0].Raw(), strings.TrimSuffix(strings.TrimSpace(row[1].Raw()), ";")
		if err := s.admitView(ctx, view, body, policy); err != nil {
			return err
		}
	}
	for _, table := range tables {
		s.viewsSeen[table] = true
	}
	return nil
}

func (s *session) admitView(ctx context.Context, view, body string, policy *guard.Policy) error {
	statement, err := guard.Check(ctx, body, policy)
	if err == nil {
		err = s.admitHomemade(ctx, body, statement.Facts().Tables, policy)
	}
	var refusal *guard.Refusal
	if errors.As(err, &refusal) {
		return &guard.Refusal{
			Layer: guard.LayerPrepare, Rule: "view", Names: append([]string{view}, refusal.Names...),
			Message: fmt.Sprintf("the view %s may not be read: %s", view, refusal.Message),
			Repair:  "read the tables behind the view; " + refusal.Repair,
		}
	}
	return err
}

func regclass(name guard.Name) string {
	if name.Schema == "" {
		return own.Quote(name.Table)
	}
	return own.Quote(name.Schema) + "." + own.Quote(name.Table)
}

// suggest names what may have been meant, where the server does not.
func (s *session) suggest(ctx context.Context, e *db.Error, statement guard.Statement) {
	if e.Name == "" || len(e.Candidates) > 0 || s.conn.IsClosed() {
		return
	}
	var read *db.Result
	var err error
	name := e.Name[strings.LastIndexByte(e.Name, '.')+1:]
	switch e.Kind {
	case db.ErrUnknownTable:
		read, err = s.Own(ctx, own.Relations)
	case db.ErrUnknownColumn:
		var tables []db.Value
		for _, table := range statement.Facts().Tables {
			tables = append(tables, db.TextValue(regclass(table)))
		}
		read, err = s.Own(ctx, own.ColumnNames, db.ListValue(tables...))
	default:
		return
	}
	if err != nil {
		return
	}
	var names []string
	for _, row := range read.Rows {
		known := row[0].Raw()
		if len(row) == 3 && !row[2].Bool() {
			if strings.EqualFold(known, name) {
				e.Candidates = append(e.Candidates, row[1].Raw()+"."+known)
			}
			continue
		}
		names = append(names, known)
	}
	e.Candidates = append(e.Candidates, db.Nearest(name, names, 3)...)
}

// execute is a statement of the driver's own without arguments or rows.
func execute(ctx context.Context, conn *pgconn.PgConn, statement db.Own) error {
	return conn.ExecParams(ctx, statement.SQL(), nil, nil, nil, nil).Read().Err
}
