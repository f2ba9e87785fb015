package duckdb

import (
	"context"
	"fmt"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/engine/db"
)

func measuring() db.Measuring {
	return db.Measuring{Class: class, Size: size, Draw: draw, Count: count, Frequent: frequent}
}

// classes are by the name of a type without its parameters.
var classes = map[string]db.Class{
	"TINYINT": db.Numeric, "SMALLINT": db.Numeric, "INTEGER": db.Numeric, "BIGINT": db.Numeric, "HUGEINT": db.Numeric,
	"UTINYINT": db.Numeric, "USMALLINT": db.Numeric, "UINTEGER": db.Numeric, "UBIGINT": db.Numeric, "UHUGEINT": db.Numeric,
	"FLOAT": db.Numeric, "DOUBLE": db.Numeric, "DECIMAL": db.Numeric, "BIGNUM": db.Numeric,
	"VARCHAR": db.Textual, "UUID": db.Textual, "ENUM": db.Textual,
	"DATE": db.Temporal, "TIME": db.Temporal, "TIME_NS": db.Temporal, "TIMESTAMP": db.Temporal, "TIMESTAMP_S": db.Temporal, "TIMESTAMP_MS": db.Temporal,
	"TIMESTAMP_NS": db.Temporal, "TIMESTAMP WITH TIME ZONE": db.Temporal, "TIME WITH TIME ZONE": db.Temporal,
	"BOOLEAN": db.Boolean,
}

func class(c catalog.Column) db.Class {
	if strings.HasSuffix(c.Type, "]") {
		return db.Opaque
	}
	name, _, _ := strings.Cut(c.Type, "(")
	return classes[name]
}

// size takes the engine's own number, which it keeps for tables. Files are
// counted up to the limit.
func size(ctx context.Context, s db.Session, t catalog.Table, limit int64) (db.Size, error) {
	if t.Kind != catalog.ForeignTable {
		return db.Size{Rows: t.Rows}, nil
	}
	r, err := s.Own(ctx, db.OwnSQL(fmt.Sprintf("SELECT count(*) FROM (SELECT 1 FROM %s LIMIT %d)", qualified(t), limit)))
	if err != nil {
		return db.Size{}, err
	}
	rows := r.Rows[0][0].Int()
	if rows == limit {
		return db.Size{Rows: limit + 1}, nil
	}
	return db.Size{Rows: rows, Exact: true}, nil
}

func qualified(t catalog.Table) string {
	if t.Schema == "" {
		return Quote(t.Name)
	}
	return Quote(t.Schema) + "." + Quote(t.Name)
}

// drawBlocks is how many runs of neighboring rows are read of a table that
// may not be looked at whole: the engine skips all that is between them.
const drawBlocks = 40

// draw samples a table by a hash of its row numbers, since the engine's own
// samplers differ from call to call with several threads. What is larger than
// the limit gives runs of rows at equal steps, and such a view its start.
func draw(ctx context.Context, s db.Session, t catalog.Table, columns []catalog.Column, d db.Drawing) (*db.Result, error) {
	rows := min(int64(d.Rows), d.Limit)
	list := make([]string, len(columns))
	for i, c := range columns {
		list[i] = drawn(c)
	}
	query := "SELECT " + strings.Join(list, ", ") + " FROM " + qualified(t)
	switch {
	case d.Start || d.Size.Rows < 0 || d.Size.Rows > d.Limit && t.Kind != catalog.BaseTable:
		query += fmt.Sprintf(" LIMIT %d", rows+1)
	case t.Kind != catalog.BaseTable:
		query += fmt.Sprintf(" USING SAMPLE reservoir(%d ROWS) REPEATABLE (42)", rows)
	case d.Size.Rows > d.Limit:
		query = runs(query, d.Size.Rows, rows)
	default:
		query += fmt.Sprintf(" WHERE hash(rowid) %% %d = 0", max(d.Size.Rows/rows, 1))
	}
	return s.Own(ctx, db.OwnSQL(query))
}

// runs reads rows rows in runs; each run is a statement of its own for the
// engine, which prunes by a range of row numbers and not by several.
func runs(query string, total, rows int64) string {
	length := max(rows/drawBlocks, 1)
	parts := make([]string, drawBlocks)
	for i := range parts {
		from := int64(i) * (total / drawBlocks)
		parts[i] = fmt.Sprintf("%s WHERE rowid BETWEEN %d AND %d", query, from, from+length-1)
	}
	return strings.Join(parts, "\nUNION ALL ")
}

// drawn is a column as Draw gives it.
func drawn(c catalog.Column) string {
	name := Quote(c.Name)
	switch class(c) {
	case db.Opaque:
		return "CASE WHEN " + name + " IS NOT NULL THEN true END"
	case db.Textual:
		if strings.HasPrefix(c.Type, "VARCHAR") {
			return fmt.Sprintf("left(%s, %d)", name, db.DrawnLength)
		}
		return name + "::VARCHAR"
	}
	return name
}

func count(ctx context.Context, s db.Session, t catalog.Table, columns []db.Counted, limit int64) (db.Counts, error) {
	limit -= limit / 10 // the engine reads a little beyond a limit
	spelling := db.Spelling{Table: qualified(t), Quote: Quote, Plain: func(c catalog.Column) string { return Quote(c.Name) }}
	r, err := s.Own(ctx, db.OwnSQL(spelling.Count(t, columns, limit)))
	if err != nil {
		return db.Counts{}, err
	}
	return db.CountsOf(r, t, columns, limit), nil
}

// frequent groups by each column at once: one scan for all of them.
func frequent(ctx context.Context, s db.Session, t catalog.Table, columns []catalog.Column) (map[string][]db.Frequency, error) {
	list, sets := make([]string, len(columns)), make([]string, len(columns))
	for i, c := range columns {
		list[i] = drawn(c) + " AS c" + fmt.Sprint(i)
		sets[i] = fmt.Sprintf("(c%d)", i)
	}
	names := strings.ReplaceAll(strings.NewReplacer("(", "", ")", "").Replace(strings.Join(sets, ",")), ",", ", ")
	r, err := s.Own(ctx, db.OwnSQL(fmt.Sprintf("SELECT grouping_id(%[1]s), %[1]s, count(*) FROM (SELECT %[2]s FROM %[3]s) GROUP BY GROUPING SETS (%[4]s)",
		names, strings.Join(list, ", "), qualified(t), strings.Join(sets, ", "))))
	if err != nil {
		return nil, err
	}
	return db.GroupsOf(r, columns), nil
}
