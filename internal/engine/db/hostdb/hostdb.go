// Package hostdb runs checked statements over a connection pool that the host
// of a service opened, with the standard library alone. The guard's text
// layers and the live prepare stand as with a driver of this product; what
// else is missing, an engine's Dialect.Host.Lacks says and Info warns of.
package hostdb

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
)

// Options are what a host may set.
type Options struct {
	// Grammar is the engine's own grammar where the host's program has it.
	Grammar guard.Grammar
	// Log, when set, is told every statement that is sent.
	Log func(sql string)
}

type database struct {
	pool    *sql.DB
	dialect *db.Dialect
	options Options
}

// New wraps a host's pool, which stays the host's: Close leaves it open, and
// every connection goes back as it was.
func New(pool *sql.DB, d *db.Dialect, o Options) db.Database {
	return &database{pool, d, o}
}

func (d *database) Dialect() *db.Dialect   { return d.dialect }
func (d *database) Grammar() guard.Grammar { return d.options.Grammar }
func (d *database) Close() error           { return nil }

// Info knows only what is missing.
func (d *database) Info() db.Info {
	info := db.Info{Product: d.dialect.Title, Location: "a connection of the host program"}
	for _, lack := range d.dialect.Host.Lacks {
		info.Warnings = append(info.Warnings, db.Warning{Message: "over a host's connection there is not " + lack})
	}
	return info
}

// Session takes a connection from the host's pool. Each statement sees its own
// state of the data.
func (d *database) Session(ctx context.Context, profile db.Profile) (db.Session, error) {
	conn, err := d.pool.Conn(ctx)
	if err != nil {
		return nil, d.explain(ctx, err, "waiting for a connection of the host", 0)
	}
	return &session{base: d, conn: conn, profile: profile}, nil
}

// grace is how long the end of a context may take to reach the engine.
const grace = 2 * time.Second

type session struct {
	base    *database
	conn    *sql.Conn
	profile db.Profile
	closed  bool
	lost    atomic.Bool // the connection must not be touched any more
}

// Prepare lets the engine compile the statement. It knows no columns: the
// standard library's interface does not tell them before a statement runs.
func (s *session) Prepare(ctx context.Context, st guard.Statement) ([]db.Column, error) {
	if err := s.ready(st); err != nil {
		return nil, err
	}
	err := s.attend(ctx, func() error {
		stmt, err := s.conn.PrepareContext(ctx, st.SQL())
		if err != nil {
			return err
		}
		return stmt.Close()
	})
	return nil, s.hinted(ctx, st, s.base.explain(ctx, err, "preparing a statement", 0))
}

// Query runs a statement between the dialect's Begin and End and reads no
// further than one row beyond the caps.
func (s *session) Query(ctx context.Context, st guard.Statement, caps db.Caps, args ...db.Value) (*db.Result, error) {
	if err := db.CheckArgs(st, args); err != nil {
		return nil, err
	}
	if err := s.ready(st); err != nil {
		return nil, err
	}
	caps = caps.Or(s.profile.Caps())
	started := time.Now()
	bounded, cancel := context.WithTimeout(ctx, caps.Time)
	defer cancel()
	var res *db.Result
	err := s.attend(bounded, func() error {
		return s.locked(bounded, caps.Time, func() (err error) {
			res, err = s.read(bounded, st.SQL(), args, caps)
			return err
		})
	})
	if err != nil {
		limit := caps.Time
		if ctx.Err() != nil {
			limit = 0
		}
		return nil, s.hinted(ctx, st, s.base.explain(bounded, err, "running a statement", limit))
	}
	res.Elapsed = time.Since(started)
	return res, nil
}

