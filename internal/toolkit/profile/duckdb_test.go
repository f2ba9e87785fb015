//go:build cgo && !no_duckdb

package profile_test

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"

	_ "github.com/duckdb/duckdb-go/v2"

	_ "github.com/sqbyl/sqbyl/driver/duckdb"
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
}
