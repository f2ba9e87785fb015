//go:build cgo && !no_duckdb

package duckdb

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/engine/db"
)

func readCatalog(t testing.TB, d db.Database) catalog.Schema {
	t.Helper()
	s := newSession(t, d)
	defer func() { _ = s.Close() }()
	schema, err := d.Dialect().Catalog(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func TestCatalogTellsWhatTheEngineKnows(t *testing.T) {
	d := openTest(t, makeFile(t, `
CREATE SCHEMA s2; CREATE TYPE mood AS ENUM ('sad', 'it''s, ok', '(odd)'); CREATE SEQUENCE seq;
CREATE TABLE s2.part (a INTEGER, b INTEGER, c VARCHAR, PRIMARY KEY (a, b), UNIQUE (c, b));
CREATE TABLE s2.item (
  id INTEGER DEFAULT nextval('seq'), a INTEGER, b INTEGER, m mood, l mood[], "Odd name" DECIMAL(10, 2) DEFAULT 1.50,
  twice DECIMAL(11,2) GENERATED ALWAYS AS ("Odd name" * 2) VIRTUAL, n INTEGER CHECK (n IN (1, 2, -3)), q INTEGER CHECK (q > 3),
  FOREIGN KEY (a, b) REFERENCES s2.part (a, b));
COMMENT ON COLUMN s2.item."Odd name" IS 'price; net';
CREATE VIEW s2.v AS SELECT id, m FROM s2.item; COMMENT ON VIEW s2.v IS 'a view';
INSERT INTO s2.part SELECT i, i, i FROM range(7) r(i);
CREATE VIEW s2.files AS SELECT * FROM read_text('/etc/host*');
CREATE TEMP TABLE t (x INTEGER); CREATE VIEW broken AS SELECT * FROM s2.item; ALTER TABLE s2.item RENAME q TO q2;`), driver.Options{})
	schema := readCatalog(t, d)
	want := []catalog.Table{
		{Schema: "s2", Name: "item", Kind: catalog.BaseTable, Columns: []catalog.Column{
			{Name: "id", Type: "INTEGER", Nullable: true, Default: "nextval('seq')", Identity: true},
			{Name: "a", Type: "INTEGER", Nullable: true}, {Name: "b", Type: "INTEGER", Nullable: true},
			{Name: "m", Type: "ENUM('sad', 'it''s, ok', '(odd)')", Nullable: true, Enum: []string{"sad", "it's, ok", "(odd)"}},
			{Name: "l", Type: "ENUM('sad', 'it''s, ok', '(odd)')[]", Nullable: true},
			{Name: "Odd name", Type: "DECIMAL(10,2)", Nullable: true, Default: "1.50", Comment: "price; net"},
			{Name: "twice", Type: "DECIMAL(11,2)", Nullable: true, Default: `CAST(("Odd name" * 2) AS DECIMAL(11,2))`, Generated: true},
			{Name: "n", Type: "INTEGER", Nullable: true, Checks: []string{"1", "2", "-3"}},
			{Name: "q2", Type: "INTEGER", Nullable: true},
		}, ForeignKeys: []catalog.ForeignKey{{Columns: []string{"a", "b"}, RefSchema: "s2", RefTable: "part", RefColumns: []string{"a", "b"}}}},
		{Schema: "s2", Name: "part", Kind: catalog.BaseTable, Rows: 7, PrimaryKey: []string{"a", "b"}, Unique: [][]string{{"c", "b"}}, Columns: []catalog.Column{
			{Name: "a", Type: "INTEGER"}, {Name: "b", Type: "INTEGER"}, {Name: "c", Type: "VARCHAR", Nullable: true},
		}},
		{Schema: "s2", Name: "v", Kind: catalog.View, Rows: -1, Comment: "a view", Definition: "CREATE VIEW s2.v AS SELECT id, m FROM s2.item;", Columns: []catalog.Column{
			{Name: "id", Type: "INTEGER", Nullable: true},
			{Name: "m", Type: "ENUM('sad', 'it''s, ok', '(odd)')", Nullable: true, Enum: []string{"sad", "it's, ok", "(odd)"}},
		}},
	}
	var got []catalog.Table
	for _, table := range schema.Tables {
		if table.Schema == "s2" {
			got = append(got, table)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"s2.files"}, schema.Unreadable); diff != "" {
		t.Error(diff)
	}
	if len(schema.Tables) != 4 || schema.DefaultSchema != "main" {
		t.Errorf("%d tables, default schema %q", len(schema.Tables), schema.DefaultSchema)
	}
}

func TestSampleIsTheSameEveryTime(t *testing.T) {
	d := openTest(t, makeFile(t, `CREATE TABLE big AS SELECT i AS "the id", i % 7 AS k, 'x' AS secret FROM range(300000) r(i);
CREATE VIEW v AS SELECT * FROM big; CREATE TABLE few AS SELECT 1 AS a, 2 AS b;`), driver.Options{})
	schema := readCatalog(t, d)
	for _, table := range schema.Tables {
		columns := []string{table.Columns[0].Name, table.Columns[1].Name}
		var first string
		for range 3 {
			s := newSession(t, d)
			sample, err := d.Dialect().Sample(context.Background(), s, table, columns, 1000)
			if err != nil {
				t.Fatal(err)
			}
			_ = s.Close()
			if n := len(sample.Rows); table.Name != "few" && (n < 500 || n > 1500) || table.Name == "few" && n != 1 || len(sample.Columns) != 2 {
				t.Errorf("%s: %d rows of %d columns", table.Name, n, len(sample.Columns))
			}
			if last := sample.Rows[len(sample.Rows)-1][0].Int(); table.Name == "big" && last < 290000 {
				t.Errorf("the sample of a table ends at row %d of 300000", last)
			}
			text := fmt.Sprint(sample.Rows)
			if first == "" {
				first = text
			}
			if text != first {
				t.Errorf("%s: two samples differ", table.Name)
			}
		}
	}
}

func BenchmarkCatalogOfThousandTables(b *testing.B) {
	var ddl strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&ddl, "CREATE TABLE t%d (id INTEGER PRIMARY KEY", i)
		for c := range 19 {
			fmt.Fprintf(&ddl, ", c%d VARCHAR", c)
		}
		ddl.WriteString(");\n")
	}
	d := openTest(b, makeFile(b, ddl.String()), driver.Options{})
	for b.Loop() {
		if n := len(readCatalog(b, d).Tables); n != 1000 {
			b.Fatal(n)
		}
	}
}
