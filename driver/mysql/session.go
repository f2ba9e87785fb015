package mysql

import (
	"context"
	sqldriver "database/sql/driver"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/sqbyl/sqbyl/internal/engine/db"
	own "github.com/sqbyl/sqbyl/internal/engine/dialect/mysql"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
)

// session is one read-only snapshot.
type session struct {
	d       *database
	conn    *conn
	profile db.Profile
	views   map[guard.Name]*guard.Refusal // nil until they are read
	held    string                        // what the views were held against
	touched bool                          // a model statement ran
	limited bool                          // the limits of one are set
	closed  bool
}

// Close ends the snapshot and gives the connection back.
func (s *session) Close() error {
	if !s.closed {
		s.closed = true
		s.d.give(s.conn, s.touched)
	}
	return nil
}

// free lifts the limits of model statements.
func (s *session) free(ctx context.Context) error {
	s.limited = false
	return s.conn.exec(ctx, s.conn.lock.Free())
}

// Own runs a statement of the product's own, read whole.
func (s *session) Own(ctx context.Context, statement db.Own, args ...db.Value) (*db.Result, error) {
	if s.limited {
		if err := s.free(ctx); err != nil {
			return nil, s.failed(ctx, err, "")
		}
	}
	start := time.Now()
	s.d.log(statement.SQL())
	result, err := s.conn.query(ctx, statement.SQL(), args...)
	if err != nil {
		return nil, s.failed(ctx, err, statement.SQL())
	}
	result.Elapsed = time.Since(start)
	return result, nil
}

// query reads a result whole.
func (c *conn) query(ctx context.Context, sql string, args ...db.Value) (*db.Result, error) {
	rows, err := c.rows(ctx, sql, args)
	if err != nil {
		return nil, err
	}
	r := reading{rows: rows, caps: db.Caps{}}
	if err := r.all(); err != nil {
		return nil, errors.Join(err, rows.Close())
	}
	return r.result, rows.Close()
}

// rows begins to run a statement; one with arguments is prepared for it and
// closed with its rows.
func (c *conn) rows(ctx context.Context, sql string, args []db.Value) (sqldriver.Rows, error) {
	if len(args) == 0 {
		return c.raw.(sqldriver.QueryerContext).QueryContext(ctx, sql, nil)
	}
	statement, err := c.raw.(sqldriver.ConnPrepareContext).PrepareContext(ctx, sql)
	if err != nil {
		return nil, err
	}
	values := make([]sqldriver.NamedValue, len(args))
	for i, arg := range args {
		values[i] = sqldriver.NamedValue{Ordinal: i + 1, Value: argument(arg)}
	}
	read, err := statement.(sqldriver.StmtQueryContext).QueryContext(ctx, values)
	if err != nil {
		return nil, errors.Join(err, statement.Close())
	}
	return preparedRows{read.(typedRows), statement}, nil
}

type typedRows interface {
	sqldriver.Rows
	sqldriver.RowsColumnTypeDatabaseTypeName
}

// preparedRows close their statement too.
type preparedRows struct {
	typedRows
	statement sqldriver.Stmt
}

func (r preparedRows) Close() error { return errors.Join(r.typedRows.Close(), r.statement.Close()) }

func argument(v db.Value) sqldriver.Value {
	switch v.Kind() {
	case db.Null:
		return nil
	case db.Bool:
		return v.Bool()
	case db.Int:
		return v.Int()
	case db.Float:
		return v.Float()
	case db.Blob:
		return []byte(v.Raw())
	}
	return v.Raw()
}

// reading is one result on its way; a cap of 0 is none.
type reading struct {
	rows   sqldriver.Rows
	caps   db.Caps
	result *db.Result
	bytes  int64
}

// all reads until the end or a cap; Truncated says which.
func (r *reading) all() error {
	names := r.rows.Columns()
	r.result = &db.Result{Columns: make([]db.Column, len(names)), Rows: [][]db.Value{}}
	types := r.rows.(sqldriver.RowsColumnTypeDatabaseTypeName)
	for i, name := range names {
		r.result.Columns[i] = db.Column{Name: name, Type: types.ColumnTypeDatabaseTypeName(i)}
	}
	cells := make([]sqldriver.Value, len(names))
	for {
		switch err := r.rows.Next(cells); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		if r.caps.Rows > 0 && len(r.result.Rows) == r.caps.Rows {
			r.result.Truncated = db.ByRows
			return nil
		}
		row := make([]db.Value, len(cells))
		for i, cell := range cells {
			row[i] = own.Value(r.result.Columns[i].Type, cell)
			r.bytes += row[i].Size()
		}
		r.result.Rows = append(r.result.Rows, row)
		if r.caps.Bytes > 0 && r.bytes > r.caps.Bytes {
			r.result.Truncated = db.ByBytes
			return nil
		}
	}
}

