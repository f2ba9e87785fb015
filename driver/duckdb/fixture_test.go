//go:build cgo && !no_duckdb

package duckdb

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/duckdb/duckdb-go/v2"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	dialect "github.com/sqbyl/sqbyl/internal/engine/dialect/duckdb"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
)

// shop is what the honest queries read.
const shop = `
CREATE TABLE orders (order_id INTEGER PRIMARY KEY, customer_id INTEGER, amount_cents INTEGER, status VARCHAR, created_at TIMESTAMP, meta JSON);
CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, region VARCHAR);
CREATE TABLE wide (id INTEGER, a INTEGER, b INTEGER, c INTEGER);
INSERT INTO customers VALUES (1, 'EMEA'), (2, 'APAC');
INSERT INTO orders SELECT i, 1 + i % 2, 100 * i, CASE WHEN i % 3 = 0 THEN 'refunded' ELSE 'confirmed' END, TIMESTAMP '2026-01-01' + to_days(i::INTEGER), '{"n": 12345678901234567890}' FROM range(1, 51) r(i);
INSERT INTO wide VALUES (1, 10, 20, 30);`

// makeFile writes a database file by the engine's own driver and closes it.
func makeFile(t testing.TB, statements string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "test.duckdb")
	write(t, path, statements)
	return path
}

func write(t testing.TB, path, statements string) {
	t.Helper()
	admin, err := sql.Open("duckdb", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = admin.Close() }()
	if _, err := admin.Exec(statements); err != nil {
		t.Fatal(err)
	}
}

func openTest(t testing.TB, path string, o driver.Options) db.Database {
	t.Helper()
	d, err := driver.Open(context.Background(), "duckdb:"+path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

func newSession(t testing.TB, d db.Database) db.Session {
	t.Helper()
	s, err := d.Session(context.Background(), db.Answer)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// check asks the guard, with the database's own grammar.
func check(d db.Database, sql string) (guard.Statement, error) {
	policy := d.Dialect().Policy
	policy.Grammar = d.Grammar()
	return guard.Check(context.Background(), sql, &policy)
}

func mustCheck(t testing.TB, d db.Database, sql string) guard.Statement {
	t.Helper()
	st, err := check(d, sql)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return st
}

// rows runs one query and gives its rows as text.
func rows(t testing.TB, d db.Database, sql string) []string {
	t.Helper()
	s := newSession(t, d)
	defer func() { _ = s.Close() }()
	result, err := s.Query(context.Background(), mustCheck(t, d, sql), db.AnswerCaps)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	var lines []string
	for _, row := range result.Rows {
		var cells []string
		for _, v := range row {
			cells = append(cells, v.String())
		}
		lines = append(lines, strings.Join(cells, "|"))
	}
	return lines
}

// newPolicy is the dialect's with the grammar that needs no database.
func newPolicy() guard.Policy {
	policy := dialect.Dialect().Policy
	policy.Grammar = Grammar()
	return policy
}

func asRefusal(err error, r **guard.Refusal) bool { return errors.As(err, r) }
