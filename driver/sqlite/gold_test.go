package sqlite_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/testkit/handed"
)

type question struct {
	DB  string `json:"db_id"`
	SQL string
}

func questions(t testing.TB) (root string, all []question) {
	t.Helper()
	root = handed.Data(t, "bird_layout")
	text, err := os.ReadFile(filepath.Join(root, "mini_dev_sqlite.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return root, all
}

// TestGoldQueriesRunUnderTheScoreProfile runs every fifth handed gold query
// through guard and session; BenchmarkGoldQueries runs all.
func TestGoldQueriesRunUnderTheScoreProfile(t *testing.T) {
	root, all := questions(t)
	open := openAll(t, root, all)
	strict := 0
	for i, q := range all {
		if i%5 != 0 {
			continue
		}
		d := open[q.DB]
		st := checked(t, d, q.SQL)
		s := session(t, d, db.Score)
		if res, err := s.Query(context.Background(), st, db.Caps{Time: time.Hour}); err != nil || res.Truncated != db.Whole {
			t.Errorf("%d: %s: %v", i, q.SQL, err)
		}
		_ = s.Close()
		s = session(t, d, db.Answer)
		if _, err := s.Prepare(context.Background(), st); err != nil {
			strict++
		}
		_ = s.Close()
	}
	t.Logf("%d of them are refused under the answer profile", strict)
}

func openAll(t testing.TB, root string, all []question) map[string]db.Database {
	t.Helper()
	opened := map[string]db.Database{}
	for _, q := range all {
		if opened[q.DB] == nil {
			opened[q.DB] = open(t, filepath.Join(root, "dev_databases", q.DB, q.DB+".sqlite"), driver.Options{})
		}
	}
	return opened
}

// BenchmarkGoldQueries runs each gold query twice, as scoring does.
func BenchmarkGoldQueries(b *testing.B) {
	root, all := questions(b)
	opened := openAll(b, root, all)
	for b.Loop() {
		for _, q := range all {
			s := session(b, opened[q.DB], db.Score)
			st := checked(b, opened[q.DB], q.SQL)
			for range 2 {
				if _, err := s.Query(context.Background(), st, db.ScoreCaps); err != nil {
					b.Fatal(err)
				}
			}
			_ = s.Close()
		}
	}
}
