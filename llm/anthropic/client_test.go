package anthropic_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sqbyl/sqbyl/internal/testkit/fakemodel"
	"github.com/sqbyl/sqbyl/internal/testkit/golden"
	"github.com/sqbyl/sqbyl/llm"
	"github.com/sqbyl/sqbyl/llm/anthropic"
)

const key = "sk-ant-planted-secret-0123456789"

func start(t *testing.T, replies ...fakemodel.Reply) (*fakemodel.Server, *anthropic.Client) {
	t.Helper()
	fake := fakemodel.New(t).Script(replies...)
	fake.Key = key
	return fake, anthropic.New(anthropic.Config{Key: key, BaseURL: fake.URL()})
}

func ask(text string) llm.Request {
	return llm.Request{Model: "claude-opus-4-8", MaxTokens: 100, Messages: []llm.Message{{Role: llm.User, Text: text}}}
}

var full = llm.Request{
	Model: "claude-opus-4-8", MaxTokens: 2048, Effort: "low",
	System: []llm.Block{{Text: "You write SQL. a < b & c"}, {Text: ""}, {Text: "schema", Cache: llm.CacheLong}},
	Tools:  []llm.Tool{{Name: "list_tables", Description: "Lists tables.", Input: json.RawMessage(`{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"integer"}},"required":["z","a"],"additionalProperties":false}`)}},
	Answer: &llm.Schema{Name: "draft", Schema: json.RawMessage(`{"type":"object","properties":{"sql":{"type":"string"},"plan":{"type":"string"}},"required":["sql","plan"],"additionalProperties":false}`)},
	Messages: []llm.Message{
		{Role: llm.User, Text: "How many?"},
		{Role: llm.Assistant, Text: "Let me look.", Thinking: json.RawMessage(`[{"type":"thinking","thinking":"hm","signature":"sig"}]`), Calls: []llm.ToolCall{{ID: "c1", Name: "list_tables", Input: json.RawMessage(`{"z":"1","a":2}`)}, {ID: "c2", Name: "list_tables"}}},
		{Role: llm.User, Text: "Go on.", Results: []llm.ToolResult{{ID: "c1", Text: "orders"}, {ID: "c2", Text: "no such table", Error: true}}, Cache: llm.CacheShort},
		{Role: llm.Assistant},
	},
}

func TestRequestBodyIsTheGoldenOne(t *testing.T) {
	fake, client := start(t, fakemodel.Text("x"))
	if _, err := client.Complete(t.Context(), full); err != nil {
		t.Fatal(err)
	}
	call := fake.Calls()[0]
	var body bytes.Buffer
	if err := json.Indent(&body, call.Body, "", " "); err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "request.json", body.String()+"\n")
	if got := call.Header.Get("anthropic-version"); got != "2026-10-21" {
		t.Errorf("anthropic-version %q", got)
	}
	if call.Header.Get("traceparent") != "" {
		t.Error("the SDK's own tracing is on")
	}
}

