package mysql

import (
	"context"
	"fmt"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// sampleBlock is how many neighbours a block of a sample holds.
const sampleBlock = 64

// Sample reads about rows rows of a table, the same ones while its data is
// the same: blocks along a whole-number primary key, else its start.
func Sample(ctx context.Context, s db.Session, t catalog.Table, columns []string, rows int) (*db.Result, error) {
	names := make([]string, len(columns))
	for i, column := range columns {
		names[i] = "t." + Quote(column)
	}
	list, from := strings.Join(names, ", "), Quote(t.Name)
	if t.Schema != "" {
		from = Quote(t.Schema) + "." + from
	}
	start := db.OwnSQL(fmt.Sprintf("SELECT %s FROM %s t LIMIT %d", list, from, rows))
	key, ok := wholeKey(t)
	if !ok || t.Rows < int64(4*rows) {
		return s.Own(ctx, start)
	}
	ends, err := s.Own(ctx, db.OwnSQL(fmt.Sprintf("SELECT CAST(min(%[1]s) AS SIGNED), CAST(max(%[1]s) AS SIGNED) FROM %[2]s", Quote(key), from)))
	if err != nil {
		return nil, fmt.Errorf("read the ends of the key of %s: %w", t.Name, err)
	}
	low, high := ends.Rows[0][0].Int(), ends.Rows[0][1].Int()
	blocks := int64(rows/sampleBlock + 1)
	step := (high - low) / blocks
	if step < sampleBlock {
		return s.Own(ctx, start)
	}
	starts := make([]string, blocks)
	for i := range starts {
		starts[i] = fmt.Sprintf("SELECT %d AS b", low+int64(i)*step)
	}
	return s.Own(ctx, db.OwnSQL(fmt.Sprintf("SELECT STRAIGHT_JOIN %s FROM (%s) s JOIN %s t ON t.%s BETWEEN s.b AND s.b + %d LIMIT %d",
		list, strings.Join(starts, " UNION ALL "), from, Quote(key), sampleBlock-1, rows)))
}

// wholeKey is the only column of a primary key of whole numbers.
func wholeKey(t catalog.Table) (string, bool) {
	if t.Kind != catalog.BaseTable || len(t.PrimaryKey) != 1 {
		return "", false
	}
	for _, c := range t.Columns {
		if c.Name == t.PrimaryKey[0] {
			return c.Name, strings.Contains(strings.ToLower(c.Type), "int")
		}
	}
	return "", false
}
