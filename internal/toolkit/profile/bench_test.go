package profile_test

import (
	"context"
	"testing"
	"time"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/toolkit/profile"
	"github.com/sqbyl/sqbyl/semantic"
)

// BenchmarkSQLite profiles 2 million rows of 10 columns; "ratio" is the time
// against one pass that counts and finds the ends of each column (at most 1.4).
func BenchmarkSQLite(b *testing.B) {
	url := lite(b, `CREATE TABLE sales (id INTEGER PRIMARY KEY, customer_id INTEGER, amount_cents INTEGER, status TEXT, note TEXT, created_at TEXT, price REAL, reference TEXT, region TEXT, quantity INTEGER)`,
		`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000000)
		INSERT INTO sales SELECT i, abs(random()) % 300000, abs(random()) % 4200000, CASE WHEN i % 10 < 8 THEN 'confirmed' ELSE 'refunded' END,
		CASE WHEN i % 3 = 0 THEN 'note ' || i % 5000 END, date('2019-02-01', '+' || (i % 2700) || ' days'), abs(random()) % 1000000 / 7.0,
		printf('AB-%09d', i), CASE i % 4 WHEN 0 THEN 'EMEA' WHEN 1 THEN 'APAC' ELSE 'AMER' END, i % 100 FROM n`)
	names := []string{"id", "customer_id", "amount_cents", "status", "note", "created_at", "price", "reference", "region", "quantity"}
	pass := "SELECT count(*)"
	for _, n := range names {
		pass += ", count(" + n + "), min(" + n + "), max(" + n + ")"
	}
	compare(b, url, pass+" FROM sales", profile.Options{})
}

// compare measures a profile against one statement, in turns.
func compare(b *testing.B, url, against string, o profile.Options) {
	b.Helper()
	database, schema := open(b, url, driver.Options{})
	session, err := database.Session(context.Background(), db.Answer)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = session.Close() }()
	best := map[bool]time.Duration{}
	keep := func(ours bool, started time.Time) {
		if d := time.Since(started); best[ours] == 0 || d < best[ours] {
			best[ours] = d
		}
	}
	for b.Loop() {
		started := time.Now()
		if _, err := session.Own(context.Background(), db.OwnSQL(against)); err != nil {
			b.Fatal(err)
		}
		keep(false, started)
		started = time.Now()
		if _, err := profile.Run(context.Background(), database, schema, semantic.Model{}, o); err != nil {
			b.Fatal(err)
		}
		keep(true, started)
	}
	b.ReportMetric(best[true].Seconds()/best[false].Seconds(), "ratio")
	b.ReportMetric(best[true].Seconds(), "s/profile")
}