func TestAnswers(t *testing.T) {
	tool := fakemodel.Tool("list_tables", map[string]any{"a": strings.Repeat("ü", 100)})
	tool.Text, tool.Thinking = "Let me look.", "hm"
	for name, c := range map[string]struct {
		reply fakemodel.Reply
		want  llm.Response
	}{
		"text":          {fakemodel.Text(strings.Repeat("añ€🙂", 40)), llm.Response{Text: strings.Repeat("añ€🙂", 40), Stop: llm.StopEnd}},
		"structured":    {fakemodel.JSON(map[string]string{"sql": "SELECT 1"}), llm.Response{Text: `{"sql":"SELECT 1"}`, Stop: llm.StopEnd}},
		"stop sequence": {fakemodel.Reply{Text: "a", Stop: llm.StopSeq}, llm.Response{Text: "a", Stop: llm.StopSeq}},
		"empty":         {fakemodel.Reply{}, llm.Response{Stop: llm.StopEnd}},
		"tool": {tool, llm.Response{
			Text: "Let me look.", Stop: llm.StopTool, Thinking: json.RawMessage(`[{"type":"thinking","thinking":"hm","signature":"sig"}]`),
			Calls: []llm.ToolCall{{ID: "call_0001_0", Name: "list_tables", Input: json.RawMessage(`{"a":"` + strings.Repeat("ü", 100) + `"}`)}},
		}},
	} {
		for _, plain := range []bool{false, true} {
			reply := c.reply
			reply.Plain, reply.Usage, reply.Model = plain, &llm.Usage{Input: 7, Output: 5, CacheWrite5m: 3, CacheWrite1h: 4, CacheRead: 2}, "claude-opus-4-8-20270101"
			_, client := start(t, reply)
			started := 0
			req := ask("q")
			req.Started = func() { started++ }
			got, err := client.Complete(t.Context(), req)
			if err != nil {
				t.Errorf("%s (plain %v): %v", name, plain, err)
				continue
			}
			want := c.want
			want.Model, want.Usage, want.RequestID = reply.Model, *reply.Usage, "req_0001"
			same := cmp.Transformer("json", func(m json.RawMessage) any { var v any; _ = json.Unmarshal(m, &v); return v })
			if d := cmp.Diff(want, got, same, cmpopts.IgnoreFields(llm.Response{}, "Latency", "FirstByte")); d != "" {
				t.Errorf("%s (plain %v): %s", name, plain, d)
			}
			if started != 1 || got.Latency <= 0 || got.FirstByte <= 0 || got.FirstByte > got.Latency {
				t.Errorf("%s: started %d times, first byte %v of %v", name, started, got.FirstByte, got.Latency)
			}
		}
	}
}

