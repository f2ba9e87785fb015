package postgres_test

import (
	"database/sql"
	"maps"
	"slices"
	"strings"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/db/hostdb"
	"github.com/sqbyl/sqbyl/internal/engine/dialect"
	"github.com/sqbyl/sqbyl/internal/testkit/conformance"
	"github.com/sqbyl/sqbyl/internal/testkit/servers"
)

// TestConformanceOverAHostsConnection is the same suite over database/sql.
func TestConformanceOverAHostsConnection(t *testing.T) {
	suite := target(false)
	suite.New = func(t testing.TB) conformance.Instance {
		s := servers.Postgres(t)
		return conformance.Instance{
			Open: func(t testing.TB, o driver.Options) db.Database {
				pool, err := sql.Open("pgx", s.ReaderURL)
				if err != nil {
					t.Fatal(err)
				}
				pool.SetMaxOpenConns(max(o.Connections, 1))
				t.Cleanup(func() { _ = pool.Close() })
				d, err := dialect.Lookup(dialect.Postgres)
				if err != nil {
					t.Fatal(err)
				}
				return hostdb.New(pool, d, hostdb.Options{Log: o.Log})
			},
			Exec:  func(t testing.TB, sql string) { s.Exec(t, sql) },
			State: func(t testing.TB) string { return s.Query(t, state) },
		}
	}
	// What Lacks says is missing over a host's connection: a snapshot, a reset,
	// a look at what the database's own objects do.
	suite.Snapshot, suite.Dirty, suite.InferredParams = false, nil, true
	suite.More = maps.Clone(suite.More)
	maps.DeleteFunc(suite.More, func(name, _ string) bool {
		first, _, _ := strings.Cut(strings.TrimSuffix(name, ","), " ")
		return slices.Contains([]string{"view", "attribute", "overload"}, strings.TrimSuffix(first, ","))
	})
	conformance.Run(t, suite)
}
