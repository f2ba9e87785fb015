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

// commonTypes are asked for once, when the database is opened: booleans,
// numbers, texts, times, JSON, and arrays of the frequent ones.
var commonTypes = []uint32{16, 17, 18, 19, 20, 21, 23, 25, 26, 114, 700, 701, 1000, 1005, 1007, 1009, 1015, 1016, 1022, 1042, 1043,
	1082, 1083, 1114, 1184, 1186, 1231, 1700, 2950, 3802}

// columns names the types of a result.
func (s *session) columns(ctx context.Context, fields []pgconn.FieldDescription) (columns, error) {
	oids := make([]uint32, len(fields))
	for i, f := range fields {
		oids[i] = f.DataTypeOID
	}
	if err := s.resolve(ctx, oids); err != nil {
		return nil, err
	}
	out := make(columns, len(fields))
	s.d.mu.Lock()
	defer s.d.mu.Unlock()
	for i, f := range fields {
		out[i].name, out[i].typ = f.Name, s.d.types[f.DataTypeOID]
	}
	return out, nil
}

// resolve asks the server for the types not met before.
func (s *session) resolve(ctx context.Context, oids []uint32) error {
	var unknown []string
	s.d.mu.Lock()
	for _, oid := range oids {
		if _, ok := s.d.types[oid]; !ok {
			unknown = append(unknown, strconv.FormatUint(uint64(oid), 10))
		}
	}
	s.d.mu.Unlock()
	if len(unknown) == 0 {
		return nil
	}
	s.d.log(own.TypeNames.SQL())
	read := s.conn.ExecParams(ctx, own.TypeNames.SQL(), [][]byte{[]byte("{" + strings.Join(unknown, ",") + "}")}, nil, nil, nil).Read()
	if read.Err != nil {
		return s.failed(ctx, read.Err, place{})
	}
	s.d.mu.Lock()
	defer s.d.mu.Unlock()
	for _, row := range read.Rows {
		oid, err := strconv.ParseUint(string(row[0]), 10, 32)
		if err == nil {
			s.d.types[uint32(oid)] = typeName{string(row[1]), string(row[2])}
		}
	}
	return nil
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
