//go:build cgo && !no_duckdb

package duckdb

import (
	"cmp"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/db/hostdb"
	table "github.com/sqbyl/sqbyl/internal/engine/dialect"
	"github.com/sqbyl/sqbyl/internal/testkit/conformance"
)

// hostPool is a pool as the host of a service opens it: read-write, with
// nothing of this product in it but the two settings that HostLock asks for.
func hostPool(t testing.TB, path string, size int) *sql.DB {
	t.Helper()
	pool, err := sql.Open("duckdb", path)
	if err != nil {
		t.Fatal(err)
	}
	pool.SetMaxOpenConns(size)
	t.Cleanup(func() { _ = pool.Close() })
	if _, err := pool.Exec("SET GLOBAL enable_external_access = false; SET GLOBAL lock_configuration = true"); err != nil {
		t.Fatal(err)
	}
	return pool
}

// TestConformanceOverAHostsConnection is the same suite over database/sql.
func TestConformanceOverAHostsConnection(t *testing.T) {
	suite := target()
	suite.New = newHostInstance
	suite.Snapshot, suite.Dirty = false, nil
	// What the driver gives in another way: Lacks says so.
	suite.Values = slices.DeleteFunc(suite.Values, func(v conformance.ValueCase) bool {
		return slices.ContainsFunc([]string{"::JSON", "TIME_NS", "TIME '24:00:00'", "row(1, 'x')", "{'c': DATE", "SELECT MAP", "union_value"}, func(word string) bool {
			return strings.Contains(v.SQL, word)
		})
	})
	conformance.Run(t, suite)
}

func newHostInstance(t testing.TB) conformance.Instance {
	path := makeFile(t, "SELECT 1")
	return conformance.Instance{
		Open: func(t testing.TB, o driver.Options) db.Database {
			d, err := table.Lookup(table.DuckDB)
			if err != nil {
				t.Fatal(err)
			}
			return hostdb.New(hostPool(t, path, cmp.Or(o.Connections, 8)), d, hostdb.Options{Log: o.Log})
		},
		Exec:  func(t testing.TB, sql string) { write(t, path, sql) },
		State: func(t testing.TB) string { return hostState(t, path) },
	}
}

// hostState is what an administrator sees, and what lies beside the file.
func hostState(t testing.TB, path string) string {
	t.Helper()
	admin, err := sql.Open("duckdb", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = admin.Close() }()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintln(len(entries))
	for _, look := range looks {
		text += look + "\n" + hostRows(t, admin, look)
	}
	return text
}

func hostRows(t testing.TB, pool *sql.DB, query string) string {
	t.Helper()
	rows, err := pool.Query(query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer func() { _ = rows.Close() }()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	cells, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range cells {
		into[i] = &cells[i]
	}
	var text string
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		text += fmt.Sprintln(cells...)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return text
}
