package sqlite

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"github.com/ncruces/go-sqlite3"
	"go.uber.org/goleak"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// smallest is a database of one table.
func smallest(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "shop.db")
	native, err := sqlite3.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(native.Exec("CREATE TABLE t (x)"), native.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestACallThatDoesNotComeBackIsLeft stands for a function of the engine that
// no interrupt reaches: the caller gets its answer, the pool its place, and
// the connection is closed when the call ends.
func TestACallThatDoesNotComeBackIsLeft(t *testing.T) {
	path := smallest(t)
	d, err := Open(context.Background(), path, driver.Options{Connections: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	opened, err := d.Session(context.Background(), db.Answer)
	if err != nil {
		t.Fatal(err)
	}
	s := opened.(*session)
	inside, end, ended := s.conn, make(chan struct{}), make(chan struct{})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	err = s.attend(ctx, func() error {
		defer close(ended)
		<-end
		return nil
	})
	var e *db.Error
	if !errors.As(err, &e) || e.Kind != db.ErrCanceled {
		t.Fatalf("got %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	next, err := d.Session(context.Background(), db.Answer)
	if err != nil {
		t.Fatal(err)
	}
	if next.(*session).conn == inside {
		t.Error("the connection that is still in use was given out")
	}
	_ = next.Close()
	close(end)
	<-ended
}

// TestADatabaseLeavesNothingRunning closes what was idle and what was in use.
func TestADatabaseLeavesNothingRunning(t *testing.T) {
	before := goleak.IgnoreCurrent()
	path := smallest(t)
	d, err := Open(context.Background(), path, driver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	idle, err := d.Session(context.Background(), db.Answer)
	if err != nil {
		t.Fatal(err)
	}
	used, err := d.Session(context.Background(), db.Score)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(idle.Close(), d.Close(), used.Close()); err != nil {
		t.Fatal(err)
	}
	goleak.VerifyNone(t, before)
}
