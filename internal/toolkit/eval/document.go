package eval

import (
	"encoding/json"

	"github.com/sqbyl/sqbyl/internal/engine/compare"
	"github.com/sqbyl/sqbyl/internal/toolkit/score"
	"github.com/sqbyl/sqbyl/internal/toolkit/stats"
)

// Document is the JSON of an evaluation.
type Document struct {
	Run      string     `json:"run"`
	Split    string     `json:"split"`
	Headline Headline   `json:"headline"`
	Reach    string     `json:"reach,omitempty"` // what a set of this size can show
	Solvers  []Solution `json:"solvers"`
}

// Solution is one solver in a Document.
type Solution struct {
	Name string `json:"name"`
	// N counts the questions judged; Rules counts those right under each rule.
	N          int `json:"n"`
	NotRun     int `json:"not_run"`
	GoldBroken int `json:"gold_broken"`
	// Unanswerable questions and those in quarantine are counted apart.
	Unanswerable int        `json:"unanswerable,omitempty"`
	Abstained    int        `json:"abstained,omitempty"`
	Quarantined  int        `json:"quarantined,omitempty"`
	Rules        RuleCounts `json:"rules"`
	Correct      int        `json:"correct"` // by the headline
	// Accuracy is Correct of N, Interval its 95 % Wilson interval.
	Accuracy float64                 `json:"accuracy"`
	Interval stats.Interval          `json:"interval"`
	Produced int                     `json:"produced_sql"`
	Verdicts map[compare.Verdict]int `json:"verdicts"`
	Turns    int                     `json:"turns"`
	Calls    int                     `json:"calls"`
	Tokens   int64                   `json:"tokens"`
	P50      float64                 `json:"p50_seconds"`
	P95      float64                 `json:"p95_seconds"`
	Cost     json.Number             `json:"cost_usd"`
	// Questions are in the benchmark's order.
	Questions []Line `json:"questions"`
}

// RuleCounts are questions right under each rule.
type RuleCounts struct {
	Bird     int `json:"bird"`
	Strict   int `json:"strict"`
	Ordered  int `json:"ordered"`
	Tolerant int `json:"tolerant"`
	Superset int `json:"superset"`
}

// Line is a question in a Document. The texts are absent where questions are
// held out.
type Line struct {
	ID         string             `json:"id"`
	DB         string             `json:"db_id,omitempty"`
	Kind       string             `json:"difficulty,omitempty"`
	Verdict    compare.Verdict    `json:"verdict"`
	Correct    bool               `json:"correct"`
	Rules      score.RuleVerdicts `json:"rules"`
	Question   string             `json:"question,omitempty"`
	SQL        string             `json:"sql,omitempty"`
	Difference string             `json:"difference,omitempty"`
	Cost       json.Number        `json:"cost_usd"`
}

// NewDocument puts results into a document. Of held-out questions it says ids,
// verdicts and kinds, and no question, SQL or value.
func NewDocument(run, split string, headline Headline, results []Result, heldOut bool) Document {
	d := Document{Run: run, Split: split, Headline: headline, Solvers: []Solution{}}
	judged := 0
	for _, r := range results {
		d.Solvers = append(d.Solvers, solution(r, heldOut))
		judged = max(judged, d.Solvers[len(d.Solvers)-1].N)
	}
	d.Reach = stats.Reach(judged)
	return d
}

func solution(r Result, heldOut bool) Solution {
	s := Summarize(r)
	out := Solution{
		Name: r.Solver, N: s.N, NotRun: s.NotRun, GoldBroken: s.GoldBroken,
		Unanswerable: s.Unanswerable, Abstained: s.Abstained, Quarantined: s.Quarantined,
		Rules:   RuleCounts{Bird: s.Bird, Strict: s.Strict, Ordered: s.Ordered, Tolerant: s.Tolerant, Superset: s.Superset},
		Correct: s.Correct, Accuracy: s.Share(s.Correct), Interval: s.Interval, Produced: s.Produced, Verdicts: s.Verdicts,
		Turns: s.Turns, Calls: s.Calls, Tokens: s.Tokens, P50: s.P50.Seconds(), P95: s.P95.Seconds(), Cost: s.Cost.Dollars(),
		Questions: make([]Line, len(r.Questions)),
	}
	for i := range r.Questions {
		q := &r.Questions[i]
		line := Line{
			ID: q.Item.ID, DB: q.Item.DB, Kind: q.Item.Difficulty, Verdict: q.Outcome.Verdict,
			Correct: q.Correct, Rules: q.Outcome.RuleVerdicts(), Cost: q.Answer.Cost.Dollars(),
		}
		if !heldOut {
			line.Question, line.SQL, line.Difference = q.Item.Question.Question, q.Answer.SQL, q.Outcome.Difference
		}
		out.Questions[i] = line
	}
	return out
}
