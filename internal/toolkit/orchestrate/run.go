// Package orchestrate runs many units of paid work at once: so many in
// flight, the first of each group ahead of the others so that they find its
// prompt in the cache, and a failure of one as data instead of an end of all.
package orchestrate

import (
	"cmp"
	"context"
	"sync"

	"github.com/sqbyl/sqbyl/llm"
)

// State is how far a unit came.
type State uint8

// The states. A unit that is not run costs nothing and is wrong about
// nothing: the run ended before its turn, or its model's allowance did.
const (
	NotRun State = iota
	Done
	Failed
)

// Result is what became of a unit.
type Result[T any] struct {
	State State
	Value T     // when Done
	Err   error // when Failed, and why when NotRun
}

// Options say how units are run.
type Options[U any] struct {
	// Workers is the number of units at once; 0 means 1.
	Workers int
	// Group, if not nil, names the units that share a cached prompt. The
	// first of a group goes ahead; the others follow at the first byte of
	// its first answer. Without it, nobody waits.
	Group func(U) string
	// Fatal, if not nil, tells the errors of a unit after which no further one
	// makes sense, such as a database that is gone.
	Fatal func(error) bool
	// Report, if not nil, is told about every unit as it ends, one at a time.
	Report func(Progress)
}

// Progress is where a run stands.
type Progress struct {
	Unit     int // the one that has just ended
	State    State
	Err      error
	Done     int // ended so far, in whatever state
	InFlight int
	Total    int
}

// Run runs do for every unit and gives the results in the units' order. What
// is in flight is always let finish, and kept. A unit that the budget has no
// room for is not run, while smaller ones may still be; a refused key ends
// the run, and so does what Options.Fatal names. The error says why a unit was
// not run: the context's cause, else the key's, the fatal one's or the first
// of the budget's; a used-up quota, which ends one model's part, is no error
// of the run.
func Run[U, T any](ctx context.Context, units []U, o Options[U], do func(context.Context, U) (T, error)) ([]Result[T], error) {
	r := &run[U, T]{units: units, options: o, do: do, results: make([]Result[T], len(units)), groups: map[string]*group{}}
	r.changed = sync.NewCond(&r.mu)
	for i := range units {
		r.waiting = append(r.waiting, i)
	}
	stop := context.AfterFunc(ctx, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.changed.Broadcast()
	})
	defer stop()
	var workers sync.WaitGroup
	for range min(max(o.Workers, 1), len(units)) {
		workers.Go(func() { r.work(ctx) })
	}
	workers.Wait()
	end := cmp.Or(context.Cause(ctx), r.fatal, r.budget)
	for _, i := range r.waiting {
		r.results[i].Err = end
	}
	return r.results, end
}

// run is one call of Run.
type run[U, T any] struct {
	units   []U
	options Options[U]
	do      func(context.Context, U) (T, error)

	mu       sync.Mutex
	changed  *sync.Cond
	waiting  []int // units that nobody has taken, in their order
	results  []Result[T]
	inFlight int
	done     int
	groups   map[string]*group
	// fatal and budget are the first errors of their kinds.
	fatal, budget error
}

type group struct {
	warm    bool // its prompt is in the cache
	priming bool // its first unit is on its way
}

func (r *run[U, T]) work(ctx context.Context) {
	for {
		i, g := r.take(ctx)
		if i < 0 {
			return
		}
		unitCtx := ctx
		if g != nil {
			unitCtx = context.WithValue(ctx, startedKey{}, func() { r.warmed(g) })
		}
		value, err := r.do(unitCtx, r.units[i])
		r.finish(ctx, i, g, value, err)
	}
}

// take gives the next unit that may go, -1 when there will be none.
func (r *run[U, T]) take(ctx context.Context) (int, *group) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for {
		if len(r.waiting) == 0 || ctx.Err() != nil || r.fatal != nil {
			return -1, nil
		}
		for at, i := range r.waiting {
			g := r.group(i)
			if g != nil && !g.warm && g.priming {
				continue
			}
			if g != nil {
				g.priming = true
			}
			r.waiting = append(r.waiting[:at], r.waiting[at+1:]...)
			r.inFlight++
			return i, g
		}
		r.changed.Wait()
	}
}

func (r *run[U, T]) group(i int) *group {
	if r.options.Group == nil {
		return nil
	}
	name := r.options.Group(r.units[i])
	if r.groups[name] == nil {
		r.groups[name] = &group{}
	}
	return r.groups[name]
}

func (r *run[U, T]) warmed(g *group) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !g.warm {
		g.warm = true
		r.changed.Broadcast()
	}
}

func (r *run[U, T]) finish(ctx context.Context, i int, g *group, value T, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.inFlight--
	r.done++
	switch kind := llm.KindOf(err); {
	case err == nil:
		r.results[i] = Result[T]{State: Done, Value: value}
	case kind == llm.KindBudget:
		r.results[i].Err = err
		r.budget = cmp.Or(r.budget, err)
	case kind == llm.KindKey || ctx.Err() == nil && r.options.Fatal != nil && r.options.Fatal(err):
		r.results[i].Err = err
		r.fatal = cmp.Or(r.fatal, err)
	case kind == llm.KindQuota || ctx.Err() != nil:
		r.results[i].Err = err
	default:
		r.results[i] = Result[T]{State: Failed, Err: err}
	}
	if g != nil && !g.warm {
		// A first unit that failed before its answer began leaves the next
		// one to go ahead; one that succeeded without asking needs none.
		g.priming, g.warm = false, err == nil
	}
	if r.options.Report != nil {
		r.options.Report(Progress{Unit: i, State: r.results[i].State, Err: r.results[i].Err, Done: r.done, InFlight: r.inFlight, Total: len(r.units)})
	}
	r.changed.Broadcast()
}

type startedKey struct{}

// Signal gives a client that lets Run know when the first byte of an answer
// has come. It belongs at the outside of a stack.
func Signal(inner llm.Client) llm.Client { return signaling{inner} }

type signaling struct{ inner llm.Client }

func (s signaling) Complete(ctx context.Context, req llm.Request) (llm.Response, error) {
	if warmed, ok := ctx.Value(startedKey{}).(func()); ok {
		told := req.Started
		req.Started = func() {
			warmed()
			if told != nil {
				told()
			}
		}
	}
	return s.inner.Complete(ctx, req)
}
