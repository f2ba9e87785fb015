package batch

import (
	"encoding/json"
	"time"

	"github.com/sqbyl/sqbyl/internal/app/paid"
	"github.com/sqbyl/sqbyl/internal/engine/agent"
	"github.com/sqbyl/sqbyl/internal/toolkit/orchestrate"
	"github.com/sqbyl/sqbyl/internal/toolkit/runs"
	"github.com/sqbyl/sqbyl/llm"
)

type planEvent struct {
	Event     string        `json:"event"`
	Model     string        `json:"model"`
	Questions int           `json:"questions"`
	Left      int           `json:"left"` // of them, not recorded yet
	Estimate  paid.Document `json:"estimate"`
}

type waitEvent struct {
	Event   string  `json:"event"`
	Model   string  `json:"model"`
	Kind    string  `json:"kind"`
	Attempt int     `json:"attempt"` // that failed, 0 when other calls' limits are waited for
	Seconds float64 `json:"seconds"`
}

type answerEvent struct {
	Event string `json:"event"`
	resultDocument
}

type resultDocument struct {
	ID    string `json:"id"`
	State State  `json:"state"`
	// Error is why asking failed, or why it was not run.
	Error  string       `json:"error,omitempty"`
	Answer agent.Answer `json:"answer"`
}

func (r *Result) document() resultDocument {
	d := resultDocument{ID: r.ID, State: r.State, Answer: r.Answer}
	if r.Err != nil {
		d.Error = r.Err.Error()
	}
	return d
}

// spent is money as JSON has it. Unknown is an upper bound: what calls that
// broke may have cost.
type spent struct {
	Settled json.Number `json:"settled_usd"`
	Unknown json.Number `json:"unknown_usd"`
}

type quotaDocument struct {
	Model   string     `json:"model"`
	Message string     `json:"message"`
	Left    int        `json:"left"`
	PerDay  int        `json:"per_day"`
	Days    int        `json:"days"`
	Again   *time.Time `json:"again,omitempty"`
}

func quotas(list []orchestrate.Quota) []quotaDocument {
	out := []quotaDocument{}
	for _, q := range list {
		d := quotaDocument{Model: q.Model, Message: q.Message, Left: q.Left, PerDay: q.PerDay, Days: q.Days}
		if !q.Again.IsZero() {
			again := q.Again.UTC().Truncate(time.Second)
			d.Again = &again
		}
		out = append(out, d)
	}
	return out
}

// document is the report's JSON form.
type document struct {
	Command   string           `json:"command"`
	Run       runs.ID          `json:"run,omitempty"`
	DryRun    bool             `json:"dry_run,omitempty"`
	Model     string           `json:"model"`
	Questions int              `json:"questions"`
	Counts    map[State]int    `json:"counts"`
	Estimate  *paid.Document   `json:"estimate,omitempty"`
	Spent     spent            `json:"spent"`
	Total     spent            `json:"run_spent"`
	Replayed  json.Number      `json:"replayed_usd"`
	Saved     json.Number      `json:"cache_saved_usd"`
	Usage     llm.Usage        `json:"usage"`
	Calls     int              `json:"calls"`
	Took      float64          `json:"seconds"`
	Quotas    []quotaDocument  `json:"quotas"`
	Stopped   string           `json:"stopped,omitempty"`
	Resume    string           `json:"resume,omitempty"`
	Results   []resultDocument `json:"results,omitempty"`
}

func (r *Report) document() document {
	d := document{
		Command: "ask", Run: r.Run, DryRun: r.DryRun, Model: r.Model, Questions: len(r.Results), Counts: map[State]int{},
		Spent: spent{r.Spent.Settled.Dollars(), r.Spent.Unknown.Dollars()}, Total: spent{r.Total.Settled.Dollars(), r.Total.Unknown.Dollars()},
		Replayed: r.Replayed.Dollars(), Saved: r.Saved.Dollars(), Usage: r.Usage, Calls: r.Calls(), Took: r.Took.Round(time.Millisecond).Seconds(),
		Quotas: quotas(r.Quotas), Resume: r.Resume,
	}
	for _, s := range States() {
		d.Counts[s] = r.Count(s)
	}
	if r.Plan != nil {
		estimate := r.Plan.Document()
		d.Estimate = &estimate
	}
	if r.Stopped != nil {
		d.Stopped = r.Stopped.Error()
	}
	return d
}

// Document is what --json prints.
func (r *Report) Document() any {
	d := r.document()
	if !r.DryRun {
		for i := range r.Results {
			d.Results = append(d.Results, r.Results[i].document())
		}
	}
	return d
}

// Event is the last event of a stream: the report without its results, which
// were told before.
func (r *Report) Event() any {
	return struct {
		Event string `json:"event"`
		document
	}{"end", r.document()}
}
