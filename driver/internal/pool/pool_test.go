package pool

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sqbyl/sqbyl/internal/engine/db"
)

func TestOnlySoManyAreInUse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New(1, func(int) {})
		if err := p.Enter(t.Context()); err != nil {
			t.Fatal(err)
		}
		short, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		var e *db.Error
		if err := p.Enter(short); !errors.As(err, &e) || e.Kind != db.ErrTimeout {
			t.Errorf("past its time: %v", err)
		}
		canceled, cancel := context.WithCancel(t.Context())
		cancel()
		if err := p.Enter(canceled); !errors.As(err, &e) || e.Kind != db.ErrCanceled {
			t.Errorf("canceled: %v", err)
		}
		entered := make(chan error)
		go func() { entered <- p.Enter(t.Context()) }()
		synctest.Wait()
		select {
		case err := <-entered:
			t.Fatal("two are in use", err)
		default:
		}
		p.Leave()
		if err := <-entered; err != nil {
			t.Error(err)
		}
	})
}

func TestTheLastKeptIsTakenFirst(t *testing.T) {
	var dropped []int
	p := New(2, func(c int) { dropped = append(dropped, c) })
	if _, ok, err := p.Take(); ok || err != nil {
		t.Fatal(ok, err)
	}
	p.Keep(1)
	p.Keep(2)
	if c, ok, err := p.Take(); c != 2 || !ok || err != nil {
		t.Error(c, ok, err)
	}
	p.Close()
	p.Keep(2)
	if len(dropped) != 2 || dropped[0] != 1 || dropped[1] != 2 {
		t.Errorf("dropped %v", dropped)
	}
	if _, _, err := p.Take(); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
}
