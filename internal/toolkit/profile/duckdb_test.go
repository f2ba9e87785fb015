//go:build cgo && !no_duckdb

package profile_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/duckdb/duckdb-go/v2"

	"github.com/sqbyl/sqbyl/driver"
	_ "github.com/sqbyl/sqbyl/driver/duckdb"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/toolkit/profile"
	"github.com/sqbyl/sqbyl/semantic"
)

// duck makes a DuckDB file from statements.
func duck(t testing.TB, statements ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "test.duckdb")
	pool, err := sql.Open("duckdb", path)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range statements {
		if _, err := pool.ExecContext(context.Background(), s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	if err := pool.Close(); err != nil {
		t.Fatal(err)
	}
	return "duckdb:" + path
}

// duckOrders has one column of each class and some that only look like one.
const duckOrders = `CREATE TABLE orders AS SELECT
	range AS id, (1 + range * 7919 %% 5000)::INTEGER AS customer_id, (range * 104729 %% 4200000)::DECIMAL(12,2) / 100 AS amount,
	CASE WHEN range %% 10 < 8 THEN 'confirmed' WHEN range %% 10 = 8 THEN 'refunded' ELSE 'partial_refund' END AS status,
	'user' || range || '@example.com' AS contact, DATE '2019-02-01' + (range %% 2700)::INTEGER AS created_on,
	TIMESTAMP '2019-02-01 10:00:00' + INTERVAL (range %% 2700) DAY AS created_at, range %% 2 = 0 AS is_active,
	INTERVAL (range) DAY AS "interval", [range, range + 1] AS list, {'a': range} AS struct, '{"a": 1}'::JSON AS doc,
	uuid() AS token_id, CASE WHEN range %% 4 = 0 THEN NULL ELSE 'x' END AS "odd ""name", 'mood'::ENUM('mood', 'bad') AS mood, range / 7.0 AS ratio
	FROM range(%d)`

func TestDuckDB(t *testing.T) {
	url := duck(t, fmt.Sprintf(duckOrders, 200_000), "CREATE VIEW v AS SELECT status, count(*) AS n FROM orders GROUP BY status",
		"CREATE VIEW broken AS SELECT status, CAST(contact AS INTEGER) AS bad, id FROM orders")
	first := run(t, url, semantic.Model{}, profile.Options{})
	if second := run(t, url, semantic.Model{}, profile.Options{Workers: 1}); asJSON(t, first) != asJSON(t, second) {
		t.Errorf("two profiles differ:\n%s\n%s", asJSON(t, first), asJSON(t, second))
	}
	get := func(table, name string) string { return asJSON(t, column(t, first, table, name).Profile) }
	for name, want := range map[string]string{
		"amount":     `{"nulls":0,"distinct":"~200000","min":0.0,"max":41999.79,"p05":2177.2,"p25":10670.7,"p50":21047.8,"p75":31643.3,"p95":39934.6,"sampled":true}`,
		"status":     `{"nulls":0,"distinct":3,"top":[{"value":"confirmed","share":0.8},{"value":"partial_refund","share":0.1},{"value":"refunded","share":0.1}]}`,
		"created_on": `{"nulls":0,"distinct":"~2700","min":"2019-02-01","max":"2026-06-23","p05":"2019-06-13","p95":"2026-02-05","sampled":true}`,
		"is_active":  `{"nulls":0,"distinct":2,"top":[{"value":false,"share":0.5},{"value":true,"share":0.5}]}`,
		"interval":   `{"nulls":0}`, "list": `{"nulls":0}`, "struct": `{"nulls":0}`, "doc": `{"nulls":0}`,
		`odd "name`: `{"nulls":0.25,"distinct":1,"top":[{"value":"x","share":0.75}]}`,
		"mood":      `{"nulls":0,"distinct":1,"top":[{"value":"mood","share":1}]}`,
	} {
		if got := get("orders", name); got != want {
			t.Errorf("%s\n got %s\nwant %s", name, got, want)
		}
	}
	if bad := column(t, first, "broken", "bad"); !strings.Contains(bad.Failed, "Could not convert") {
		t.Errorf("the column that cannot be read: %+v", bad)
	}
	if got := get("broken", "status"); got != get("orders", "status") {
		t.Errorf("a column beside a broken one: %s", got)
	}
	if got := get("v", "n"); got != `{"nulls":0,"distinct":2,"min":20000,"max":160000,"top":[{"value":20000,"share":0.6667},{"value":160000,"share":0.3333}]}` {
		t.Errorf("view: %s", got)
	}
}

var duckEngine = duck

// TestDuckDBReadsNoMoreThanItMay profiles a table of 200 million rows, one
// whose rows cannot be packed, and a view that makes 200 million, and runs each
// statement under EXPLAIN ANALYZE in an engine that has read nothing yet. What
// counts are the rows that scans give and the bytes that are read from the
// file: the engine's operator_rows_scanned counts what it jumps over too.
func TestDuckDBReadsNoMoreThanItMay(t *testing.T) {
	if testing.Short() {
		t.Skip("makes 200 million rows")
	}
	url := duck(t, "CREATE TABLE big AS SELECT range AS id FROM range(200000000)", "CREATE TABLE dense AS SELECT hash(range) AS h FROM range(12000000)",
		"CREATE VIEW endless AS SELECT range AS id, range % 7 AS day FROM range(200000000)", "CREATE VIEW over AS SELECT max(id) AS top FROM big")
	database, schema := open(t, url, driver.Options{})
	d := &told{Database: database}
	r, err := profile.Run(context.Background(), d, schema, semantic.Model{}, profile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if p := column(t, r, "big", "id").Profile; !p.Sampled || !near(number(t, p.P50), 100_000_000) {
		t.Errorf("big: %s", asJSON(t, p))
	}
	if p := column(t, r, "endless", "day").Profile; !p.Sampled || len(p.Top) != 7 {
		t.Errorf("endless: %s", asJSON(t, p))
	}
	if x := r.Tables[3]; !strings.Contains(x.Skipped, "profile.max_rows") {
		t.Errorf("a view over a table that is too large: %s", asJSON(t, x))
	}
	if err := database.Close(); err != nil {
		t.Fatal(err)
	}
	for _, s := range d.sent {
		if n := explained(t, url, s); n > profile.DefaultMaxRows {
			t.Errorf("%.0f rows: %.300s", n, s.own.SQL())
		}
	}
	if n := explained(t, url, statement{own: db.OwnSQL("SELECT sum(h) FROM dense")}); n < 11_000_000 {
		t.Errorf("a scan of 12 million rows counts as %.0f", n)
	}
}

// explained is the number of rows that a statement reads.
func explained(t testing.TB, url string, s statement) float64 {
	t.Helper()
	database, err := driver.Open(context.Background(), url, driver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = database.Close() }()
	session, err := database.Session(context.Background(), db.Answer)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = session.Close() }()
	r, err := session.Own(context.Background(), db.OwnSQL("EXPLAIN (ANALYZE, FORMAT JSON) "+s.own.SQL()), s.args...)
	if err != nil {
		t.Fatal(err)
	}
	var plan operator
	if err := json.Unmarshal([]byte(r.Rows[0][1].Raw()), &plan); err != nil {
		t.Fatal(err)
	}
	return max(plan.read(), plan.Bytes/8)
}

// operator is an operator of a plan of DuckDB; the root has the bytes read.
type operator struct {
	Type     string     `json:"operator_type"`
	Rows     float64    `json:"operator_cardinality"`
	Bytes    float64    `json:"total_bytes_read"`
	Children []operator `json:"children"`
}

func (o operator) read() float64 {
	sum := 0.0
	if o.Type == "TABLE_SCAN" {
		sum = o.Rows
	}
	for _, c := range o.Children {
		sum += c.read()
	}
	return sum
}

// BenchmarkDuckDB profiles 6 million rows of 16 columns, read whole; "ratio" is
// the time against the engine's own SUMMARIZE (at most 0.10).
func BenchmarkDuckDB(b *testing.B) {
	url := duck(b, `CREATE TABLE lineitem AS SELECT i // 4 AS orderkey, hash(i) % 200000 AS partkey, hash(i + 1) % 10000 AS suppkey, (i % 7)::INTEGER AS linenumber,
		(1 + hash(i + 2) % 50)::DECIMAL(12,2) AS quantity, ((hash(i + 3) % 9000000) / 100)::DECIMAL(12,2) AS extendedprice, ((hash(i + 4) % 11) / 100)::DECIMAL(12,2) AS discount,
		((hash(i + 5) % 9) / 100)::DECIMAL(12,2) AS tax, ['A', 'N', 'R'][1 + (hash(i + 6) % 3)::BIGINT] AS returnflag, ['O', 'F'][1 + (hash(i + 7) % 2)::BIGINT] AS linestatus,
		DATE '1992-01-02' + (hash(i + 8) % 2500)::INTEGER AS shipdate, DATE '1992-01-31' + (hash(i + 9) % 2500)::INTEGER AS commitdate,
		DATE '1992-01-04' + (hash(i + 10) % 2500)::INTEGER AS receiptdate, ['DELIVER IN PERSON', 'COLLECT COD', 'NONE', 'TAKE BACK RETURN'][1 + (hash(i + 11) % 4)::BIGINT] AS shipinstruct,
		['AIR', 'RAIL', 'SHIP', 'TRUCK', 'MAIL', 'FOB', 'REG AIR'][1 + (hash(i + 12) % 7)::BIGINT] AS shipmode, 'comment ' || hash(i + 13) % 4000000 AS comment
		FROM range(6001215) t(i)`)
	compare(b, url, "SUMMARIZE lineitem", profile.Options{MaxRows: 10_000_000})
}
