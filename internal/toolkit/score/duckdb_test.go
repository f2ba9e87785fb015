//go:build cgo && !no_duckdb

package score

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"testing"

	_ "github.com/sqbyl/sqbyl/driver/duckdb" // which registers the engine with database/sql too
)

func TestOrderKeysOnDuckDB(t *testing.T) {
	path := filepath.Join(t.TempDir(), "item.duckdb")
	plain, err := sql.Open("duckdb", path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = plain.ExecContext(context.Background(), keyedTable)
	if err := errors.Join(err, plain.Close()); err != nil {
		t.Fatal(err)
	}
	keys(t, path, "duckdb")
}
