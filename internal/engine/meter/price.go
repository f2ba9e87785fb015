package meter

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/sqbyl/sqbyl/llm"
)

// Rate is the price of tokens in nano-dollars per thousand: one dollar per
// million tokens is 1,000,000.
type Rate int64

// ParseRate reads a price in dollars per million tokens.
func ParseRate(s string) (Rate, error) {
	n, err := decimal(s, 6)
	return Rate(n), err
}

// UnmarshalJSON reads dollars per million tokens from the number's own digits.
func (r *Rate) UnmarshalJSON(b []byte) error {
	n, err := ParseRate(string(b))
	if err != nil {
		return fmt.Errorf("price %s: %w", b, err)
	}
	*r = n
	return nil
}

// MarshalJSON writes dollars per million tokens.
func (r Rate) MarshalJSON() ([]byte, error) { return []byte(USD(r).Dollars()), nil }

// Rates are the prices of the kinds of tokens. A kind that a provider does
// not price apart costs what input costs.
type Rates struct {
	Input   Rate  `json:"input"`
	Output  Rate  `json:"output"`
	Write5m *Rate `json:"write_5m,omitempty"`
	Write1h *Rate `json:"write_1h,omitempty"`
	Read    *Rate `json:"read,omitempty"`
}

// Long are the rates of a whole call whose prompt is longer than Above tokens.
type Long struct {
	Above int64 `json:"above_prompt_tokens"`
	Rates
}

// Price is what a model costs from a day on.
type Price struct {
	Provider string `json:"provider"`
	Model    string `json:"model"` // * stands for every model of the provider
	From     Day    `json:"from"`
	Rates
	Long    *Long  `json:"long,omitempty"`
	Source  string `json:"source"`
	Checked Day    `json:"checked,omitzero"`
}

// Day is a date in UTC.
type Day struct{ time.Time }

// UnmarshalJSON reads a date such as 2026-11-30.
func (d *Day) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	t, err := time.Parse(time.DateOnly, s)
	d.Time = t
	return err
}

// MarshalJSON writes a date such as 2026-11-30.
func (d Day) MarshalJSON() ([]byte, error) { return json.Marshal(d.Format(time.DateOnly)) }

//go:embed prices.json
var embedded []byte

// Table is a list of prices.
type Table struct{ rows, own []Price }

// Builtin gives the prices that the product knows.
func Builtin() Table {
	var t Table
	if err := json.Unmarshal(embedded, &t.rows); err != nil {
		panic("meter: prices.json: " + err.Error()) // a test reads it
	}
	return t
}

// With adds the user's own prices, which win over all others.
func (t Table) With(own ...Price) Table {
	return Table{rows: t.rows, own: append(slices.Clone(t.own), own...)}
}

// Rows gives the prices in force at a time, one per model.
func (t Table) Rows(at time.Time) []Price {
	var out []Price
	for _, p := range slices.Concat(t.own, t.rows) {
		if q, ok := t.exact(p.Provider, p.Model, at); ok && !slices.ContainsFunc(out, func(o Price) bool { return o.Provider == q.Provider && o.Model == q.Model }) {
			out = append(out, q)
		}
	}
	return out
}

// snapshot is the date that providers hang on a model's name.
var snapshot = regexp.MustCompile(`(-\d{8}|-\d{4}-\d{2}-\d{2}|@\d{8}|-latest)$`)

// Price gives the price of a model at a time. A dated snapshot costs what its
// model costs. An unknown model is an *llm.Error of KindBudget around an
// *UnpricedError: nothing paid may be sent to it.
func (t Table) Price(provider, model string, at time.Time) (Price, error) {
	for _, name := range []string{model, snapshot.ReplaceAllString(model, ""), "*"} {
		if p, ok := t.exact(provider, name, at); ok {
			return p, nil
		}
	}
	return Price{}, &llm.Error{Kind: llm.KindBudget, Provider: provider, Model: model, Unsent: true, Err: &UnpricedError{provider, model}}
}

