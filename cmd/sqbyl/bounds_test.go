package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ncruces/go-sqlite3"

	"github.com/sqbyl/sqbyl/internal/app/cli"
	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/app/workbench"
	"github.com/sqbyl/sqbyl/internal/engine/dialect"
	"github.com/sqbyl/sqbyl/internal/testkit/fakemodel"
	"github.com/sqbyl/sqbyl/internal/testkit/servers"
)

// wide fills a table of 5,000 rows: 1 to 5000.
func wide(values string) string {
	return "CREATE TABLE wide (id INTEGER PRIMARY KEY, v INTEGER);\nINSERT INTO wide " + values + ";\n"
}

func digits(first string) string {
	return "SELECT 1 + a.d + 10 * b.d + 100 * c.d + 1000 * e.d, 7 FROM " + first + " e JOIN dig a JOIN dig b JOIN dig c WHERE e.d < 5"
}

// Where the engine says what a statement will read, too much is refused
// before it runs, with the figure; where it does not, that is said.
func TestTooMuchIsRefusedBeforeItRuns(t *testing.T) {
	const ten = "CREATE TABLE dig (d INTEGER);\nINSERT INTO dig VALUES (0),(1),(2),(3),(4),(5),(6),(7),(8),(9);\n"
	for _, e := range []engine{
		{dialect.Postgres, func(t *testing.T) string {
			s := servers.Postgres(t)
			s.Exec(t, wide("SELECT g, 7 FROM generate_series(1, 5000) g")+"GRANT SELECT ON ALL TABLES IN SCHEMA public TO "+s.Reader+"; ANALYZE wide;")
			return s.ReaderURL
		}},
		{dialect.MariaDB, func(t *testing.T) string {
			s := servers.MariaDB(t)
			s.Exec(t, ten+wide(digits("dig"))+"ANALYZE TABLE wide;")
			return s.ReaderURL
		}},
		{dialect.DuckDB, func(t *testing.T) string {
			var b strings.Builder
			b.WriteString("id,v\n")
			for i := range 5000 {
				fmt.Fprintf(&b, "%d,7\n", i+1)
			}
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "wide.csv"), []byte(b.String()), 0o600); err != nil {
				t.Fatal(err)
			}
			return "duckdb:" + dir
		}},
		{dialect.SQLite, func(t *testing.T) string {
			path := filepath.Join(t.TempDir(), "wide.db")
			conn, err := sqlite3.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			if err := conn.Exec(ten + wide(digits("dig"))); err != nil {
				t.Fatal(err)
			}
			return "sqlite:" + path
		}},
	} {
		t.Run(e.dialect, func(t *testing.T) {
			needEngine(t, e.dialect)
			url := e.open(t)
			const all, one, pairs = "SELECT sum(v) AS s FROM wide", "SELECT v FROM wide WHERE id = 17", "SELECT count(*) AS n FROM wide a JOIN wide b ON b.id > a.id"
			for _, c := range []struct {
				sql, defaults string
				refused       string
			}{
				{all, "max_rows_scanned: 1000", "max_rows_scanned allows 1000"},
				{all, "max_rows_scanned: 100000", ""},
				{all, "", ""},
				{one, "max_rows_scanned: 1000", ""},
				{pairs, "max_rows_scanned: 7000", "max_rows_scanned allows 7000"},
				{all, "max_cost: 5", "max_cost allows 5"},
				{all, "max_cost: 100000", ""},
			} {
				refused := c.refused
				switch {
				case e.dialect == dialect.SQLite, e.dialect != dialect.Postgres && strings.Contains(c.defaults, "max_cost"):
					refused = ""
				case e.dialect == dialect.DuckDB && c.sql != all:
					continue // a file has no index, and its size is guessed
				}
				code, doc, errOut := bounded(t, url, c.sql, c.defaults, "")
				if refused == "" && (code != 0 || !doc.Answered) || refused != "" && (code != 1 || !strings.Contains(doc.Reason, refused) || len(doc.Attempts) != 1) {
					t.Errorf("%s under %q: code %d, %+v\n%s", c.sql, c.defaults, code, doc, errOut)
				}
				silent := e.dialect == dialect.SQLite && c.defaults != "" || e.dialect != dialect.Postgres && strings.Contains(c.defaults, "max_cost")
				if strings.Contains(errOut, "beforehand") != silent {
					t.Errorf("under %q it is said: %q", c.defaults, errOut)
				}
			}
			if e.dialect != dialect.Postgres {
				return
			}
			if code, _, errOut := bounded(t, url, all, "max_rows_scanned: 1000", "y\n"); code != 0 || !strings.Contains(errOut, "expects to read 5000 rows") {
				t.Errorf("a person allowed it: code %d\n%s", code, errOut)
			}
			if code, _, errOut := bounded(t, url, all, "max_rows_scanned: 1000", "n\n"); code != 1 {
				t.Errorf("a person did not allow it: code %d\n%s", code, errOut)
			}
		})
	}
}

type boundedAnswer struct {
	Answered bool
	Reason   string
	Attempts []struct{ SQL string }
}

// bounded asks one question whose answer is sql; typed is what a person at the
// terminal types, "" for no terminal.
func bounded(t *testing.T, url, sql, defaults, typed string) (code int, doc boundedAnswer, errOut string) {
	t.Helper()
	dir := t.TempDir()
	manifest := "name: wide\ndatabase: { url: 'env:WIDE_URL' }\ndefaults: { " + defaults + " }\n"
	if err := os.WriteFile(filepath.Join(dir, "sqbyl.yaml"), []byte(manifest), 0o600); err != nil {
		t.Fatal(err)
	}
	fake := fakemodel.New(t).Answer(func(fakemodel.Call) fakemodel.Reply {
		return fakemodel.JSON(map[string]any{"plan": "p", "answerable": true, "sql": sql})
	})
	vars := map[string]string{"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": fake.URL(), "WIDE_URL": url}
	var stdout, stderr bytes.Buffer
	streams := term.Plain(strings.NewReader(typed), &stdout, &stderr)
	args := []string{"ask", "How much?", "--json"}
	if typed != "" {
		streams.InTTY = true
		args = args[:2]
	}
	code = cli.Main(t.Context(), args, cli.Program{Streams: streams, Host: workbench.Host{Dir: dir, Version: "test", Env: func(name string) (string, bool) {
		v, ok := vars[name]
		return v, ok
	}}})
	if typed == "" {
		if err := json.Unmarshal(stdout.Bytes(), &doc); err != nil {
			t.Errorf("%v\n%s%s", err, stdout.String(), stderr.String())
		}
	}
	return code, doc, stderr.String()
}
