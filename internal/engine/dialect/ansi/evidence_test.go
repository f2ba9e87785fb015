package ansi_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ncruces/go-sqlite3"

	"github.com/sqbyl/sqbyl/driver"
	_ "github.com/sqbyl/sqbyl/driver/mysql"
	_ "github.com/sqbyl/sqbyl/driver/postgres"
	_ "github.com/sqbyl/sqbyl/driver/sqlite"
	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/testkit/servers"
)

// engines make a database from a script and give its URL; the tagged file
// adds to them.
var engines = map[string]func(t *testing.T, script string) string{
	"SQLite": func(t *testing.T, script string) string {
		path := filepath.Join(t.TempDir(), "t.db")
		c, err := sqlite3.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Exec(script); err != nil {
			t.Fatal(err)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		return "sqlite:" + path
	},
	"PostgreSQL": func(t *testing.T, script string) string {
		s := servers.Postgres(t)
		s.Exec(t, script)
		return s.ReaderURL
	},
	"MariaDB": func(t *testing.T, script string) string {
		s := servers.MariaDB(t)
		s.Exec(t, script)
		return s.ReaderURL
	},
}

func TestEvidence(t *testing.T) {
	var b strings.Builder
	b.WriteString("CREATE TABLE parts (a INTEGER NOT NULL, b VARCHAR(10) NOT NULL, c INTEGER UNIQUE, d INTEGER, PRIMARY KEY (a, b));\n")
	for i := range 50 {
		fmt.Fprintf(&b, "INSERT INTO parts VALUES (%d, 'p%d', %d, %d);\n", i, i%7, i, i/2)
	}
	for name, make := range engines {
		t.Run(name, func(t *testing.T) {
			database, err := driver.Open(t.Context(), make(t, b.String()), driver.Options{})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = database.Close() })
			s, err := database.Session(t.Context(), db.Answer)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = s.Close() })
			schema, err := database.Dialect().Catalog(t.Context(), s)
			if err != nil || len(schema.Tables) != 1 {
				t.Fatal(schema, err)
			}
			check(t, s, database.Dialect().Evidence, schema.Tables[0])
		})
	}
}

func check(t *testing.T, s db.Session, e db.Evidence, parts catalog.Table) {
	i, x := db.IntValue, db.TextValue
	for _, c := range []struct {
		columns []string
		tuples  [][]db.Value
		rows    int
		want    string
	}{
		{[]string{"a", "b"}, [][]db.Value{{i(8), x("p1")}, {i(8), x("p2")}, {i(49), x("p0")}, {i(70), x("p0")}}, 10, "49 p0 / 8 p1"},
		{[]string{"c"}, [][]db.Value{{i(3)}, {i(49)}, {i(-1)}}, 10, "3 / 49"},
		{[]string{"d"}, [][]db.Value{{i(3)}, {i(24)}}, 100, "24 / 3"}, // once each
		{[]string{"d"}, nil, 100, ""},
	} {
		found, whole, err := e.Present(t.Context(), s, parts, c.columns, c.tuples, c.rows)
		if err != nil {
			t.Errorf("%v: %v", c.columns, err)
			continue
		}
		if got := rowsText(found); got != c.want && (whole || c.rows == 100) {
			t.Errorf("%v: %q, want %q", c.columns, got, c.want)
		}
	}
	// Without a key the first rows only, and not known to be all.
	found, whole, err := e.Present(t.Context(), s, parts, []string{"d"}, [][]db.Value{{i(3)}, {i(24)}}, 20)
	if err != nil || whole || strings.Contains(rowsText(found), "24") {
		t.Errorf("%q %t %v", rowsText(found), whole, err)
	}
}

func rowsText(r *db.Result) string {
	lines := make([]string, len(r.Rows))
	for i, row := range r.Rows {
		cells := make([]string, len(row))
		for j, v := range row {
			cells[j] = v.String()
		}
		lines[i] = strings.Join(cells, " ")
	}
	slices.Sort(lines)
	return strings.Join(lines, " / ")
}
