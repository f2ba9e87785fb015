package postgres

import (
	"context"
	"fmt"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// Sample reads about rows rows of a table, the same ones while its data is
// the same: a share of its pages, of its rows where it has few, or its start
// where its size is not known.
func Sample(ctx context.Context, s db.Session, t catalog.Table, columns []string, rows int) (*db.Result, error) {
	names := make([]string, len(columns))
	for i, column := range columns {
		names[i] = Quote(column)
	}
	from := "SELECT " + strings.Join(names, ", ") + " FROM " + qualified(t.Schema, t.Name)
	if t.Kind == catalog.BaseTable || t.Kind == catalog.MaterializedView {
		// A fifth more than asked, since pages do not hold equally many rows.
		if percent := 120 * float64(rows) / float64(max(t.Rows, 1)); t.Rows > 0 && percent < 60 {
			method := "SYSTEM"
			if t.Rows < 100_000 {
				method = "BERNOULLI"
			}
			from += fmt.Sprintf(" TABLESAMPLE %s (%.6f) REPEATABLE (42)", method, percent)
		}
	}
	return s.Own(ctx, db.OwnSQL(fmt.Sprintf("%s LIMIT %d", from, rows)))
}