// Prepare has the server validate the statement (COM_STMT_PREPARE runs
// nothing) and reads the columns' names and types from its first part under
// LIMIT 0.
func (s *session) Prepare(ctx context.Context, statement guard.Statement) ([]db.Column, error) {
	if err := s.admit(ctx, statement); err != nil {
		return nil, err
	}
	if err := s.restrict(ctx, db.Caps{Rows: 1, Time: 5 * time.Second}); err != nil {
		return nil, err
	}
	s.d.log(statement.SQL())
	prepared, err := s.conn.raw.(sqldriver.ConnPrepareContext).PrepareContext(ctx, statement.SQL())
	if err != nil {
		return nil, s.failedStatement(ctx, err, statement)
	}
	inputs := prepared.NumInput()
	if err := prepared.Close(); err != nil {
		return nil, s.failedStatement(ctx, err, statement)
	}
	if inputs != len(statement.Params()) {
		return nil, &db.Error{Kind: db.ErrSyntax, Message: "the statement has a parameter (?) and nothing gives it a value", Offset: strings.IndexByte(statement.SQL(), '?')}
	}
	written := statement.SQL()
	if own.Frozen(written) {
		written = statement.Written()
	}
	header, err := s.header(ctx, written)
	if err != nil {
		return nil, s.failedStatement(ctx, err, statement)
	}
	return header, nil
}

// header gives the columns of a statement without its rows.
func (s *session) header(ctx context.Context, sql string) ([]db.Column, error) {
	script := sqltext.Scan(sql, &s.d.dialect.Policy.Rules)
	outline := script.Outline()
	end := outline.End
	for _, clause := range []int{outline.SetOp, outline.Limit, outline.Offset, outline.Fetch} {
		if clause >= 0 {
			end = min(end, clause)
		}
	}
	if end > 0 && end <= len(script.Tokens) {
		sql = sql[:script.Tokens[end-1].End]
	}
	sql += "\nLIMIT 0"
	s.d.log(sql)
	var args []db.Value
	for i, token := range script.Tokens {
		if token.Kind == sqltext.Param && i < end {
			args = append(args, db.Value{})
		}
	}
	result, err := s.conn.query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	return result.Columns, nil
}

// Query runs the statement under limits that are set anew for it.
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
	var names []db.Column
	if own.Frozen(statement.SQL()) {
		if err := s.restrict(ctx, caps); err != nil {
			return nil, err
		}
		// A literal is a column's name where it stands for NOW().
		names, _ = s.header(ctx, statement.Written())
	}
	if err := s.restrict(ctx, caps); err != nil {
		return nil, err
	}
	start := time.Now()
	s.touched = true
	s.d.log(statement.SQL())
	rows, err := s.conn.rows(ctx, statement.SQL(), args)
	if err != nil {
		return nil, s.failedStatement(ctx, err, statement)
	}
	r := reading{rows: rows, caps: caps}
	if err := r.all(); err != nil {
		_ = rows.Close()
		return nil, s.failedStatement(ctx, err, statement)
	}
	if r.result.Truncated != db.Whole {
		s.d.kill(s.conn.id)
	}
	closed := rows.Close()
	if closed != nil && r.result.Truncated == db.Whole {
		return nil, s.failedStatement(ctx, closed, statement)
	}
	if err := s.warned(ctx); err != nil {
		return nil, err
	}
	for i := range names {
		if len(names) == len(r.result.Columns) {
			r.result.Columns[i].Name = names[i].Name
		}
	}
	r.result.Elapsed = time.Since(start)
	return r.result, nil
}

// warned reads what the server thought of the statement. It also takes the
// blow of a KILL that came when the query had ended.
func (s *session) warned(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	for range 2 {
		read, err := s.conn.query(ctx, own.ShowWarnings.SQL())
		if err != nil {
			continue
		}
		for _, row := range read.Rows {
			if cut := own.Cut(row[1].String(), row[2].Raw()); cut != nil {
				return cut
			}
		}
		return nil
	}
	s.conn.close()
	return nil
}

func (s *session) restrict(ctx context.Context, caps db.Caps) error {
	s.limited = true
	if err := s.conn.exec(ctx, s.conn.lock.Before(caps.Rows+1, caps.Time)); err != nil {
		return s.failed(ctx, err, "")
	}
	return nil
}

func (s *session) failedStatement(ctx context.Context, err error, statement guard.Statement) error {
	e := s.failed(ctx, err, statement.SQL())
	var known *db.Error
	if errors.As(e, &known) {
		s.suggest(ctx, known, statement)
	}
	return e
}

// failed turns a driver's error into the product's. A connection that was
// given up on has its query killed.
func (s *session) failed(ctx context.Context, err error, sql string) error {
	e := &db.Error{Kind: db.ErrUnreachable, Offset: -1, Err: err}
	var server *mysql.MySQLError
	switch {
	case errors.As(err, &server):
		code := fmt.Sprint(server.Number)
		known := own.Classify(code, server.Message)
		if known == nil {
			known = &db.Error{Code: code, Message: server.Message, Offset: -1}
		}
		known.Err = server
		if known.Kind == db.ErrSyntax && sql != "" {
			known.Offset = own.Offset(sql, server.Message)
		}
		if known.Kind == db.ErrUnreachable {
			known.Message = "lost the connection to " + s.d.info.Location + ": " + known.Message + "; ask again, the next connection is a new one"
			s.conn.close()
		}
		return known
	case ctx.Err() != nil:
		e.Kind, e.Message, e.Err = db.ErrCanceled, "canceled", ctx.Err()
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			e.Kind, e.Message = db.ErrTimeout, "the time limit was reached and the server was told to stop"
		}
		if !s.conn.broken {
			s.d.kill(s.conn.id)
		}
	case errors.Is(err, mysql.ErrPktTooLarge):
		e.Kind, e.Message = db.ErrTooBig, "one value of the result is longer than a packet may be; select less of it"
	default:
		e.Message = "lost the connection to " + s.d.info.Location + ": the server went away; check that it still runs and ask again"
	}
	s.conn.close()
	return e
}
