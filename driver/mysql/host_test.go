package mysql_test

import (
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

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
		s := servers.MariaDB(t)
		return conformance.Instance{
			Open: func(t testing.TB, o driver.Options) db.Database {
				config := mysql.NewConfig()
				config.Net, config.Addr, config.DBName = "tcp", fmt.Sprintf("127.0.0.1:%d", s.Port()), s.Database
				config.User, config.Passwd = s.Reader, servers.ReaderPassword
				connector, err := mysql.NewConnector(config)
				if err != nil {
					t.Fatal(err)
				}
				pool := sql.OpenDB(connector)
				pool.SetMaxOpenConns(max(o.Connections, 1))
				t.Cleanup(func() { _ = pool.Close() })
				d, err := dialect.Lookup(dialect.MariaDB)
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
	suite.Values = slices.DeleteFunc(slices.Clone(suite.Values), func(v conformance.ValueCase) bool {
		return v.Kind == db.Clock || v.Kind == db.Date || v.Kind == db.Timestamp // text, to the standard library
	})
	suite.Snapshot, suite.Dirty = false, nil
	suite.More = maps.Clone(suite.More)
	maps.DeleteFunc(suite.More, func(name, _ string) bool {
		first, _, _ := strings.Cut(strings.TrimSuffix(name, ","), " ")
		return slices.Contains([]string{"view", "attribute", "overload"}, strings.TrimSuffix(first, ","))
	})
	conformance.Run(t, suite)
}
