package eval

import (
	"context"

	"github.com/sqbyl/sqbyl/internal/engine/compare"
	"github.com/sqbyl/sqbyl/internal/toolkit/bench"
	"github.com/sqbyl/sqbyl/internal/toolkit/score"
)

// Headline is the rule a benchmark is reported by.
type Headline string

// The headlines: a project's questions are judged within the tolerance under
// their own options, a BIRD layout as BIRD does.
const (
	ByOptions Headline = "tolerant"
	ByBIRD    Headline = "bird"
)

// Config says what is run.
type Config struct {
	Items   []bench.Item
	Solvers []Solver
	Runner  *score.Runner
	// Headline decides what counts as correct.
	Headline Headline
}

// Result is one solver's run over the questions.
type Result struct {
	Solver    string
	Questions []Question
}

// Question is what came of one question.
type Question struct {
	Item    bench.Item
	Answer  Answer
	Outcome score.Outcome
	// Correct is the headline.
	Correct bool
}

// Run asks every solver every question, in as many workers as the runner has,
// and returns the results in the order of the solvers. A solver's error and a
// context that ends leave questions not run.
func Run(ctx context.Context, c Config) []Result {
	results := make([]Result, len(c.Solvers))
	for s, solver := range c.Solvers {
		results[s] = Result{Solver: solver.Name(), Questions: make([]Question, len(c.Items))}
	}
	c.Runner.Each(len(c.Items), func(i int) { c.one(ctx, i, results) })
	return results
}

// one asks all solvers one question and scores their answers together.
func (c *Config) one(ctx context.Context, i int, results []Result) {
	it := c.Items[i]
	var sql []string
	var asked []int
	for s, solver := range c.Solvers {
		q := &results[s].Questions[i]
		q.Item = it
		q.Outcome = score.Outcome{Report: compare.Failed(compare.NotRun, "in quarantine: "+it.Quarantine), Rows: -1}
		if it.Quarantine != "" {
			continue
		}
		err := ctx.Err()
		if err == nil {
			q.Answer, err = solver.Solve(ctx, i, it)
		}
		if err != nil {
			q.Outcome = score.Outcome{Report: compare.Failed(compare.NotRun, err.Error()), Rows: -1}
			continue
		}
		if it.Unanswerable {
			q.Outcome = score.Outcome{Report: compare.Failed(compare.NotRun, "there is no right SQL"), Rows: -1}
			continue
		}
		sql, asked = append(sql, q.Answer.SQL), append(asked, s)
	}
	if len(asked) == 0 {
		return
	}
	for k, out := range c.Runner.Score(ctx, Case(it), sql...) {
		q := &results[asked[k]].Questions[i]
		q.Outcome = out
		q.Correct = c.correct(out)
	}
}

func (c *Config) correct(out score.Outcome) bool {
	if c.Headline == ByBIRD {
		return out.Rules.Bird
	}
	return out.Headline
}

// Case is an item as scoring takes it.
func Case(it bench.Item) score.Case {
	return score.Case{
		ID: it.ID, DB: it.DB, Golds: it.Golds(), Asset: it.Asset, Params: it.Params,
		Options: compare.Options{Columns: compare.Columns(it.Columns), Order: compare.Order(it.Order), Tolerance: it.Tolerance},
	}
}

// Cases are items as scoring takes them.
func Cases(items []bench.Item) []score.Case {
	cases := make([]score.Case, len(items))
	for i, it := range items {
		cases[i] = Case(it)
	}
	return cases
}
