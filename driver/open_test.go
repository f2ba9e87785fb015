package driver_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/dialect"
)

func TestDialectOfAURLOrPath(t *testing.T) {
	folder := t.TempDir()
	files := map[string]string{
		"shop.db": "SQLite format 3\x00" + strings.Repeat("x", 84), "shop.duckdb": "12345678DUCK" + strings.Repeat("\x00", 20),
		"zero.db": "", "text.db": "hello", "a b.db": "SQLite format 3\x00", "10:30.db": "SQLite format 3\x00",
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for url, want := range map[string]string{
		"sqlite:nowhere.db": dialect.SQLite, "SQLITE:x": dialect.SQLite, "duckdb:x": dialect.DuckDB, "postgres://h/d": dialect.Postgres,
		"postgresql://h/d": dialect.Postgres, "mysql://h/d": dialect.MySQL, "mariadb://h/d": dialect.MariaDB,
		filepath.Join(folder, "shop.db"): dialect.SQLite, filepath.Join(folder, "shop.duckdb"): dialect.DuckDB,
		filepath.Join(folder, "a b.db"): dialect.SQLite, filepath.Join(folder, "10:30.db"): dialect.SQLite,
	} {
		d, err := driver.Dialect(url)
		if err != nil || d.Name != want {
			t.Errorf("%s: %v, %v; want %s", url, d, err, want)
		}
	}
	for url, want := range map[string]string{
		"": "empty", "  ": "empty", filepath.Join(folder, "none.db"): "no such file", filepath.Join(folder, "zero.db"): "empty",
		filepath.Join(folder, "text.db"): "neither", folder: "folder", "oracle://u:sesame@h/d": "unknown scheme",
	} {
		_, err := driver.Dialect(url)
		var e *db.Error
		if !errors.As(err, &e) || !strings.Contains(e.Message, want) || strings.Contains(e.Message, "sesame") {
			t.Errorf("%s: %v, want %q", url, err, want)
		}
	}
}

func TestOpenHidesThePasswordAndKeepsTheKind(t *testing.T) {
	_, err := driver.Open(context.Background(), "mysql://u:sesame@nowhere/d", driver.Options{})
	var e *db.Error
	if !errors.As(err, &e) || e.Kind != db.ErrUnreachable || strings.Contains(e.Message, "sesame") || !strings.Contains(e.Message, "no driver") {
		t.Fatalf("got %v", err)
	}
}
