package servers_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"database/sql"

	_ "github.com/go-sql-driver/mysql"
	_ "github.com/jackc/pgx/v5/stdlib"

	"github.com/sqbyl/sqbyl/internal/testkit/servers"
)

func TestPostgresReader(t *testing.T) {
	s := servers.Postgres(t)
	s.Exec(t, "CREATE TABLE t (id int); INSERT INTO t VALUES (1), (2);")
	log := s.Capture(t)
	pool, err := sql.Open("pgx", s.ReaderURL)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	var n int
	if err := pool.QueryRow("SELECT count(*)\nFROM t").Scan(&n); err != nil || n != 2 {
		t.Fatalf("reader counted %d: %v", n, err)
	}
	if _, err := pool.Exec("INSERT INTO t VALUES (3)"); err == nil || !strings.Contains(err.Error(), "permission denied") {
		t.Fatalf("reader wrote: %v", err)
	}
	if got := log(s.Reader); !slices.Contains(got, "SELECT count(*)\nFROM t") {
		t.Fatalf("statement log: %q", got)
	}
	if got := log(""); len(got) == 0 {
		t.Fatal("nothing in everybody's log")
	}
	if other := servers.Postgres(t); other.Port() != s.Port() || other.Database == s.Database {
		t.Fatalf("second database: port %d, name %s", other.Port(), other.Database)
	}
}

func TestMariaDBReader(t *testing.T) {
	s := servers.MariaDB(t)
	s.Exec(t, "CREATE TABLE t (id int); INSERT INTO t VALUES (1), (2);")
	log := s.Capture(t)
	pool, err := sql.Open("mysql", dsn(s.ReaderURL))
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	var n int
	if err := pool.QueryRow("SELECT count(*)\nFROM t").Scan(&n); err != nil || n != 2 {
		t.Fatalf("reader counted %d: %v", n, err)
	}
	if _, err := pool.Exec("INSERT INTO t VALUES (3)"); err == nil || !strings.Contains(err.Error(), "denied") {
		t.Fatalf("reader wrote: %v", err)
	}
	if got := log(s.Reader); !slices.Contains(got, "SELECT count(*)\nFROM t") {
		t.Fatalf("statement log: %q", got)
	}
}

func TestClock(t *testing.T) {
	at := time.Date(2031, 5, 6, 7, 0, 0, 0, time.UTC)
	for name, start := range map[string]func(testing.TB, servers.Options) *servers.Server{
		"postgres": servers.PrivatePostgres, "mariadb": servers.PrivateMariaDB,
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t, servers.Options{Clock: at})
			if got := strings.TrimSpace(s.Query(t, "SELECT current_date;")); got != "2031-05-06" {
				t.Fatalf("the server's day is %s", got)
			}
			s.Kill()
		})
	}
}

// dsn turns a mariadb:// URL into go-sql-driver's form.
func dsn(url string) string {
	rest := strings.TrimPrefix(url, "mariadb://")
	login, rest, _ := strings.Cut(rest, "@")
	host, database, _ := strings.Cut(rest, "/")
	return login + "@tcp(" + host + ")/" + database
}
