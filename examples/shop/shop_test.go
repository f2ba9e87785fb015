package shop_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/sqbyl/sqbyl/driver"
	_ "github.com/sqbyl/sqbyl/driver/sqlite"
	"github.com/sqbyl/sqbyl/examples/shop"
	"github.com/sqbyl/sqbyl/examples/shop/rows"
	"github.com/sqbyl/sqbyl/internal/engine/compare"
	"github.com/sqbyl/sqbyl/internal/testkit/golden"
	"github.com/sqbyl/sqbyl/internal/toolkit/bench"
	"github.com/sqbyl/sqbyl/internal/toolkit/eval"
	"github.com/sqbyl/sqbyl/internal/toolkit/project"
	"github.com/sqbyl/sqbyl/internal/toolkit/score"
)

// sample is the project in a folder of its own, with its database.
func sample(t testing.TB) (*project.Project, *score.Runner) {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, shop.Files); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, shop.Database)
	if err := shop.Build(context.Background(), path); err != nil {
		t.Fatal(err)
	}
	p, err := project.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	database, err := driver.Open(context.Background(), "sqlite:"+path, driver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := database.Close(); err != nil {
			t.Error(err)
		}
	})
	return p, &score.Runner{Open: score.One(database)}
}

func questions(t testing.TB, p *project.Project, name string) []bench.Item {
	t.Helper()
	text, err := fs.ReadFile(shop.Files, "benchmarks/"+name)
	if err != nil {
		t.Fatal(err)
	}
	set, err := bench.Parse(bytes.NewReader(text), name)
	if err != nil {
		t.Fatal(err)
	}
	if len(set.Warnings) > 0 {
		t.Error(set.Warnings)
	}
	return bench.Items(set.Questions, p.Semantic.Assets)
}

func TestProjectLoads(t *testing.T) {
	p, _ := sample(t)
	if len(p.Warnings) > 0 {
		t.Error(p.Warnings)
	}
	dev, heldOut := questions(t, p, "dev.yaml"), questions(t, p, "test.yaml")
	unanswerable := 0
	for _, it := range append(dev[:len(dev):len(dev)], heldOut...) {
		if it.Unanswerable {
			unanswerable++
		} else if it.Difficulty == "" {
			t.Errorf("%s has no difficulty", it.ID)
		}
	}
	if len(dev) < 30 || len(heldOut) < 20 || unanswerable < 5 || len(p.Semantic.Tables) < 8 || len(p.Semantic.Assets) < 2 {
		t.Errorf("%d dev and %d held-out questions, %d unanswerable, %d tables, %d assets", len(dev), len(heldOut), unanswerable, len(p.Semantic.Tables), len(p.Semantic.Assets))
	}
}

// TestContent holds the rows to the bytes: golds, recordings and docs speak of
// them.
func TestContent(t *testing.T) {
	h := sha256.New()
	total := 0
	for _, table := range rows.Make() {
		fmt.Fprintf(h, "%s\n", table.Name)
		for _, row := range table.Rows {
			fmt.Fprintf(h, "%#v\n", row)
		}
		total += len(table.Rows)
	}
	golden.Check(t, "content.golden", fmt.Sprintf("%d rows, sha256 %x\n", total, h.Sum(nil)))
	if total < 50_000 || total > 200_000 {
		t.Errorf("%d rows", total)
	}
}

func TestGoldsRun(t *testing.T) {
	p, r := sample(t)
	for _, file := range []string{"dev.yaml", "test.yaml"} {
		items := questions(t, p, file)
		for _, res := range eval.Run(t.Context(), eval.Config{Items: items, Solvers: eval.WithOwn(nil), Runner: r, Headline: eval.ByOptions}) {
			for _, q := range res.Questions {
				switch {
				case q.Item.Unanswerable:
				case res.Solver == eval.MuteName && q.Outcome.Verdict != compare.NoSQL,
					res.Solver == eval.OracleName && (!q.Correct || q.Outcome.Verdict != compare.Exact):
					t.Errorf("%s, %s: %s %s", q.Item.ID, res.Solver, q.Outcome.Verdict, q.Outcome.Difference)
				case res.Solver == eval.OracleName && q.Outcome.Rows == 0:
					t.Errorf("%s: the gold returns nothing", q.Item.ID)
				}
			}
		}
		for _, row := range r.Check(t.Context(), eval.Cases(answerable(items))).Rows {
			if len(row.Wrong) > 0 {
				t.Errorf("%s: %v", row.Adversary, row.Wrong)
			}
		}
	}
}

func answerable(items []bench.Item) []bench.Item {
	var out []bench.Item
	for _, it := range items {
		if !it.Unanswerable {
			out = append(out, it)
		}
	}
	return out
}

// trap is SQL that somebody writes who does not know the data. Right, when
// set, stands for the gold where the difference shows in a part of it.
type trap struct {
	Trap, Question, Naive, Right string
}

// TestTraps wants every trap to have a question whose naive SQL runs and is
// wrong; of a question that cannot be answered, naive SQL that returns rows.
func TestTraps(t *testing.T) {
	p, r := sample(t)
	byID := map[string]bench.Item{}
	for _, it := range questions(t, p, "dev.yaml") {
		byID[it.ID] = it
	}
	text, err := os.ReadFile(filepath.Join("testdata", "traps.json"))
	if err != nil {
		t.Fatal(err)
	}
	var traps []trap
	if err := json.Unmarshal(text, &traps); err != nil {
		t.Fatal(err)
	}
	if len(traps) < 14 {
		t.Errorf("%d traps", len(traps))
	}
	for _, trap := range traps {
		it, ok := byID[trap.Question]
		if !ok {
			t.Errorf("%s: no question %s", trap.Trap, trap.Question)
			continue
		}
		c := eval.Case(it)
		switch {
		case it.Unanswerable:
			c.Golds = []string{trap.Naive}
		case trap.Right != "":
			c.Golds, c.Asset = []string{trap.Right}, nil
		}
		out := r.Score(t.Context(), c, trap.Naive)[0]
		switch {
		case out.Rows <= 0:
			t.Errorf("%s: the naive SQL returns %d rows (%s)", trap.Trap, out.Rows, out.Difference)
		case !it.Unanswerable && (out.Headline || out.Rules.Superset):
			t.Errorf("%s: the naive SQL is right: %s", trap.Trap, out.Verdict)
		}
		t.Logf("%s: %s; %s", trap.Trap, out.Verdict, out.Difference)
	}
}

func BenchmarkBuild(b *testing.B) {
	for b.Loop() {
		if err := shop.Build(context.Background(), filepath.Join(b.TempDir(), shop.Database)); err != nil {
			b.Fatal(err)
		}
	}
}
