package batch

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/engine/meter"
	"github.com/sqbyl/sqbyl/internal/toolkit/orchestrate"
	"github.com/sqbyl/sqbyl/llm"
)

// End is how a run ended.
type End uint8

// The ends.
const (
	Complete    End = iota // every question has its answer
	Unanswered             // all were asked, some have none
	Interrupted            // by whoever started it
	OverBudget
	OutOfQuota // a model's daily allowance was used up
	Broken     // Report.Stopped says why
)

// End tells how the run ended.
func (r *Report) End(interrupted bool) End {
	switch {
	case interrupted:
		return Interrupted
	case llm.KindOf(r.Stopped) == llm.KindBudget && r.Plan != nil:
		return OverBudget
	case r.Stopped != nil:
		return Broken
	case len(r.Quotas) > 0:
		return OutOfQuota
	case r.Count(Answered) < len(r.Results):
		return Unanswered
	}
	return Complete
}

// Farewell says how a run ended that did not answer everything, what is kept,
// and how to go on.
func (r *Report) Farewell(end End, now time.Time) []string {
	kept := fmt.Sprintf("%d of %s answered and kept", len(r.Results)-r.Count(NotRun)-r.Count(Failed), term.Counted(len(r.Results), "question"))
	var lines []string
	switch end {
	case Interrupted:
		lines = append(lines, "Interrupted: "+kept+".")
	case OverBudget:
		lines = append(lines, fmt.Sprintf("Stopped at the budget: %s of %s spent, %s.", r.Spent.Total(), r.cap(), kept))
		if short := (*meter.ShortError)(nil); errors.As(r.Stopped, &short) {
			lines = append(lines, fmt.Sprintf("%s is left, and the next call may cost up to %s.", short.Left, short.Worst))
		}
	case OutOfQuota:
		for _, q := range r.Quotas {
			lines = append(lines, fmt.Sprintf("The allowance of %s is used up: %s. %s.", q.Model, strings.TrimSuffix(q.Message, "."), kept))
			lines = append(lines, quotaLines(q, now)...)
		}
	case Broken:
		lines = append(lines, kept+".")
	}
	if r.Resume != "" {
		lines = append(lines, "Go on with  "+r.Resume)
	}
	return lines
}

// cap is what the run could spend at last: a person may have raised it.
func (r *Report) cap() meter.USD {
	if short := (*meter.ShortError)(nil); errors.As(r.Stopped, &short) {
		return short.Cap
	}
	return r.Plan.Cap
}

// quotaLines say when the allowance comes back and how far it goes.
func quotaLines(q orchestrate.Quota, now time.Time) []string {
	when := "The allowance comes back by itself, with most providers within 24 hours."
	if !q.Again.IsZero() {
		when = fmt.Sprintf("It comes back %s.", q.Again.In(now.Location()).Format("2006-01-02 15:04 MST"))
	}
	plan := "How many questions a day it is good for is not known yet."
	if q.PerDay > 0 {
		plan = fmt.Sprintf("Plan for %s: about %s a day, %s left, %s.", q.Model, term.Counted(q.PerDay, "question"), term.Thousands(fmt.Sprint(q.Left)), term.Counted(q.Days, "more day"))
	}
	return []string{when, plan}
}
