package orchestrate

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/sqbyl/sqbyl/internal/toolkit/ledger"
	"github.com/sqbyl/sqbyl/llm"
)

// Quota is the part of a run that a model's used-up allowance ended.
type Quota struct {
	Model   string // provider:model
	Message string // the provider's own words
	// Left is the number of units that this model still owes.
	Left int
	// PerDay is the number of units that the allowance has been good for, 0
	// when none was seen; Days are those that Left then takes.
	PerDay, Days int
	// Again is when the provider said to come back, zero when it did not.
	Again time.Time
}

// PlanQuota works out how a run whose model has used up its allowance goes on.
// The allowance is taken to be what the last 24 hours brought.
func PlanQuota(ctx context.Context, l *ledger.Ledger, provider, model string, closed error, left int, now time.Time) (Quota, error) {
	q := Quota{Model: provider + ":" + model, Left: left}
	var e *llm.Error
	if errors.As(closed, &e) {
		q.Message = e.Message
		if e.RetryAfter > 0 {
			q.Again = now.Add(e.RetryAfter)
		}
	}
	if l == nil {
		return q, nil
	}
	day, err := l.Day(ctx, provider, model, now)
	if err != nil {
		return q, err
	}
	q.PerDay = int(day.Units)
	if q.PerDay > 0 {
		q.Days = int(math.Ceil(float64(left) / float64(q.PerDay)))
	}
	return q, nil
}
