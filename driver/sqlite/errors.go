package sqlite

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ncruces/go-sqlite3"

	"github.com/sqbyl/sqbyl/internal/engine/db"
	lite "github.com/sqbyl/sqbyl/internal/engine/dialect/sqlite"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
)

const maxCandidates = 5

// explain tells a failure apart by kind. A refusal stays what it is.
func (c *conn) explain(ctx context.Context, err error, sql string, limit time.Duration) error {
	var refused *guard.Refusal
	var known *db.Error
	var code sqlite3.ErrorCode
	switch {
	case err == nil:
		return nil
	case errors.As(err, &refused):
		return refused
	case errors.As(err, &known):
		return known
	case errors.Is(err, errPanic):
		return &db.Error{Kind: db.ErrResource, Offset: -1, Err: err,
			Message: "the statement needs more memory than one connection has (" + strconv.Itoa(maxMemory>>20) + " MB); read fewer or shorter values"}
	case errors.Is(err, sqlite3.INTERRUPT) && ctx.Err() != nil:
		return stopped(ctx, "running a statement", limit)
	case errors.Is(err, sqlite3.READONLY_ROLLBACK), errors.Is(err, sqlite3.READONLY_RECOVERY):
		return &db.Error{Kind: db.ErrLocked, Offset: -1, Err: err,
			Message: "a program stopped in the middle of writing to this file, and undoing that needs a writer: open it once with a program that may write (sqlite3 FILE \"SELECT 1\")"}
	case errors.As(err, &code):
		return fromNative(err, code, sql)
	}
	return err
}

func fromNative(err error, code sqlite3.ErrorCode, sql string) error {
	extended := sqlite3.ExtendedErrorCode(code)
	errors.As(err, &extended)
	e := fromText(strconv.Itoa(int(extended)), err.Error(), err)
	var native *sqlite3.Error
	if errors.As(err, &native) {
		if rest := native.SQL(); rest != "" && strings.HasSuffix(sql, rest) {
			e.Offset = len(sql) - len(rest)
		}
	}
	switch code {
	case sqlite3.BUSY, sqlite3.LOCKED:
		e.Kind, e.Message = db.ErrLocked, "the database is locked: another program is writing to it; try again when it is done"
	case sqlite3.NOTADB:
		e.Kind, e.Message = db.ErrNotADatabase, "this is not a SQLite database, or it is encrypted (encrypted databases cannot be opened)"
	case sqlite3.CORRUPT:
		e.Kind, e.Message = db.ErrNotADatabase, "the database file is damaged: "+e.Message
	case sqlite3.TOOBIG:
		e.Kind, e.Message = db.ErrResource, "a value is longer than "+strconv.Itoa(limits[sqlite3.LIMIT_LENGTH]>>20)+" MB, or the statement is too long"
	}
	return e
}

func fromText(code, message string, err error) *db.Error {
	e := lite.Classify(code, message)
	if e == nil {
		e = &db.Error{Kind: db.ErrUnknown, Code: code, Message: strings.TrimPrefix(message, "sqlite3: "), Offset: -1}
	}
	e.Err = err
	return e
}

// stopped is the error of a context that ended.
func stopped(ctx context.Context, doing string, limit time.Duration) *db.Error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		message := "stopped by the time limit while " + doing
		if limit > 0 {
			message = fmt.Sprintf("stopped after %s, the time limit of a statement; read fewer rows or aggregate earlier", limit)
		}
		return &db.Error{Kind: db.ErrTimeout, Message: message, Offset: -1, Err: context.DeadlineExceeded}
	}
	return &db.Error{Kind: db.ErrCanceled, Message: "canceled while " + doing, Offset: -1, Err: context.Canceled}
}

// limited names the statement's own limit where that, not the caller's
// deadline, stopped it.
func limited(caller context.Context, err error, limit time.Duration) error {
	var e *db.Error
	if errors.As(err, &e) && e.Kind == db.ErrTimeout && caller.Err() == nil {
		e.Message = fmt.Sprintf("stopped after %s, the time limit of a statement; read fewer rows or aggregate earlier", limit)
	}
	return err
}

// hinted adds to an unknown name the real names it may have meant.
func (s *session) hinted(ctx context.Context, st guard.Statement, err error) error {
	var e *db.Error
	if !errors.As(err, &e) || s.conn.broken || ctx.Err() != nil {
		return err
	}
	switch e.Kind {
	case db.ErrUnknownTable, db.ErrUnknownColumn:
		if view := s.looseView(ctx, st, e); view != "" {
			e.Name, e.Kind = view, db.ErrUnknown
			e.Message = fmt.Sprintf("view %s cannot be read: it writes text in double quotes (%s), which here are for names only. Create the view anew with single quotes", view, e.Message)
			return e
		}
		// A failure here leaves the hint out.
		if schema, err := lite.Catalog(ctx, s); err == nil {
			db.Hint(e, st.Facts().Tables, schema)
		}
	case db.ErrUnknownFunction:
		names := slices.Sorted(maps.Keys(s.base.dialect.Policy.Functions))
		e.Candidates = db.Nearest(e.Name, names, maxCandidates)
	}
	return e
}

// looseView finds the view that a statement fails on because the view itself
// relies on text in double quotes, "" for none.
func (s *session) looseView(ctx context.Context, st guard.Statement, e *db.Error) string {
	if e.Kind != db.ErrUnknownColumn || s.profile != db.Answer || strings.Contains(st.SQL(), `"`+e.Name+`"`) {
		return ""
	}
	views, err := s.Own(ctx, lite.Views)
	if err != nil {
		return ""
	}
	for _, row := range views.Rows {
		view := row[0].Raw()
		if _, err := s.Own(ctx, lite.ProbeView(view)); err == nil || ctx.Err() != nil {
			continue
		}
		if s.conn.setProfile(db.Score) != nil {
			return ""
		}
		_, loose := s.Own(ctx, lite.ProbeView(view))
		if s.conn.setProfile(s.profile) != nil {
			return ""
		}
		if loose == nil && strings.Contains(strings.ToLower(st.SQL()), strings.ToLower(view)) {
			return view
		}
	}
	return ""
}
