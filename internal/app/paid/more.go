package paid

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/engine/meter"
)

// More asks a person for more money when a budget ends. Calls that come
// meanwhile wait for the answer; a no holds for the rest of the work.
type More struct {
	streams *term.Streams
	live    *Live
	budget  *meter.Budget

	mu  sync.Mutex
	not bool
}

// AskMore makes the question for the work that live shows.
func AskMore(s *term.Streams, live *Live, budget *meter.Budget) *More {
	return &More{streams: s, live: live, budget: budget}
}

// Raise makes room for a call that may cost worst, when a person agrees.
func (m *More) Raise(ctx context.Context, worst meter.USD) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.budget.Fits(worst) {
		return true
	}
	if m.not || ctx.Err() != nil {
		return false
	}
	var agreed bool
	m.live.Aside(func() { agreed = m.ask(ctx, worst) })
	m.not = !agreed
	return agreed
}

func (m *More) ask(ctx context.Context, worst meter.USD) bool {
	spent, cap := m.budget.Spent().Total(), m.budget.Cap()
	next := Next(spent, m.live.done-m.live.cheap, m.live.total-m.live.done, worst, worst)
	next = Cents(max(next+spent, cap+worst))
	fmt.Fprintf(m.streams.Err, "%s The budget is nearly used: %s of %s spent, %d of %s done; the next call may cost %s.\n",
		m.streams.ErrStyle.Text("!"), spent, cap, m.live.done, term.Counted(m.live.total, m.live.unit), worst)
	for {
		line, err := m.streams.Ask(ctx, fmt.Sprintf("  Go on, up to %s?   [y] go on   [n] stop here and keep what is done", next))
		if err != nil {
			return false
		}
		switch strings.ToLower(line) {
		case "y", "yes":
			m.budget.Raise(next)
			return true
		case "n", "no", "q":
			return false
		}
	}
}

// Next is a budget for what is left of some work, judged by what it has cost
// so far, or by what was expected of a unit when none is done: a fifth more
// than that, room for one call, whole cents.
func Next(spent meter.USD, done, left int, expected, worst meter.USD) meter.USD {
	perUnit := expected
	if done > 0 && spent > 0 {
		perUnit = spent / meter.USD(done)
	}
	return Cents(perUnit*meter.USD(left)*6/5 + worst)
}

// Cents rounds up to whole cents.
func Cents(u meter.USD) meter.USD {
	const cent = meter.Dollar / 100
	return (u + cent - 1) / cent * cent
}
