package mysql

import (
	"context"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
)

// Expect asks the optimizer, which runs nothing. Each row of EXPLAIN is a
// table: for every row that the tables before it in the same SELECT pass on,
// it reads so many.
func Expect(ctx context.Context, s db.Session, statement guard.Statement) (db.Expected, error) {
	result, err := s.Own(ctx, db.OwnSQL("EXPLAIN "+statement.SQL()))
	if err != nil {
		return db.Expected{}, err
	}
	at := map[string]int{}
	for i, c := range result.Columns {
		at[strings.ToLower(c.Name)] = i
	}
	total := 0.0
	passed := map[string]float64{} // by SELECT
	for _, row := range result.Rows {
		rows, ok := row[at["rows"]].Number()
		if !ok {
			continue // a SELECT without a table, or one that is known to be empty
		}
		selects := row[at["id"]].String()
		before, seen := passed[selects]
		if !seen {
			before = 1
		}
		read := before * rows
		if strings.Contains(row[at["extra"]].String(), "join buffer") {
			read = rows // once, for all rows of the buffer
		}
		total += read
		filtered := 100.0
		if i, has := at["filtered"]; has {
			if f, ok := row[i].Number(); ok {
				filtered = f
			}
		}
		passed[selects] = max(before*rows*filtered/100, 1)
	}
	return db.Expected{Rows: total}, nil
}
