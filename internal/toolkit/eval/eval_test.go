package eval_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sqbyl/sqbyl/driver"
	_ "github.com/sqbyl/sqbyl/driver/sqlite"
	"github.com/sqbyl/sqbyl/internal/engine/compare"
	"github.com/sqbyl/sqbyl/internal/testkit/golden"
	"github.com/sqbyl/sqbyl/internal/toolkit/bench"
	"github.com/sqbyl/sqbyl/internal/toolkit/eval"
	"github.com/sqbyl/sqbyl/internal/toolkit/score"
	"github.com/sqbyl/sqbyl/internal/toolkit/stats"
	"github.com/sqbyl/sqbyl/semantic"
)

func school(t *testing.T) ([]bench.Item, *score.Runner) {
	t.Helper()
	dir := filepath.Join("..", "..", "..", "examples", "school")
	f, err := os.Open(filepath.Join(dir, "school.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	items, err := bench.ReadBIRD(f, "school.json")
	if err != nil {
		t.Fatal(err)
	}
	databases := score.InFolder(filepath.Join(dir, "dev_databases"), driver.Options{})
	t.Cleanup(func() {
		if err := databases.Close(); err != nil {
			t.Error(err)
		}
	})
	return items, &score.Runner{Open: databases.Open}
}

// model answers like one: it takes time and money, and at times it fails.
type model struct{ sql []string }

func (model) Name() string { return "model" }

func (m model) Solve(_ context.Context, i int, it bench.Item) (eval.Answer, error) {
	if m.sql[i] == "fail" {
		return eval.Answer{Cost: 5}, errors.New("the provider is away")
	}
	return eval.Answer{SQL: m.sql[i], Turns: 2, Calls: 1, Tokens: 100, Cost: 1000, Latency: time.Duration(i+1) * time.Second, Abstained: it.Unanswerable}, nil
}

func TestRunCountsWhatWasJudged(t *testing.T) {
	items, r := school(t)
	items = items[:6:6]
	items[3].GoldSQL = "SELECT nope FROM nowhere"
	items = append(items,
		bench.Item{DB: items[0].DB, Question: bench.Question{ID: "u", Question: "Who is late?", Unanswerable: true}},
		bench.Item{DB: items[0].DB, Question: bench.Question{ID: "q", Question: "Old?", GoldSQL: "SELECT 1", Quarantine: "moves"}})
	sql := []string{items[0].Golds()[0], "", "fail", "SELECT 1", "SELECT 'wrong'", "I cannot", "", "SELECT 1"}
	results := eval.Run(context.Background(), eval.Config{Items: items, Runner: r, Headline: eval.ByBIRD, Solvers: eval.WithOwn([]eval.Solver{model{sql}})})
	var got []eval.Summary
	for _, res := range results {
		s := eval.Summarize(res)
		s.Interval, s.Verdicts = stats.Interval{}, nil
		got = append(got, s)
	}
	want := []eval.Summary{
		{Solver: "oracle", Asked: 7, N: 5, GoldBroken: 1, Unanswerable: 1, Abstained: 1, Quarantined: 1, Correct: 5, Bird: 5, Strict: 5, Ordered: 5, Tolerant: 5, Superset: 5, Produced: 5},
		{Solver: "mute", Asked: 7, N: 5, GoldBroken: 1, Unanswerable: 1, Abstained: 1, Quarantined: 1},
		{
			Solver: "model", Asked: 6, N: 4, GoldBroken: 1, NotRun: 1, Unanswerable: 1, Abstained: 1, Quarantined: 1,
			Correct: 1, Bird: 1, Strict: 1, Ordered: 1, Tolerant: 1, Superset: 1, Produced: 3,
			// A failed question costs what was spent on it.
			Cost: 6005, Tokens: 600, Turns: 12, Calls: 6, P50: 3500 * time.Millisecond, P95: 5850 * time.Millisecond,
		},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if p := eval.Pair(results[1], results[2]); p != (stats.Paired{Fixed: 1, Neither: 3}) {
		t.Errorf("mute against model: %+v", p)
	}
	var table strings.Builder
	for _, row := range append([][]string{eval.Header}, eval.Table(results)...) {
		table.WriteString(strings.Join(row, " | ") + "\n")
	}
	golden.Check(t, "table.txt", table.String())
}

func TestDocumentOfHeldOutQuestionsHoldsNoText(t *testing.T) {
	items, r := school(t)
	items[0].Question.Question = "How many armadillos?"
	items[0].GoldSQL = "SELECT 'armadillo'"
	results := eval.Run(context.Background(), eval.Config{Items: items, Runner: r, Headline: eval.ByBIRD, Solvers: []eval.Solver{
		eval.Oracle(), eval.Mute(), eval.Listed("file", []string{"SELECT 'the armadillo'"}),
	}})
	for _, heldOut := range []bool{false, true} {
		b, err := json.Marshal(eval.NewDocument("12", "test", eval.ByBIRD, results, heldOut))
		if err != nil {
			t.Fatal(err)
		}
		if found := strings.Contains(string(b), "armadillo"); found == heldOut {
			t.Errorf("held out %v: the word is there %v", heldOut, found)
		}
		var d eval.Document
		if err := json.Unmarshal(b, &d); err != nil {
			t.Fatal(err)
		}
		if len(d.Solvers) != 3 || d.Solvers[0].Rules.Bird != len(items) || d.Solvers[1].Rules.Bird != 0 || d.Solvers[0].N != len(items) {
			t.Errorf("oracle and mute: %+v", d.Solvers)
		}
		if v := d.Solvers[2].Questions[0].Verdict; v != compare.Disjoint {
			t.Errorf("the file's first answer is %s", v)
		}
	}
}

func TestStoppedRunLeavesQuestionsNotRun(t *testing.T) {
	items, r := school(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s := eval.Summarize(eval.Run(ctx, eval.Config{Items: items, Runner: r, Solvers: []eval.Solver{eval.Oracle()}})[0])
	if s.N != 0 || s.NotRun != len(items) {
		t.Errorf("%+v", s)
	}
}

func TestGoldOfATrustedQuery(t *testing.T) {
	_, r := school(t)
	assets := []semantic.Asset{{
		Name: "of_year", Params: []semantic.Param{{Name: "y", Type: "integer"}},
		SQL: "SELECT DISTINCT year, name FROM (SELECT 7 AS year, 'a' AS name UNION ALL SELECT 7, 'a' UNION ALL SELECT 8, 'b') AS v WHERE year = :y;",
	}}
	params := func(text string) map[string]semantic.Scalar {
		return map[string]semantic.Scalar{"y": {Text: text, Kind: semantic.NumberScalar}}
	}
	items := bench.Items([]bench.Question{
		{ID: "right", Question: "q", GoldAsset: "of_year", Params: params("7")},
		{ID: "of another year", Question: "q", GoldAsset: "of_year", Params: params("8")},
		{ID: "no such query", Question: "q", GoldAsset: "of_day"},
		{ID: "no value", Question: "q", GoldAsset: "of_year"},
	}, assets)
	for i := range items {
		items[i].DB = "school"
	}
	answers := []string{"SELECT 7, 'a'", "SELECT 7, 'a'", "SELECT 1", "SELECT 1"}
	results := eval.Run(t.Context(), eval.Config{Items: items, Solvers: eval.WithOwn([]eval.Solver{eval.Listed("model", answers)}), Runner: r, Headline: eval.ByOptions})
	want := map[string][]compare.Verdict{
		eval.OracleName: {compare.Exact, compare.Exact, compare.GoldBroken, compare.GoldBroken},
		eval.MuteName:   {compare.NoSQL, compare.NoSQL, compare.GoldBroken, compare.GoldBroken},
		"model":         {compare.Exact, compare.Disjoint, compare.GoldBroken, compare.GoldBroken},
	}
	for _, res := range results {
		for i, q := range res.Questions {
			if q.Outcome.Verdict != want[res.Solver][i] {
				t.Errorf("%s, %s: %s (%s), want %s", res.Solver, q.Item.ID, q.Outcome.Verdict, q.Outcome.Difference, want[res.Solver][i])
			}
		}
	}
	// A model does not get the gold's parameters.
	out := r.Score(t.Context(), eval.Case(items[0]), "SELECT 7, 'a' WHERE 7 = :y")[0]
	if out.Verdict != compare.Refused {
		t.Error(out.Verdict, out.Difference)
	}
	for _, row := range r.Check(t.Context(), eval.Cases(items[:2])).Rows {
		if len(row.Wrong) > 0 {
			t.Errorf("%s: %v", row.Adversary, row.Wrong)
		}
	}
}
