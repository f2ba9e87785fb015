package orchestrate

import (
	"context"
	"time"

	"github.com/sqbyl/sqbyl/internal/engine/meter"
	"github.com/sqbyl/sqbyl/internal/engine/throttle"
	"github.com/sqbyl/sqbyl/internal/toolkit/ledger"
	"github.com/sqbyl/sqbyl/internal/toolkit/replay"
	"github.com/sqbyl/sqbyl/llm"
)

// Stack is everything between a provider and whoever asks it. Several stacks,
// one per provider, share the journal, the ledger, the budget and the
// limiter of a run.
type Stack struct {
	Command  string
	Run      string
	Provider string
	Prices   meter.Table
	Journal  *replay.Journal   // nil records nothing
	Ledger   *ledger.Ledger    // nil books nothing
	Budget   *meter.Budget     // nil has no end
	Limiter  *throttle.Limiter // nil bounds nothing
	Wait     func(throttle.Wait)
	// Attempts is the largest number of attempts at one call; 0 means
	// throttle's.
	Attempts int
	// More, if not nil, is asked when a call does not fit the budget any more;
	// true means that the budget was raised to hold it.
	More func(ctx context.Context, worst meter.USD) bool
	Now  func() time.Time // nil means the real time
}

// Around wraps a provider's client. From the inside out: a complete answer is
// recorded; every attempt has its row in the ledger before its answer is
// used; the budget holds the worst case while a call is out; calls wait for
// their place; what the endpoint turns out not to know is left out of the next
// attempt; failed ones are tried again; what the journal knows is not asked at
// all, and costs, waits for and books nothing.
func (s Stack) Around(client llm.Client) llm.Client {
	asked := client
	if s.Journal != nil {
		client = s.Journal.Record(client)
	}
	if s.Ledger != nil {
		client = s.Ledger.Wrap(client, ledger.Config{Command: s.Command, Run: s.Run, Provider: s.Provider, Prices: s.Prices, Now: s.Now})
	}
	metered := meter.Config{Provider: s.Provider, Prices: s.Prices, Budget: s.Budget, More: s.More, Now: s.Now}
	client = meter.Wrap(client, metered)
	if s.Limiter != nil {
		client = s.Limiter.Rate(s.Provider, client)
	}
	client = llm.Negotiated(asked, client)
	client = throttle.Retry(client, throttle.Config{Attempts: s.Attempts, Wait: s.Wait, Affordable: metered.Affordable})
	if s.Journal != nil {
		client = s.Journal.Replay(client)
	}
	return Signal(client)
}
