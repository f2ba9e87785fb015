package batch

import (
	"context"
	"slices"
	"time"

	"github.com/sqbyl/sqbyl/internal/app/paid"
	"github.com/sqbyl/sqbyl/internal/engine/agent"
	"github.com/sqbyl/sqbyl/internal/engine/agent/direct"
	"github.com/sqbyl/sqbyl/internal/engine/meter"
	"github.com/sqbyl/sqbyl/internal/toolkit/ledger"
	"github.com/sqbyl/sqbyl/internal/toolkit/orchestrate"
	"github.com/sqbyl/sqbyl/internal/toolkit/runs"
	"github.com/sqbyl/sqbyl/llm"
)

// State is what became of a question.
type State string

// The states.
const (
	Answered     State = "answered"
	Unanswerable State = "unanswerable" // the model says that the database does not hold it
	NoAnswer     State = "no_answer"    // no attempt worked
	Failed       State = "failed"       // asking failed
	NotRun       State = "not_run"      // the run ended before its turn
)

// States are all states, in the order they are told.
func States() []State { return []State{Answered, Unanswerable, NoAnswer, Failed, NotRun} }

// Result is one question and what came of it.
type Result struct {
	ID     string
	State  State
	Answer agent.Answer
	Err    error // when Failed, and why when NotRun
}

func (r *Result) settle(s orchestrate.State, err error) {
	r.Err = err
	switch {
	case s == orchestrate.NotRun:
		r.State = NotRun
	case s == orchestrate.Failed:
		r.State = Failed
	case r.Answer.Answered:
		r.State = Answered
	case r.Answer.GaveUp():
		r.State = Unanswerable
	default:
		r.State = NoAnswer
	}
}

// Report is what came of a run.
type Report struct {
	Run    runs.ID // 0 when a recording answered
	Model  string
	DryRun bool
	Plan   *paid.Plan // nil when a recording answered
	// Results are in the questions' order.
	Results []Result
	// Spent is what this process spent, Total what the run did, with what was
	// spent before it was taken up.
	Spent, Total meter.Spent
	// Replayed is what the answers of a recording would have cost.
	Replayed meter.USD
	Usage    llm.Usage
	// Saved is what the prompt cache took off the price.
	Saved meter.USD
	Took  time.Duration
	// Quotas are the models whose allowance was used up.
	Quotas []orchestrate.Quota
	// Stopped is why the run ended early, nil when it did not.
	Stopped error
	// Resume is the command that goes on, "" when nothing is left.
	Resume string
}

// Count counts the questions in a state.
func (r *Report) Count(s State) int {
	n := 0
	for _, result := range r.Results {
		if result.State == s {
			n++
		}
	}
	return n
}

// Calls counts the calls of all questions.
func (r *Report) Calls() int {
	n := 0
	for _, result := range r.Results {
		n += result.Answer.Calls
	}
	return n
}

// Latency gives a quantile of the time that an answer took.
func (r *Report) Latency(quantile float64) time.Duration {
	var all []time.Duration
	for _, result := range r.Results {
		if result.State == Answered && !result.Answer.Replayed {
			total := time.Duration(0)
			for _, d := range result.Answer.Latency {
				total += d
			}
			all = append(all, total)
		}
	}
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[min(int(quantile*float64(len(all))), len(all)-1)]
}

// account adds up what was spent and says how to go on.
func (b *batch) account(ctx context.Context, a *direct.Agent) error {
	r := b.report
	for _, result := range r.Results {
		r.Usage = r.Usage.Add(result.Answer.Usage)
		if result.Answer.Replayed && result.Answer.Cost != nil {
			r.Replayed += *result.Answer.Cost
		}
	}
	if price, err := b.wb.Prices().Price(b.model.Provider, b.model.ID, b.wb.Now()); err == nil {
		for _, result := range r.Results {
			r.Saved += price.Saved(result.Answer.Usage)
		}
	}
	if b.Run == nil {
		return nil
	}
	r.Spent = b.wb.Budget().Spent()
	book, err := b.wb.Ledger()
	if err != nil {
		return err
	}
	sums, err := book.Sums(ctx, ledger.Filter{Run: b.Run.ID.String(), Since: b.Run.Head.Started}, ledger.All)
	if err != nil {
		return err
	}
	if len(sums) > 0 {
		r.Total = sums[0].Spent
	}
	left := r.Count(NotRun) + r.Count(Failed)
	if closed := b.wb.Closed(b.model); closed != nil && left > 0 {
		quota, err := orchestrate.PlanQuota(ctx, book, b.model.Provider, b.model.ID, closed, left, b.wb.Now())
		if err != nil {
			return err
		}
		r.Quotas = append(r.Quotas, quota)
	}
	if left > 0 {
		budget := meter.USD(0)
		if b.Consent.Budget != nil || llm.KindOf(r.Stopped) == llm.KindBudget {
			expected := r.Plan.Estimate.High / meter.USD(max(r.Plan.Estimate.Units, 1))
			budget = paid.Next(r.Spent.Total(), len(r.Results)-left, left, expected, b.worst)
		}
		r.Resume = b.Again(b.Run.ID, budget)
	}
	return nil
}
