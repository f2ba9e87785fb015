package orchestrate_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sqbyl/sqbyl/internal/engine/meter"
	"github.com/sqbyl/sqbyl/internal/testkit/fakemodel"
	"github.com/sqbyl/sqbyl/internal/toolkit/ledger"
	"github.com/sqbyl/sqbyl/internal/toolkit/orchestrate"
	"github.com/sqbyl/sqbyl/llm"
)

// TestEstimatesHoldAgainstTheBill asks a fake that counts other tokens than
// four characters each: the cold range contains the bill, and after ten
// answers the estimate is within 30 % of it.
func TestEstimatesHoldAgainstTheBill(t *testing.T) {
	const n = 40
	for _, per4 := range []float64{0.6, 1, 1.6} {
		for _, life := range []llm.CacheLife{llm.NoCache, llm.CacheShort} {
			t.Run(fmt.Sprintf("%.1f%s", per4, life), func(t *testing.T) {
				fake := fakemodel.New(t).Answer(func(c fakemodel.Call) fakemodel.Reply {
					return fakemodel.Text(strings.Repeat("SELECT 1 ", 10+len(c.Last())%40))
				})
				fake.TokensPer4 = per4
				b, err := open(t.TempDir(), fake.URL(), 100*meter.Dollar)
				if err != nil {
					t.Fatal(err)
				}
				defer b.close()
				var requests []llm.Request
				for u := range n + 10 {
					r := request("claude-opus-4-8", u)
					r.MaxTokens = 1000
					r.System[0].Cache = life
					r.Messages[0].Text += strings.Repeat("?", u)
					requests = append(requests, r)
				}
				run := func(requests []llm.Request) meter.USD {
					before := b.budget.Spent().Settled
					if _, err := orchestrate.Run(t.Context(), requests, orchestrate.Options[llm.Request]{Workers: 8, Group: func(llm.Request) string { return "" }},
						func(ctx context.Context, r llm.Request) (int, error) {
							_, err := b.client.Complete(ctx, r)
							return 0, err
						}); err != nil {
						t.Fatal(err)
					}
					return b.budget.Spent().Settled - before
				}
				price, err := meter.Builtin().Price("anthropic", "claude-opus-4-8", time.Now())
				if err != nil {
					t.Fatal(err)
				}
				cold := orchestrate.Work{Requests: requests[:10], Price: price}.Estimate()
				if cost := run(requests[:10]); cost < cold.Low || cost > cold.High {
					t.Errorf("cold: %s – %s does not contain %s", cold.Low, cold.High, cost)
				}
				h, err := b.ledger.History(t.Context(), "anthropic", "claude-opus-4-8", "agent")
				if err != nil {
					t.Fatal(err)
				}
				warm := orchestrate.Work{Requests: requests[10:], Price: price, History: h}.Estimate()
				cost := run(requests[10:])
				if off := float64(warm.Mid())/float64(cost) - 1; off < -0.3 || off > 0.3 || warm.High > warm.Low*2 {
					t.Errorf("warm: %s – %s for %s (%s)", warm.Low, warm.High, cost, warm.Assumption)
				}
				if len(fake.Calls()) != n+10 {
					t.Errorf("%d calls: estimating asked something", len(fake.Calls()))
				}
			})
		}
	}
}

func TestEstimatesAddUp(t *testing.T) {
	price, err := meter.Builtin().Price("anthropic", "claude-opus-4-8", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	one := orchestrate.Work{Requests: []llm.Request{request("claude-opus-4-8", 1)}, Price: price}
	sum := orchestrate.Estimate{}.Add(one.Estimate()).Add(one.Estimate())
	if sum.Low != 2*one.Estimate().Low || sum.High != 2*one.Estimate().High || sum.Assumption == "" {
		t.Errorf("%+v", sum)
	}
	one.History = ledger.History{Answers: 10, TokensPerByte: 0.25, Output: 50}
	once := one.Estimate()
	one.History.CallsPerUnit = 2
	if twice := one.Estimate(); twice.Low <= once.Low || twice.Low >= 2*once.Low {
		t.Errorf("a second call of a unit reads the first one's prompt from the cache: %s after %s", twice.Low, once.Low)
	}
}
