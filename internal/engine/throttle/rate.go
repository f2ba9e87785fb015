// Package throttle keeps calls within what a provider allows: how many at
// once, and when to try again. Both clients it gives wrap another and are
// safe for concurrent use.
package throttle

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/sqbyl/sqbyl/llm"
)

// Wait is a pause before a call goes out, for people to see.
type Wait struct {
	Model string
	// Kind says why: rate limited, overloaded, server, cut, …
	Kind llm.Kind
	// Attempt is the number of the attempt that failed, 0 when the wait comes
	// from the limits of other calls.
	Attempt int
	For     time.Duration
}

// MaxWait is the longest pause that anybody sits through. A provider that
// asks for more is not asked again.
const MaxWait = 60 * time.Second

// Limiter bounds the calls in flight per provider and model. It starts at the maximum,
// halves when the provider says that it was too much, and grows by one for
// every round of answers.
type Limiter struct {
	max  int
	wait func(Wait)

	mu    sync.Mutex
	lanes map[string]*lane
}

// NewLimiter makes a limiter of at most limit calls in flight per model. wait,
// if not nil, is told about every pause.
func NewLimiter(limit int, wait func(Wait)) *Limiter {
	if wait == nil {
		wait = func(Wait) {}
	}
	return &Limiter{max: max(limit, 1), wait: wait, lanes: map[string]*lane{}}
}

// lane is the traffic to one model.
type lane struct {
	limit    float64
	inFlight int
	queue    []chan struct{} // first come, first served
	// halved is when the limit was last halved: calls that were on their way
	// by then say nothing new.
	halved time.Time
	// until holds all calls back; told is the hold that was reported.
	until, told time.Time
	why         llm.Kind
	// tokens is the running mean of what a call takes from the allowance.
	tokens float64
	// closed is the used-up allowance that ends this model's part.
	closed *llm.Error
}

// Rate gives a client whose calls to a provider wait for a free place.
func (l *Limiter) Rate(provider string, inner llm.Client) llm.Client {
	return rated{l, provider, inner}
}

// Closed gives the used-up allowance of a model, nil while it has one.
func (l *Limiter) Closed(provider, model string) *llm.Error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lane(provider, model).closed
}

// Limit gives the calls that may be in flight to a model now.
func (l *Limiter) Limit(provider, model string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return int(l.lane(provider, model).limit)
}

type rated struct {
	limiter  *Limiter
	provider string
	inner    llm.Client
}

func (r rated) Complete(ctx context.Context, req llm.Request) (llm.Response, error) {
	if err := r.limiter.enter(ctx, r.provider, req.Model); err != nil {
		return llm.Response{}, err
	}
	began := time.Now()
	var resp llm.Response
	err := error(&llm.Error{Kind: llm.KindUnknown, Model: req.Model, Message: "the call did not return"})
	defer func() { r.limiter.leave(r.provider, req.Model, began, resp, err) }()
	resp, err = r.inner.Complete(ctx, req)
	return resp, err
}

func (l *Limiter) lane(provider, model string) *lane {
	name := provider + ":" + model
	if l.lanes[name] == nil {
		l.lanes[name] = &lane{limit: float64(l.max)}
	}
	return l.lanes[name]
}

// enter waits for a place in the model's lane.
func (l *Limiter) enter(ctx context.Context, provider, model string) error {
	for {
		l.mu.Lock()
		lane := l.lane(provider, model)
		switch pause := time.Until(lane.until); {
		case lane.closed != nil:
			again := *lane.closed
			l.mu.Unlock()
			again.Usage, again.Unsent = nil, true
			return &again
		case pause > 0:
			why, news := lane.why, lane.told != lane.until
			lane.told = lane.until
			l.mu.Unlock()
			if news {
				l.wait(Wait{Model: model, Kind: why, For: pause})
			}
			if err := sleep(ctx, model, pause); err != nil {
				l.mu.Lock()
				lane.wake()
				l.mu.Unlock()
				return err
			}
		case lane.inFlight < int(lane.limit):
			lane.inFlight++
			l.mu.Unlock()
			return nil
		default:
			turn := make(chan struct{})
			lane.queue = append(lane.queue, turn)
			l.mu.Unlock()
			select {
			case <-turn:
			case <-ctx.Done():
				l.mu.Lock()
				lane.forget(turn)
				l.mu.Unlock()
				return canceled(ctx, model)
			}
		}
	}
}

// leave frees a place and learns from how the call went.
func (l *Limiter) leave(provider, model string, began time.Time, resp llm.Response, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	lane := l.lane(provider, model)
	lane.inFlight--
	switch kind := llm.KindOf(err); {
	case err == nil:
		lane.limit = min(float64(l.max), lane.limit+1/lane.limit)
		lane.heed(resp)
	case kind == llm.KindRateLimited || kind == llm.KindOverloaded:
		if !began.Before(lane.halved) {
			lane.limit = max(1, lane.limit/2)
			lane.halved = time.Now()
		}
		var e *llm.Error
		if errors.As(err, &e) && e.RetryAfter > 0 && e.RetryAfter <= MaxWait {
			lane.hold(e.RetryAfter, kind)
		}
	case kind == llm.KindQuota:
		var e *llm.Error
		if errors.As(err, &e) {
			closed := *e
			lane.closed = &closed
		}
	}
	lane.wake()
}

// heed lets the provider's own count of what is left slow the lane down
// before it has to refuse.
func (l *lane) heed(resp llm.Response) {
	used := float64(resp.Usage.Input + resp.Usage.Output + resp.Usage.CacheWrite5m + resp.Usage.CacheWrite1h)
	if l.tokens == 0 {
		l.tokens = used
	}
	l.tokens += (used - l.tokens) / 8
	left := resp.Limits
	if left.ResetAfter <= 0 || left.ResetAfter > MaxWait {
		return
	}
	room := -1.0
	if left.RequestsLeft != nil {
		room = float64(*left.RequestsLeft)
	}
	if left.TokensLeft != nil && l.tokens > 0 {
		if calls := float64(*left.TokensLeft) / l.tokens; room < 0 || calls < room {
			room = calls
		}
	}
	switch {
	case room < 0:
	case room < 1:
		l.limit = 1
		l.hold(left.ResetAfter, llm.KindRateLimited)
	case room < l.limit:
		l.limit = max(1, room)
	}
}

func (l *lane) hold(d time.Duration, why llm.Kind) {
	if until := time.Now().Add(d); until.After(l.until) {
		l.until, l.why = until, why
	}
}

// wake lets as many go on as there are places; a closed lane wakes all, to
// be told.
func (l *lane) wake() {
	n := int(l.limit) - l.inFlight
	if l.closed != nil {
		n = len(l.queue)
	}
	for ; n > 0 && len(l.queue) > 0; n-- {
		close(l.queue[0])
		l.queue = l.queue[1:]
	}
}

// forget takes a call that gave up out of the queue; if it had been woken
// already, the next one gets its turn.
func (l *lane) forget(turn chan struct{}) {
	for i, t := range l.queue {
		if t == turn {
			l.queue = append(l.queue[:i], l.queue[i+1:]...)
			return
		}
	}
	l.wake()
}

func sleep(ctx context.Context, model string, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return canceled(ctx, model)
	}
}

func canceled(ctx context.Context, model string) error {
	cause := context.Cause(ctx)
	return &llm.Error{Kind: llm.KindCanceled, Model: model, Message: fmt.Sprintf("given up while waiting: %v", cause), Err: cause, Unsent: true}
}
