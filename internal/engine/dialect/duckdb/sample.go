package duckdb

import (
	"context"
	"fmt"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// Sample reads about rows rows of some columns. The engine's own samplers
// differ from call to call with several threads, so a base table is sampled
// by a hash of its row numbers; anything else is read from its start.
func Sample(ctx context.Context, s db.Session, t catalog.Table, columns []string, rows int) (*db.Result, error) {
	if len(columns) == 0 || rows <= 0 {
		return &db.Result{}, nil
	}
	quoted := make([]string, len(columns))
	for i, c := range columns {
		quoted[i] = Quote(c)
	}
	query := "SELECT " + strings.Join(quoted, ", ") + " FROM " + Quote(t.Name)
	if t.Schema != "" {
		query = "SELECT " + strings.Join(quoted, ", ") + " FROM " + Quote(t.Schema) + "." + Quote(t.Name)
	}
	switch {
	case t.Kind == catalog.BaseTable && t.Rows > int64(rows):
		query += fmt.Sprintf(" WHERE hash(rowid) %% %d = 0", t.Rows/int64(rows))
	case t.Kind != catalog.BaseTable || t.Rows < 0:
		query += fmt.Sprintf(" LIMIT %d", rows)
	}
	return s.Own(ctx, db.OwnSQL(query))
}
