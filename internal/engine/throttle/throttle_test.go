package throttle_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sqbyl/sqbyl/internal/engine/throttle"
	"github.com/sqbyl/sqbyl/llm"
)

// provider answers in this process; its clock is the test's.
type provider struct {
	mu       sync.Mutex
	calls    int
	inFlight int
	peak     int
	answer   func(n int, req llm.Request) (llm.Response, error)
	takes    time.Duration
}

func (p *provider) Complete(ctx context.Context, req llm.Request) (llm.Response, error) {
	p.mu.Lock()
	p.calls++
	n := p.calls
	p.inFlight++
	p.peak = max(p.peak, p.inFlight)
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		p.inFlight--
		p.mu.Unlock()
	}()
	select {
	case <-time.After(p.takes):
	case <-ctx.Done():
		return llm.Response{}, &llm.Error{Kind: llm.KindCanceled, Err: ctx.Err()}
	}
	if p.answer == nil {
		return llm.Response{}, nil
	}
	return p.answer(n, req)
}

func fails(kind llm.Kind, after time.Duration) error {
	return &llm.Error{Kind: kind, RetryAfter: after}
}

func left(n int64) *int64 { return &n }

func TestSoManyAtOnceAndNoMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &provider{takes: time.Second}
		client := throttle.NewLimiter(16, nil).Rate("one", p)
		began := time.Now()
		var wg sync.WaitGroup
		for range 200 {
			wg.Go(func() {
				if _, err := client.Complete(t.Context(), llm.Request{Model: "m"}); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if took := time.Since(began); took != 13*time.Second || p.peak != 16 {
			t.Errorf("200 calls of 1 s took %v with %d at once", took, p.peak)
		}
	})
}

func TestModelsHaveTheirOwnPlaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &provider{takes: time.Second}
		client := throttle.NewLimiter(1, nil).Rate("one", p)
		began := time.Now()
		var wg sync.WaitGroup
		for _, model := range []string{"a", "b", "c"} {
			wg.Go(func() { _, _ = client.Complete(t.Context(), llm.Request{Model: model}) })
		}
		wg.Wait()
		if took := time.Since(began); took != time.Second {
			t.Errorf("took %v", took)
		}
	})
}

func TestTheLimitHalvesOncePerRoundAndGrowsBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &provider{takes: time.Second, answer: func(n int, _ llm.Request) (llm.Response, error) {
			if n <= 16 {
				return llm.Response{}, fails(llm.KindOverloaded, 0)
			}
			return llm.Response{}, nil
		}}
		l := throttle.NewLimiter(16, nil)
		client := l.Rate("one", p)
		wave := func(calls int) {
			var wg sync.WaitGroup
			for range calls {
				wg.Go(func() { _, _ = client.Complete(t.Context(), llm.Request{Model: "m"}) })
			}
			wg.Wait()
		}
		wave(16)
		if got := l.Limit("one", "m"); got != 8 {
			t.Errorf("after 16 refusals at once the limit is %d, want 8", got)
		}
		p.peak = 0
		wave(8)
		if got := l.Limit("one", "m"); got != 8 || p.peak != 8 {
			t.Errorf("after one round: limit %d, peak %d", got, p.peak)
		}
		wave(200)
		if got := l.Limit("one", "m"); got != 16 {
			t.Errorf("after many answers the limit is %d", got)
		}
	})
}

func TestHeadersSlowDownBeforeARefusal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &provider{answer: func(n int, _ llm.Request) (llm.Response, error) {
			r := llm.Response{Usage: llm.Usage{Input: 900, Output: 100}, Limits: llm.Limits{TokensLeft: left(3500), ResetAfter: 20 * time.Second}}
			if n == 2 {
				r.Limits.TokensLeft, r.Limits.RequestsLeft = nil, left(0)
			}
			return r, nil
		}}
		var waits []throttle.Wait
		l := throttle.NewLimiter(16, func(w throttle.Wait) { waits = append(waits, w) })
		client := l.Rate("one", p)
		ask := func() {
			if _, err := client.Complete(t.Context(), llm.Request{Model: "m"}); err != nil {
				t.Error(err)
			}
		}
		ask()
		if got := l.Limit("one", "m"); got != 3 {
			t.Errorf("with room for 3.5 calls the limit is %d", got)
		}
		ask()
		began := time.Now()
		ask()
		if took := time.Since(began); took != 20*time.Second || len(waits) != 1 || waits[0].For != 20*time.Second || waits[0].Kind != llm.KindRateLimited {
			t.Errorf("waited %v, told %+v", took, waits)
		}
	})
}

func TestARefusalWithAWaitHoldsEverybody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &provider{answer: func(n int, _ llm.Request) (llm.Response, error) {
			if n == 1 {
				return llm.Response{}, fails(llm.KindRateLimited, 7*time.Second)
			}
			return llm.Response{}, nil
		}}
		waits := 0
		client := throttle.NewLimiter(4, func(throttle.Wait) { waits++ }).Rate("one", p)
		if _, err := client.Complete(t.Context(), llm.Request{Model: "m"}); llm.KindOf(err) != llm.KindRateLimited {
			t.Fatal(err)
		}
		began := time.Now()
		var wg sync.WaitGroup
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		for i := range 9 {
			wg.Go(func() {
				c := t.Context()
				if i < 3 {
					c = ctx // these give up while they wait
				}
				_, err := client.Complete(c, llm.Request{Model: "m"})
				if (i < 3) != (llm.KindOf(err) == llm.KindCanceled) {
					t.Errorf("call %d: %v", i, err)
				}
				if err != nil && llm.BillingOf(err) != llm.NotBilled {
					t.Error("a call that was never sent counts as billed")
				}
			})
		}
		wg.Wait()
		if took := time.Since(began); took != 7*time.Second || waits != 1 {
			t.Errorf("took %v, told %d times", took, waits)
		}
	})
}

func TestAUsedUpQuotaEndsOneModelOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &provider{takes: time.Second, answer: func(n int, req llm.Request) (llm.Response, error) {
			if req.Model == "small" && n > 5 {
				return llm.Response{}, &llm.Error{Kind: llm.KindQuota, Message: "tokens per day", RetryAfter: time.Hour}
			}
			return llm.Response{}, nil
		}}
		l := throttle.NewLimiter(2, nil)
		client := throttle.Retry(l.Rate("one", p), throttle.Config{})
		kinds := map[string]map[llm.Kind]int{"small": {}, "large": {}}
		var mu sync.Mutex
		var wg sync.WaitGroup
		for range 20 {
			for _, model := range []string{"small", "large"} {
				wg.Go(func() {
					_, err := client.Complete(t.Context(), llm.Request{Model: model})
					mu.Lock()
					kinds[model][llm.KindOf(err)]++
					mu.Unlock()
				})
			}
		}
		wg.Wait()
		if kinds["large"][llm.KindUnknown] != 20 || kinds["small"][llm.KindQuota] < 14 {
			t.Errorf("outcomes %v", kinds)
		}
		if p.calls > 20+8 {
			t.Errorf("%d calls: a closed model was asked again", p.calls)
		}
		if l.Closed("one", "small") == nil || l.Closed("one", "large") != nil {
			t.Error("the wrong model is closed")
		}
		// The same name at another provider is another model.
		p.answer = nil
		if _, err := l.Rate("two", p).Complete(t.Context(), llm.Request{Model: "small"}); err != nil {
			t.Errorf("another provider's allowance ends with it: %v", err)
		}
	})
}

func TestRetriesAreCappedAndShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &provider{answer: func(n int, _ llm.Request) (llm.Response, error) {
			switch {
			case n == 1:
				return llm.Response{}, fails(llm.KindRateLimited, 30*time.Second)
			case n < 8:
				return llm.Response{}, fails([]llm.Kind{llm.KindOverloaded, llm.KindServer, llm.KindCut, llm.KindMalformed}[n%4], 0)
			}
			return llm.Response{Text: "ok"}, nil
		}}
		var waits []throttle.Wait
		client := throttle.Retry(p, throttle.Config{Wait: func(w throttle.Wait) { waits = append(waits, w) }})
		began := time.Now()
		resp, err := client.Complete(t.Context(), llm.Request{Model: "m"})
		if err != nil || resp.Text != "ok" || len(waits) != 7 {
			t.Fatalf("%v, %d waits", err, len(waits))
		}
		var sum time.Duration
		for i, w := range waits {
			bound := min(time.Second<<i, throttle.MaxWait)
			if i == 0 {
				bound = 30*time.Second + 250*time.Millisecond
			}
			if w.Attempt != i+1 || w.Model != "m" || w.For > bound || i == 0 && w.For < 30*time.Second {
				t.Errorf("wait %d: %+v", i+1, w)
			}
			sum += w.For
		}
		if took := time.Since(began); took != sum {
			t.Errorf("waited %v, told %v", took, sum)
		}
	})
}

func TestWhatIsNotRetried(t *testing.T) {
	for name, c := range map[string]struct {
		err      error
		attempts int
	}{
		"key":             {fails(llm.KindKey, 0), 1},
		"quota":           {fails(llm.KindQuota, 0), 1},
		"too long":        {fails(llm.KindTooLong, 0), 1},
		"refused":         {fails(llm.KindRefused, 0), 1},
		"truncated":       {fails(llm.KindTruncated, 0), 1},
		"request":         {fails(llm.KindRequest, 0), 1},
		"budget":          {fails(llm.KindBudget, 0), 1},
		"replay miss":     {fails(llm.KindReplayMiss, 0), 1},
		"no model error":  {errors.New("?"), 1},
		"a wait too long": {fails(llm.KindRateLimited, throttle.MaxWait+1), 1},
		"unreachable":     {fails(llm.KindUnreachable, 0), 3},
		"overloaded":      {fails(llm.KindOverloaded, 0), 8},
	} {
		synctest.Test(t, func(t *testing.T) {
			p := &provider{answer: func(int, llm.Request) (llm.Response, error) { return llm.Response{}, c.err }}
			_, err := throttle.Retry(p, throttle.Config{}).Complete(t.Context(), llm.Request{})
			if !errors.Is(err, c.err) || p.calls != c.attempts {
				t.Errorf("%s: %v after %d attempts, want %d", name, err, p.calls, c.attempts)
			}
		})
	}
}

func TestNobodyWaitsForNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &provider{answer: func(int, llm.Request) (llm.Response, error) {
			return llm.Response{}, fails(llm.KindRateLimited, 30*time.Second)
		}}
		began := time.Now()
		broke := throttle.Retry(p, throttle.Config{Affordable: func(llm.Request) bool { return false }})
		if _, err := broke.Complete(t.Context(), llm.Request{}); llm.KindOf(err) != llm.KindRateLimited {
			t.Error(err)
		}
		short, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		if _, err := throttle.Retry(p, throttle.Config{}).Complete(short, llm.Request{}); llm.KindOf(err) != llm.KindRateLimited {
			t.Error(err)
		}
		if took := time.Since(began); took != 0 || p.calls != 2 {
			t.Errorf("waited %v, %d calls", took, p.calls)
		}
		gone, stop := context.WithCancel(t.Context())
		time.AfterFunc(5*time.Second, stop)
		_, err := throttle.Retry(p, throttle.Config{}).Complete(gone, llm.Request{})
		if llm.KindOf(err) != llm.KindCanceled || time.Since(began) != 5*time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
}
