package score

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/sqbyl/sqbyl/driver"
	_ "github.com/sqbyl/sqbyl/driver/postgres"
	"github.com/sqbyl/sqbyl/internal/engine/compare"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/testkit/handed"
	"github.com/sqbyl/sqbyl/internal/testkit/servers"
	"github.com/sqbyl/sqbyl/internal/toolkit/bench"
)

// Every accepted gold of the PostgreSQL questions against itself, and the
// adversaries; now is the day the data was loaded.
func TestCheckPassesOnPostgres(t *testing.T) {
	data := filepath.Join(handed.Data(t), "postgres")
	f, err := os.Open(filepath.Join(data, "questions_postgres.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	items, err := bench.ReadBIRD(f, "questions_postgres.json")
	if err != nil {
		t.Fatal(err)
	}
	loaded := time.Now()
	open := make(map[string]db.Database)
	for _, it := range items {
		if open[it.DB] != nil {
			continue
		}
		dump, err := os.ReadFile(filepath.Join(data, it.DB, it.DB+".sql"))
		if err != nil {
			t.Fatal(err)
		}
		server := servers.Postgres(t)
		server.Exec(t, string(dump))
		d, err := driver.Open(context.Background(), server.ReaderURL, driver.Options{AsOf: loaded})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = d.Close() })
		open[it.DB] = d
	}
	r := &Runner{AsOf: loaded, Open: func(_ context.Context, id string) (db.Database, error) {
		if open[id] == nil {
			return nil, fmt.Errorf("no database %s", id)
		}
		return open[id], nil
	}}
	check := r.Check(context.Background(), casesOf(items))
	report(t, check)
	golds := 0
	for _, it := range items {
		golds += len(it.Golds())
	}
	// 226 accepted golds, three of them written twice.
	if len(items) != 142 || golds != 223 || check.Rows[0].Tried+len(check.Rows[0].Apart) != golds {
		t.Errorf("%d questions, %d golds, %d tried", len(items), golds, check.Rows[0].Tried)
	}
}

// A statement that fails leaves the session usable for the next, and order
// keys are read on a server as in a file.
func TestPostgresSessionGoesOn(t *testing.T) {
	server := servers.Postgres(t)
	server.Exec(t, `CREATE TABLE item (name text, price numeric(6,2), sold int, on_sale boolean, since timestamptz);
		INSERT INTO item VALUES ('ant', 3.50, 10, true, '2026-01-01 12:00+00'), ('bee', 2.00, 10, false, NULL), ('cat', 2.00, 7, NULL, '2026-01-01 13:00+01');`)
	d, err := driver.Open(context.Background(), server.ReaderURL, driver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	r := &Runner{Open: One(d)}
	for _, c := range []struct {
		gold, pred string
		want       compare.Verdict
	}{
		{"SELECT name FROM item ORDER BY price DESC LIMIT 2", "SELECT name FROM item WHERE name IN ('ant', 'cat') ORDER BY name", compare.Ties},
		{"SELECT name AS n FROM item ORDER BY lower(name), sold", "SELECT name FROM item ORDER BY name DESC", compare.RowOrder},
		{"SELECT name, price AS p FROM item ORDER BY p", "SELECT name, price FROM item ORDER BY price, name DESC", compare.Exact},
		{"SELECT price FROM item", "SELECT price::float8 FROM item", compare.Exact},
		{"SELECT avg(price) / 7 FROM item", "SELECT round(avg(price) / 7, 2) FROM item", compare.Rounding},
		{"SELECT since FROM item WHERE name = 'ant'", "SELECT since FROM item WHERE name = 'cat'", compare.Exact},
		{"SELECT on_sale FROM item", "SELECT on_sale::int FROM item", compare.Exact},
		{"SELECT DATE '2026-01-01'", "SELECT TIMESTAMP '2026-01-01 00:00'", compare.Rounding},
		{"SELECT 'NaN'::float8", "SELECT 'NaN'::float8", compare.Rounding},
	} {
		out := r.Score(context.Background(), Case{Golds: []string{c.gold}}, "SELECT nope FROM item", "SELECT 1/0", c.pred)
		if out[0].Verdict != compare.DidNotRun || out[1].Verdict != compare.DidNotRun || out[2].Verdict != c.want {
			t.Errorf("%s: %s, %s, %s (%s), want %s", c.gold, out[0].Verdict, out[1].Verdict, out[2].Verdict, out[2].Difference, c.want)
		}
	}
}
