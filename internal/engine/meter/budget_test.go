package meter_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sqbyl/sqbyl/internal/engine/meter"
	"github.com/sqbyl/sqbyl/llm"
)

// TestNoScheduleOverspends runs 10,000 random schedules of parallel calls.
// Whatever their sizes, lengths and ends, the budget is never exceeded, and a
// call is turned away only when it no longer fits.
func TestNoScheduleOverspends(t *testing.T) {
	schedules := 10_000
	if testing.Short() {
		schedules = 500
	}
	for seed := range uint64(schedules) {
		synctest.Test(t, func(t *testing.T) { schedule(t, rand.New(rand.NewPCG(seed, 7))) })
		if t.Failed() {
			t.Fatalf("schedule %d", seed)
		}
	}
}

func schedule(t *testing.T, r *rand.Rand) {
	cap := meter.USD(r.IntN(2000))
	run := meter.NewBudget(cap)
	var mu sync.Mutex
	var billed, bounded meter.USD
	refused := meter.USD(1 << 40)
	var wg sync.WaitGroup
	for range 1 + r.IntN(8) {
		calls, patience := 1+r.IntN(6), time.Duration(r.IntN(2000))
		budget := run
		if r.IntN(4) == 0 {
			budget = run.Child(meter.USD(r.IntN(800)))
		}
		worker := rand.New(rand.NewPCG(r.Uint64(), r.Uint64()))
		wg.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), patience+1)
			defer cancel()
			for range calls {
				worst := meter.USD(worker.IntN(400))
				hold, err := budget.Reserve(ctx, worst)
				if err != nil {
					if llm.KindOf(err) == llm.KindBudget && budget == run {
						mu.Lock()
						refused = min(refused, worst)
						mu.Unlock()
					}
					continue
				}
				time.Sleep(time.Duration(worker.IntN(300)))
				cost := meter.USD(worker.Int64N(int64(worst) + 1))
				mu.Lock()
				switch worker.IntN(4) {
				case 0:
					hold.Release()
				case 1:
					billed, bounded = billed+cost, bounded+worst
					hold.Unknown()
				default:
					billed, bounded = billed+cost, bounded+cost
					hold.Settle(cost)
				}
				if billed > cap || run.Spent().Total() > cap {
					t.Errorf("billed %d, spent %+v of %d", billed, run.Spent(), cap)
				}
				mu.Unlock()
				hold.Settle(worst) // the second end of a hold does nothing
			}
		})
	}
	wg.Wait()
	if got := run.Spent().Total(); got != bounded {
		t.Errorf("spent %d, the calls say %d", got, bounded)
	}
	if left := cap - run.Spent().Total(); refused <= left {
		t.Errorf("a call of %d was turned away and %d of %d is left", refused, left, cap)
	}
}

func TestReserveWaitsForOthersToSettle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := meter.NewBudget(100)
		first, err := b.Reserve(t.Context(), 80)
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan error)
		go func() {
			second, err := b.Reserve(t.Context(), 60)
			second.Settle(60)
			done <- err
		}()
		synctest.Wait()
		select {
		case err := <-done:
			t.Fatalf("did not wait: %v", err)
		default:
		}
		first.Settle(40)
		if err := <-done; err != nil {
			t.Errorf("did not get what the first left: %v", err)
		}
		if _, err := b.Reserve(t.Context(), 1); llm.KindOf(err) != llm.KindBudget {
			t.Errorf("got %v", err)
		}
		b.Raise(101)
		if _, err := b.Reserve(t.Context(), 1); err != nil {
			t.Errorf("after raising: %v", err)
		}
	})
}

func TestWaitingEndsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := meter.NewBudget(100)
		if _, err := b.Reserve(t.Context(), 80); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := b.Reserve(ctx, 60)
		if llm.KindOf(err) != llm.KindCanceled || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		if _, err := b.Reserve(t.Context(), 20); err != nil {
			t.Errorf("the one that gave up is still in the way: %v", err)
		}
	})
}

// scripted answers each call with the next function.
type scripted []func(llm.Request) (llm.Response, error)

func (s *scripted) Complete(_ context.Context, req llm.Request) (llm.Response, error) {
	next := (*s)[0]
	*s = (*s)[1:]
	return next(req)
}

func TestAMeteredClientSettlesWhatWasBilled(t *testing.T) {
	ok := func(model string) func(llm.Request) (llm.Response, error) {
		return func(llm.Request) (llm.Response, error) {
			return llm.Response{Model: model, Usage: llm.Usage{Input: 1000, Output: 100}}, nil
		}
	}
	fails := func(kind llm.Kind, u *llm.Usage) func(llm.Request) (llm.Response, error) {
		return func(llm.Request) (llm.Response, error) { return llm.Response{}, &llm.Error{Kind: kind, Usage: u} }
	}
	req := llm.Request{Model: "claude-opus-4-8", MaxTokens: 100}
	price, err := meter.Builtin().Price("anthropic", req.Model, now)
	if err != nil {
		t.Fatal(err)
	}
	worst := price.Worst(req)
	exact := &llm.Usage{Input: 10, Output: 100}
	for name, c := range map[string]struct {
		answer func(llm.Request) (llm.Response, error)
		want   meter.Spent
	}{
		"answered by the asked model": {ok("claude-opus-4-8"), meter.Spent{Settled: 7500}},
		"answered by another":         {ok("claude-haiku-4-5"), meter.Spent{Settled: 1500}},
		"answered by an unknown one":  {ok("relayed"), meter.Spent{Settled: 7500}},
		"truncated":                   {fails(llm.KindTruncated, exact), meter.Spent{Settled: 2550}},
		"malformed, usage known":      {fails(llm.KindMalformed, exact), meter.Spent{Settled: 2550}},
		"cut":                         {fails(llm.KindCut, &llm.Usage{Input: 10, Estimated: true}), meter.Spent{Unknown: worst}},
		"cut before anything came":    {fails(llm.KindCut, nil), meter.Spent{Unknown: worst}},
		"canceled":                    {fails(llm.KindCanceled, nil), meter.Spent{Unknown: worst}},
		"rate limited":                {fails(llm.KindRateLimited, nil), meter.Spent{}},
		"overloaded":                  {fails(llm.KindOverloaded, nil), meter.Spent{}},
		"key refused":                 {fails(llm.KindKey, nil), meter.Spent{}},
	} {
		budget := meter.NewBudget(meter.Dollar)
		inner := &scripted{c.answer}
		client := meter.Wrap(inner, meter.Config{Provider: "anthropic", Prices: meter.Builtin(), Budget: budget, Now: func() time.Time { return now }})
		_, _ = client.Complete(t.Context(), req)
		if got := budget.Spent(); got != c.want {
			t.Errorf("%s: spent %+v, want %+v", name, got, c.want)
		}
		if _, err := budget.Reserve(t.Context(), meter.Dollar-c.want.Total()); err != nil {
			t.Errorf("%s: something is still held: %v", name, err)
		}
	}
}

func TestWhatDoesNotFitIsNotSent(t *testing.T) {
	req := llm.Request{Model: "claude-opus-4-8", MaxTokens: 100}
	client := meter.Wrap(&scripted{}, meter.Config{Provider: "anthropic", Prices: meter.Builtin(), Budget: meter.NewBudget(10)})
	_, err := client.Complete(t.Context(), req)
	if llm.KindOf(err) != llm.KindBudget || err.Error() == "" {
		t.Errorf("got %v", err)
	}
	req.Model = "unknown"
	if _, err := client.Complete(t.Context(), req); llm.KindOf(err) != llm.KindBudget {
		t.Errorf("got %v", err)
	}
}
