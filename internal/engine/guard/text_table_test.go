package guard_test

import (
	"context"
	"testing"

	"github.com/sqbyl/sqbyl/internal/engine/dialect"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
)

func TestTextInFromIsATableInSQLiteOnly(t *testing.T) {
	for _, c := range []struct {
		dialect, sql string
		passes       bool
	}{
		{dialect.SQLite, "SELECT count(*) FROM 'flights' INNER JOIN 'airports' ON 1", true},
		{dialect.SQLite, "SELECT 1 FROM 'sqlite_master'", false},
		{dialect.SQLite, "SELECT 1 FROM 'main'.'sqlite_master'", false},
		{dialect.DuckDB, "SELECT 1 FROM 'flights'", false},
	} {
		d, err := dialect.Lookup(c.dialect)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := guard.Check(context.Background(), c.sql, &d.Policy); (err == nil) != c.passes {
			t.Errorf("%s: %s: %v", c.dialect, c.sql, err)
		}
	}
}
