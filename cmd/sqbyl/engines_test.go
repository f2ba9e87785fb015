package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ncruces/go-sqlite3"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/app/cli"
	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/app/workbench"
	"github.com/sqbyl/sqbyl/internal/engine/dialect"
	"github.com/sqbyl/sqbyl/internal/testkit/fakemodel"
	"github.com/sqbyl/sqbyl/internal/testkit/servers"
)

const enginesSQL = `
CREATE TABLE customers (id INTEGER PRIMARY KEY, country VARCHAR(20));
CREATE TABLE orders (order_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id), amount_cents INTEGER, ordered_on DATE);
INSERT INTO customers VALUES (1, 'Denmark'), (2, 'Sweden');
INSERT INTO orders VALUES (1, 1, 1250, '2026-11-02'), (2, 1, 300, '2026-11-03'), (3, 2, 999, '2026-11-04');
`

// engine is a database that the command line is tried on.
type engine struct {
	dialect string
	// open makes the tables and gives the URL of a role that may read.
	open func(t *testing.T) string
}

func engines() []engine {
	return []engine{
		{dialect.SQLite, func(t *testing.T) string {
			path := filepath.Join(t.TempDir(), "shop.db")
			conn, err := sqlite3.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			if err := conn.Exec(enginesSQL); err != nil {
				t.Fatal(err)
			}
			return "sqlite:" + path
		}},
		{dialect.DuckDB, func(t *testing.T) string {
			dir := t.TempDir()
			for name, text := range map[string]string{
				"customers.csv": "id,country\n1,Denmark\n2,Sweden\n",
				"orders.csv":    "order_id,customer_id,amount_cents,ordered_on\n1,1,1250,2026-11-02\n2,1,300,2026-11-03\n3,2,999,2026-11-04\n",
			} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			return "duckdb:" + dir
		}},
		{dialect.Postgres, func(t *testing.T) string {
			s := servers.Postgres(t)
			s.Exec(t, enginesSQL)
			s.Exec(t, "GRANT SELECT ON ALL TABLES IN SCHEMA public TO "+s.Reader+";")
			return s.ReaderURL
		}},
		{dialect.MariaDB, func(t *testing.T) string {
			s := servers.MariaDB(t)
			s.Exec(t, enginesSQL)
			return s.ReaderURL
		}},
	}
}

// sqbyl runs a command line within this process.
func sqbyl(t *testing.T, vars map[string]string, args ...string) (code int, out, errOut string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = cli.Main(t.Context(), args, cli.Program{
		Streams: term.Plain(strings.NewReader(""), &stdout, &stderr),
		Host: workbench.Host{Dir: t.TempDir(), Version: "test", Env: func(name string) (string, bool) {
			v, ok := vars[name]
			return v, ok
		}},
	})
	return code, stdout.String(), stderr.String()
}

// needEngine skips a test on a build without the engine's driver.
func needEngine(t *testing.T, name string) {
	t.Helper()
	if slices.Contains(driver.Registered(), name) {
		return
	}
	if os.Getenv("SQBYL_REQUIRE_ENGINES") == "1" {
		t.Fatal("this build has no driver for " + name)
	}
	t.Skip("this build has no driver for " + name)
}

// A wrong column is repaired, a write is refused, and the schema is shown, on
// every engine of this build.
func TestEveryEngineAnswers(t *testing.T) {
	for _, e := range engines() {
		t.Run(e.dialect, func(t *testing.T) {
			needEngine(t, e.dialect)
			url := e.open(t)
			fake := fakemodel.New(t)
			fake.Script(
				fakemodel.JSON(map[string]any{"plan": "p", "answerable": true, "sql": "SELECT c.country, SUM(o.amount) AS total FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY c.country ORDER BY c.country"}),
				fakemodel.JSON(map[string]any{"plan": "p", "answerable": true, "sql": "DELETE FROM orders"}),
				fakemodel.JSON(map[string]any{"plan": "p", "answerable": true, "sql": "SELECT c.country, SUM(o.amount_cents) AS total FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY c.country ORDER BY c.country"}),
			)
			vars := map[string]string{"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": fake.URL(), "SQBYL_HOME": t.TempDir()}

			code, out, errOut := sqbyl(t, vars, "ask", "Revenue per country?", "--db", url, "--json")
			var doc struct {
				Answered bool
				Rows     [][]any
				Attempts []struct{ SQL, Error string }
			}
			if err := json.Unmarshal([]byte(out), &doc); err != nil || code != 0 || !doc.Answered || len(doc.Attempts) != 3 {
				t.Fatalf("code %d, %v\n%s%s", code, err, out, errOut)
			}
			if len(doc.Rows) != 2 || doc.Rows[0][0] != "Denmark" || doc.Rows[0][1] != 1550.0 {
				t.Errorf("rows %v", doc.Rows)
			}
			if !strings.Contains(doc.Attempts[0].Error, "amount_cents") || doc.Attempts[1].Error == "" {
				t.Errorf("attempts %+v", doc.Attempts)
			}
			if strings.Contains(errOut, servers.ReaderPassword) || strings.Contains(out, servers.ReaderPassword) {
				t.Error("a password is shown")
			}
			prefix := fake.Calls()[0].System
			for _, want := range []string{"TABLE orders (", "amount_cents", "JOIN "} {
				if !strings.Contains(prefix, want) && !(want == "JOIN " && e.dialect == dialect.DuckDB) && !strings.Contains(prefix, "VIEW orders (") {
					t.Errorf("the prompt has no %q", want)
				}
			}

			if code, out, errOut := sqbyl(t, vars, "schema", url); code != 0 || !strings.Contains(out, "orders") || strings.Contains(out, servers.ReaderPassword) {
				t.Errorf("schema: code %d\n%s%s", code, out, errOut)
			}
			if code, out, errOut := sqbyl(t, vars, "doctor", "--db", url, "--json"); code != 0 || strings.Contains(out, servers.ReaderPassword) {
				t.Errorf("doctor: code %d\n%s%s", code, out, errOut)
			}
		})
	}
}

// A file that cannot be read costs its table, and schema says so.
func TestSchemaNamesDamagedFiles(t *testing.T) {
	needEngine(t, dialect.DuckDB)
	dir := t.TempDir()
	for name, text := range map[string]string{"good.csv": "a\n1\n", "torn.parquet": "PAR1\x15\x04\x15", "junk.parquet": "no parquet at all, but long enough to be read"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	vars := map[string]string{"SQBYL_HOME": t.TempDir()}
	code, out, errOut := sqbyl(t, vars, "schema", "duckdb:"+dir)
	if code != 0 || !strings.Contains(out, "good") || !strings.Contains(errOut, "torn") || !strings.Contains(errOut, "junk") {
		t.Errorf("code %d\n%s%s", code, out, errOut)
	}
	code, out, errOut = sqbyl(t, vars, "schema", "duckdb:"+dir, "--json")
	var doc struct{ Warnings []string }
	if err := json.Unmarshal([]byte(out), &doc); err != nil || code != 0 || len(doc.Warnings) != 2 {
		t.Errorf("code %d, %v\n%s%s", code, err, out, errOut)
	}
}
