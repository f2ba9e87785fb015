package sqlite

import (
	"context"
	"errors"
	"time"

	"github.com/ncruces/go-sqlite3"

	"github.com/sqbyl/sqbyl/internal/engine/db"
	lite "github.com/sqbyl/sqbyl/internal/engine/dialect/sqlite"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
)

// session is one connection in a read transaction, which begins with its
// first statement: until Close it sees one state of the data. Where the file
// has a rollback journal, writers of other programs wait for that.
type session struct {
	base    *database
	conn    *conn
	profile db.Profile
	used    bool // a statement has returned rows
	closed  bool
}

// Prepare compiles a statement on the live schema.
func (s *session) Prepare(ctx context.Context, st guard.Statement) ([]db.Column, error) {
	var columns []db.Column
	err := s.model(ctx, st, func(_ *conn, stmt *sqlite3.Stmt) error {
		columns = columnsOf(stmt)
		return nil
	})
	return columns, err
}

// Reads compiles a statement and tells what it reads, as SQLite resolved it:
// the columns of a view and those that the view itself reads.
func (s *session) Reads(ctx context.Context, st guard.Statement) ([]db.Read, error) {
	var reads []db.Read
	err := s.model(ctx, st, func(c *conn, _ *sqlite3.Stmt) error {
		reads = c.gate.reads
		return nil
	})
	return reads, err
}

// Query steps through the rows up to the caps and never holds more.
func (s *session) Query(ctx context.Context, st guard.Statement, caps db.Caps, args ...db.Value) (*db.Result, error) {
	if err := db.CheckArgs(st, args); err != nil {
		return nil, err
	}
	caps = caps.Or(s.profile.Caps())
	started := time.Now()
	bounded, cancel := context.WithTimeout(ctx, caps.Time)
	defer cancel()
	var res *db.Result
	err := s.settled(func() error {
		return s.model(bounded, st, func(c *conn, stmt *sqlite3.Stmt) (err error) {
			if err := bindAll(stmt, args); err != nil {
				return err
			}
			c.told(st.SQL())
			res, err = read(stmt, caps)
			return err
		})
	})
	if err != nil {
		return nil, limited(ctx, err, caps.Time)
	}
	res.Elapsed = time.Since(started)
	return res, nil
}

