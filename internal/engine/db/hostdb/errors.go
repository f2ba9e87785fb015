package hostdb

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
)

// numbered is how MySQL's drivers print an error: its number, SQLSTATE, text.
var numbered = regexp.MustCompile(`^Error (\d+)(?: \(\w{5}\))?: (.*)`)

// explain tells a driver's error apart by what its text and, where it has
// one, its SQLSTATE say: the drivers' own types are not known here.
func (d *database) explain(ctx context.Context, err error, doing string, limit time.Duration) error {
	if err == nil {
		return nil
	}
	var known *db.Error
	if errors.As(err, &known) {
		return known
	}
	switch ctx.Err() {
	case context.DeadlineExceeded:
		message := "stopped by the time limit while " + doing
		if limit > 0 {
			message = fmt.Sprintf("stopped after %s, the time limit of a statement; read fewer rows or aggregate earlier", limit)
		}
		return &db.Error{Kind: db.ErrTimeout, Message: message, Offset: -1, Err: context.DeadlineExceeded}
	case context.Canceled:
		return &db.Error{Kind: db.ErrCanceled, Message: "canceled while " + doing, Offset: -1, Err: context.Canceled}
	}
	code, message := "", err.Error()
	var state interface{ SQLState() string }
	if errors.As(err, &state) {
		code = state.SQLState()
	} else if m := numbered.FindStringSubmatch(message); m != nil {
		code, message = m[1], m[2]
	}
	if d.dialect.Classify != nil {
		if e := d.dialect.Classify(code, message); e != nil {
			e.Err = err
			return e
		}
	}
	return &db.Error{Kind: db.ErrUnknown, Code: code, Message: message, Offset: -1, Err: err}
}

// hinted adds the real names that an unknown one may have meant.
func (s *session) hinted(ctx context.Context, st guard.Statement, err error) error {
	var e *db.Error
	if !errors.As(err, &e) || ctx.Err() != nil || s.closed || s.lost.Load() || s.base.dialect.Catalog == nil {
		return err
	}
	if len(e.Candidates) > 0 || e.Kind != db.ErrUnknownTable && e.Kind != db.ErrUnknownColumn {
		return err
	}
	if schema, err := s.base.dialect.Catalog(ctx, s); err == nil {
		db.Hint(e, st.Facts().Tables, schema)
	}
	return e
}