func TestErrorsByWhatCanBeDone(t *testing.T) {
	status := func(code int, body string) fakemodel.Reply { return fakemodel.Reply{Status: code, Body: body} }
	typed := func(code int, kind, message string) fakemodel.Reply {
		return status(code, `{"type":"error","error":{"type":"`+kind+`","message":"`+message+`"}}`)
	}
	broken := fakemodel.Tool("t", "x")
	broken.Calls[0].Input = json.RawMessage(`{"a":`)
	nothing := fakemodel.Truncated("")
	nothing.Thinking = "long thoughts"
	exact := func(in, out int64) *llm.Usage { return &llm.Usage{Input: in, Output: out} }
	lower := func(in, out int64) *llm.Usage { return &llm.Usage{Input: in, Output: out, Estimated: true} }
	for name, c := range map[string]struct {
		reply fakemodel.Reply
		want  llm.Error
		says  string
	}{
		"key refused":      {fakemodel.KeyRefused(), llm.Error{Kind: llm.KindKey, Status: 401}, "invalid x-api-key"},
		"forbidden":        {typed(403, "permission_error", "no access"), llm.Error{Kind: llm.KindKey, Status: 403}, "no access"},
		"rate limited":     {fakemodel.RateLimited(1500 * time.Millisecond), llm.Error{Kind: llm.KindRateLimited, Status: 429, RetryAfter: 1500 * time.Millisecond}, "per minute"},
		"no wait named":    {fakemodel.RateLimited(0), llm.Error{Kind: llm.KindRateLimited, Status: 429}, ""},
		"a wait of hours":  {fakemodel.RateLimited(5 * time.Hour), llm.Error{Kind: llm.KindQuota, Status: 429, RetryAfter: 5 * time.Hour}, ""},
		"daily, by words":  {fakemodel.DailyQuota(), llm.Error{Kind: llm.KindQuota, Status: 429, RetryAfter: 432 * time.Second}, "per day"},
		"no credit":        {typed(400, "invalid_request_error", "Your credit balance is too low"), llm.Error{Kind: llm.KindQuota, Status: 400}, "credit"},
		"billing":          {typed(402, "billing_error", "pay"), llm.Error{Kind: llm.KindQuota, Status: 402}, "pay"},
		"overloaded":       {fakemodel.Overloaded(), llm.Error{Kind: llm.KindOverloaded, Status: 529}, "Overloaded"},
		"server":           {typed(500, "api_error", "oops"), llm.Error{Kind: llm.KindServer, Status: 500}, "oops"},
		"gateway":          {status(502, "<html>bad gateway</html>"), llm.Error{Kind: llm.KindServer, Status: 502}, "bad gateway"},
		"too long":         {fakemodel.TooLong(), llm.Error{Kind: llm.KindTooLong, Status: 400}, "prompt is too long"},
		"too large":        {typed(413, "request_too_large", "large"), llm.Error{Kind: llm.KindTooLong, Status: 413}, "large"},
		"unknown model":    {typed(404, "not_found_error", "model: nope"), llm.Error{Kind: llm.KindRequest, Status: 404}, "nope"},
		"bad parameter":    {typed(400, "invalid_request_error", "effort: bad"), llm.Error{Kind: llm.KindRequest, Status: 400}, "effort"},
		"truncated":        {fakemodel.Truncated("SELECT"), llm.Error{Kind: llm.KindTruncated, Stop: llm.StopTokens, Text: "SELECT", Usage: exact(9, 3)}, "max_tokens = 100"},
		"only thoughts":    {nothing, llm.Error{Kind: llm.KindTruncated, Stop: llm.StopTokens, Usage: exact(9, 3)}, "thinking"},
		"refused":          {fakemodel.Refusal(), llm.Error{Kind: llm.KindRefused, Stop: llm.StopRefusal, Usage: exact(9, 3)}, "declined"},
		"context full":     {fakemodel.Reply{Text: "a", Stop: llm.StopContext}, llm.Error{Kind: llm.KindTooLong, Stop: llm.StopContext, Text: "a", Usage: exact(9, 3)}, "context"},
		"paused":           {fakemodel.Reply{Text: "a", Stop: llm.StopPause}, llm.Error{Kind: llm.KindTruncated, Stop: llm.StopPause, Text: "a", Usage: exact(9, 3)}, "paused"},
		"new stop reason":  {fakemodel.Reply{Text: "a", Stop: "tired"}, llm.Error{Kind: llm.KindMalformed, Text: "a", Usage: exact(9, 3)}, "tired"},
		"cut":              {fakemodel.Cut("0123456789", 4), llm.Error{Kind: llm.KindCut, Text: "0123456789", Usage: lower(9, 1)}, "broke"},
		"cut, plain":       {fakemodel.Reply{Text: "0123456789", Plain: true, CutAfter: 20}, llm.Error{Kind: llm.KindCut}, "broke"},
		"error in stream":  {fakemodel.MidError("0123456789", "overloaded_error", 4), llm.Error{Kind: llm.KindOverloaded, Text: "0123456789", Usage: lower(9, 1)}, "in the middle"},
		"limit in stream":  {fakemodel.MidError("a", "rate_limit_error", 2), llm.Error{Kind: llm.KindRateLimited, Usage: lower(9, 1)}, "in the middle"},
		"failed in stream": {fakemodel.MidError("a", "api_error", 2), llm.Error{Kind: llm.KindServer, Usage: lower(9, 1)}, "in the middle"},
		"broken stream":    {fakemodel.Malformed(), llm.Error{Kind: llm.KindMalformed, Usage: lower(9, 1)}, "wire format"},
		"broken body":      {fakemodel.Reply{Plain: true, Garbage: "<html>"}, llm.Error{Kind: llm.KindMalformed}, "not a message"},
		"half a message":   {fakemodel.Reply{Plain: true, Garbage: `{"type":"message"}`}, llm.Error{Kind: llm.KindMalformed}, "whole message"},
		"broken input":     {broken, llm.Error{Kind: llm.KindMalformed, Usage: exact(9, 3)}, "call to t is not JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			reply := c.reply
			reply.Usage = &llm.Usage{Input: 9, Output: 3}
			_, client := start(t, reply)
			_, err := client.Complete(t.Context(), ask("q"))
			var got *llm.Error
			if !errors.As(err, &got) {
				t.Fatalf("got %v, want an *llm.Error", err)
			}
			want := c.want
			want.Provider, want.Model = "anthropic", "claude-opus-4-8"
			if d := cmp.Diff(want, *got, cmpopts.IgnoreFields(llm.Error{}, "Message", "RequestID", "Err")); d != "" {
				t.Error(d, got.Message)
			}
			if !strings.Contains(got.Message, c.says) {
				t.Errorf("message %q does not say %q", got.Message, c.says)
			}
			if strings.Contains(got.Error(), key) {
				t.Errorf("the key is in %q", got.Error())
			}
		})
	}
}

