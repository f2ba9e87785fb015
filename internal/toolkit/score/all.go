package score

import (
	"context"
	"runtime"
	"sync"

	"github.com/sqbyl/sqbyl/internal/engine/compare"
)

// All scores cases at once, in as many workers as the runner has, and returns
// the outcomes by case and prediction. predictions gives those of case i; each
// is called once. A case that is not reached before ctx ends is not run.
func (r *Runner) All(ctx context.Context, cases []Case, predictions func(i int) []string) [][]Outcome {
	out := make([][]Outcome, len(cases))
	r.Each(len(cases), func(i int) { out[i] = r.one(ctx, cases[i], predictions(i)) })
	return out
}

// Each does n things in the runner's workers.
func (r *Runner) Each(n int, do func(i int)) {
	workers := r.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(workers, n) {
		wg.Go(func() {
			for i := range next {
				do(i)
				if r.Done != nil {
					r.Done()
				}
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
}

func (r *Runner) one(ctx context.Context, c Case, predictions []string) []Outcome {
	if err := ctx.Err(); err != nil {
		out := make([]Outcome, len(predictions))
		for i := range out {
			out[i] = Outcome{Report: compare.Failed(compare.NotRun, "stopped before it was reached"), Rows: -1}
		}
		return out
	}
	return r.Score(ctx, c, predictions...)
}
