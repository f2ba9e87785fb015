package state_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/sqbyl/sqbyl/driver/sqlite/state"
)

var forms = []string{
	"CREATE TABLE t (a TEXT NOT NULL, n INTEGER) STRICT",
	"ALTER TABLE t ADD COLUMN b REAL; UPDATE t SET b = n / 2.0",
}

func open(t *testing.T, path string, migrations []string) *state.DB {
	t.Helper()
	d, err := state.Open(path, migrations)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

func rows(t *testing.T, d *state.DB, sql string) (out []string) {
	t.Helper()
	if err := d.Query(t.Context(), sql, nil, func(r state.Row) error { out = append(out, r.ColumnText(0)); return nil }); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestMigrationsGoForward(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deep", "er", "s.db")
	old := open(t, path, forms[:1])
	if n, err := old.Exec(t.Context(), "INSERT INTO t VALUES (?, ?), (?, ?)", "x", int64(3), "y", nil); err != nil || n != 2 {
		t.Fatal(n, err)
	}
	d := open(t, path, forms)
	if got := rows(t, d, "SELECT a || coalesce(b, '-') FROM t ORDER BY a"); strings.Join(got, " ") != "x1.5 y-" {
		t.Errorf("rows %v", got)
	}
	if _, err := state.Open(path, forms[:1]); err == nil || !strings.Contains(err.Error(), "newer sqbyl") {
		t.Errorf("an older program: %v", err)
	}
	broken := append(append([]string{}, forms...), "CREATE TABLE u (a); SELECT nonsense")
	if _, err := state.Open(path, broken); err == nil {
		t.Error("a broken migration passed")
	}
	if got := rows(t, d, "SELECT count(*) FROM sqlite_master WHERE name = 'u'"); got[0] != "0" {
		t.Error("half a migration stayed")
	}
}

func TestManyOpenAndWriteAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			d, err := state.Open(path, forms)
			if err != nil {
				t.Error(err)
				return
			}
			for range 20 {
				if _, err := d.Exec(context.Background(), "INSERT INTO t (a) VALUES ('x')"); err != nil {
					t.Error(err)
				}
			}
			if err := d.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got := rows(t, open(t, path, forms), "SELECT count(*) FROM t"); got[0] != "120" {
		t.Errorf("%s rows of 120", got[0])
	}
}

func TestErrors(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "no.db"), []byte(strings.Repeat("not a database ", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := state.Open(filepath.Join(dir, "no.db"), forms); err == nil {
		t.Error("a text file was opened")
	}
	d := open(t, filepath.Join(dir, "s.db"), forms)
	if _, err := d.Exec(t.Context(), "PRAGMA max_page_count=1"); err != nil {
		t.Fatal(err)
	}
	var err error
	for range 200 {
		if _, err = d.Exec(t.Context(), "INSERT INTO t (a) VALUES (?)", strings.Repeat("x", 1000)); err != nil {
			break
		}
	}
	if !state.IsFull(err) {
		t.Errorf("a full disk: %v", err)
	}
	if _, err := d.Exec(t.Context(), "SELECT ?", []int{1}); err == nil {
		t.Error("an argument of an unknown type passed")
	}
	stop := errors.New("stop")
	if err := d.Query(t.Context(), "SELECT 1", nil, func(state.Row) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("got %v", err)
	}
}
