package postgres

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/sqbyl/sqbyl/internal/engine/db"
	own "github.com/sqbyl/sqbyl/internal/engine/dialect/postgres"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
)

// session is one read-only transaction. Every statement runs behind a
// savepoint, so that an error costs neither the transaction nor its snapshot.
type session struct {
	d         *database
	conn      *pgconn.PgConn
	profile   db.Profile
	homemade  homemade
	viewsSeen map[guard.Name]bool
	columnsOf map[guard.Name][]string
	closed    bool
}

func (s *session) begin(ctx context.Context) error {
	batch := &pgconn.Batch{}
	for _, statement := range []db.Own{own.Begin, own.Pin, own.Savepoint, own.Homemade, own.HomemadeUses} {
		s.d.log(statement.SQL())
		batch.ExecParams(statement.SQL(), nil, nil, nil, nil)
	}
	ctx, cancel := context.WithTimeout(ctx, s.d.options.ConnectTimeout)
	defer cancel()
	results, err := s.conn.ExecBatch(ctx, batch).ReadAll()
	if err != nil {
		return s.failed(ctx, err, place{})
	}
	s.homemade = readHomemade(results[3].Rows, results[4].Rows)
	s.viewsSeen, s.columnsOf = map[guard.Name]bool{}, map[guard.Name][]string{}
	return nil
}

// Close ends the transaction and gives the connection back.
func (s *session) Close() error {
	if !s.closed {
		s.closed = true
		s.d.give(s.conn)
	}
	return nil
}

// Own runs a statement of the product's own, read whole.
func (s *session) Own(ctx context.Context, statement db.Own, args ...db.Value) (*db.Result, error) {
	values, types := arguments(args)
	start := time.Now()
	s.d.log(statement.SQL())
	read := s.conn.ExecParams(ctx, statement.SQL(), values, types, nil, nil).Read()
	if read.Err != nil {
		return nil, s.failed(ctx, read.Err, place{sql: statement.SQL()})
	}
	columns, err := s.columns(ctx, read.FieldDescriptions)
	if err != nil {
		return nil, err
	}
	result := &db.Result{Columns: columns.shown(), Rows: make([][]db.Value, len(read.Rows))}
	for i, row := range read.Rows {
		result.Rows[i] = columns.values(row)
	}
	result.Elapsed = time.Since(start)
	return result, nil
}

// arguments are parameters in text form. The server infers their types; a
// number with a fraction says so, or it would be read as the whole number it
// is compared with.
func arguments(args []db.Value) (values [][]byte, types []uint32) {
	const float8, numeric = 701, 1700
	values, types = make([][]byte, len(args)), make([]uint32, len(args))
	for i, arg := range args {
		values[i] = argument(arg)
		switch arg.Kind() {
		case db.Float:
			types[i] = float8
		case db.Decimal:
			types[i] = numeric
		}
	}
	return values, types
}

func argument(v db.Value) []byte {
	switch v.Kind() {
	case db.Null:
		return nil
	case db.List:
		items := make([]string, len(v.Fields()))
		for i, f := range v.Fields() {
			items[i] = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(string(argument(f.Value))) + `"`
			if f.Value.IsNull() {
				items[i] = "NULL"
			}
		}
		return []byte("{" + strings.Join(items, ",") + "}")
	case db.Bool, db.Int, db.Float:
		return []byte(v.String())
	case db.Blob:
		return fmt.Appendf(nil, `\x%x`, v.Raw())
	}
	return []byte(v.Raw())
}

// rollback undoes the last statement's effects on the transaction; its
// failure ends the connection.
func (s *session) rollback() {
	if s.conn.IsClosed() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	s.d.log(own.RollbackTo.SQL())
	if err := execute(ctx, s.conn, own.RollbackTo); err != nil {
		drop(s.conn)
	}
}
