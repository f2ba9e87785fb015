package agent

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/meter"
	"github.com/sqbyl/sqbyl/llm"
)

// Answer is what came of a question.
type Answer struct {
	Question string
	Answered bool
	// Reason says why there is no answer; Nearest names what the database
	// has that comes closest.
	Reason  string
	Nearest []string
	Plan    string
	SQL     string
	Columns []db.Column
	Rows    [][]db.Value
	// Truncated names the cap that cut the rows.
	Truncated db.Truncation
	// UsedAssets are the trusted queries that the SQL contains.
	UsedAssets []string
	Confidence Confidence
	Attempts   []Attempt
	Model      string // that answered, else that was asked
	Calls      int
	Usage      llm.Usage
	// Cost is what the calls cost, nil when a model's price is not known.
	Cost    *meter.USD
	Latency Latency
	TraceID string
	// Replayed is set when a recording answered: Cost is then what the calls
	// would have cost.
	Replayed bool
}

// GaveUp tells that the model said that there is no answer, instead of trying
// in vain.
func (a Answer) GaveUp() bool {
	return !a.Answered && (len(a.Attempts) == 0 || a.Attempts[len(a.Attempts)-1].Error == "")
}

// Attempt is one answer of the model and what became of it.
type Attempt struct {
	SQL   string `json:"sql"`
	Error string `json:"error"` // "" for the one that worked
}

// Confidence is the model's own word on how sure it is.
type Confidence string

// The confidences.
const (
	High   Confidence = "high"
	Medium Confidence = "medium"
	Low    Confidence = "low"
)

// Stage is a part of the work.
type Stage string

// The stages of an answer, in their order.
const (
	Select  Stage = "select"
	Compile Stage = "compile"
	Model   Stage = "model"
	Guard   Stage = "guard"
	Prepare Stage = "prepare"
	Execute Stage = "execute"
)

// Latency is the time spent per stage, over all attempts.
type Latency map[Stage]time.Duration

// MarshalJSON writes milliseconds, to the microsecond.
func (l Latency) MarshalJSON() ([]byte, error) {
	ms := make(map[Stage]float64, len(l))
	for stage, d := range l {
		ms[stage] = float64(d.Microseconds()) / 1000
	}
	return json.Marshal(ms)
}

// document is the answer's JSON form.
type document struct {
	Question   string       `json:"question"`
	Answered   bool         `json:"answered"`
	Reason     string       `json:"reason"`
	Nearest    []string     `json:"nearest"`
	Plan       string       `json:"plan"`
	SQL        string       `json:"sql"`
	Columns    []string     `json:"columns"`
	Rows       [][]db.Value `json:"rows"`
	Truncated  bool         `json:"truncated"`
	UsedAssets []string     `json:"used_assets"`
	Confidence Confidence   `json:"confidence"`
	Attempts   []Attempt    `json:"attempts"`
	Model      string       `json:"model"`
	Calls      int          `json:"calls"`
	Usage      llm.Usage    `json:"usage"`
	Cost       *json.Number `json:"cost_usd"`
	Latency    Latency      `json:"latency_ms"`
	TraceID    string       `json:"trace_id"`
	Replayed   bool         `json:"replayed,omitempty"`
}

// MarshalJSON writes the answer as the document that ask --json prints; lists
// are never null.
func (a Answer) MarshalJSON() ([]byte, error) {
	d := document{
		Question: a.Question, Answered: a.Answered, Reason: a.Reason, Nearest: full(a.Nearest), Plan: a.Plan, SQL: a.SQL,
		Columns: make([]string, len(a.Columns)), Rows: full(a.Rows), Truncated: a.Truncated != db.Whole,
		UsedAssets: full(a.UsedAssets), Confidence: a.Confidence, Attempts: full(a.Attempts),
		Model: a.Model, Calls: a.Calls, Usage: a.Usage, Latency: a.Latency, TraceID: a.TraceID, Replayed: a.Replayed,
	}
	if a.Cost != nil {
		dollars := a.Cost.Dollars()
		d.Cost = &dollars
	}
	for i, c := range a.Columns {
		d.Columns[i] = c.Name
	}
	for i, row := range d.Rows {
		if row == nil {
			d.Rows[i] = []db.Value{}
		}
	}
	if d.Latency == nil {
		d.Latency = Latency{}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // SQL is full of < and >
	if err := e.Encode(d); err != nil {
		return nil, fmt.Errorf("write the answer: %w", err)
	}
	return b.Bytes(), nil
}

func full[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
