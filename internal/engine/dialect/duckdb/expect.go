package duckdb

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
)

// operator is a node of EXPLAIN's plan. What it says of itself are texts and
// lists of texts.
type operator struct {
	Children []operator                 `json:"children"`
	Extra    map[string]json.RawMessage `json:"extra_info"`
}

var tableSizes = db.OwnSQL("SELECT table_name, max(estimated_size) FROM duckdb_tables() GROUP BY ALL")

// Expect asks the optimizer, which runs nothing. It has no cost.
func Expect(ctx context.Context, s db.Session, statement guard.Statement) (db.Expected, error) {
	result, err := s.Own(ctx, db.OwnSQL("EXPLAIN (FORMAT JSON) "+statement.SQL()))
	if err != nil {
		return db.Expected{}, err
	}
	sizes, err := s.Own(ctx, tableSizes)
	if err != nil {
		return db.Expected{}, err
	}
	rows := map[string]float64{}
	for _, row := range sizes.Rows {
		rows[row[0].Raw()], _ = row[1].Number()
	}
	total := 0.0
	for _, row := range result.Rows {
		var plan []operator
		if err := json.Unmarshal([]byte(row[len(row)-1].Raw()), &plan); err != nil {
			return db.Expected{}, fmt.Errorf("read what EXPLAIN gave: %w", err)
		}
		for i := range plan {
			total += plan[i].scanned(rows)
		}
	}
	return db.Expected{Rows: total}, nil
}

// scanned is the number of rows that a plan reads: all of a table, and of
// anything else as many as are expected to come out of it.
func (o *operator) scanned(sizes map[string]float64) float64 {
	if len(o.Children) == 0 {
		expected, _ := strconv.ParseFloat(o.text("Estimated Cardinality"), 64)
		name := o.text("Table")
		return max(expected, sizes[name[strings.LastIndexByte(name, '.')+1:]])
	}
	total := 0.0
	for i := range o.Children {
		total += o.Children[i].scanned(sizes)
	}
	return total
}

func (o *operator) text(name string) string {
	var s string
	// Anything but a text is nothing that is looked for here.
	_ = json.Unmarshal(o.Extra[name], &s)
	return s
}
