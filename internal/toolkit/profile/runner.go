package profile

import (
	"context"
	"errors"
	"time"

	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// runner runs the statements for one table, each under a limit on time. A
// statement that was stopped may end its session; the next one opens another.
type runner struct {
	db.Session // nil until it is needed
	database   db.Database
	limit      time.Duration
}

// Own implements db.Session.
func (r *runner) Own(ctx context.Context, own db.Own, args ...db.Value) (*db.Result, error) {
	if r.Session == nil {
		s, err := r.database.Session(ctx, db.Answer)
		if err != nil {
			return nil, err
		}
		r.Session = s
	}
	limited, cancel := context.WithTimeout(ctx, r.limit)
	defer cancel()
	result, err := r.Session.Own(limited, own, args...)
	if err == nil {
		return result, nil
	}
	if ends(err) {
		// What closing says of a session that was given up tells nothing new.
		_ = r.Close()
	}
	if ctx.Err() == nil && limited.Err() != nil {
		return nil, &db.Error{Kind: db.ErrTimeout, Message: "stopped after " + r.limit.String() + ", the time limit of a statement", Offset: -1, Err: limited.Err()}
	}
	return nil, err
}

// Close implements db.Session.
func (r *runner) Close() error {
	if r.Session == nil {
		return nil
	}
	s := r.Session
	r.Session = nil
	return s.Close()
}

// ends reports an error that a session may not outlive.
func ends(err error) bool {
	var e *db.Error
	if !errors.As(err, &e) {
		return true
	}
	switch e.Kind {
	case db.ErrTimeout, db.ErrCanceled, db.ErrUnreachable, db.ErrResource, db.ErrLocked:
		return true
	}
	return false
}

// fatal reports an error that ends the whole profile: there is no database to
// go on with.
func fatal(ctx context.Context, err error) bool {
	if ctx.Err() != nil {
		return true
	}
	var e *db.Error
	return errors.As(err, &e) && (e.Kind == db.ErrUnreachable || e.Kind == db.ErrAuth)
}
