package orchestrate_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sqbyl/sqbyl/internal/engine/meter"
	"github.com/sqbyl/sqbyl/internal/testkit/fakemodel"
	"github.com/sqbyl/sqbyl/internal/toolkit/ledger"
	"github.com/sqbyl/sqbyl/internal/toolkit/orchestrate"
	"github.com/sqbyl/sqbyl/llm"
)

// Two models in one batch: each one's day has a plan of its own.
func TestAPlanForEachModelsDay(t *testing.T) {
	fake := fakemodel.New(t).Answer(func(c fakemodel.Call) fakemodel.Reply { return fakemodel.Text("SELECT 1") })
	dir := t.TempDir()
	b, err := open(dir, fake.URL(), 100*meter.Dollar)
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	// Seven calls about five questions of one model, one of the other.
	for u := range 7 {
		r := request("claude-haiku-4-5", u)
		r.Unit = string(rune('a' + u%5))
		if _, err := b.client.Complete(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := b.client.Complete(t.Context(), request("claude-opus-4-8", 1)); err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	closed := &llm.Error{Kind: llm.KindQuota, Message: "tokens per day", RetryAfter: time.Hour}
	for model, want := range map[string]orchestrate.Quota{
		"claude-haiku-4-5":  {PerDay: 5, Days: 3},
		"claude-opus-4-8":   {PerDay: 1, Days: 12},
		"claude-sonnet-4-5": {},
	} {
		q, err := orchestrate.PlanQuota(t.Context(), b.ledger, "anthropic", model, closed, 12, now)
		if err != nil || q.PerDay != want.PerDay || q.Days != want.Days || q.Left != 12 || q.Model != "anthropic:"+model || q.Message != "tokens per day" || !q.Again.Equal(now.Add(time.Hour)) {
			t.Errorf("%s: %+v, %v", model, q, err)
		}
	}
	tomorrow, err := orchestrate.PlanQuota(t.Context(), b.ledger, "anthropic", "claude-haiku-4-5", closed, 12, now.Add(25*time.Hour))
	if err != nil || tomorrow.PerDay != 0 {
		t.Errorf("what was answered the day before says nothing: %+v, %v", tomorrow, err)
	}
}

// An error that no further unit can be spared ends the run.
func TestAFatalErrorEndsTheRun(t *testing.T) {
	gone := errors.New("the database is gone")
	ran := 0
	results, err := orchestrate.Run(t.Context(), units(50), orchestrate.Options[int]{Fatal: func(err error) bool { return errors.Is(err, gone) }},
		func(_ context.Context, u int) (int, error) {
			ran++
			if u == 3 {
				return 0, gone
			}
			return u, nil
		})
	if !errors.Is(err, gone) || ran != 4 || results[2].State != orchestrate.Done || results[3].State != orchestrate.NotRun || !errors.Is(results[49].Err, gone) {
		t.Errorf("%d ran, %v", ran, err)
	}
}

// A call that no longer fits asks for more, and goes on when it gets it.
func TestMoreIsAskedFor(t *testing.T) {
	budget := meter.NewBudget(1)
	asked := 0
	more := func(_ context.Context, worst meter.USD) bool {
		asked++
		if asked > 1 {
			return false
		}
		budget.Raise(worst)
		return true
	}
	stack := orchestrate.Stack{Provider: "anthropic", Prices: meter.Builtin(), Budget: budget, More: more}.Around(instant{})
	if _, err := stack.Complete(t.Context(), request("claude-opus-4-8", 1)); err != nil || asked != 1 {
		t.Errorf("asked %d times, %v", asked, err)
	}
	if _, err := stack.Complete(t.Context(), request("claude-opus-4-8", 2)); llm.KindOf(err) != llm.KindBudget || asked != 2 {
		t.Errorf("asked %d times, %v", asked, err)
	}
}

func TestACapHoldsTheCallsInFlight(t *testing.T) {
	const worst = meter.Dollar / 10
	for name, c := range map[string]struct {
		high, worst meter.USD
		units       int
		want        string
	}{
		"one call at least":             {1000, 5 * meter.Dollar, 20, "$5.01"},
		"no more calls than work":       {1000, worst, 3, "$0.31"},
		"all workers":                   {meter.Dollar / 2, worst, 200, "$2.10"},
		"all workers of large work":     {100 * meter.Dollar, meter.Dollar, 200, "$116.00"},
		"two dollars whatever the work": {meter.Dollar / 20, meter.Dollar / 4, 20, "$2.05"},
		"else twice the estimate":       {2 * meter.Dollar, meter.Dollar, 20, "$6.00"},
		"rounded up to the cent":        {meter.Dollar + 1, worst, 200, "$2.61"},
	} {
		if got := (orchestrate.Estimate{High: c.high, Units: c.units}).Cap(c.worst, 16).String(); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestCallsPerUnitComeFromTheLedger(t *testing.T) {
	fake := fakemodel.New(t).Answer(func(fakemodel.Call) fakemodel.Reply { return fakemodel.Text("SELECT 1") })
	dir := t.TempDir()
	b, err := open(dir, fake.URL(), 100*meter.Dollar)
	if err != nil {
		t.Fatal(err)
	}
	for u := range 9 {
		r := request("claude-opus-4-8", u)
		if u > 2 {
			r.Unit = strings.Repeat("x", 1+u%4)
		}
		if _, err := b.client.Complete(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.close(); err != nil {
		t.Fatal(err)
	}
	l, err := ledger.Open(filepath.Join(dir, "usage.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	h, err := l.History(t.Context(), "anthropic", "claude-opus-4-8", "agent")
	if err != nil || h.Answers != 9 || h.CallsPerUnit != 1.5 {
		t.Errorf("%+v, %v", h, err)
	}
}
