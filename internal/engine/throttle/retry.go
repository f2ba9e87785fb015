package throttle

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/sqbyl/sqbyl/llm"
)

// Config says how failed calls are tried again.
type Config struct {
	// Attempts is the largest number of attempts at one call; 0 means 8.
	Attempts int
	// Wait, if not nil, is told about every pause before it begins.
	Wait func(Wait)
	// Affordable, if not nil, tells whether another attempt at the request
	// still fits the budget; without it nobody waits.
	Affordable func(llm.Request) bool
}

// base is the mean of the first pause, doubled from one attempt to the next.
const base = time.Second

// Retry gives a client that tries again what may yet succeed: rate limits,
// overload, failures of the server, broken connections and broken answers. It
// waits as long as the provider asks, else a random time up to an
// exponentially growing bound (full jitter), and never longer than MaxWait.
func Retry(inner llm.Client, c Config) llm.Client {
	if c.Attempts == 0 {
		c.Attempts = 8
	}
	if c.Wait == nil {
		c.Wait = func(Wait) {}
	}
	return retrying{inner, c}
}

type retrying struct {
	inner llm.Client
	Config
}

func (r retrying) Complete(ctx context.Context, req llm.Request) (llm.Response, error) {
	for attempt := 1; ; attempt++ {
		resp, err := r.inner.Complete(ctx, req)
		if err == nil {
			return resp, nil
		}
		pause, again := r.pause(err, attempt)
		if !again || ctx.Err() != nil || r.Affordable != nil && !r.Affordable(req) {
			return resp, err
		}
		if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < pause {
			return resp, err
		}
		r.Wait(Wait{Model: req.Model, Kind: llm.KindOf(err), Attempt: attempt, For: pause})
		if err := sleep(ctx, req.Model, pause); err != nil {
			return llm.Response{}, err
		}
	}
}

// pause gives the wait before the next attempt; again is false when there is
// to be none.
func (r retrying) pause(err error, attempt int) (pause time.Duration, again bool) {
	var e *llm.Error
	if !errors.As(err, &e) || attempt >= r.Attempts {
		return 0, false
	}
	switch e.Kind {
	case llm.KindRateLimited, llm.KindOverloaded, llm.KindServer, llm.KindCut, llm.KindMalformed:
	case llm.KindUnreachable:
		// An endpoint that is not there is seldom there a minute later.
		if attempt >= 3 {
			return 0, false
		}
	default:
		return 0, false
	}
	if e.RetryAfter > MaxWait {
		return 0, false
	}
	bound := min(base<<(attempt-1), MaxWait)
	if e.RetryAfter > 0 {
		// Not all at once, and not before the time.
		return e.RetryAfter + rand.N(base/4), true
	}
	return rand.N(bound), true
}
