package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sqbyl/sqbyl/driver/sqlite"
)

var (
	first  = "CREATE TABLE calls (id INTEGER PRIMARY KEY, run TEXT, cost INTEGER, at TEXT); CREATE INDEX runs ON calls (run)"
	second = "ALTER TABLE calls ADD COLUMN model TEXT"
)

func store(t testing.TB, path string, migrations ...string) *sqlite.Store {
	t.Helper()
	s, err := sqlite.OpenStore(path, migrations...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func TestStoreMigratesOnceAndKeepsItsRows(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), ".sqbyl", "usage ?#%.db")
	s := store(t, path, first)
	at := time.Date(2026, 11, 30, 9, 0, 0, 0, time.FixedZone("", 3600))
	if err := s.Exec(ctx, "INSERT INTO calls (run, cost, at) VALUES (?, ?, ?)", "r1", 4100, at); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = store(t, path, first, second)
	rows, err := s.Query(ctx, "SELECT run, cost, at, model FROM calls WHERE run = ?1", "r1")
	if err != nil || len(rows) != 1 || rows[0][1].Int() != 4100 || rows[0][2].Raw() != "2026-11-30T08:00:00.000000Z" || !rows[0][3].IsNull() {
		t.Fatal(rows, err)
	}
	_ = s.Close()
	if _, err := sqlite.OpenStore(path, first); err == nil || !strings.Contains(err.Error(), "newer") {
		t.Errorf("an older program opens a newer file: %v", err)
	}
	if _, err := sqlite.OpenStore(filepath.Join(t.TempDir(), "x.db"), "CREATE TABLE a (x); CREATE TABEL b (x)"); err == nil {
		t.Error("a broken migration passes")
	}
}

func TestStoreUndoesAFailedTransaction(t *testing.T) {
	ctx := context.Background()
	s := store(t, filepath.Join(t.TempDir(), "s.db"), first)
	boom := errors.New("boom")
	err := s.Tx(ctx, func(tx *sqlite.Tx) error {
		if err := tx.Exec("INSERT INTO calls (run) VALUES ('r')"); err != nil {
			return err
		}
		return boom
	})
	if !errors.Is(err, boom) {
		t.Fatal(err)
	}
	canceled, cancel := context.WithCancel(ctx)
	err = s.Tx(canceled, func(tx *sqlite.Tx) error {
		if err := tx.Exec("INSERT INTO calls (run) VALUES ('r')"); err != nil {
			return err
		}
		cancel()
		return tx.Exec("INSERT INTO calls (run) VALUES ('r')")
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if rows, err := s.Query(ctx, "SELECT count(*) FROM calls"); err != nil || rows[0][0].Int() != 0 {
		t.Fatal(rows, err)
	}
	if err := s.Exec(ctx, "INSERT INTO calls (run) VALUES ('a'); DELETE FROM calls"); err == nil {
		t.Error("two statements run")
	}
}

func TestStoreIsSharedByGoroutinesAndHandles(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "s.db")
	handles := []*sqlite.Store{store(t, path, first), store(t, path, first)}
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			for j := range 25 {
				if err := handles[i%2].Exec(ctx, "INSERT INTO calls (run, cost) VALUES (?, ?)", fmt.Sprint(i), j); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	if rows, err := handles[0].Query(ctx, "SELECT count(*) FROM calls"); err != nil || rows[0][0].Int() != 200 {
		t.Fatal(rows, err)
	}
}

// TestStoreSurvivesAKilledProcess kills a writer in the middle of its work:
// every row it reported must be there.
func TestStoreSurvivesAKilledProcess(t *testing.T) {
	path := os.Getenv("SQBYL_TEST_STORE")
	if path != "" {
		s := store(t, path, first)
		for i := 0; ; i++ {
			if err := s.Exec(context.Background(), "INSERT INTO calls (cost) VALUES (?)", i); err != nil {
				t.Fatal(err)
			}
			fmt.Println("wrote", i)
		}
	}
	path = filepath.Join(t.TempDir(), "s.db")
	child := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	child.Env = append(os.Environ(), "SQBYL_TEST_STORE="+path)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	last := -1
	for last < 200 {
		if _, err := fmt.Fscanf(out, "wrote %d\n", &last); err != nil {
			t.Fatal(err)
		}
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait()
	rows, err := store(t, path, first).Query(context.Background(), "SELECT count(*), max(cost) FROM calls")
	if err != nil || rows[0][0].Int() < int64(last)+1 || rows[0][0].Int() != rows[0][1].Int()+1 {
		t.Fatal(last, rows, err)
	}
}

func BenchmarkStoreInsert(b *testing.B) {
	s := store(b, filepath.Join(b.TempDir(), "s.db"), first)
	for b.Loop() {
		if err := s.Exec(context.Background(), "INSERT INTO calls (run, cost) VALUES (?, ?)", "r", 1); err != nil {
			b.Fatal(err)
		}
	}
}
