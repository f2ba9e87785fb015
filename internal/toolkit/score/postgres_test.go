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
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/testkit/servers"
	"github.com/sqbyl/sqbyl/internal/toolkit/bench"
)

// Every accepted gold of the PostgreSQL questions against itself, and the
// adversaries; now is the day the data was loaded.
func TestCheckPassesOnPostgres(t *testing.T) {
	data := filepath.Join(sharedData(t), "postgres")
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