// Own runs a statement of the product's own.
func (s *session) Own(ctx context.Context, own db.Own, args ...db.Value) (*db.Result, error) {
	if s.closed || s.lost.Load() {
		return nil, closedError()
	}
	started := time.Now()
	var res *db.Result
	err := s.attend(ctx, func() (err error) {
		res, err = s.read(ctx, own.SQL(), args, db.Caps{})
		return err
	})
	if err != nil {
		return nil, s.base.explain(ctx, err, "reading from the database", 0)
	}
	res.Elapsed = time.Since(started)
	return res, nil
}

// Close gives the connection back to the host.
func (s *session) Close() error {
	if s.closed {
		return nil
	}
	s.closed = true
	if s.lost.Load() {
		return nil
	}
	if err := s.conn.Close(); err != nil && !errors.Is(err, sql.ErrConnDone) && !errors.Is(err, driver.ErrBadConn) {
		return fmt.Errorf("give the connection back: %w", err)
	}
	return nil
}

func (s *session) ready(st guard.Statement) error {
	if st.IsZero() {
		return &guard.Refusal{Layer: guard.LayerSession, Rule: "unchecked", Message: "a statement that the guard has not passed is not run"}
	}
	if s.closed || s.lost.Load() {
		return closedError()
	}
	return nil
}

func closedError() error {
	return &db.Error{Kind: db.ErrUnreachable, Message: "the session was closed", Offset: -1}
}

// locked runs do between Begin and End. A connection that End or Restore
// cannot put back is dropped: the host must not get it in another state.
func (s *session) locked(ctx context.Context, limit time.Duration, do func() error) (err error) {
	host := s.base.dialect.Host
	var kept []db.Value
	if host.Keep.SQL() != "" {
		res, err := s.read(ctx, host.Keep.SQL(), nil, db.Caps{})
		if err != nil {
			return err
		}
		if len(res.Rows) > 0 {
			kept = res.Rows[0]
		}
	}
	defer func() {
		if s.lost.Load() {
			return
		}
		// The statement's own context may have ended; putting back has time
		// of its own.
		back, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		end := host.End
		if host.Restore != nil {
			end = append(end[:len(end):len(end)], host.Restore(kept)...)
		}
		if s.run(back, end) != nil {
			s.drop()
		}
	}()
	begin := host.Begin
	if host.Timeout != nil {
		begin = append(begin[:len(begin):len(begin)], host.Timeout(limit))
	}
	if err := s.run(ctx, begin); err != nil {
		return err
	}
	return s.safely(do)
}

func (s *session) run(ctx context.Context, statements []db.Own) error {
	for _, own := range statements {
		s.told(own.SQL())
		if _, err := s.conn.ExecContext(ctx, own.SQL()); err != nil {
			return err
		}
	}
	return nil
}

// attend waits for do, which may sit in a driver that no context reaches.
// When it does not come back in time the session ends without it, and whoever
// is still inside drops the connection.
func (s *session) attend(ctx context.Context, do func() error) error {
	done := make(chan error)
	left := make(chan struct{})
	go func() {
		err := s.safely(do)
		select {
		case done <- err:
		case <-left:
			if s.lost.CompareAndSwap(false, true) {
				s.drop()
				_ = s.conn.Close()
			}
		}
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case err := <-done:
		return err
	case <-timer.C:
		s.closed = true
		close(left)
		return ctx.Err()
	}
}

// safely turns a panic of a driver, as one has when memory is used up, into
// an error. The session ends there and the connection is lost to the host's
// pool: database/sql itself still holds it locked, and touching it would wait
// forever.
func (s *session) safely(do func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			s.lost.Store(true)
			err = &db.Error{Kind: db.ErrResource, Offset: -1, Message: fmt.Sprintf("the host's driver gave up: %v", r)}
		}
	}()
	return do()
}

// drop takes the connection out of the host's pool.
func (s *session) drop() {
	_ = s.conn.Raw(func(any) error { return driver.ErrBadConn })
}

func (s *session) told(sql string) {
	if s.base.options.Log != nil {
		s.base.options.Log(sql)
	}
}
