package direct

import (
	"encoding/json"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/agent"
	"github.com/sqbyl/sqbyl/llm"
)

// draft is the model's answer before any check.
type draft struct {
	Plan       string   `json:"plan,omitempty"`
	Answerable *bool    `json:"answerable"`
	SQL        string   `json:"sql"`
	Missing    string   `json:"missing,omitempty"`
	Nearest    []string `json:"nearest"`
	UsedAssets []string `json:"used_assets"`
	Confidence string   `json:"confidence,omitempty"`
}

// givenUp is the least that says "cannot be answered": some models leave the
// SQL out then.
type givenUp struct {
	Plan       string   `json:"plan,omitempty"`
	Answerable bool     `json:"answerable"`
	Missing    string   `json:"missing,omitempty"`
	Nearest    []string `json:"nearest"`
}

var answerSchema = &llm.Schema{Name: "answer", Schema: json.RawMessage(`{"type":"object","properties":{` +
	`"plan":{"type":"string"},` +
	`"answerable":{"type":"boolean"},` +
	`"sql":{"type":"string"},` +
	`"missing":{"type":"string"},` +
	`"nearest":{"type":"array","items":{"type":"string"}},` +
	`"used_assets":{"type":"array","items":{"type":"string"}},` +
	`"confidence":{"type":"string","enum":["high","medium","low"]}},` +
	`"required":["plan","answerable","sql","missing","nearest","used_assets","confidence"],"additionalProperties":false}`)}

func decode(resp llm.Response) (draft, error) {
	var d draft
	err := llm.Decode(resp, &d)
	if err != nil {
		var g givenUp
		if llm.Decode(resp, &g) == nil && !g.Answerable {
			no := false
			return draft{Plan: g.Plan, Answerable: &no, Missing: g.Missing, Nearest: g.Nearest}, nil
		}
		return draft{}, err
	}
	d.SQL = unfence(d.SQL)
	return d, nil
}

// unanswerable takes the model at its word, also when it wrote SQL that
// answers something similar.
func (d draft) unanswerable() bool { return d.Answerable != nil && !*d.Answerable }

func (d draft) confidence() agent.Confidence {
	switch c := agent.Confidence(strings.ToLower(strings.TrimSpace(d.Confidence))); c {
	case agent.High, agent.Medium, agent.Low:
		return c
	}
	return ""
}

// unfence takes SQL out of a code fence that models put around it even inside
// JSON.
func unfence(sql string) string {
	sql = strings.TrimSpace(sql)
	inner, found := strings.CutPrefix(sql, "```")
	if !found {
		return sql
	}
	inner, _, _ = strings.Cut(inner, "```")
	if first, rest, ok := strings.Cut(inner, "\n"); ok && !strings.Contains(strings.TrimSpace(first), " ") {
		inner = rest
	}
	return strings.TrimSpace(inner)
}