// UnpricedError says that nobody knows what a model costs.
type UnpricedError struct{ Provider, Model string }

func (e *UnpricedError) Error() string {
	return fmt.Sprintf("no price is known, so nothing paid is sent to it; give one with --price %s:%s=INPUT/OUTPUT (dollars per million tokens, 0/0 for a model that costs nothing)", e.Provider, e.Model)
}

func (t Table) exact(provider, model string, at time.Time) (best Price, ok bool) {
	for _, rows := range [][]Price{t.own, t.rows} {
		for _, p := range rows {
			if p.Provider == provider && p.Model == model && !p.From.After(at) && (!ok || !p.From.Before(best.From.Time)) {
				best, ok = p, true
			}
		}
		if ok {
			return best, true
		}
	}
	return best, false
}

// ParsePrice reads a price given by hand:
// provider:model=input/output[/write_5m/write_1h/read], in dollars per million
// tokens. It holds from the beginning.
func ParsePrice(s string) (Price, error) {
	name, rates, ok := strings.Cut(s, "=")
	provider, model, named := strings.Cut(name, ":")
	parts := strings.Split(rates, "/")
	if !ok || !named || provider == "" || model == "" || len(parts) != 2 && len(parts) != 5 {
		return Price{}, fmt.Errorf("price %q: write provider:model=input/output or …/write_5m/write_1h/read, in dollars per million tokens", s)
	}
	var values []Rate
	for _, part := range parts {
		r, err := ParseRate(part)
		if err != nil {
			return Price{}, fmt.Errorf("price %q: %s: %w", s, part, err)
		}
		values = append(values, r)
	}
	p := Price{Provider: provider, Model: model, Rates: Rates{Input: values[0], Output: values[1]}, Source: "given by the user"}
	if len(values) == 5 {
		p.Write5m, p.Write1h, p.Read = &values[2], &values[3], &values[4]
	}
	return p, nil
}

// Cost is the price of a usage, rounded half up to the micro-dollar.
func (p Price) Cost(u llm.Usage) USD {
	r := p.Rates
	if p.Long != nil && u.Input+u.CacheRead+u.CacheWrite5m+u.CacheWrite1h > p.Long.Above {
		r = p.Long.Rates
	}
	sum := u.Input*int64(r.Input) + u.Output*int64(r.Output) +
		u.CacheWrite5m*int64(r.or(r.Write5m)) + u.CacheWrite1h*int64(r.or(r.Write1h)) + u.CacheRead*int64(r.or(r.Read))
	return USD((sum + 500_000) / 1_000_000)
}

// Saved is what the cache took off the price of a usage; negative when it was
// written and not read often enough.
func (p Price) Saved(u llm.Usage) USD {
	cold := llm.Usage{Input: u.Input + u.CacheRead + u.CacheWrite5m + u.CacheWrite1h, Output: u.Output}
	return p.Cost(cold) - p.Cost(u)
}

func (r Rates) or(own *Rate) Rate {
	if own != nil {
		return *own
	}
	return r.Input
}

// Worst is the most that a request can cost: every two bytes of it a token,
// at the dearest rate it may be billed at, and the longest answer.
func (p Price) Worst(req llm.Request) USD {
	tokens := int64(llm.Size(req))/2 + 200
	output := int64(req.MaxTokens)
	worst := USD(0)
	for _, u := range []llm.Usage{{Input: tokens, Output: output}, {CacheWrite5m: tokens, Output: output}, {CacheWrite1h: tokens, Output: output}} {
		if u.CacheWrite5m > 0 && !marks(req, llm.CacheShort) || u.CacheWrite1h > 0 && !marks(req, llm.CacheLong) {
			continue
		}
		worst = max(worst, p.Cost(u))
	}
	return worst
}

// marks tells whether a request asks to keep a part of it for so long.
func marks(req llm.Request, life llm.CacheLife) bool {
	return slices.ContainsFunc(req.System, func(b llm.Block) bool { return b.Cache == life }) ||
		slices.ContainsFunc(req.Messages, func(m llm.Message) bool { return m.Cache == life })
}
