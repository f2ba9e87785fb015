package orchestrate

import (
	"fmt"
	"math"

	"github.com/sqbyl/sqbyl/internal/engine/meter"
	"github.com/sqbyl/sqbyl/internal/toolkit/ledger"
	"github.com/sqbyl/sqbyl/llm"
)

// Work is paid work before anything is paid.
type Work struct {
	// Requests are the first calls of the units, compiled as they will be
	// sent.
	Requests []llm.Request
	Price    meter.Price
	// History is what this project has seen of the model in this role; with
	// fewer than ten answers it says too little.
	History ledger.History
}

// Estimate is what work will cost, most likely.
type Estimate struct {
	Low, High  meter.USD
	Units      int // the pieces of work
	Assumption string
}

// Mid is the middle of the range.
func (e Estimate) Mid() meter.USD { return (e.Low + e.High) / 2 }

// Around the upper end of an estimate, a cap leaves room for reservations of
// up to so much, whatever the estimate, or of up to twice the estimate.
const (
	smallRoom = 2 * meter.Dollar
	timesHigh = 2
)

// Cap is the budget that approving the estimate gives: its upper end, and room
// for the calls of all workers, each of which holds its worst case until it
// settles. Work whose worst cases are out of all proportion gets less room,
// and at least that of one call. Whole cents.
func (e Estimate) Cap(worst meter.USD, workers int) meter.USD {
	room := meter.USD(e.AtOnce(workers)) * worst
	room = max(worst, min(room, max(smallRoom, timesHigh*e.High)))
	const cent = meter.Dollar / 100
	return (e.High + room + cent - 1) / cent * cent
}

// AtOnce is the number of calls that so many workers have in flight.
func (e Estimate) AtOnce(workers int) int { return max(1, min(workers, e.Units)) }

// Add puts two estimates together.
func (e Estimate) Add(f Estimate) Estimate {
	if e.Assumption == "" {
		e.Assumption = f.Assumption
	}
	return Estimate{Low: e.Low + f.Low, High: e.High + f.High, Units: e.Units + f.Units, Assumption: e.Assumption}
}

// What is assumed of a model that this project has not asked yet: a token has
// 2.5 to 8 bytes, an answer takes 1 % to 60 % of what it may.
const (
	fewTokens, manyTokens   = 1 / 8.0, 1 / 2.5
	shortAnswer, longAnswer = 0.01, 0.6
	mostCalls               = 1.8
	knownFrom               = 10 // answers
)

// Worst is the most that one of the calls can cost.
func (w Work) Worst() meter.USD {
	worst := meter.USD(0)
	for _, r := range w.Requests {
		worst = max(worst, w.Price.Worst(r))
	}
	return worst
}

// Estimate gives the range of the cost.
func (w Work) Estimate() Estimate {
	calls := w.History.CallsPerUnit
	if w.History.Answers < knownFrom {
		e := Estimate{
			Units: len(w.Requests),
			Low:   w.sum(fewTokens, func(r llm.Request) float64 { return shortAnswer * float64(r.MaxTokens) }, true, max(calls, 1)),
			High:  w.sum(manyTokens, func(r llm.Request) float64 { return longAnswer * float64(r.MaxTokens) }, false, max(calls, mostCalls)),
		}
		e.Assumption = fmt.Sprintf("no history of %s yet: 2.5 to 8 bytes a token, answers of up to %d %% of their limit, up to %.1f calls each", w.Price.Model, int(longAnswer*100), max(calls, mostCalls))
		return e
	}
	h := w.History
	// The mean of n answers spreads by 1/√n, and the mean that is known does too.
	n := float64(max(len(w.Requests), 1))
	spread := 2 * h.OutputSpread * math.Sqrt(1/n+1/float64(h.Answers))
	at := func(output float64) func(llm.Request) float64 {
		return func(r llm.Request) float64 { return min(max(output, 1), float64(r.MaxTokens)) }
	}
	low, high := max(calls, 1), max(calls*1.1, 1.1)
	return Estimate{
		Units:      len(w.Requests),
		Low:        w.sum(h.TokensPerByte*0.95, at(h.Output-spread), true, low),
		High:       w.sum(h.TokensPerByte*1.05, at(h.Output+spread), true, high),
		Assumption: fmt.Sprintf("from %d answers of %s: %.1f bytes a token, %.0f tokens an answer, %.1f calls each", h.Answers, w.Price.Model, 1/h.TokensPerByte, h.Output, low),
	}
}

// sum adds up the cost of all requests. With cached, the first request of
// each marked prefix writes it and the others read it.
func (w Work) sum(perByte float64, output func(llm.Request) float64, cached bool, calls float64) meter.USD {
	seen := map[string]bool{}
	total := 0.0
	for _, r := range w.Requests {
		prefix, life := prefixOf(r)
		whole, part := float64(llm.Size(r))*perByte, float64(llm.Size(prefix))*perByte
		u := llm.Usage{Input: int64(whole), Output: int64(output(r))}
		if life != llm.NoCache && cached {
			u.Input = int64(max(0, whole-part))
			name := llm.Hash(prefix)
			switch {
			case seen[name]:
				u.CacheRead = int64(part)
			case life == llm.CacheLong:
				u.CacheWrite1h = int64(part)
			default:
				u.CacheWrite5m = int64(part)
			}
			seen[name] = true
		}
		first := float64(w.Price.Cost(u))
		// Further calls of a unit find its prompt in the cache.
		if u.CacheWrite5m+u.CacheWrite1h > 0 {
			u.CacheRead, u.CacheWrite5m, u.CacheWrite1h = u.CacheWrite5m+u.CacheWrite1h, 0, 0
		}
		total += first + (calls-1)*float64(w.Price.Cost(u))
	}
	return meter.USD(math.Ceil(total))
}

// prefixOf gives the part of a request that it asks to be cached, as far as
// its system prompt goes.
func prefixOf(r llm.Request) (llm.Request, llm.CacheLife) {
	for i := len(r.System) - 1; i >= 0; i-- {
		if life := r.System[i].Cache; life != llm.NoCache {
			return llm.Request{Model: r.Model, System: r.System[:i+1], Tools: r.Tools}, life
		}
	}
	return llm.Request{Model: r.Model}, llm.NoCache
}
