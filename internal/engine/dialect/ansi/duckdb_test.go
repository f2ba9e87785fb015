//go:build cgo && !no_duckdb

package ansi_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"testing"

	_ "github.com/sqbyl/sqbyl/driver/duckdb"
)

func init() {
	engines["DuckDB"] = func(t *testing.T, script string) string {
		path := filepath.Join(t.TempDir(), "t.duckdb")
		c, err := sql.Open("duckdb", path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.ExecContext(context.Background(), script); err != nil {
			t.Fatal(err)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		return "duckdb:" + path
	}
}
