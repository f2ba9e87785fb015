package meter

import (
	"context"
	"fmt"
	"sync"

	"github.com/sqbyl/sqbyl/llm"
)

// Budget is money that many workers spend and none can overspend: a call
// reserves the most it can cost before it is sent and settles what it did
// cost after. A nil *Budget has no end.
type Budget struct {
	parent *Budget

	mu      sync.Mutex
	cap     USD
	spent   Spent
	held    USD
	waiting []*waiter // first come, first served
}

// Spent is what went out of a budget.
type Spent struct {
	Settled USD // billed, as far as the provider said
	Unknown USD // reservations of calls whose bill nobody knows: an upper bound
}

// Total is the most that may have been billed.
func (s Spent) Total() USD { return s.Settled + s.Unknown }

type waiter struct {
	worst USD
	ready chan error // closed without an error when the reservation is made
}

// NewBudget makes a budget of cap.
func NewBudget(cap USD) *Budget { return &Budget{cap: cap} }

// Child makes a smaller budget inside b, for one question of a run: what it
// spends, b spends too.
func (b *Budget) Child(cap USD) *Budget { return &Budget{parent: b, cap: cap} }

// Spent gives what went out so far.
func (b *Budget) Spent() Spent {
	if b == nil {
		return Spent{}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.spent
}

// Cap gives the size of the budget.
func (b *Budget) Cap() USD {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.cap
}

// Raise makes the budget larger; calls that wait for room may go on.
func (b *Budget) Raise(cap USD) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.cap = max(b.cap, cap)
	b.admit()
}

// Fits tells whether a call that may cost worst could still be made, once
// those in flight have settled.
func (b *Budget) Fits(worst USD) bool {
	for ; b != nil; b = b.parent {
		b.mu.Lock()
		fits := b.spent.Total()+worst <= b.cap
		b.mu.Unlock()
		if !fits {
			return false
		}
	}
	return true
}

// ShortError says that a call does not fit what is left of a budget.
type ShortError struct {
	Cap, Left USD
	Worst     USD // the most that the call can cost
}

func (e *ShortError) Error() string {
	return fmt.Sprintf("the budget of %s has %s left, the next call may cost %s", e.Cap, e.Left, e.Worst)
}

// Hold is a reservation. Exactly one of its methods ends it; later calls of
// any do nothing.
type Hold struct {
	budget *Budget
	worst  USD
	parent *Hold
	once   sync.Once
}

// Reserve takes worst out of what is left. When only other calls' reservations
// are in the way, it waits for them to settle. An *llm.Error of KindBudget
// around a *ShortError says that the call will never fit.
func (b *Budget) Reserve(ctx context.Context, worst USD) (*Hold, error) {
	if b == nil {
		return nil, nil
	}
	if err := b.take(ctx, worst); err != nil {
		return nil, err
	}
	parent, err := b.parent.Reserve(ctx, worst)
	if err != nil {
		b.give(worst, Spent{})
		return nil, err
	}
	return &Hold{budget: b, worst: worst, parent: parent}, nil
}

func (b *Budget) take(ctx context.Context, worst USD) error {
	b.mu.Lock()
	w := &waiter{worst: worst, ready: make(chan error, 1)}
	b.waiting = append(b.waiting, w)
	b.admit()
	b.mu.Unlock()
	select {
	case err := <-w.ready:
		return err
	case <-ctx.Done():
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	select {
	case err := <-w.ready:
		if err == nil {
			b.held -= worst
		}
	default:
		for i, other := range b.waiting {
			if other == w {
				b.waiting = append(b.waiting[:i], b.waiting[i+1:]...)
				break
			}
		}
	}
	b.admit()
	return &llm.Error{Kind: llm.KindCanceled, Message: "given up while waiting for room in the budget", Err: context.Cause(ctx), Unsent: true}
}

// admit lets waiting calls in, in their order: those that fit take their
// share, those that never will are told so. The budget is locked.
func (b *Budget) admit() {
	for len(b.waiting) > 0 {
		w := b.waiting[0]
		switch {
		case b.spent.Total()+w.worst > b.cap:
			w.ready <- &llm.Error{Kind: llm.KindBudget, Unsent: true, Err: &ShortError{Cap: b.cap, Left: max(0, b.cap-b.spent.Total()), Worst: w.worst}}
		case b.spent.Total()+b.held+w.worst > b.cap:
			return
		default:
			b.held += w.worst
			w.ready <- nil
		}
		b.waiting = b.waiting[1:]
	}
}

// give ends a reservation.
func (b *Budget) give(worst USD, spent Spent) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.held -= worst
	b.spent.Settled += spent.Settled
	b.spent.Unknown += spent.Unknown
	b.admit()
}

func (h *Hold) end(spent Spent) {
	if h == nil {
		return
	}
	h.once.Do(func() {
		h.budget.give(h.worst, spent)
		h.parent.end(spent)
	})
}

// Settle ends the reservation with what the call cost.
func (h *Hold) Settle(cost USD) { h.end(Spent{Settled: cost}) }

// Unknown ends the reservation of a call whose bill nobody knows: all of it
// counts as spent.
func (h *Hold) Unknown() {
	if h != nil {
		h.end(Spent{Unknown: h.worst})
	}
}

// Release ends the reservation of a call that cost nothing.
func (h *Hold) Release() { h.end(Spent{}) }
