package sqlite_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
)

func TestASampleIsSpreadBoundedAndTheSameEachTime(t *testing.T) {
	d := open(t, file(t, "CREATE TABLE big (n, rowid TEXT)", "INSERT INTO big SELECT value, 'x' FROM generate_series(1, 50000)",
		"CREATE TABLE keyed (k TEXT PRIMARY KEY) WITHOUT ROWID", "INSERT INTO keyed SELECT 'k' || value FROM generate_series(1, 5000)",
		"CREATE VIEW v AS SELECT n FROM big", "CREATE TABLE none (x)", "CREATE TABLE three (x)", "INSERT INTO three VALUES (1), (2), (3)"), driver.Options{})
	schema := schemaOf(t, d)
	sample := func(name, column string) []string {
		table := schema.Tables[slices.IndexFunc(schema.Tables, func(t catalog.Table) bool { return t.Name == name })]
		s := session(t, d, db.Answer)
		defer func() { _ = s.Close() }()
		res, err := d.Dialect().Sample(context.Background(), s, table, []string{column}, 1000)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		values := make([]string, len(res.Rows))
		for i, row := range res.Rows {
			values[i] = fmt.Sprint(row)
		}
		return values
	}
	for _, c := range []struct {
		table, column string
		low, high     int
	}{{"big", "n", 900, 1100}, {"keyed", "k", 1000, 1000}, {"v", "n", 1000, 1000}, {"none", "x", 0, 0}, {"three", "x", 3, 3}} {
		first, second := sample(c.table, c.column), sample(c.table, c.column)
		if len(first) < c.low || len(first) > c.high {
			t.Errorf("%s: %d rows, want %d to %d", c.table, len(first), c.low, c.high)
		}
		if !slices.Equal(first, second) {
			t.Errorf("%s: two samples differ", c.table)
		}
	}
	res, err := ask(t, d, "SELECT max(n) FROM big")
	if err != nil {
		t.Fatal(err)
	}
	if got := sample("big", "n"); !slices.ContainsFunc(got, func(v string) bool { return v > "[4" }) {
		t.Errorf("nothing of the later rows up to %v is in the sample", res.Rows)
	}
}

func TestNowSpellsEveryTokenThatMeansNow(t *testing.T) {
	at := time.Date(2026, 11, 30, 23, 30, 5, 0, time.FixedZone("", -3600)) // already December in UTC
	path := file(t, "CREATE TABLE t (x)", "CREATE VIEW v AS SELECT CURRENT_TIMESTAMP AS ts, CURRENT_DATE AS d, CURRENT_TIME AS c")
	d := open(t, path, driver.Options{AsOf: at})
	policy := d.Dialect().Policy
	policy.AsOf = &guard.AsOf{Time: at, Literal: d.Dialect().Now}
	for sql, want := range map[string]string{
		"SELECT CURRENT_TIMESTAMP": "2026-12-01 00:30:05", "SELECT current_date": "2026-12-01", "SELECT Current_Time": "00:30:05",
		"SELECT datetime('now')": "2026-12-01 00:30:05", "SELECT date( 'NOW' , 'start of month', '-1 month')": "2026-11-01",
		"SELECT time('now')": "00:30:05", "SELECT datetime()": "2026-12-01 00:30:05", "SELECT date ( )": "2026-12-01",
		"SELECT strftime('%Y-%m', 'now')": "2026-12", "SELECT strftime('%Y/%M')": "2026/30", "SELECT unixepoch('now')": "1796085005",
		"SELECT unixepoch()": "1796085005", "SELECT round(julianday(), 3)": "2461375.521", "SELECT timediff('2026-12-02', 'now')": "+0000-00-00 23:29:55.000",
		"SELECT 'now' /* date('now') */ -- now": "now", "SELECT upper('now')": "NOW", "SELECT 'it is now date(''now'')'": "it is now date('now')",
		"SELECT ts FROM v": "2026-12-01 00:30:05", "SELECT d FROM v": "2026-12-01", "SELECT c FROM v": "00:30:05",
	} {
		st, err := guard.Check(context.Background(), sql, &policy)
		if err != nil {
			t.Errorf("%s: %v", sql, err)
			continue
		}
		s := session(t, d, db.Answer)
		res, err := s.Query(context.Background(), st, db.Caps{})
		_ = s.Close()
		if err != nil || res.Rows[0][0].String() != want {
			t.Errorf("%s (%s): %v, %v; want %s", sql, st.SQL(), res, err, want)
		}
	}
}
