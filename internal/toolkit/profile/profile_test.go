package profile_test

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/ncruces/go-sqlite3"

	"github.com/sqbyl/sqbyl/driver"
	_ "github.com/sqbyl/sqbyl/driver/sqlite"
	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/toolkit/profile"
	"github.com/sqbyl/sqbyl/semantic"
)

// lite makes a SQLite file from statements.
func lite(t testing.TB, statements ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "test.db")
	c, err := sqlite3.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	for _, sql := range statements {
		if err := c.Exec(sql); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	return "sqlite:" + path
}

func open(t testing.TB, url string, o driver.Options) (db.Database, catalog.Schema) {
	t.Helper()
	database, err := driver.Open(context.Background(), url, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = database.Close() })
	return database, schemaOf(t, database)
}

func schemaOf(t testing.TB, database db.Database) catalog.Schema {
	t.Helper()
	s, err := database.Session(context.Background(), db.Answer)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	schema, err := database.Dialect().Catalog(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func run(t testing.TB, url string, model semantic.Model, o profile.Options) *profile.Report {
	t.Helper()
	database, schema := open(t, url, driver.Options{})
	r, err := profile.Run(context.Background(), database, schema, model, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func column(t testing.TB, r *profile.Report, table, name string) profile.Column {
	t.Helper()
	for _, x := range r.Tables {
		for _, c := range x.Columns {
			if x.Name == table && c.Name == name {
				return c
			}
		}
	}
	t.Fatalf("no column %s.%s", table, name)
	return profile.Column{}
}

func asJSON(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

const orders = `CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, amount_cents INTEGER, status TEXT, email TEXT, zip TEXT, created_at TEXT,
	ordered TEXT, sku TEXT, is_active INTEGER, closed_at TEXT, note TEXT, payload BLOB, ratio REAL)`

func fill(n int) string {
	return `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ` + asText(n) + `)
	INSERT INTO orders SELECT i, 1 + i * 7919 % 5000, i * 104729 % 4200000,
		CASE WHEN i % 10 < 8 THEN 'confirmed' WHEN i % 10 = 8 THEN 'refunded' ELSE 'partial_refund' END,
		'user' || i || '@example.com', CASE WHEN i % 50 = 0 THEN 'x' || i ELSE printf('%05d', i * 31 % 99999) END,
		date('2019-02-01', '+' || (i % 2700) || ' days'), strftime('%d.%m.%Y', '2020-01-01', '+' || (i % 900) || ' days'),
		printf('AB-%04d', i % 10000), i % 2, CASE WHEN i % 2 = 0 AND i > 40 THEN '2024-01-01 10:00:00' END,
		CASE WHEN i % 3 = 0 THEN NULL ELSE 'note ' || i END, x'00ff', i / 7.0 FROM n`
}

func asText(n int) string { b, _ := json.Marshal(n); return string(b) }

func TestProfileOfAWholeTable(t *testing.T) {
	r := run(t, lite(t, orders, fill(3000)), semantic.Model{}, profile.Options{})
	for name, want := range map[string]string{
		"id":           `{"nulls":0,"distinct":3000,"min":1,"max":3000}`,
		"amount_cents": `{"nulls":0,"distinct":3000,"min":3325,"max":4199827,"p05":209458,"p25":1047290,"p50":2094580,"p75":3141870,"p95":3986871}`,
		"status":       `{"nulls":0,"distinct":3,"top":[{"value":"confirmed","share":0.8},{"value":"partial_refund","share":0.1},{"value":"refunded","share":0.1}]}`,
		"email":        `{"nulls":0,"distinct":3000,"shape":"email"}`,
		"created_at":   `{"nulls":0,"distinct":2700,"min":"2019-02-01","max":"2026-06-23","p05":"2019-04-17","p95":"2026-01-24","shape":"date"}`,
		"sku":          `{"nulls":0,"distinct":3000,"shape":"code AA-9999"}`,
		"payload":      `{"nulls":0}`,
		"zip":          `{"nulls":0,"distinct":3000,"min":"00031","max":"92969","p05":"04619","p25":"23219","p50":"46469","p75":"69719","p95":"88319","numeric_text":true}`,
		"ordered":      `{"nulls":0,"distinct":900,"min":"01.01.2020","max":"18.06.2022","p05":"07.02.2020","p95":"29.04.2022","shape":"date d.m.y"}`,
		"closed_at":    `{"nulls":0.5067,"distinct":1,"min":"2024-01-01 10:00:00","max":"2024-01-01 10:00:00","top":[{"value":"2024-01-01 10:00:00","share":0.4933}],"shape":"datetime"}`,
		"ratio":        `{"nulls":0,"distinct":3000,"min":0.14285714285714285,"max":428.57142857142856,"p05":21.4286,"p25":107.143,"p50":214.286,"p75":321.429,"p95":407.143}`,
	} {
		if got := asJSON(t, column(t, r, "orders", name).Profile); got != want {
			t.Errorf("%s\n got %s\nwant %s", name, got, want)
		}
	}
	if diff := cmp.Diff([]string{
		"orders.amount_cents 3,325 … 4,199,827, no NULL (cents?)",
		"orders.zip is text, but 98 % numbers",
		"orders.is_active and closed_at disagree on 20 rows",
	}, r.Notes()); diff != "" {
		t.Error(diff)
	}
	if got := column(t, r, "orders", "email"); got.Personal == "" || len(got.Samples) > 0 {
		t.Errorf("the e-mail column is not taken for personal: %+v", got)
	}
}

// TestASlowViewCostsOnlyItself stops what takes longer than it may.
func TestASlowViewCostsOnlyItself(t *testing.T) {
	url := lite(t, "CREATE TABLE a (x INTEGER)", "INSERT INTO a VALUES (1), (2)",
		"CREATE VIEW slow AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000000000) SELECT max(i) AS most FROM n",
		"CREATE VIEW wrong AS SELECT x, json_extract('{', '$.a') AS bad FROM a")
	r := run(t, url, semantic.Model{}, profile.Options{Timeout: 100 * time.Millisecond})
	for _, x := range r.Tables {
		if x.Name == "slow" && !strings.Contains(x.Skipped, "time limit") {
			t.Errorf("slow: %s", asJSON(t, x))
		}
	}
	if got := asJSON(t, column(t, r, "a", "x").Profile); got != `{"nulls":0,"distinct":2,"min":1,"max":2,"top":[{"value":1,"share":0.5},{"value":2,"share":0.5}]}` {
		t.Errorf("a.x: %s", got)
	}
	if c := column(t, r, "wrong", "bad"); !strings.Contains(c.Failed, "malformed JSON") {
		t.Errorf("wrong.bad: %+v", c)
	}
	quiet := semantic.Model{Tables: []semantic.Table{{Name: "wrong", Columns: []semantic.Column{{Name: "x"}, {Name: "bad", NoSamples: true}}}}}
	if c := column(t, run(t, url, quiet, profile.Options{}), "wrong", "bad"); c.Failed == "" || strings.Contains(c.Failed, "malformed") {
		t.Errorf("wrong.bad without values: %+v", c)
	}
	if c := column(t, r, "wrong", "x"); c.Profile == nil {
		t.Errorf("wrong.x: %+v", c)
	}
}

func TestAStopEndsIt(t *testing.T) {
	database, schema := open(t, lite(t, "CREATE TABLE a (x INTEGER)"), driver.Options{})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := profile.Run(ctx, database, schema, semantic.Model{}, profile.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// TestOddTables profiles what has no row numbers, large gaps between them, or
// no rows.
func TestOddTables(t *testing.T) {
	const series = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 79999) "
	url := lite(t, "CREATE TABLE plain (code TEXT PRIMARY KEY, n INTEGER) WITHOUT ROWID", series+"INSERT INTO plain SELECT printf('K%07d', i), i % 4000 FROM n",
		"CREATE TABLE sparse (id INTEGER PRIMARY KEY, n INTEGER)", series+"INSERT INTO sparse SELECT i * 1000000007, i % 4000 FROM n",
		"CREATE TABLE wild (id INTEGER PRIMARY KEY, n INTEGER)", series+"INSERT INTO wild SELECT random(), i % 4000 FROM n",
		"CREATE TABLE empty (a INTEGER, b TEXT)", "CREATE TABLE \"odd \"\"name\" (\"a b\" TEXT, \"select\" INTEGER, rowid TEXT)", "INSERT INTO \"odd \"\"name\" VALUES ('x', 1, 'r')")
	for _, o := range []profile.Options{{}, {MaxRows: 30_000}} {
		r := run(t, url, semantic.Model{}, o)
		for _, table := range []string{"plain", "sparse", "wild"} {
			p := column(t, r, table, "n").Profile
			if p == nil || !p.Sampled || number(t, p.P50) < 1000 || number(t, p.P50) > 3000 || number(t, p.Max) < 3900 {
				t.Errorf("%s.n: %s", table, asJSON(t, p))
			}
		}
		for name, want := range map[string]string{"empty": `{"distinct":0}`} {
			if got := asJSON(t, column(t, r, name, "a").Profile); got != want {
				t.Errorf("%s: %s", name, got)
			}
		}
		if c := column(t, r, `odd "name`, "a b"); c.Profile == nil || c.Profile.Distinct.N != 1 {
			t.Errorf("odd name: %+v", c)
		}
	}
}
