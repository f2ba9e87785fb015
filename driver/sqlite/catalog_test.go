package sqlite_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/testkit/handed"
)

func schemaOf(t testing.TB, d db.Database) catalog.Schema {
	t.Helper()
	s := session(t, d, db.Answer)
	defer func() { _ = s.Close() }()
	schema, err := d.Dialect().Catalog(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func TestCommentsAndAllowedValuesComeFromTheDDL(t *testing.T) {
	d := open(t, file(t, `CREATE TABLE "odd ( name" -- every order
(
  -- who
  -- placed it
  "a, b" TEXT NOT NULL CHECK ("a, b" IN ('x, (y)', 'it''s')), -- trailing
  n INT /* inside */ CHECK (n IN (1, 2, 3)) CHECK (n > 0),
  m DECIMAL(10, 2) DEFAULT (1 + 2), -- money, in (euro)
  k TEXT CHECK (length(k) IN (1, 2))
  , late INTEGER -- at the end
  , CONSTRAINT later CHECK (late IN (0, 1))
  , PRIMARY KEY ("a, b", n)
) WITHOUT ROWID`), driver.Options{})
	got := schemaOf(t, d).Tables[0]
	want := catalog.Table{
		Name: "odd ( name", Kind: catalog.BaseTable, Comment: "every order", Rows: -1, PrimaryKey: []string{"a, b", "n"},
		Columns: []catalog.Column{
			{Name: "a, b", Type: "TEXT", Comment: "who placed it trailing", Checks: []string{"x, (y)", "it's"}},
			{Name: "n", Type: "INT", Comment: "inside", Checks: []string{"1", "2", "3"}},
			{Name: "m", Type: "DECIMAL(10, 2)", Nullable: true, Default: "1 + 2", Comment: "money, in (euro)"},
			{Name: "k", Type: "TEXT", Nullable: true},
			{Name: "late", Type: "INTEGER", Nullable: true, Comment: "at the end", Checks: []string{"0", "1"}},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestKeysAreCompleteAndInOrder(t *testing.T) {
	d := open(t, file(t,
		`CREATE TABLE parent (a INTEGER, b TEXT, c TEXT UNIQUE, PRIMARY KEY (a, b))`,
		`CREATE TABLE child (x INTEGER PRIMARY KEY AUTOINCREMENT, p1, p2 REFERENCES Parent(C), g AS (x * 2), UNIQUE (p2, p1), FOREIGN KEY (p1, p2) REFERENCES parent, FOREIGN KEY (x) REFERENCES gone (y))`,
		`CREATE UNIQUE INDEX some ON child (p1) WHERE p1 > 0`, `CREATE UNIQUE INDEX expression ON child (lower(p1), p2)`,
		`PRAGMA foreign_keys = 0`, `INSERT INTO child (p1) VALUES (1), (2), (3)`, `ANALYZE`), driver.Options{})
	tables := schemaOf(t, d).Tables
	child := tables[slices.IndexFunc(tables, func(t catalog.Table) bool { return t.Name == "child" })]
	want := []catalog.ForeignKey{
		{Columns: []string{"p2"}, RefTable: "parent", RefColumns: []string{"c"}},
		{Columns: []string{"p1", "p2"}, RefTable: "parent", RefColumns: []string{"a", "b"}},
		{Columns: []string{"x"}, RefTable: "gone", RefColumns: []string{"y"}},
	}
	if diff := cmp.Diff(want, child.ForeignKeys); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([][]string{{"p2", "p1"}}, child.Unique); diff != "" {
		t.Error(diff)
	}
	if !child.Columns[0].Identity || child.Columns[0].Nullable || !child.Columns[3].Generated || child.Rows != 3 {
		t.Errorf("%+v", child)
	}
}

func TestWhatCannotBeReadIsLeftOut(t *testing.T) {
	d := open(t, file(t, `CREATE TABLE a (x)`, `CREATE TABLE gone (x)`, `CREATE VIEW good AS SELECT x FROM a`,
		`CREATE VIEW bad AS SELECT x FROM gone`, `PRAGMA writable_schema = 1`, `DELETE FROM sqlite_schema WHERE name = 'gone'`,
		`INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql) VALUES ('table', 'far', 'far', 0, 'CREATE VIRTUAL TABLE far USING no_such_module(x)')`), driver.Options{})
	schema := schemaOf(t, d)
	var names []string
	for _, table := range schema.Tables {
		names = append(names, table.Name)
	}
	if !slices.Equal(names, []string{"a", "good"}) || !slices.Equal(schema.Unreadable, []string{"bad", "far"}) {
		t.Errorf("readable %v, unreadable %v", names, schema.Unreadable)
	}
}

// declared is what dev_tables.json says of a database.
type declared struct {
	ID      string   `json:"db_id"`
	Tables  []string `json:"table_names_original"`
	Columns [][2]any `json:"column_names_original"`
	Foreign [][2]int `json:"foreign_keys"`
}

func TestBenchmarkDatabasesAreReadWhole(t *testing.T) {
	root := handed.Data(t, "bird_layout")
	text, err := os.ReadFile(filepath.Join(root, "dev_tables.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all []declared
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	for _, want := range all {
		path := filepath.Join(root, "dev_databases", want.ID, want.ID+".sqlite")
		schema := schemaOf(t, open(t, path, driver.Options{}))
		have := map[string]bool{}
		keys := 0
		for _, table := range schema.Tables {
			keys += len(table.ForeignKeys)
			for _, c := range table.Columns {
				have[strings.ToLower(table.Name+"."+c.Name)] = true
			}
		}
		for _, c := range want.Columns {
			if i := int(c[0].(float64)); i >= 0 && want.Tables[i] != "sqlite_sequence" && !have[strings.ToLower(want.Tables[i]+"."+fmt.Sprint(c[1]))] {
				t.Errorf("%s lacks %s.%v", want.ID, want.Tables[i], c[1])
			}
		}
		t.Logf("%s: %d tables, %d keys of %d", want.ID, len(schema.Tables), keys, len(want.Foreign))
	}
}

func manyTables(n int) []string {
	statements := []string{"BEGIN"}
	for i := range n {
		columns := "id INTEGER PRIMARY KEY, parent INTEGER REFERENCES t" + fmt.Sprint(max(i-1, 0)) + " (id)"
		for j := range 18 {
			columns += fmt.Sprintf(", c%d TEXT -- column %d\n", j, j)
		}
		statements = append(statements, fmt.Sprintf("CREATE TABLE t%d (%s)", i, columns))
	}
	return append(statements, "COMMIT")
}

func BenchmarkCatalogOf1000Tables(b *testing.B) {
	d := open(b, file(b, manyTables(1000)...), driver.Options{})
	s := session(b, d, db.Answer)
	for b.Loop() {
		schema, err := d.Dialect().Catalog(context.Background(), s)
		if err != nil || len(schema.Tables) != 1000 {
			b.Fatal(len(schema.Tables), err)
		}
	}
}
