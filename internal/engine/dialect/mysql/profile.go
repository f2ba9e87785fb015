package mysql

import (
	"context"
	"fmt"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/engine/db"
)

func measuring() db.Measuring {
	return db.Measuring{Class: class, Size: size, Draw: draw, Count: count}
}

// classes are by the first word of a type.
var classes = map[string]db.Class{
	"tinyint": db.Numeric, "smallint": db.Numeric, "mediumint": db.Numeric, "int": db.Numeric, "integer": db.Numeric, "bigint": db.Numeric,
	"decimal": db.Numeric, "float": db.Numeric, "double": db.Numeric, "year": db.Numeric, "bit": db.Numeric,
	"char": db.Textual, "varchar": db.Textual, "tinytext": db.Textual, "text": db.Textual, "mediumtext": db.Textual, "longtext": db.Textual,
	"enum": db.Textual, "set": db.Textual, "uuid": db.Textual, "inet4": db.Textual, "inet6": db.Textual,
	"date": db.Temporal, "time": db.Temporal, "datetime": db.Temporal, "timestamp": db.Temporal,
}

func class(c catalog.Column) db.Class {
	name := strings.ToLower(c.Type)
	if i := strings.IndexAny(name, "( "); i >= 0 {
		name = name[:i]
	}
	return classes[name]
}

// size takes the engine's estimate, which a range of whole key values bounds.
func size(ctx context.Context, s db.Session, t catalog.Table, limit int64) (db.Size, error) {
	if t.Kind != catalog.BaseTable {
		return db.Size{Rows: -1}, nil
	}
	low, high, ok, err := ends(ctx, s, t)
	if err != nil {
		return db.Size{}, err
	}
	if ok && high < low {
		return db.Size{Exact: true}, nil
	}
	if ok && uint64(high)-uint64(low) < uint64(limit) {
		span := high - low + 1
		if t.Rows >= 0 && t.Rows <= limit {
			return db.Size{Rows: min(span, max(t.Rows, 1))}, nil
		}
		return db.Size{Rows: span}, nil
	}
	return db.Size{Rows: t.Rows}, nil
}

// ends are the least and the greatest value of a key of one whole number.
func ends(ctx context.Context, s db.Session, t catalog.Table) (low, high int64, ok bool, err error) {
	key, ok := wholeKey(t)
	if !ok {
		return 0, 0, false, nil
	}
	r, err := s.Own(ctx, db.OwnSQL(fmt.Sprintf("SELECT CAST(min(%[1]s) AS SIGNED), CAST(max(%[1]s) AS SIGNED) FROM %[2]s", Quote(key), qualified(t))))
	if err != nil {
		return 0, 0, false, fmt.Errorf("read the ends of the key of %s: %w", t.Name, err)
	}
	if r.Rows[0][0].IsNull() {
		return 0, -1, true, nil
	}
	low, high = r.Rows[0][0].Int(), r.Rows[0][1].Int()
	return low, high, high >= low, nil
}

func qualified(t catalog.Table) string {
	if t.Schema == "" {
		return Quote(t.Name)
	}
	return Quote(t.Schema) + "." + Quote(t.Name)
}

// draw reads blocks along a key of whole numbers. Without one, or where the
// key has large gaps, it takes rows by a fixed series of random numbers, which
// looks at the whole table, and the start where that may not be.
func draw(ctx context.Context, s db.Session, t catalog.Table, columns []catalog.Column, d db.Drawing) (*db.Result, error) {
	rows := min(int64(d.Rows), d.Limit)
	list := make([]string, len(columns))
	for i, c := range columns {
		list[i] = drawn(c)
	}
	from := "SELECT " + strings.Join(list, ", ") + " FROM " + qualified(t) + " t"
	if d.Start || d.Size.Rows < 0 {
		return s.Own(ctx, db.OwnSQL(fmt.Sprintf("%s LIMIT %d", from, rows+1)))
	}
	r, err := drawBlocks(ctx, s, t, list, rows)
	if err != nil || r != nil && int64(len(r.Rows)) > rows/8 {
		return r, err
	}
	if d.Size.Rows > d.Limit {
		return s.Own(ctx, db.OwnSQL(fmt.Sprintf("%s LIMIT %d", from, rows)))
	}
	return s.Own(ctx, db.OwnSQL(fmt.Sprintf("%s WHERE RAND(42) < %.9f", from, float64(rows)/float64(max(d.Size.Rows, 1)))))
}

// drawBlocks gives nil where the key allows no blocks.
func drawBlocks(ctx context.Context, s db.Session, t catalog.Table, list []string, rows int64) (*db.Result, error) {
	low, high, ok, err := ends(ctx, s, t)
	if err != nil || !ok || high-low < rows {
		return nil, err
	}
	var starts []string
	for _, b := range db.Blocks(low, high, sampleBlock, rows) {
		starts = append(starts, fmt.Sprintf("SELECT %d AS b", b))
	}
	key, _ := wholeKey(t)
	return s.Own(ctx, db.OwnSQL(fmt.Sprintf("SELECT STRAIGHT_JOIN %s FROM (%s) s JOIN %s t ON t.%s BETWEEN s.b AND s.b + %d",
		strings.Join(list, ", "), strings.Join(starts, " UNION ALL "), qualified(t), Quote(key), sampleBlock-1)))
}

func drawn(c catalog.Column) string {
	name := "t." + Quote(c.Name)
	switch class(c) {
	case db.Opaque:
		return "CASE WHEN " + name + " IS NOT NULL THEN 1 END"
	case db.Textual:
		return fmt.Sprintf("LEFT(%s, %d)", name, db.DrawnLength)
	}
	return name
}

func count(ctx context.Context, s db.Session, t catalog.Table, columns []db.Counted, limit int64) (db.Counts, error) {
	spelling := db.Spelling{Table: qualified(t), Quote: Quote, Plain: func(c catalog.Column) string { return Quote(c.Name) }}
	r, err := s.Own(ctx, db.OwnSQL(spelling.Count(t, columns, limit)))
	if err != nil {
		return db.Counts{}, err
	}
	return db.CountsOf(r, t, columns, limit), nil
}