func TestNothingIsRetried(t *testing.T) {
	fake, client := start(t, fakemodel.Overloaded(), fakemodel.Text("x"))
	if _, err := client.Complete(t.Context(), ask("q")); llm.KindOf(err) != llm.KindOverloaded {
		t.Fatalf("got %v", err)
	}
	if n := len(fake.Calls()); n != 1 {
		t.Errorf("%d requests for one attempt", n)
	}
}

func TestKeysStayOutOfErrors(t *testing.T) {
	_, client := start(t, fakemodel.Reply{Status: 401, Body: `{"type":"error","error":{"type":"authentication_error","message":"key ` + key + ` and sk-other-key-12345678 are wrong"}}`})
	_, err := client.Complete(t.Context(), ask("q"))
	text := err.Error()
	if strings.Contains(text, key) || strings.Contains(text, "sk-other") {
		t.Errorf("a key is in %q", text)
	}
	all, _ := json.Marshal(err)
	if strings.Contains(string(all), "planted") {
		t.Errorf("a key is in %s", all)
	}
}

func TestWithoutAKeyNothingIsSent(t *testing.T) {
	fake := fakemodel.New(t)
	t.Setenv("ANTHROPIC_API_KEY", "from-the-environment")
	t.Setenv("ANTHROPIC_BASE_URL", fake.URL())
	client := anthropic.New(anthropic.Config{BaseURL: fake.URL()})
	if _, err := client.Complete(t.Context(), ask("q")); llm.KindOf(err) != llm.KindKey {
		t.Errorf("got %v", err)
	}
	if len(fake.Calls()) != 0 {
		t.Error("a call was sent with a key from the environment")
	}
}

func TestNoConnection(t *testing.T) {
	client := anthropic.New(anthropic.Config{Key: key, BaseURL: "http://user:hidden@127.0.0.1:1/?token=hidden"})
	_, err := client.Complete(t.Context(), ask("q"))
	if llm.KindOf(err) != llm.KindUnreachable || !strings.Contains(err.Error(), "http://127.0.0.1:1") || strings.Contains(err.Error(), "hidden") {
		t.Errorf("got %v", err)
	}
}

