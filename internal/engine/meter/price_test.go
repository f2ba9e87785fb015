package meter_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/sqbyl/sqbyl/internal/engine/meter"
	"github.com/sqbyl/sqbyl/llm"
)

func day(s string) time.Time {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return t
}

var now = day("2026-11-30")

const million = 1_000_000

func TestPricesOfKnownModels(t *testing.T) {
	kinds := []llm.Usage{{Input: million / 100}, {Output: million / 100}, {CacheWrite5m: million / 100}, {CacheWrite1h: million / 100}, {CacheRead: million / 100}}
	for model, want := range map[string][5]meter.USD{ // dollars per million tokens, times 10,000
		"anthropic claude-opus-4-8":           {50000, 250000, 62500, 100000, 5000},
		"anthropic claude-opus-5-5":           {40000, 200000, 50000, 80000, 2000},
		"anthropic claude-sonnet-5-5":         {20000, 100000, 25000, 40000, 1000},
		"anthropic claude-sonnet-4-6":         {30000, 150000, 37500, 60000, 3000},
		"anthropic claude-haiku-4-5-20251001": {10000, 50000, 12500, 20000, 1000},
		"anthropic claude-haiku-5-5":          {1000, 5000, 1250, 2000, 100},
		"groq openai/gpt-oss-20b":             {750, 3000, 750, 750, 375},
		"ollama anything":                     {},
	} {
		provider, name, _ := strings.Cut(model, " ")
		p, err := meter.Builtin().Price(provider, name, now)
		if err != nil {
			t.Errorf("%s: %v", model, err)
			continue
		}
		for i, u := range kinds {
			if got := p.Cost(u); got != want[i] {
				t.Errorf("%s: %+v costs %d micro-dollars, want %d", model, u, got, want[i])
			}
		}
	}
}

func TestPricesHaveDates(t *testing.T) {
	read := llm.Usage{CacheRead: million}
	for at, want := range map[string]meter.USD{"2026-10-06": 200_000, "2026-10-07": 100_000, "2027-05-01": 100_000} {
		p, err := meter.Builtin().Price("anthropic", "claude-sonnet-5-5", day(at))
		if err != nil || p.Cost(read) != want {
			t.Errorf("at %s: %d, %v", at, p.Cost(read), err)
		}
	}
	if _, err := meter.Builtin().Price("anthropic", "claude-haiku-5-5", day("2026-10-06")); err == nil {
		t.Error("a model has a price before it existed")
	}
}

func TestEveryBuiltinPriceHasASourceAndADate(t *testing.T) {
	rows := meter.Builtin().Rows(now)
	if len(rows) < 20 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, p := range rows {
		if p.Source == "" || p.Checked.IsZero() || p.From.IsZero() || p.Output < p.Input {
			t.Errorf("%+v", p)
		}
	}
}

func TestALongPromptCostsMoreInAll(t *testing.T) {
	p, err := meter.Builtin().Price("anthropic", "claude-haiku-5-5", now)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		u    llm.Usage
		want meter.USD
	}{
		{llm.Usage{Input: 100_000, Output: 1000}, 10_500},
		{llm.Usage{Input: 100_001, Output: 1000}, 52_501},
		{llm.Usage{Input: 1, CacheRead: 100_000, Output: 1000}, 7_501},
	} {
		if got := p.Cost(c.u); got != c.want {
			t.Errorf("%+v costs %d, want %d", c.u, got, c.want)
		}
	}
}

func TestCostRoundsHalfUpPerCall(t *testing.T) {
	p := meter.Price{Rates: meter.Rates{Input: 500_000, Output: 25_000_000}}
	for tokens, want := range map[int64]meter.USD{0: 0, 1: 1, 2: 1, 3: 2} { // 0.5, 1, 1.5 micro-dollars
		if got := p.Cost(llm.Usage{Input: tokens}); got != want {
			t.Errorf("%d tokens cost %d, want %d", tokens, got, want)
		}
	}
	small := meter.Price{Rates: meter.Rates{Input: 499_999}}
	if got := small.Cost(llm.Usage{Input: 1}); got != 0 {
		t.Errorf("less than half a micro-dollar costs %d", got)
	}
}

