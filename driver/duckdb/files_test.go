//go:build cgo && !no_duckdb

package duckdb

import (
	"compress/gzip"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
)

// makeFolder makes a folder of files: text, packed text, Parquet, a data set
// in parts, links, and what is no table.
func makeFolder(t testing.TB) string {
	t.Helper()
	outside := filepath.Join(t.TempDir(), "secret.csv")
	dir := filepath.Join(t.TempDir(), "data's")
	put := func(path, content string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put(outside, "secret\n1\n")
	put(filepath.Join(dir, "orders.csv"), "order_id,amount,status\n1,10.5,new\n2,,paid\n"+strings.Repeat("3,1,paid\n", 30000)+"x4,1,paid\n")
	put(filepath.Join(dir, "odd name.tsv"), "a\tb\n1\tx\n")
	put(filepath.Join(dir, "sales.csv"), "a\n1\n")
	put(filepath.Join(dir, "notes.md"), "# not a table\n")
	put(filepath.Join(dir, ".hidden.csv"), "a\n1\n")
	put(filepath.Join(dir, "broken.parquet"), "no parquet\n")
	put(filepath.Join(dir, "events", "day=1", "a.csv"), "id\n1\n2\n")
	put(filepath.Join(dir, "events", "day=2", "b.csv"), "id,extra\n3,e\n")
	put(filepath.Join(dir, "mixed", "a.txt"), "a\n")
	packed, err := os.Create(filepath.Join(dir, "packed.csv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(packed)
	if _, err := z.Write([]byte("p\n7\n")); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(z.Close(), packed.Close()); err != nil {
		t.Fatal(err)
	}
	parquet := strings.ReplaceAll(filepath.Join(dir, "sales.parquet"), "'", "''")
	write(t, "", "COPY (SELECT i AS id, i * 1.5::DECIMAL(9,2) AS price FROM range(100) r(i)) TO '"+parquet+"' (FORMAT parquet)")
	if err := os.Symlink(outside, filepath.Join(dir, "link.csv")); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestFolderIsADatabase(t *testing.T) {
	dir := makeFolder(t)
	before := listing(t, dir)
	d := openTest(t, dir, driver.Options{})
	s := newSession(t, d)
	schema, err := d.Dialect().Catalog(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	var tables []string
	for _, table := range schema.Tables {
		line := table.Name + ":"
		for _, c := range table.Columns {
			line += " " + c.Name + " " + c.Type
		}
		tables = append(tables, line)
		if table.Kind != catalog.ForeignTable {
			t.Errorf("%s is a %s", table.Name, table.Kind)
		}
	}
	want := []string{
		"events: id BIGINT extra VARCHAR day BIGINT", "odd name: a BIGINT b VARCHAR",
		"orders: order_id VARCHAR amount DOUBLE status VARCHAR", "packed: p BIGINT",
		"sales_csv: a BIGINT", "sales_parquet: id BIGINT price DECIMAL(28,2)",
	}
	if !slices.Equal(tables, want) {
		t.Errorf("tables:\n%s\nwant:\n%s", strings.Join(tables, "\n"), strings.Join(want, "\n"))
	}
	if w := d.Info().Warnings; len(w) != 1 || !strings.Contains(w[0].Message, "broken") {
		t.Errorf("warnings: %v", w)
	}
	for sql, want := range map[string]string{
		"SELECT count(*), count(amount) FROM orders WHERE status = 'paid'":                        "30002|30001",
		"SELECT sum(price) FROM sales_parquet":                                                    "7425.00",
		"SELECT day, count(*), max(extra) FROM events GROUP BY day ORDER BY day LIMIT 1 OFFSET 1": "2|1|e",
		`SELECT b FROM "odd name"`:                                                                "x",
		"SELECT p FROM packed":                                                                    "7",
	} {
		if got := rows(t, d, sql); len(got) != 1 || got[0] != want {
			t.Errorf("%s: %v, want %s", sql, got, want)
		}
	}
	if after := listing(t, dir); after != before {
		t.Error("reading changed the folder")
	}
}

// What the guard would stop is tried on the locked engine itself, too.
func TestFolderIsConfined(t *testing.T) {
	dir := makeFolder(t)
	d := openTest(t, dir, driver.Options{})
	before := listing(t, dir)
	s := newSession(t, d)
	inside := filepath.Join(strings.ReplaceAll(dir, "'", "''"), "notes.md")
	for _, sql := range []string{
		"SELECT * FROM read_text('/etc/hostname')",
		"SELECT * FROM read_csv('" + inside + "')",
		"SELECT * FROM read_text('" + inside + "')",
		"SELECT * FROM link",
		"SELECT * FROM glob('/etc/*')",
		"SELECT * FROM read_csv('" + filepath.Dir(inside) + "/*.csv')",
		"COPY (SELECT 1) TO '" + filepath.Dir(inside) + "/new.csv'",
		"ATTACH '" + filepath.Dir(inside) + "/new.db'",
		"SET enable_external_access = true",
		"SET allowed_directories = ['/']",
		"INSTALL httpfs",
		"CREATE TABLE z AS SELECT 1",
	} {
		if _, err := check(d, sql); err == nil && sql != "SELECT * FROM link" {
			t.Errorf("the guard passes %s", sql)
		}
		if _, err := s.Own(context.Background(), db.OwnSQL(sql)); err == nil {
			t.Errorf("the engine runs %s", sql)
		}
	}
	if after := listing(t, dir); after != before {
		t.Error("something changed the folder")
	}
	// A file that a table reads may be written by the engine: the guard alone
	// stands between.
	var refusal *guard.Refusal
	if _, err := check(d, "COPY (SELECT 1) TO '"+filepath.Dir(inside)+"/sales.csv'"); !errors.As(err, &refusal) {
		t.Errorf("the guard passes COPY: %v", err)
	}
}