// Own runs a statement of the product's own, without caps.
func (s *session) Own(ctx context.Context, own db.Own, args ...db.Value) (*db.Result, error) {
	started := time.Now()
	var res *db.Result
	err := s.settled(func() error {
		return s.run(ctx, own.SQL(), ownGate, nil, func(c *conn) (err error) {
			res, err = c.own(own, args)
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	res.Elapsed = time.Since(started)
	return res, nil
}

// Close ends the transaction and gives the connection back.
func (s *session) Close() error {
	if s.closed {
		return nil
	}
	s.closed = true
	s.rollback()
	s.base.release(s.conn)
	return nil
}

func (s *session) rollback() {
	if !s.conn.begun || s.conn.broken {
		return
	}
	s.conn.begun = false
	s.conn.gate.open(ownGate, nil)
	defer s.conn.gate.shut()
	if err := s.conn.safely(func() error { return s.conn.native.Exec(lite.Rollback.SQL()) }); err != nil {
		s.conn.broken = true
	}
}

// model compiles a statement that the guard has passed, holds it against what
// only the engine knows, and hands it to use.
func (s *session) model(ctx context.Context, st guard.Statement, use func(*conn, *sqlite3.Stmt) error) error {
	if st.IsZero() {
		return &guard.Refusal{Layer: guard.LayerSession, Rule: "unchecked", Message: "a statement that the guard has not passed is not run"}
	}
	err := s.compile(ctx, st.SQL(), st.Facts().Functions, len(st.Params()), use)
	return s.hinted(ctx, st, s.asWritten(ctx, st, err))
}

// asWritten is the error of the text as it was written, where the text with
// the guard's edits fails: the engine speaks of what its author knows.
func (s *session) asWritten(ctx context.Context, st guard.Statement, err error) error {
	var edited *db.Error
	if st.SQL() == st.Written() || !errors.As(err, &edited) || edited.Kind != db.ErrSyntax {
		return err
	}
	if err := s.compile(ctx, st.Written(), st.Facts().Functions, len(st.Params()), func(*conn, *sqlite3.Stmt) error { return nil }); err != nil {
		return err
	}
	return err
}

func (s *session) compile(ctx context.Context, sql string, functions []string, params int, use func(*conn, *sqlite3.Stmt) error) error {
	return s.run(ctx, sql, modelGate, functions, func(c *conn) (err error) {
		stmt, tail, err := c.native.Prepare(sql)
		if refused := c.gate.refused; refused != nil {
			return errors.Join(refused, stmt.Close())
		}
		if err != nil {
			return err
		}
		defer closeStatement(stmt, &err)
		if refused := c.unfit(stmt, tail, params); refused != nil {
			return refused
		}
		return use(c, stmt)
	})
}

// unfit says why a compiled statement is not a lone query.
func (c *conn) unfit(stmt *sqlite3.Stmt, tail string, params int) error {
	refuse := func(rule, message, repair string) error {
		return &guard.Refusal{Layer: guard.LayerPrepare, Rule: rule, Message: message, Repair: repair}
	}
	for tail != "" {
		next, rest, err := c.native.Prepare(tail)
		if next != nil || err != nil || c.gate.refused != nil {
			return errors.Join(refuse("second_statement", "there is a second statement behind the first", "write one SELECT"), next.Close())
		}
		tail = rest
	}
	switch {
	case stmt == nil:
		return refuse("no_statement", "there is no statement, only comments or blanks", "write one SELECT")
	case !stmt.ReadOnly():
		return refuse("not_read_only", "the statement could write", "write one SELECT that reads only")
	case stmt.ColumnCount() == 0:
		return refuse("no_columns", "the statement returns no columns", "write one SELECT")
	case stmt.BindCount() != params:
		return refuse("parameter", "the statement has a parameter without a value", "write the value itself")
	}
	return nil
}

// run does one thing on the connection: inside the transaction, with the gate
// open for it, until ctx ends.
func (s *session) run(ctx context.Context, sql string, mode gateMode, functions []string, do func(*conn) error) error {
	switch {
	case s.closed:
		return refusal(db.ErrUnreachable, "the session was closed")
	case s.conn.broken:
		return refusal(db.ErrResource, "the session ended when the engine ran out of memory; open another")
	case ctx.Err() != nil:
		return stopped(ctx, "running a statement", 0)
	}
	c := s.conn
	return c.explain(ctx, s.attend(ctx, func() error {
		defer c.interruptible(ctx)()
		defer c.gate.shut()
		if !c.begun {
			c.gate.open(ownGate, nil)
			if err := c.makeRoom(s.profile); err != nil {
				return err
			}
			if err := c.native.Exec(lite.Begin.SQL()); err != nil {
				return err
			}
			c.begun = true
		}
		c.gate.open(mode, functions)
		return do(c)
	}), sql, 0)
}

// attend waits for do. The engine looks at an interrupt between two steps of
// its program, and one step may call a function over megabytes of text; when
// it does not come back in time the session ends without it, and the
// connection is closed by whoever is still inside.
func (s *session) attend(ctx context.Context, do func() error) error {
	c := s.conn
	c.jobs <- do
	select {
	case err := <-c.done:
		return err
	case <-ctx.Done():
	}
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case err := <-c.done:
		return err
	case <-timer.C:
		close(c.left)
		s.conn = &conn{broken: true}
		return stopped(ctx, "running a statement", 0)
	}
}

// settled runs do and then asks, of a file whose locks cannot tell, whether
// other programs wrote to it meanwhile. If so the session goes on with a
// connection that shares their locks, or, when it has shown rows of the older
// state already, ends.
func (s *session) settled(do func() error) error {
	err := do()
	if s.conn.broken || !s.conn.opened.private() {
		s.used = s.used || err == nil
		return err
	}
	now, lookErr := look(s.base.path)
	if lookErr == nil && s.conn.opened.same(now) {
		s.used = s.used || err == nil
		return err
	}
	if s.used || lookErr != nil {
		s.conn.broken = true
		return refusal(db.ErrLocked, "another program wrote to "+s.base.path+" while it was read; ask again")
	}
	fresh, err := s.base.connect(context.Background())
	if err != nil {
		return err
	}
	s.rollback()
	s.conn.close()
	s.conn, s.used = fresh, true
	if err := fresh.setProfile(s.profile); err != nil {
		return err
	}
	if err := fresh.hold(); err != nil {
		return err
	}
	return do()
}
