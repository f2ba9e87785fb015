// Package pool keeps the connections of a database that a driver opens itself.
package pool

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// ErrClosed is the reason why a closed pool gives nothing.
var ErrClosed = errors.New("the database is closed")

// Pool bounds the connections in use and keeps those that are idle. It is safe
// for concurrent use.
type Pool[C any] struct {
	slots chan struct{} // one per connection in use
	drop  func(C)

	mu     sync.Mutex
	idle   []C
	closed bool
}

// New makes a pool of at most size connections in use; drop closes one.
func New[C any](size int, drop func(C)) *Pool[C] {
	return &Pool[C]{slots: make(chan struct{}, size), drop: drop}
}

// Enter waits for the right to use one more connection, which lasts until
// Leave. Its error is a *db.Error.
func (p *Pool[C]) Enter(ctx context.Context) error {
	select {
	case p.slots <- struct{}{}:
		return nil
	default:
	}
	select {
	case p.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
	}
	e := &db.Error{Kind: db.ErrCanceled, Message: "canceled while waiting for a connection", Offset: -1, Err: ctx.Err()}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		e.Kind, e.Message = db.ErrTimeout, fmt.Sprintf("waited for a connection in vain: all %d are in use", cap(p.slots))
	}
	return e
}

// Leave gives back the right to use a connection.
func (p *Pool[C]) Leave() { <-p.slots }

// Take gives the connection that was kept last; ok is false when none is idle.
func (p *Pool[C]) Take() (c C, ok bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return c, false, ErrClosed
	}
	n := len(p.idle)
	if n == 0 {
		return c, false, nil
	}
	c = p.idle[n-1]
	p.idle = p.idle[:n-1]
	return c, true, nil
}

// Keep makes a connection idle, or drops it when the pool is closed.
func (p *Pool[C]) Keep(c C) {
	p.mu.Lock()
	closed := p.closed
	if !closed {
		p.idle = append(p.idle, c)
	}
	p.mu.Unlock()
	if closed {
		p.drop(c)
	}
}

// Close drops the idle connections; those in use are dropped when they come
// back.
func (p *Pool[C]) Close() {
	p.mu.Lock()
	idle := p.idle
	p.idle, p.closed = nil, true
	p.mu.Unlock()
	for _, c := range idle {
		p.drop(c)
	}
}
