package meter

import (
	"context"
	"errors"
	"time"

	"github.com/sqbyl/sqbyl/llm"
)

// Config says what a metered client may spend and at which prices.
type Config struct {
	Provider string
	Prices   Table
	Budget   *Budget // nil has no end
	// More, if not nil, is asked when a call does not fit the budget any more;
	// true means that the budget was raised to hold it.
	More func(ctx context.Context, worst USD) bool
	Now  func() time.Time // nil means the real time
}

// Affordable tells whether another attempt at a request still fits the budget.
func (c Config) Affordable(req llm.Request) bool {
	now := time.Now
	if c.Now != nil {
		now = c.Now
	}
	price, err := c.Prices.Price(c.Provider, req.Model, now())
	return err == nil && c.Budget.Fits(price.Worst(req))
}

// Wrap gives a client that reserves the worst case of every call in the
// budget before it is sent, and settles what it cost. A call that does not
// fit, and one to a model without a price, is not sent: KindBudget.
func Wrap(inner llm.Client, c Config) llm.Client {
	if c.Now == nil {
		c.Now = time.Now
	}
	return metered{inner, c}
}

type metered struct {
	inner llm.Client
	Config
}

func (m metered) Complete(ctx context.Context, req llm.Request) (llm.Response, error) {
	price, err := m.Prices.Price(m.Provider, req.Model, m.Now())
	if err != nil {
		return llm.Response{}, err
	}
	worst := price.Worst(req)
	hold, err := m.Budget.Reserve(ctx, worst)
	for m.More != nil && llm.KindOf(err) == llm.KindBudget && m.More(ctx, worst) {
		hold, err = m.Budget.Reserve(ctx, worst)
	}
	if err != nil {
		return llm.Response{}, named(err, m.Provider, req.Model)
	}
	// A panic below must not keep the others out for ever.
	defer hold.Unknown()
	resp, err := m.inner.Complete(ctx, req)
	settle(hold, m.Prices, m.Provider, price, resp, err, m.Now())
	return resp, err
}

func settle(hold *Hold, prices Table, provider string, asked Price, resp llm.Response, err error, at time.Time) {
	cost, billing := Charge(prices, provider, asked, resp, err, at)
	switch billing {
	case llm.NotBilled:
		hold.Release()
	case llm.MaybeBilled:
		hold.Unknown()
	default:
		hold.Settle(cost)
	}
}

// Charge gives what one attempt cost: the price of the model that answered
// when it is known, else of the one that was asked. With MaybeBilled the cost
// is a lower bound.
func Charge(prices Table, provider string, asked Price, resp llm.Response, err error, at time.Time) (USD, llm.Billing) {
	if err == nil {
		price := asked
		if resp.Model != "" {
			if p, known := prices.Price(provider, resp.Model, at); known == nil {
				price = p
			}
		}
		return price.Cost(resp.Usage), llm.Billed
	}
	billing := llm.BillingOf(err)
	if u := llm.UsageOf(err); u != nil && billing != llm.NotBilled {
		return asked.Cost(*u), billing
	}
	return 0, billing
}

func named(err error, provider, model string) error {
	var e *llm.Error
	if errors.As(err, &e) && e.Model == "" {
		e.Provider, e.Model = provider, model
	}
	return err
}
