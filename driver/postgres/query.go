package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/sqbyl/sqbyl/internal/engine/db"
	own "github.com/sqbyl/sqbyl/internal/engine/dialect/postgres"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
)

// Prepare has the server parse and describe the statement, once as the
// cursor's and once as a query.
func (s *session) Prepare(ctx context.Context, statement guard.Statement) ([]db.Column, error) {
	if err := s.admit(ctx, statement); err != nil {
		return nil, err
	}
	declare := own.DeclarePrefix + statement.SQL()
	s.d.log(declare)
	if _, err := s.conn.Prepare(ctx, "", declare, nil); err != nil {
		return nil, s.failedStatement(ctx, err, statement, len(own.DeclarePrefix))
	}
	description, err := s.conn.Prepare(ctx, "", statement.SQL(), nil)
	if err != nil {
		return nil, s.failedStatement(ctx, err, statement, 0)
	}
	if len(description.ParamOIDs) != len(statement.Params()) {
		return nil, &db.Error{Kind: db.ErrSyntax, Message: "the statement has a parameter ($1) and nothing gives it a value", Offset: strings.IndexByte(statement.SQL(), '$')}
	}
	columns, err := s.columns(ctx, description.Fields)
	if err != nil {
		return nil, err
	}
	s.rename(ctx, columns, statement)
	return columns.shown(), nil
}

// Query runs the statement through a cursor: the row cap is how much is
// fetched, and the text is not touched for it.
func (s *session) Query(ctx context.Context, statement guard.Statement, caps db.Caps, args ...db.Value) (*db.Result, error) {
	if err := s.admit(ctx, statement); err != nil {
		return nil, err
	}
	if err := db.CheckArgs(statement, args); err != nil {
		return nil, err
	}
	caps = caps.Or(s.profile.Caps())
	// The server's own limit acts first; the client's is for a server that no
	// longer answers.
	ctx, cancel := context.WithTimeout(ctx, caps.Time+2*time.Second)
	defer cancel()
	// A message much longer than the cap on bytes is never read into memory.
	s.conn.Frontend().SetMaxBodyLen(int(caps.Bytes) + 1<<20)
	defer s.conn.Frontend().SetMaxBodyLen(1 << 30)
	defer s.rollback()
	start := time.Now()
	r := &reading{session: s, caps: caps, result: &db.Result{Rows: [][]db.Value{}}}
	if err := r.first(ctx, statement, args); err != nil {
		return nil, err
	}
	for !r.done {
		if err := r.next(ctx, statement); err != nil {
			return nil, err
		}
	}
	if len(r.result.Rows) > caps.Rows {
		r.result.Rows, r.result.Truncated = r.result.Rows[:caps.Rows], db.ByRows
	}
	s.rename(ctx, r.columns, statement)
	r.result.Columns = r.columns.shown()
	r.result.Elapsed = time.Since(start)
	return r.result, nil
}

// The batches of a result: small at first, until the size of a row is known.
const (
	firstBatch = 128
	mostBatch  = 20_000
)

// reading is one result on its way.
type reading struct {
	session *session
	caps    db.Caps
	columns columns
	result  *db.Result
	bytes   int64
	done    bool
}

// first sets the time limit, declares the cursor and fetches, in one round
// trip.
func (r *reading) first(ctx context.Context, statement guard.Statement, args []db.Value) error {
	s, n := r.session, min(firstBatch, r.caps.Rows+1)
	batch := &pgconn.Batch{}
	for i, text := range []string{own.Timeout(r.caps.Time).SQL(), own.DeclarePrefix + statement.SQL(), own.Fetch(n).SQL()} {
		s.d.log(text)
		var values [][]byte
		var types []uint32
		if i == 1 {
			values, types = arguments(args)
		}
		batch.ExecParams(text, values, types, nil, nil)
	}
	results := s.conn.ExecBatch(ctx, batch)
	var fields []pgconn.FieldDescription
	var rows [][][]byte
	step := 0
	for ; results.NextResult(); step++ {
		reader := results.ResultReader()
		for step == 2 && reader.NextRow() {
			if fields == nil {
				fields = slices.Clone(reader.FieldDescriptions())
			}
			rows = append(rows, copied(reader.Values()))
			if r.count(reader.Values()) {
				r.stop(ctx)
				break
			}
		}
		if step == 2 && fields == nil {
			fields = slices.Clone(reader.FieldDescriptions())
		}
		_, _ = reader.Close() // its error is the batch's
	}
	if err := results.Close(); err != nil && r.result.Truncated == db.Whole {
		shift := 0
		if step <= 2 {
			shift = len(own.DeclarePrefix)
		}
		return s.failedStatement(ctx, err, statement, shift)
	} else if err != nil {
		s.rollback()
	}
	var err error
	if r.columns, err = s.columns(ctx, fields); err != nil {
		return err
	}
	for _, row := range rows {
		r.result.Rows = append(r.result.Rows, r.columns.values(row))
	}
	r.done = r.done || len(rows) < n || len(r.result.Rows) > r.caps.Rows
	return nil
}

