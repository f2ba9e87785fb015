//go:build cgo && !no_duckdb

package duckdb

import (
	"context"
	"errors"
	"strings"
	"time"

	duck "github.com/duckdb/duckdb-go-bindings"

	"github.com/sqbyl/sqbyl/internal/engine/db"
	dialect "github.com/sqbyl/sqbyl/internal/engine/dialect/duckdb"
)

const (
	// interruptEvery repeats an interrupt, which the engine forgets when it
	// comes between two of its steps.
	interruptEvery = 20 * time.Millisecond
	// abandonAfter gives up on a call that does not heed interrupts, as one
	// huge value does; its connection is closed when it returns at last.
	abandonAfter = 5 * time.Second
)

var (
	errBroken     = errors.New("the connection is still busy with a statement that was given up")
	errStatements = errors.New("exactly one statement is wanted")
)

// conn is one connection of the engine.
type conn struct {
	handle duck.Connection
	log    func(string)
	// left is closed when a call that was given up has returned.
	left chan struct{}
}

func connect(database duck.Database, log func(string)) (*conn, error) {
	c := &conn{log: log}
	if duck.Connect(database, &c.handle) == duck.StateError {
		return nil, &db.Error{Kind: db.ErrResource, Message: "DuckDB gave no connection", Offset: -1}
	}
	return c, nil
}

// close disconnects, in the background when a call is still running; then
// calls after are run once it is done.
func (c *conn) close(after func()) {
	finish := func() {
		duck.Disconnect(&c.handle)
		if after != nil {
			after()
		}
	}
	if c.left == nil {
		finish()
		return
	}
	go func() { <-c.left; finish() }()
}

// call runs fn, which calls the engine, and interrupts it when ctx ends. When
// fn does not return then either, call gives it up, and nothing that fn
// writes may be read.
func (c *conn) call(ctx context.Context, fn func() error) error {
	if c.left != nil {
		return errBroken
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if ctx.Done() == nil {
		return fn()
	}
	result, done := make(chan error, 1), make(chan struct{})
	go func() {
		defer close(done)
		result <- fn()
	}()
	select {
	case <-done:
		return <-result
	case <-ctx.Done():
	}

	tick, giveUp := time.NewTicker(interruptEvery), time.NewTimer(abandonAfter)
	defer tick.Stop()
	defer giveUp.Stop()
	for {
		duck.Interrupt(c.handle)
		select {
		case <-done:
			if err := <-result; err == nil {
				return nil
			}
			return ctx.Err()
		case <-giveUp.C:
			c.left = done
			return ctx.Err()
		case <-tick.C:
		}
	}
}

// statement is a prepared statement.
type statement struct {
	handle duck.PreparedStatement
	sql    string
}

// prepare takes exactly one statement and runs nothing.
func (c *conn) prepare(sql string) (*statement, error) {
	if strings.IndexByte(sql, 0) >= 0 {
		return nil, &db.Error{Kind: db.ErrSyntax, Message: "the statement holds a NUL byte", Offset: strings.IndexByte(sql, 0)}
	}
	var extracted duck.ExtractedStatements
	count := duck.ExtractStatements(c.handle, sql, &extracted)
	defer duck.DestroyExtracted(&extracted)
	if count != 1 {
		if message := duck.ExtractStatementsError(extracted); message != "" {
			return nil, dialect.Classify("", message)
		}
		return nil, errStatements
	}
	s := &statement{sql: sql}
	if duck.PrepareExtractedStatement(c.handle, extracted, 0, &s.handle) == duck.StateError {
		err := dialect.Classify("", duck.PrepareError(s.handle))
		duck.DestroyPrepare(&s.handle)
		return nil, err
	}
	return s, nil
}

func (s *statement) close() { duck.DestroyPrepare(&s.handle) }

// columns are the result's names and types.
func (s *statement) columns() []db.Column {
	columns := make([]db.Column, duck.PreparedStatementColumnCount(s.handle))
	for i := range columns {
		columns[i].Name = duck.PreparedStatementColumnName(s.handle, duck.IdxT(i))
		t := duck.PreparedStatementColumnLogicalType(s.handle, duck.IdxT(i))
		columns[i].Type = typeName(t)
		duck.DestroyLogicalType(&t)
	}
	return columns
}

// own runs one statement of the product's own and reads its result whole.
func (c *conn) own(ctx context.Context, own db.Own, args ...db.Value) (*db.Result, error) {
	if c.log != nil {
		c.log(own.SQL())
	}
	var result *db.Result
	err := c.call(ctx, func() error {
		s, err := c.prepare(own.SQL())
		if err != nil {
			return err
		}
		defer s.close()
		if err := s.bind(args); err != nil {
			return err
		}
		read, err := s.run(db.Caps{})
		result = read
		return err
	})
	if err != nil {
		return nil, err
	}
	return result, nil
}
