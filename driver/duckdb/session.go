//go:build cgo && !no_duckdb

package duckdb

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	duck "github.com/duckdb/duckdb-go-bindings"

	"github.com/sqbyl/sqbyl/internal/engine/db"
	dialect "github.com/sqbyl/sqbyl/internal/engine/dialect/duckdb"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
)

// session is one connection in a read-only transaction.
type session struct {
	database *database
	conn     *conn
	limits   db.Caps // where a query names none
	closed   bool
}

// Prepare binds a statement to the live schema and runs nothing, constant
// expressions excepted: the engine folds them, within the limit on time.
func (s *session) Prepare(ctx context.Context, st guard.Statement) ([]db.Column, error) {
	var columns []db.Column
	err := s.do(ctx, s.limits.Time, func() error {
		p, err := s.prepare(st)
		if err != nil {
			return err
		}
		defer p.close()
		columns = p.columns()
		return nil
	})
	if err != nil {
		return nil, err
	}
	return columns, nil
}

// Query runs a statement under caps.
func (s *session) Query(ctx context.Context, st guard.Statement, caps db.Caps, args ...db.Value) (*db.Result, error) {
	if err := db.CheckArgs(st, args); err != nil {
		return nil, err
	}
	caps = caps.Or(s.limits)
	var result *db.Result
	err := s.do(ctx, caps.Time, func() error {
		p, err := s.prepare(st)
		if err != nil {
			return err
		}
		defer p.close()
		if err := p.bind(args); err != nil {
			return err
		}
		if s.conn.log != nil {
			s.conn.log(st.SQL())
		}
		read, err := p.run(caps)
		result = read
		return err
	})
	if err != nil {
		return nil, err
	}
	return result, nil
}

// Own runs a statement of the product's own.
func (s *session) Own(ctx context.Context, own db.Own, args ...db.Value) (*db.Result, error) {
	if s.closed {
		return nil, errClosed()
	}
	result, err := s.conn.own(ctx, own, args...)
	if err != nil {
		s.restart()
		return nil, sessionError(ctx, err, 0)
	}
	return result, nil
}

// Close drops the connection.
func (s *session) Close() error {
	if s.closed {
		return nil
	}
	s.closed = true
	s.conn.close(s.database.instance.release)
	<-s.database.slots
	return nil
}

// do runs fn under a limit on time; fn is given up when it does not end.
func (s *session) do(ctx context.Context, limit time.Duration, fn func() error) error {
	if s.closed {
		return errClosed()
	}
	inner := ctx
	if limit > 0 {
		var cancel context.CancelFunc
		inner, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	err := s.conn.call(inner, fn)
	if err == nil {
		return nil
	}
	err = sessionError(ctx, err, limit)
	if refusal := (*guard.Refusal)(nil); !errors.As(err, &refusal) {
		s.restart()
	}
	return err
}

// restart opens the transaction anew, which an error may have spoilt. The
// database is read-only, so the snapshot stays the same one.
func (s *session) restart() {
	for _, own := range []db.Own{dialect.Rollback, dialect.Begin} {
		if _, err := s.conn.own(context.Background(), own); err != nil {
			return // the next statement says what is wrong
		}
	}
}

// prepare takes only what the guard passed and the engine calls a query.
func (s *session) prepare(st guard.Statement) (*statement, error) {
	if st.IsZero() {
		return nil, &guard.Refusal{Layer: guard.LayerSession, Rule: "unchecked", Message: "the statement was not checked by the guard"}
	}
	p, err := s.conn.prepare(st.SQL())
	if errors.Is(err, errStatements) {
		return nil, &guard.Refusal{
			Layer: guard.LayerPrepare, Rule: "second_statement",
			Message: "DuckDB reads more or less than one statement in this text", Repair: "write one SELECT",
		}
	}
	if err != nil {
		return nil, err
	}
	switch {
	case duck.PreparedStatementType(p.handle) != duck.StatementTypeSelect:
		err = &guard.Refusal{
			Layer: guard.LayerPrepare, Rule: "not_a_query",
			Message: "DuckDB does not take this statement for a query", Repair: "write one SELECT",
		}
	case int(duck.NParams(p.handle)) != len(st.Params()):
		err = &guard.Refusal{
			Layer: guard.LayerPrepare, Rule: "parameter",
			Message: "the statement has a parameter without a value", Repair: "write the value in its place",
		}
	default:
		return p, nil
	}
	p.close()
	return nil, err
}

func errClosed() error {
	return &db.Error{Kind: db.ErrUnreachable, Message: "the session is closed", Offset: -1}
}

// sessionError tells a caller's cancel, a caller's deadline and the cap on
// time apart.
func sessionError(ctx context.Context, err error, limit time.Duration) error {
	var refusal *guard.Refusal
	if errors.As(err, &refusal) {
		return refusal
	}
	cause := ctx.Err()
	switch {
	case errors.Is(cause, context.Canceled):
		return &db.Error{Kind: db.ErrCanceled, Message: "the query was canceled", Offset: -1, Err: cause}
	case errors.Is(cause, context.DeadlineExceeded):
		return &db.Error{Kind: db.ErrTimeout, Message: "the query took longer than it may", Offset: -1, Err: cause}
	case errors.Is(err, context.DeadlineExceeded):
		return &db.Error{Kind: db.ErrTimeout, Message: fmt.Sprintf("the query took longer than its limit of %s", limit), Offset: -1, Err: err}
	case errors.Is(err, errBroken):
		return &db.Error{Kind: db.ErrUnreachable, Message: err.Error(), Offset: -1, Err: err}
	}
	var known *db.Error
	if errors.As(err, &known) {
		if what, _, found := strings.Cut(known.Message, "\n"); found && known.Kind == db.ErrResource {
			// What follows advises settings that are locked here.
			known.Message = what + "; aggregate or filter earlier, and collect fewer values into lists and texts"
		}
		return known
	}
	return &db.Error{Kind: db.ErrUnknown, Message: err.Error(), Offset: -1, Err: err}
}
