package orchestrate_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/sqbyl/sqbyl/internal/engine/meter"
	"github.com/sqbyl/sqbyl/internal/engine/throttle"
	"github.com/sqbyl/sqbyl/internal/testkit/fakemodel"
	"github.com/sqbyl/sqbyl/internal/toolkit/ledger"
	"github.com/sqbyl/sqbyl/internal/toolkit/orchestrate"
	"github.com/sqbyl/sqbyl/internal/toolkit/replay"
	"github.com/sqbyl/sqbyl/llm"
	"github.com/sqbyl/sqbyl/llm/ability"
	"github.com/sqbyl/sqbyl/llm/anthropic"
	"github.com/sqbyl/sqbyl/llm/openai"
)

// The requests by which a client finds out what a server does not know have
// rows of their own, cost nothing, and are made once. There is room in the
// budget and in the lane for one call at a time: who waits for the first call
// to find out holds neither.
func TestFindingOutWhatAServerKnowsIsBooked(t *testing.T) {
	const n = 12
	for _, c := range []struct {
		mode     string
		wire     string
		requests int // of the first call
	}{
		{"json_schema", "openai", 1}, {"json_object", "openai", 2}, {"tool", "openai", 3}, {"none", "openai", 4},
		{"json_schema", "anthropic", 1}, {"tool", "anthropic", 2}, {"none", "anthropic", 3},
	} {
		t.Run(c.wire+" "+c.mode, func(t *testing.T) {
			fake := fakemodel.New(t).Answer(func(call fakemodel.Call) fakemodel.Reply {
				if call.Format == "tool" {
					return fakemodel.Tool("draft", map[string]string{"sql": "SELECT 1"})
				}
				return fakemodel.Text(`{"sql":"SELECT 1"}`)
			})
			fake.JSONMode = c.mode
			lessons := 0
			memory := ability.NewMemory(func(*ability.Memory) { lessons++ })
			var client llm.Client = openai.New(openai.Config{Provider: "groq", Key: key, BaseURL: fake.OpenAI(), Memory: memory})
			model, provider := "openai/gpt-oss-20b", "groq"
			if c.wire == "anthropic" {
				client = anthropic.New(anthropic.Config{Key: key, BaseURL: fake.URL(), Memory: memory})
				model, provider = "claude-opus-4-8", "anthropic"
			}
			dir := t.TempDir()
			journal, err := replay.Open(filepath.Join(dir, "1.jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			defer journal.Close()
			book, err := ledger.Open(filepath.Join(dir, "usage.db"))
			if err != nil {
				t.Fatal(err)
			}
			defer book.Close()
			ask := func(u int) llm.Request {
				r := request(model, u)
				r.Answer = &llm.Schema{Name: "draft", Schema: []byte(`{"type":"object"}`)}
				return r
			}
			price, err := meter.Builtin().Price(provider, model, time.Now())
			if err != nil {
				t.Fatal(err)
			}
			budget := meter.NewBudget(price.Worst(ask(100)) * n)
			hold, err := budget.Reserve(t.Context(), price.Worst(ask(100))*(n-1))
			if err != nil {
				t.Fatal(err)
			}
			stack := orchestrate.Stack{Command: "ask", Run: "1", Provider: provider, Prices: meter.Builtin(), Journal: journal, Ledger: book,
				Budget: budget, Limiter: throttle.NewLimiter(1, nil)}.Around(journal.Record(client))
			_, err = orchestrate.Run(t.Context(), units(n), orchestrate.Options[int]{Workers: n}, func(ctx context.Context, u int) (int, error) {
				if u == n-1 {
					hold.Release()
				}
				resp, err := stack.Complete(ctx, ask(u))
				if err == nil && (resp.Text != `{"sql":"SELECT 1"}` || resp.Calls != nil) {
					err = fmt.Errorf("the answer is %+v", resp)
				}
				return 0, err
			})
			if err != nil {
				t.Fatal(err)
			}
			outcomes := map[string]int{}
			if err := book.Rows(t.Context(), ledger.Filter{}, func(r ledger.Row) error {
				outcomes[r.Outcome+" "+r.Error]++
				if r.Outcome == "failed" && (r.Cost != 0 || r.Usage.Total() != 0) {
					return errors.New("a refused request has a cost")
				}
				return nil
			}); err != nil {
				t.Error(err)
			}
			calls := len(fake.Calls())
			if calls != n+c.requests-1 || outcomes["failed request"] != c.requests-1 || outcomes["settled "] != n || len(outcomes) > 2 || lessons != 1 {
				t.Errorf("%d requests, rows %v, %d lessons", calls, outcomes, lessons)
			}
			if sums, err := book.Sums(t.Context(), ledger.Filter{}, ledger.All); err != nil || int(sums[0].Attempts) != calls || sums[0].Spent != budget.Spent() {
				t.Errorf("%+v, %v; the budget says %+v", sums, err, budget.Spent())
			}
		})
	}
}
