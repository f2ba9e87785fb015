//go:build cgo && !no_duckdb

package duckdb

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// A call that heeds no interrupt is given up, and the session and the pool
// live on.
func TestCallIsGivenUp(t *testing.T) {
	d := openTest(t, makeFile(t, shop), driver.Options{Connections: 1})
	s := newSession(t, d).(*session)
	deaf := make(chan struct{})
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	err := s.conn.call(ctx, func() error {
		<-deaf
		return nil
	})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a call that was given up: %v", err)
	}
	var e *db.Error
	if _, err := s.Query(context.Background(), mustCheck(t, d, "SELECT 1"), db.AnswerCaps); !errors.As(err, &e) || e.Kind != db.ErrUnreachable {
		t.Errorf("the connection is used while it is busy: %v", err)
	}
	users := func() int {
		instances.Lock()
		defer instances.Unlock()
		return d.(*database).instance.users
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if got := rows(t, d, "SELECT count(*) FROM orders"); got[0] != "50" {
		t.Errorf("the pool does not go on: %v", got)
	}
	if users() != 2 {
		t.Errorf("%d users of the file, want the database and the busy connection", users())
	}
	left := s.conn.left
	close(deaf)
	<-left
	for users() != 1 {
		runtime.Gosched() // its own goroutine closes the connection
	}
}
