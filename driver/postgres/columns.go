package postgres

import (
	"context"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/sqbyl/sqbyl/internal/engine/db"
	own "github.com/sqbyl/sqbyl/internal/engine/dialect/postgres"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
)

// typeName is a type as the server prints its name, and the type that its
// text form is read as.
type typeName struct{ shown, read string }

type columns []struct {
	name string
	typ  typeName
}

// columns names the types of a result, asking the server for those not met
// before.
func (s *session) columns(ctx context.Context, fields []pgconn.FieldDescription) (columns, error) {
	var unknown []string
	s.d.mu.Lock()
	for _, f := range fields {
		if _, ok := s.d.types[f.DataTypeOID]; !ok {
			unknown = append(unknown, strconv.FormatUint(uint64(f.DataTypeOID), 10))
		}
	}
	s.d.mu.Unlock()
	if len(unknown) > 0 {
		s.d.log(own.TypeNames.SQL())
		read := s.conn.ExecParams(ctx, own.TypeNames.SQL(), [][]byte{[]byte("{" + strings.Join(unknown, ",") + "}")}, nil, nil, nil).Read()
		if read.Err != nil {
			return nil, s.failed(ctx, read.Err, place{})
		}
		s.d.mu.Lock()
		for _, row := range read.Rows {
			oid, err := strconv.ParseUint(string(row[0]), 10, 32)
			if err == nil {
				s.d.types[uint32(oid)] = typeName{string(row[1]), string(row[2])}
			}
		}
		s.d.mu.Unlock()
	}
	out := make(columns, len(fields))
	s.d.mu.Lock()
	defer s.d.mu.Unlock()
	for i, f := range fields {
		out[i].name, out[i].typ = f.Name, s.d.types[f.DataTypeOID]
	}
	return out, nil
}

func (c columns) shown() []db.Column {
	out := make([]db.Column, len(c))
	for i := range c {
		out[i] = db.Column{Name: c[i].name, Type: c[i].typ.shown}
	}
	return out
}

func (c columns) values(row [][]byte) []db.Value {
	out := make([]db.Value, len(row))
	for i, cell := range row {
		if cell != nil {
			out[i] = own.Value(c[i].typ.read, string(cell))
		}
	}
	return out
}

// rename gives columns the names they have in the statement as it was
// written: a literal in the place of now() would be named after its type.
func (s *session) rename(ctx context.Context, c columns, statement guard.Statement) {
	if !strings.Contains(statement.SQL(), own.InstantMark) || s.conn.IsClosed() {
		return
	}
	description, err := s.conn.Prepare(ctx, "", statement.Written(), nil)
	if err != nil {
		s.rollback()
		return
	}
	if len(description.Fields) != len(c) {
		return
	}
	for i, f := range description.Fields {
		c[i].name = f.Name
	}
}
