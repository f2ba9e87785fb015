package sqlite

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/engine/db"
)

func measuring() db.Measuring {
	return db.Measuring{Class: class, Size: size, Draw: draw, Count: count}
}

// class is what a declared type asks for; what is stored may differ, and the
// drawn values tell.
func class(c catalog.Column) db.Class {
	switch AffinityOf(c.Type) {
	case Integer, Real, Numeric:
		return db.Numeric
	}
	return db.Textual
}

// probeBlocks is how many blocks tell how densely row numbers are used.
const probeBlocks = 64

// size bounds the rows by the range of row numbers. Where that is more than
// may be read, the share of numbers in use is looked up at fixed places.
func size(ctx context.Context, s db.Session, t catalog.Table, limit int64) (db.Size, error) {
	if t.Kind != catalog.BaseTable {
		return db.Size{Rows: -1}, nil
	}
	low, high, ok, err := ends(ctx, s, t)
	if err != nil {
		return db.Size{}, err
	}
	if ok {
		if high < low {
			return db.Size{Exact: true}, nil
		}
		span := uint64(high) - uint64(low)
		if span < uint64(limit) {
			return db.Size{Rows: int64(span) + 1}, nil
		}
		found, err := s.Own(ctx, db.OwnSQL("SELECT count(*) FROM json_each(?1) AS b CROSS JOIN "+Quote(t.Name)+" AS t ON t."+rowidName(t)+
			" BETWEEN b.value AND b.value + "+strconv.Itoa(blockRows-1)), db.TextValue(numberArray(db.Blocks(low, high, blockRows, probeBlocks*blockRows))))
		if err != nil {
			return db.Size{}, err
		}
		estimate := float64(found.Rows[0][0].Int()) / (probeBlocks * blockRows) * (float64(span) + 1)
		if estimate > 2*float64(limit) {
			return db.Size{Rows: max(int64(estimate), t.Rows)}, nil
		}
	}
	if t.Rows > limit {
		return db.Size{Rows: t.Rows}, nil
	}
	found, err := s.Own(ctx, db.OwnSQL(fmt.Sprintf("SELECT count(*) FROM (SELECT 1 FROM %s LIMIT %d)", Quote(t.Name), limit)))
	if err != nil {
		return db.Size{}, err
	}
	rows := found.Rows[0][0].Int()
	if rows == limit {
		return db.Size{Rows: limit + 1}, nil
	}
	return db.Size{Rows: rows, Exact: true}, nil
}

// ends are the least and the greatest row number; ok is false for a table
// without row numbers. An empty table has its high end below its low one.
func ends(ctx context.Context, s db.Session, t catalog.Table) (low, high int64, ok bool, err error) {
	rowid := rowidName(t)
	if rowid == "" || t.Kind != catalog.BaseTable {
		return 0, 0, false, nil
	}
	r, err := s.Own(ctx, db.OwnSQL(fmt.Sprintf("SELECT (SELECT min(%[1]s) FROM %[2]s), (SELECT max(%[1]s) FROM %[2]s)", rowid, Quote(t.Name))))
	switch {
	case err != nil && ctx.Err() != nil:
		return 0, 0, false, err
	case err != nil:
		return 0, 0, false, nil
	case r.Rows[0][0].IsNull():
		return 0, -1, true, nil
	}
	low, high = r.Rows[0][0].Int(), r.Rows[0][1].Int()
	return low, high, r.Rows[0][0].Kind() == db.Int && r.Rows[0][1].Kind() == db.Int, nil
}

// draw reads blocks of neighboring rows at fixed random places. Where row
// numbers are so sparse that blocks come back empty, it reads the rows that
// follow such places.
func draw(ctx context.Context, s db.Session, t catalog.Table, columns []catalog.Column, d db.Drawing) (*db.Result, error) {
	rows := int(min(int64(d.Rows), d.Limit))
	list := make([]string, len(columns))
	for i, c := range columns {
		q := "t." + Quote(c.Name)
		list[i] = fmt.Sprintf("CASE typeof(%[1]s) WHEN 'text' THEN substr(%[1]s, 1, %[2]d) WHEN 'blob' THEN x'' ELSE %[1]s END", q, db.DrawnLength)
	}
	from := "SELECT " + strings.Join(list, ", ") + " FROM "
	if d.Start || d.Size.Rows < 0 {
		return s.Own(ctx, db.OwnSQL(from+Quote(t.Name)+" AS t LIMIT "+strconv.Itoa(rows+1)))
	}
	low, high, ok, err := ends(ctx, s, t)
	if err != nil {
		return nil, err
	}
	if !ok {
		return stride(ctx, s, t, columns, from, rows, d)
	}
	places := db.TextValue(numberArray(db.Blocks(low, high, blockRows, int64(rows))))
	table, rowid := Quote(t.Name), "t."+rowidName(t)
	blocks, err := s.Own(ctx, db.OwnSQL(from+"json_each(?1) AS b CROSS JOIN "+table+" AS t ON "+rowid+
		" BETWEEN b.value AND b.value + "+strconv.Itoa(blockRows-1)), places)
	if err != nil || len(blocks.Rows) > rows/8 {
		return blocks, err
	}
	singles := db.TextValue(numberArray(spread(low, high, rows)))
	return s.Own(ctx, db.OwnSQL(from+table+" AS t WHERE "+rowid+" IN (SELECT (SELECT "+rowid+" FROM "+table+" AS t WHERE "+rowid+
		" >= b.value ORDER BY "+rowid+" LIMIT 1) FROM json_each(?1) AS b)"), singles)
}

// stride reads every so many rows of a view or a table without row numbers,
// where it may be read whole, else its start.
func stride(ctx context.Context, s db.Session, t catalog.Table, columns []catalog.Column, from string, rows int, d db.Drawing) (*db.Result, error) {
	step := d.Size.Rows / int64(rows)
	if d.Size.Rows > d.Limit || step < 2 {
		return s.Own(ctx, db.OwnSQL(from+Quote(t.Name)+" AS t LIMIT "+strconv.Itoa(rows)))
	}
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = Quote(c.Name)
	}
	return s.Own(ctx, db.OwnSQL(fmt.Sprintf(`%s(SELECT %s, row_number() OVER () AS " n" FROM %s) AS t WHERE t." n" %% %d = 0`,
		from, strings.Join(names, ", "), Quote(t.Name), step)))
}

// spread gives n places at equal steps.
func spread(low, high int64, n int) []int64 {
	step := max((uint64(high)-uint64(low))/uint64(n), 1)
	places := make([]int64, n)
	for i := range places {
		places[i] = int64(uint64(low) + uint64(i)*step)
	}
	return places
}

// count reads a table once, whatever is asked of its columns.
func count(ctx context.Context, s db.Session, t catalog.Table, columns []db.Counted, limit int64) (db.Counts, error) {
	spelling := db.Spelling{Table: Quote(t.Name), Quote: Quote, Plain: func(c catalog.Column) string { return Quote(c.Name) }}
	r, err := s.Own(ctx, db.OwnSQL(spelling.Count(t, columns, limit)))
	if err != nil {
		return db.Counts{}, err
	}
	return db.CountsOf(r, t, columns, limit), nil
}