// next fetches as many rows as the caps may still take.
func (r *reading) next(ctx context.Context, statement guard.Statement) error {
	average := max(r.bytes/int64(len(r.result.Rows)), 1)
	n := min(int(min((r.caps.Bytes-r.bytes)/average+1, mostBatch)), r.caps.Rows+1-len(r.result.Rows))
	text := own.Fetch(n).SQL()
	r.session.d.log(text)
	reader := r.session.conn.ExecParams(ctx, text, nil, nil, nil, nil)
	got := 0
	for reader.NextRow() {
		got++
		r.result.Rows = append(r.result.Rows, r.columns.values(reader.Values()))
		if r.count(reader.Values()) {
			r.stop(ctx)
			break
		}
	}
	if _, err := reader.Close(); err != nil && r.result.Truncated == db.Whole {
		return r.session.failedStatement(ctx, err, statement, 0)
	}
	r.done = r.done || got < n || len(r.result.Rows) > r.caps.Rows
	return nil
}

// count adds a row to the size and reports that the cap is reached.
func (r *reading) count(row [][]byte) bool {
	for _, cell := range row {
		r.bytes += int64(len(cell)) + 8
	}
	return r.bytes > r.caps.Bytes
}

// stop ends the reading at the cap on bytes: the rest of the batch is not
// waited for longer than the server needs to hear of it.
func (r *reading) stop(ctx context.Context) {
	r.done, r.result.Truncated = true, db.ByBytes
	_ = r.session.conn.CancelRequest(ctx)
}

func copied(row [][]byte) [][]byte {
	out := make([][]byte, len(row))
	for i, cell := range row {
		out[i] = slices.Clone(cell)
		if cell != nil && out[i] == nil {
			out[i] = []byte{}
		}
	}
	return out
}

// place says where in what text an error's position counts.
type place struct {
	sql   string
	shift int // characters before the statement
}

func (s *session) failedStatement(ctx context.Context, err error, statement guard.Statement, shift int) error {
	e := s.failed(ctx, err, place{statement.SQL(), shift})
	var known *db.Error
	if errors.As(e, &known) {
		s.suggest(ctx, known, statement)
	}
	return e
}

// failed turns a driver's error into the product's and makes the transaction
// usable again.
func (s *session) failed(ctx context.Context, err error, at place) error {
	var server *pgconn.PgError
	var tooLong *pgproto3.ExceededMaxBodyLenErr
	e := &db.Error{Kind: db.ErrUnreachable, Offset: -1, Err: err}
	switch {
	case errors.As(err, &tooLong):
		e.Kind, e.Message = db.ErrTooBig, fmt.Sprintf("one row of the result has %d bytes, more than the cap; select less of it", tooLong.ActualBodyLen)
		drop(s.conn)
	case errors.As(err, &server):
		e = serverError(server, at)
		if server.Severity == "FATAL" || server.Severity == "PANIC" {
			e.Message = "lost the connection to " + s.d.info.Location + ": " + e.Message + "; ask again, the next connection is a new one"
			drop(s.conn)
		}
		s.rollback()
	case ctx.Err() != nil:
		e.Kind, e.Message = db.ErrCanceled, "canceled"
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			e.Kind, e.Message = db.ErrTimeout, "the time limit was reached and the server was told to stop"
		}
		e.Err = ctx.Err()
	default:
		e.Message = "lost the connection to " + s.d.info.Location + ": " + innermost(err) + "; check that the server still runs and ask again"
	}
	return e
}

func serverError(server *pgconn.PgError, at place) *db.Error {
	e := own.Classify(server.Code, server.Message)
	if e == nil {
		e = &db.Error{Code: server.Code, Message: server.Message, Offset: -1}
	}
	e.Err = server
	e.Candidates = own.Candidates(server.Hint)
	if server.Hint != "" && len(e.Candidates) == 0 {
		e.Message += " (" + server.Hint + ")"
	}
	if server.Position > 0 {
		e.Offset = byteOffset(at.sql, int(server.Position)-1-at.shift)
	}
	return e
}

// byteOffset is where the n-th character starts, -1 outside the text.
func byteOffset(text string, n int) int {
	for i := range text {
		if n == 0 {
			return i
		}
		n--
	}
	return -1
}