func TestCancelEndsACall(t *testing.T) {
	hold := make(chan struct{})
	defer close(hold)
	reply := fakemodel.Text("x")
	reply.Hold = hold
	_, client := start(t, reply)
	ctx, cancel := context.WithCancel(t.Context())
	req := ask("q")
	req.Started = cancel
	_, err := client.Complete(ctx, req)
	if llm.KindOf(err) != llm.KindCanceled || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestASilentProviderIsACutConnection(t *testing.T) {
	hold := make(chan struct{})
	defer close(hold)
	reply := fakemodel.Text("x")
	reply.Hold = hold
	fake := fakemodel.New(t).Script(reply)
	client := anthropic.New(anthropic.Config{Key: key, BaseURL: fake.URL(), Idle: 50 * time.Millisecond})
	_, err := client.Complete(t.Context(), ask("q"))
	if llm.KindOf(err) != llm.KindCut || !strings.Contains(err.Error(), "nothing for too long") {
		t.Errorf("got %v", err)
	}
}

func TestLimitsComeFromHeaders(t *testing.T) {
	fake, client := start(t, fakemodel.Text("x"))
	fake.Header = http.Header{
		"anthropic-ratelimit-requests-remaining":      {"49"},
		"anthropic-ratelimit-input-tokens-remaining":  {"30000"},
		"anthropic-ratelimit-output-tokens-remaining": {"8000"},
		"anthropic-ratelimit-requests-reset":          {time.Now().Add(time.Hour).UTC().Format(time.RFC3339)},
	}
	got, err := client.Complete(t.Context(), ask("q"))
	if err != nil {
		t.Fatal(err)
	}
	if l := got.Limits; l.RequestsLeft == nil || *l.RequestsLeft != 49 || l.TokensLeft == nil || *l.TokensLeft != 8000 || l.ResetAfter < 50*time.Minute {
		t.Errorf("limits %+v", l)
	}
}

func TestModelsAndCountTokensCheckTheKey(t *testing.T) {
	fake, client := start(t)
	fake.ModelNames = []string{"claude-opus-5-5", "claude-opus-4-8"}
	names, err := client.Models(t.Context())
	if err != nil || cmp.Diff(fake.ModelNames, names) != "" {
		t.Errorf("got %v, %v", names, err)
	}
	if n, err := client.CountTokens(t.Context(), full); err != nil || n < 100 {
		t.Errorf("got %d, %v", n, err)
	}
	wrong := anthropic.New(anthropic.Config{Key: "other", BaseURL: fake.URL() + "/v1/"})
	if _, err := wrong.Models(t.Context()); llm.KindOf(err) != llm.KindKey {
		t.Errorf("got %v", err)
	}
	if _, err := wrong.CountTokens(t.Context(), full); llm.KindOf(err) != llm.KindKey {
		t.Errorf("got %v", err)
	}
}

func TestTheVersionCanBeAnOlderOne(t *testing.T) {
	fake := fakemodel.New(t).Script(fakemodel.Text("x"))
	client := anthropic.New(anthropic.Config{Key: key, BaseURL: fake.URL(), Version: "2023-06-01"})
	if _, err := client.Complete(t.Context(), ask("q")); err != nil {
		t.Fatal(err)
	}
	if got := fake.Calls()[0].Header.Get("anthropic-version"); got != "2023-06-01" {
		t.Errorf("anthropic-version %q", got)
	}
	if got := fake.Calls()[0].Header.Get("x-api-key"); got != key {
		t.Errorf("x-api-key %q", got)
	}
}

func TestCountsThatAreEstimatesSaySo(t *testing.T) {
	fake, client := start(t, fakemodel.Text("x"), fakemodel.Text("x"))
	if got, err := client.Complete(t.Context(), ask("q")); err != nil || got.Usage.Estimated {
		t.Errorf("got %+v, %v", got.Usage, err)
	}
	fake.Header = http.Header{"x-relay-usage": {"estimated"}}
	if got, err := client.Complete(t.Context(), ask("q")); err != nil || !got.Usage.Estimated {
		t.Errorf("got %+v, %v", got.Usage, err)
	}
}

func TestAnOlderEndpointIsToldInWords(t *testing.T) {
	fake := fakemodel.New(t).Answer(func(fakemodel.Call) fakemodel.Reply { return fakemodel.Text("```json\n{\"sql\":\"SELECT 1\"}\n```") })
	fake.JSONMode = "none"
	client := anthropic.New(anthropic.Config{Key: key, BaseURL: fake.URL()})
	for range 3 {
		resp, err := client.Complete(t.Context(), full)
		var draft struct{ SQL string }
		if err == nil {
			err = llm.Decode(resp, &draft)
		}
		if err != nil || draft.SQL != "SELECT 1" {
			t.Fatalf("%+v, %v", draft, err)
		}
	}
	calls := fake.Calls()
	if len(calls) != 4 || calls[1].Schema != nil || !strings.Contains(calls[1].System, `"required":["sql","plan"]`) {
		t.Errorf("%d calls; the second says %s", len(calls), calls[1].System)
	}
}

func TestACallThatWasGivenUpBeforeIsNotSent(t *testing.T) {
	fake, client := start(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := client.Complete(ctx, ask("q"))
	if llm.KindOf(err) != llm.KindCanceled || llm.BillingOf(err) != llm.NotBilled || len(fake.Calls()) != 0 {
		t.Errorf("got %v", err)
	}
}