func TestUnknownModelsNeedAPriceFromTheUser(t *testing.T) {
	_, err := meter.Builtin().Price("openai", "my-own", now)
	var unpriced *meter.UnpricedError
	if llm.KindOf(err) != llm.KindBudget || !errors.As(err, &unpriced) || unpriced.Model != "my-own" || !strings.Contains(err.Error(), "--price openai:my-own=") {
		t.Errorf("got %v", err)
	}
	own, err := meter.ParsePrice("openai:my-own=1.5/3")
	if err != nil {
		t.Fatal(err)
	}
	opus, err := meter.ParsePrice("anthropic:claude-opus-4-8=1/2/3/4/0.0375")
	if err != nil {
		t.Fatal(err)
	}
	table := meter.Builtin().With(own, opus)
	p, err := table.Price("openai", "my-own", now)
	if err != nil || p.Cost(llm.Usage{Input: million, CacheRead: million, Output: million}) != 6_000_000 {
		t.Errorf("got %+v, %v", p, err)
	}
	p, err = table.Price("anthropic", "claude-opus-4-8-20260301", now)
	if err != nil || p.Cost(llm.Usage{CacheRead: million}) != 37_500 {
		t.Errorf("the user's own price does not win: %+v, %v", p, err)
	}
	for _, bad := range []string{"", "m=1/2", "p:m", "p:m=1", "p:m=1/2/3", "p:=1/2", "p:m=-1/2", "p:m=1e3/2", "p:m=a/2", "p:m=0.0000001/2", "p:m=/2"} {
		if _, err := meter.ParsePrice(bad); err == nil {
			t.Errorf("%q is taken for a price", bad)
		}
	}
}

func TestWorstIsAnUpperBound(t *testing.T) {
	p, err := meter.Builtin().Price("anthropic", "claude-opus-4-8", now)
	if err != nil {
		t.Fatal(err)
	}
	req := llm.Request{Model: "claude-opus-4-8", MaxTokens: 1000, System: []llm.Block{{Text: strings.Repeat("table orders ", 1000), Cache: llm.CacheLong}}}
	input := int64(13_000 * 16 / 40) // 1.6 tokens per four characters
	for _, u := range []llm.Usage{{Input: input, Output: 1000}, {CacheWrite1h: input, Output: 1000}, {CacheRead: input}} {
		if got := p.Cost(u); got > p.Worst(req) {
			t.Errorf("%+v costs %s, more than the worst case %s", u, got, p.Worst(req))
		}
	}
	unmarked := req
	unmarked.System = []llm.Block{{Text: req.System[0].Text}}
	if p.Worst(unmarked) >= p.Worst(req) {
		t.Error("a prompt without a mark is reserved like one that is written to the cache")
	}
}

func TestAmounts(t *testing.T) {
	for s, want := range map[string]meter.USD{"5": 5_000_000, "$5": 5_000_000, "0.25": 250_000, ".5": 500_000, "1.": 1_000_000, "0.000001": 1, "0": 0, "2.500000000": 2_500_000} {
		if got, err := meter.ParseUSD(s); err != nil || got != want {
			t.Errorf("%q: %d, %v", s, got, err)
		}
	}
	for _, s := range []string{"", ".", "-1", "1e3", "NaN", "1,5", "0.0000001", "$", "99999999999999999999", "0x10", "1 000"} {
		if got, err := meter.ParseUSD(s); err == nil {
			t.Errorf("%q is taken for %s", s, got)
		}
	}
	for u, want := range map[meter.USD]string{0: "$0.00", 4100: "$0.0041", 250_000: "$0.25", 121_000: "$0.121", 1_050_000: "$1.05", 31: "$0.000031", 48_949: "$0.0489", 48_950: "$0.049", -250_000: "-$0.25", 1_999_990: "$2.00"} {
		if got := u.String(); got != want {
			t.Errorf("%d is shown as %s, want %s", u, got, want)
		}
	}
	for u, want := range map[meter.USD]string{0: "0", 4100: "0.0041", 5_000_000: "5", 31: "0.000031", -1_500_000: "-1.5", 10_000_000: "10"} {
		if got := u.Dollars().String(); got != want {
			t.Errorf("%d is %s dollars, want %s", u, got, want)
		}
	}
}
