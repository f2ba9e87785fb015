package orchestrate_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sqbyl/sqbyl/internal/toolkit/orchestrate"
	"github.com/sqbyl/sqbyl/llm"
)

func units(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func TestUnitsRunSoManyAtOnceAndKeepTheirOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		var reports []orchestrate.Progress
		results, err := orchestrate.Run(t.Context(), units(200), orchestrate.Options[int]{Workers: 16, Report: func(p orchestrate.Progress) { reports = append(reports, p) }},
			func(_ context.Context, u int) (string, error) {
				time.Sleep(time.Second)
				if u%50 == 49 {
					return "", fmt.Errorf("unit %d broke", u)
				}
				return fmt.Sprint(u), nil
			})
		if took := time.Since(began); err != nil || took != 13*time.Second {
			t.Errorf("%v after %v", err, took)
		}
		for i, r := range results {
			if i%50 == 49 && (r.State != orchestrate.Failed || r.Err == nil) || i%50 != 49 && (r.State != orchestrate.Done || r.Value != fmt.Sprint(i)) {
				t.Errorf("unit %d: %+v", i, r)
			}
		}
		last := reports[len(reports)-1]
		if len(reports) != 200 || last.Done != 200 || last.InFlight != 0 || last.Total != 200 {
			t.Errorf("%d reports, the last %+v", len(reports), last)
		}
	})
}

// model is a client of this process whose answers begin after a tenth of a
// second and end after one.
type model struct {
	starts []string
	mu     sync.Mutex
	fail   func(n int) error
	calls  int
}

func (m *model) Complete(ctx context.Context, req llm.Request) (llm.Response, error) {
	m.mu.Lock()
	m.starts = append(m.starts, req.Model)
	m.calls++
	n := m.calls
	m.mu.Unlock()
	time.Sleep(100 * time.Millisecond)
	if m.fail != nil {
		if err := m.fail(n); err != nil {
			return llm.Response{}, err
		}
	}
	if req.Started != nil {
		req.Started()
	}
	time.Sleep(900 * time.Millisecond)
	return llm.Response{}, nil
}

func TestTheFirstOfAGroupGoesAheadUntilItsFirstByte(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &model{}
		client := orchestrate.Signal(m)
		began := time.Now()
		var mu sync.Mutex
		at := map[string][]time.Duration{}
		o := orchestrate.Options[int]{Workers: 200, Group: func(u int) string { return []string{"a", "b"}[u%2] }}
		_, err := orchestrate.Run(t.Context(), units(200), o, func(ctx context.Context, u int) (int, error) {
			mu.Lock()
			at[o.Group(u)] = append(at[o.Group(u)], time.Since(began))
			mu.Unlock()
			told := false
			_, err := client.Complete(ctx, llm.Request{Started: func() { told = true }})
			if !told {
				t.Error("the unit's own Started was lost")
			}
			return 0, err
		})
		if took := time.Since(began); err != nil || took != 1100*time.Millisecond {
			t.Errorf("%v after %v: the wave has to go at the first byte of the first answer", err, took)
		}
		for _, name := range []string{"a", "b"} {
			slices.Sort(at[name])
			if at[name][0] != 0 || at[name][1] != 100*time.Millisecond {
				t.Errorf("group %s began at %v", name, at[name][:2])
			}
		}
	})
}

func TestAFirstUnitThatFailsLeavesTheNextToGoAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &model{fail: func(n int) error {
			if n <= 2 {
				return &llm.Error{Kind: llm.KindRefused}
			}
			return nil
		}}
		client := orchestrate.Signal(m)
		began := time.Now()
		results, err := orchestrate.Run(t.Context(), units(20), orchestrate.Options[int]{Workers: 20, Group: func(int) string { return "" }},
			func(ctx context.Context, u int) (int, error) {
				_, err := client.Complete(ctx, llm.Request{})
				return 0, err
			})
		if took := time.Since(began); err != nil || took != 1300*time.Millisecond {
			t.Errorf("%v after %v", err, took)
		}
		failed := 0
		for _, r := range results {
			if r.State == orchestrate.Failed {
				failed++
			}
		}
		if failed != 2 {
			t.Errorf("%d failed", failed)
		}
	})
}

func TestOneModelsQuotaAndTheBudgetAndTheKey(t *testing.T) {
	for name, c := range map[string]struct {
		kind    llm.Kind
		end     bool // of everything
		named   bool // as the run's error
		notRun  int
		started int32
	}{
		"quota":  {llm.KindQuota, false, false, 5, 10},
		"budget": {llm.KindBudget, false, true, 5, 10},
		"key":    {llm.KindKey, true, true, 9, 2},
	} {
		synctest.Test(t, func(t *testing.T) {
			var started atomic.Int32
			results, err := orchestrate.Run(t.Context(), units(10), orchestrate.Options[int]{Workers: 2}, func(ctx context.Context, u int) (int, error) {
				started.Add(1)
				if u%2 == 0 {
					time.Sleep(time.Millisecond)
					return 0, &llm.Error{Kind: c.kind}
				}
				time.Sleep(time.Second)
				return 0, ctx.Err() // what is in flight is not canceled
			})
			notRun := 0
			for _, r := range results {
				if r.State == orchestrate.NotRun {
					notRun++
					if llm.KindOf(r.Err) != c.kind {
						t.Errorf("%s: not run because of %v", name, r.Err)
					}
				}
				if r.State == orchestrate.Failed {
					t.Errorf("%s: failed %v", name, r.Err)
				}
			}
			if (err != nil) != c.named || notRun != c.notRun || started.Load() != c.started {
				t.Errorf("%s: %v, %d not run, %d started", name, err, notRun, started.Load())
			}
		})
	}
}

func TestGivingUpKeepsWhatIsDone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		why := errors.New("interrupted")
		time.AfterFunc(2500*time.Millisecond, func() { cancel(why) })
		results, err := orchestrate.Run(ctx, units(10), orchestrate.Options[int]{Workers: 2}, func(ctx context.Context, u int) (int, error) {
			select {
			case <-time.After(time.Second):
				return u, nil
			case <-ctx.Done():
				return 0, ctx.Err()
			}
		})
		var states []orchestrate.State
		for _, r := range results {
			states = append(states, r.State)
		}
		want := []orchestrate.State{orchestrate.Done, orchestrate.Done, orchestrate.Done, orchestrate.Done, 0, 0, 0, 0, 0, 0}
		if !errors.Is(err, why) || !slices.Equal(states, want) || results[9].Err == nil {
			t.Errorf("%v, states %v", err, states)
		}
	})
}

func TestNoUnits(t *testing.T) {
	results, err := orchestrate.Run(t.Context(), []int{}, orchestrate.Options[int]{}, func(context.Context, int) (int, error) { return 0, nil })
	if err != nil || len(results) != 0 {
		t.Errorf("%v %v", results, err)
	}
}
