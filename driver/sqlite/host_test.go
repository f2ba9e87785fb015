package sqlite_test

import (
	"cmp"
	"database/sql"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ncruces/go-sqlite3"
	native "github.com/ncruces/go-sqlite3/driver"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/db/hostdb"
	"github.com/sqbyl/sqbyl/internal/engine/dialect"
	"github.com/sqbyl/sqbyl/internal/testkit/conformance"
)

// hostPool is a pool as the host of a service opens it: read-write, with
// nothing of this product in it but the one limit that HostLock asks for.
func hostPool(t testing.TB, path string, size int) *sql.DB {
	t.Helper()
	pool, err := native.Open((&url.URL{Scheme: "file", Path: path}).String(), func(c *sqlite3.Conn) error {
		c.Limit(sqlite3.LIMIT_LENGTH, 4<<20)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	pool.SetMaxOpenConns(size)
	t.Cleanup(func() { _ = pool.Close() })
	return pool
}

// TestConformanceOverAHostsConnection is the same suite over database/sql.
func TestConformanceOverAHostsConnection(t *testing.T) {
	suite := target("DELETE")
	suite.New = func(t testing.TB) conformance.Instance {
		folder := t.TempDir()
		path := filepath.Join(folder, "shop.db")
		write(t, path, "PRAGMA user_version = 1")
		return conformance.Instance{
			Open: func(t testing.TB, o driver.Options) db.Database {
				d, err := dialect.Lookup(dialect.SQLite)
				if err != nil {
					t.Fatal(err)
				}
				return hostdb.New(hostPool(t, path, cmp.Or(o.Connections, 8)), d, hostdb.Options{Log: o.Log})
			},
			Exec:  func(t testing.TB, sql string) { write(t, path, sql) },
			State: func(t testing.TB) string { return digest(t, folder) },
		}
	}
	// This driver gives times for the text of TIMESTAMP columns: Lacks says so.
	kept := suite.Values[:0]
	for _, v := range suite.Values {
		if !strings.Contains(v.SQL, "created_at") {
			kept = append(kept, v)
		}
	}
	suite.Values = kept
	suite.Dirty = nil
	conformance.Run(t, suite)
}

func TestAHostsConnectionGoesBackAsItWas(t *testing.T) {
	path := file(t, "CREATE TABLE t (x)", "INSERT INTO t VALUES (1)")
	pool := hostPool(t, path, 1)
	d, err := dialect.Lookup(dialect.SQLite)
	if err != nil {
		t.Fatal(err)
	}
	host := hostdb.New(pool, d, hostdb.Options{})
	for _, before := range []string{"0", "1"} {
		if _, err := pool.Exec("PRAGMA query_only = " + before); err != nil {
			t.Fatal(err)
		}
		if res, err := ask(t, host, "SELECT count(*) FROM t"); err != nil || res.Rows[0][0].Int() != 1 {
			t.Fatal(res, err)
		}
		if _, err := ask(t, host, "SELECT nothing FROM t"); err == nil {
			t.Fatal("no error")
		}
		var after string
		if err := pool.QueryRow("PRAGMA query_only").Scan(&after); err != nil || after != before {
			t.Errorf("query_only is %s, was %s (%v)", after, before, err)
		}
	}
	if _, err := pool.Exec("PRAGMA query_only = 0"); err != nil {
		t.Fatal(err)
	}
	if _, err := pool.Exec("INSERT INTO t VALUES (2)"); err != nil {
		t.Errorf("the host cannot write any more: %v", err)
	}
	if warnings := host.Info().Warnings; len(warnings) == 0 {
		t.Error("nothing is said of what is missing")
	}
}
