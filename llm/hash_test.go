package llm_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/sqbyl/sqbyl/llm"
)

func request(change func(*llm.Request)) llm.Request {
	req := llm.Request{
		Model:    "m",
		System:   []llm.Block{{Text: "a < b & c", Cache: llm.CacheLong}},
		Messages: []llm.Message{{Role: llm.Assistant, Calls: []llm.ToolCall{{ID: "1", Name: "t", Input: json.RawMessage(`{"a": [1, 2.50, "é"], "b": {}}`)}}}},
		Tools:    []llm.Tool{{Name: "t", Input: json.RawMessage(`{"type":"object","properties":{"a":{},"b":{}}}`)}},
		Answer:   &llm.Schema{Name: "s", Schema: json.RawMessage(`{"type":"object"}`)}, MaxTokens: 10,
	}
	if change != nil {
		change(&req)
	}
	return req
}

func TestCanonicalIsStable(t *testing.T) {
	const want = `{"model":"m","system":[{"text":"a < b & c","cache":"1h"}],"messages":[{"role":"assistant","calls":[{"id":"1","name":"t","input":{"a":[1,2.50,"é"],"b":{}}}]}],"tools":[{"name":"t","description":"","input":{"type":"object","properties":{"a":{},"b":{}}}}],"answer":{"name":"s","schema":{"type":"object"}},"max_tokens":10}`
	if got := string(llm.Canonical(request(nil))); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestHashTellsRequestsApart(t *testing.T) {
	base := llm.Hash(request(nil))
	same := map[string]func(*llm.Request){
		"white space in a schema":      func(r *llm.Request) { r.Answer.Schema = json.RawMessage("{ \"type\" :\n\"object\" }") },
		"another spelling of a string": func(r *llm.Request) { r.Messages[0].Calls[0].Input = json.RawMessage(`{"a":[1,2.50,"\u00e9"],"b":{}}`) },
		"the role and the callback":    func(r *llm.Request) { r.Role = "judge"; r.Started = func() {} },
	}
	for name, change := range same {
		if llm.Hash(request(change)) != base {
			t.Errorf("%s changes the hash", name)
		}
	}
	other := map[string]func(*llm.Request){
		"model":  func(r *llm.Request) { r.Model = "n" },
		"system": func(r *llm.Request) { r.System[0].Text += "." },
		"cache":  func(r *llm.Request) { r.System[0].Cache = llm.CacheShort },
		"order of keys": func(r *llm.Request) {
			r.Tools[0].Input = json.RawMessage(`{"properties":{"a":{},"b":{}},"type":"object"}`)
		},
		"max tokens": func(r *llm.Request) { r.MaxTokens++ },
		"effort":     func(r *llm.Request) { r.Effort = "low" },
		"no schema":  func(r *llm.Request) { r.Answer = nil },
	}
	for name, change := range other {
		if llm.Hash(request(change)) == base {
			t.Errorf("%s does not change the hash", name)
		}
	}
}

func TestHashOfARequestThatHoldsBrokenJSON(t *testing.T) {
	broken := request(func(r *llm.Request) { r.Messages[0].Calls[0].Input = json.RawMessage(`{"a":`) })
	if s := string(llm.Canonical(broken)); !json.Valid([]byte(s)) || !strings.Contains(s, `"{\"a\":"`) {
		t.Errorf("not a JSON text that shows the broken part: %s", s)
	}
	if string(broken.Messages[0].Calls[0].Input) != `{"a":` {
		t.Error("the request was changed")
	}
}

func TestErrorSaysWhereAndWhat(t *testing.T) {
	for _, c := range []struct {
		err  llm.Error
		want string
	}{
		{llm.Error{Kind: llm.KindQuota, Provider: "anthropic", Model: "m", Status: 429, Message: "daily limit"}, "anthropic m: daily limit (HTTP 429)"},
		{llm.Error{Kind: llm.KindMalformed, Message: "no JSON"}, "no JSON"},
		{llm.Error{Kind: llm.KindReplayMiss, Provider: "replay"}, "replay: replay miss"},
	} {
		if got := c.err.Error(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestSizeFollowsWhatAModelReads(t *testing.T) {
	base := llm.Size(request(nil))
	for name, change := range map[string]func(*llm.Request){
		"system":  func(r *llm.Request) { r.System[0].Text += strings.Repeat("x", 100) },
		"turn":    func(r *llm.Request) { r.Messages[0].Text = strings.Repeat("x", 100) },
		"tool":    func(r *llm.Request) { r.Tools[0].Description = strings.Repeat("x", 100) },
		"call":    func(r *llm.Request) { r.Messages[0].Calls[0].ID += strings.Repeat("x", 100) },
		"thought": func(r *llm.Request) { r.Messages[0].Thinking = json.RawMessage(strings.Repeat("x", 100)) },
		"schema":  func(r *llm.Request) { r.Answer.Name += strings.Repeat("x", 100) },
	} {
		if got := llm.Size(request(change)) - base; got != 100 {
			t.Errorf("100 bytes more of %s count as %d", name, got)
		}
	}
	if whole := len(llm.Canonical(request(nil))); base > 2*whole || base < whole/2 {
		t.Errorf("size %d, canonical JSON %d", base, whole)
	}
}
