package openai_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sqbyl/sqbyl/internal/testkit/fakemodel"
	"github.com/sqbyl/sqbyl/internal/testkit/golden"
	"github.com/sqbyl/sqbyl/llm"
	"github.com/sqbyl/sqbyl/llm/ability"
	"github.com/sqbyl/sqbyl/llm/openai"
)

const key = "gsk_plantedSecret0123456789"

func start(t *testing.T, replies ...fakemodel.Reply) (*fakemodel.Server, *openai.Client) {
	t.Helper()
	fake := fakemodel.New(t).Script(replies...)
	fake.Key = key
	return fake, openai.New(openai.Config{Provider: "groq", Key: key, BaseURL: fake.OpenAI()})
}

func ask(text string) llm.Request {
	return llm.Request{Model: "openai/gpt-oss-20b", MaxTokens: 100, Messages: []llm.Message{{Role: llm.User, Text: text}}}
}

var full = llm.Request{
	Model: "openai/gpt-oss-20b", MaxTokens: 2048, Effort: "low",
	System: []llm.Block{{Text: "You write SQL. a < b & c"}, {Text: ""}, {Text: "schema", Cache: llm.CacheLong}},
	Tools:  []llm.Tool{{Name: "list_tables", Description: "Lists tables.", Input: json.RawMessage(`{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"integer"}},"required":["z","a"],"additionalProperties":false}`)}},
	Answer: &llm.Schema{Name: "draft", Schema: json.RawMessage(`{"type":"object","properties":{"sql":{"type":"string"},"plan":{"type":"string"}},"required":["sql","plan"],"additionalProperties":false}`)},
	Messages: []llm.Message{
		{Role: llm.User, Text: "How many?"},
		{Role: llm.Assistant, Text: "Let me look.", Thinking: json.RawMessage(`[{"type":"thinking"}]`), Calls: []llm.ToolCall{{ID: "c1", Name: "list_tables", Input: json.RawMessage(`{"z":"1","a":2}`)}, {ID: "c2", Name: "list_tables"}}},
		{Role: llm.User, Text: "Go on.", Results: []llm.ToolResult{{ID: "c1", Text: "orders"}, {ID: "c2", Text: "no such table", Error: true}, {ID: "c3"}}},
		{Role: llm.Assistant},
	},
}

func TestRequestBodiesAreTheGoldenOnes(t *testing.T) {
	for mode, provider := range map[string]string{"json_schema": "openai", "json_object": "groq", "none": "ollama"} {
		fake := fakemodel.New(t)
		fake.JSONMode = mode
		client := openai.New(openai.Config{Provider: provider, BaseURL: fake.OpenAI()})
		if _, err := client.Complete(t.Context(), full); err != nil {
			t.Fatal(err)
		}
		calls := fake.Calls()
		var body bytes.Buffer
		if err := json.Indent(&body, calls[len(calls)-1].Body, "", " "); err != nil {
			t.Fatal(err)
		}
		golden.Check(t, "request-"+mode+".json", body.String()+"\n")
	}
}

func TestAnswers(t *testing.T) {
	tool := fakemodel.Tool("list_tables", map[string]any{"a": strings.Repeat("ü", 100)})
	tool.Text, tool.Thinking = "Let me look.", "hm"
	two := fakemodel.Reply{Calls: []llm.ToolCall{{Name: "a", Input: json.RawMessage(`{"x":1}`)}, {Name: "b", Input: json.RawMessage(`{}`)}}}
	for name, c := range map[string]struct {
		reply fakemodel.Reply
		want  llm.Response
	}{
		"text":       {fakemodel.Text(strings.Repeat("añ€🙂", 40)), llm.Response{Text: strings.Repeat("añ€🙂", 40), Stop: llm.StopEnd}},
		"structured": {fakemodel.JSON(map[string]string{"sql": "SELECT 1"}), llm.Response{Text: `{"sql":"SELECT 1"}`, Stop: llm.StopEnd}},
		"empty":      {fakemodel.Reply{}, llm.Response{Stop: llm.StopEnd}},
		"tool": {tool, llm.Response{Text: "Let me look.", Stop: llm.StopTool,
			Calls: []llm.ToolCall{{ID: "call_0001_0", Name: "list_tables", Input: json.RawMessage(`{"a":"` + strings.Repeat("ü", 100) + `"}`)}}}},
		"two tools": {two, llm.Response{Stop: llm.StopTool, Calls: []llm.ToolCall{
			{ID: "call_0001_0", Name: "a", Input: json.RawMessage(`{"x":1}`)}, {ID: "call_0001_1", Name: "b", Input: json.RawMessage(`{}`)}}}},
	} {
		for _, plain := range []bool{false, true} {
			reply := c.reply
			reply.Plain, reply.Usage, reply.Model = plain, &llm.Usage{Input: 7, Output: 5, CacheRead: 2}, "gpt-oss-20b-0731"
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
			if d := cmp.Diff(want, got, cmpopts.IgnoreFields(llm.Response{}, "Latency", "FirstByte")); d != "" {
				t.Errorf("%s (plain %v): %s", name, plain, d)
			}
			if started != 1 || got.FirstByte <= 0 || got.FirstByte > got.Latency {
				t.Errorf("%s: started %d times, first byte %v of %v", name, started, got.FirstByte, got.Latency)
			}
		}
	}
}

func TestMissingUsageIsEstimated(t *testing.T) {
	_, client := start(t, fakemodel.Reply{Text: strings.Repeat("word ", 40), NoUsage: true})
	got, err := client.Complete(t.Context(), ask(strings.Repeat("long ", 400)))
	if err != nil {
		t.Fatal(err)
	}
	if u := got.Usage; !u.Estimated || u.Output != 51 || u.Input < 500 || u.Input > 700 {
		t.Errorf("usage %+v", u)
	}
}

// TestOddStreams reads what servers really send.
func TestOddStreams(t *testing.T) {
	for name, c := range map[string]struct {
		stream string
		want   llm.Response
	}{
		"comments, no space after data:": {": OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\n\ndata:{\"model\":\"m\",\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}\n\ndata:[DONE]\n\n", llm.Response{Text: "a", Stop: llm.StopEnd}},
		"no [DONE], but a reason":        {"data: {\"model\":\"m\",\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}\n\n", llm.Response{Text: "a", Stop: llm.StopEnd}},
		"[DONE] without a reason":        {"data: {\"model\":\"m\",\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: [DONE]", llm.Response{Text: "a", Stop: llm.StopEnd}},
		"arguments as an object":         {"data: {\"model\":\"m\",\"choices\":[{\"delta\":{\"tool_calls\":[{\"function\":{\"name\":\"t\",\"arguments\":{\"a\":1}}}]},\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n", llm.Response{Stop: llm.StopTool, Calls: []llm.ToolCall{{ID: "call_1", Name: "t", Input: json.RawMessage(`{"a":1}`)}}}},
		"calls without an index":         {"data: {\"model\":\"m\",\"choices\":[{\"delta\":{\"tool_calls\":[{\"id\":\"x\",\"function\":{\"name\":\"t\",\"arguments\":\"{\"}}]}}]}\n\ndata: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"function\":{\"arguments\":\"}\"}}]},\"finish_reason\":\"stop\"}]}\n\ndata: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"id\":\"y\",\"function\":{\"name\":\"u\"}}]}}]}\n\ndata: [DONE]\n\n", llm.Response{Stop: llm.StopTool, Calls: []llm.ToolCall{{ID: "x", Name: "t", Input: json.RawMessage(`{}`)}, {ID: "y", Name: "u", Input: json.RawMessage(`{}`)}}}},
		"calls that take turns":          {"data: {\"model\":\"m\",\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"x\",\"function\":{\"name\":\"t\",\"arguments\":\"{\"}},{\"index\":1,\"id\":\"y\",\"function\":{\"name\":\"u\",\"arguments\":\"{\"}}]}}]}\n\ndata: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"}\"}},{\"index\":1,\"function\":{\"arguments\":\"}\"}}]},\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n", llm.Response{Stop: llm.StopTool, Calls: []llm.ToolCall{{ID: "x", Name: "t", Input: json.RawMessage(`{}`)}, {ID: "y", Name: "u", Input: json.RawMessage(`{}`)}}}},
		"usage where Groq has it":        {"data: {\"model\":\"m\",\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}],\"x_groq\":{\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":4}}}\n\ndata: [DONE]\n\n", llm.Response{Text: "a", Stop: llm.StopEnd, Usage: llm.Usage{Input: 3, Output: 4}}},
	} {
		t.Run(name, func(t *testing.T) {
			fake := serve(t, c.stream)
			got, err := openai.New(openai.Config{Provider: "vllm", BaseURL: fake}).Complete(t.Context(), ask("q"))
			if err != nil {
				t.Fatal(err)
			}
			c.want.Model = "m"
			ignore := cmpopts.IgnoreFields(llm.Response{}, "Latency", "FirstByte")
			if c.want.Usage == (llm.Usage{}) {
				ignore = cmpopts.IgnoreFields(llm.Response{}, "Latency", "FirstByte", "Usage")
			}
			if d := cmp.Diff(c.want, got, ignore); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestErrorsByWhatCanBeDone(t *testing.T) {
	status := func(code int, body string) fakemodel.Reply { return fakemodel.Reply{Status: code, Body: body} }
	said := func(code int, message, kind, name string) fakemodel.Reply {
		b, _ := json.Marshal(map[string]any{"error": map[string]any{"message": message, "type": kind, "code": name}})
		return status(code, string(b))
	}
	broken := fakemodel.Tool("t", "x")
	broken.Calls[0].Input = json.RawMessage(`{"a":`)
	exact := func(in, out int64) *llm.Usage { return &llm.Usage{Input: in, Output: out} }
	some := &llm.Usage{Estimated: true}
	for name, c := range map[string]struct {
		reply fakemodel.Reply
		want  llm.Error
		says  string
	}{
		"key refused":        {said(401, "Incorrect API key provided: "+key, "invalid_request_error", "invalid_api_key"), llm.Error{Kind: llm.KindKey, Status: 401}, "Incorrect API key provided: ***"},
		"rate limited":       {fakemodel.RateLimited(1500 * time.Millisecond), llm.Error{Kind: llm.KindRateLimited, Status: 429, RetryAfter: 1500 * time.Millisecond}, "per minute"},
		"daily, by words":    {fakemodel.DailyQuota(), llm.Error{Kind: llm.KindQuota, Status: 429, RetryAfter: 432 * time.Second}, "per day"},
		"no money":           {said(429, "You exceeded your current quota, please check your plan and billing details.", "insufficient_quota", "insufficient_quota"), llm.Error{Kind: llm.KindQuota, Status: 429}, "quota"},
		"free models a day":  {said(429, "Rate limit exceeded: free-models-per-day", "", "429"), llm.Error{Kind: llm.KindQuota, Status: 429}, "per-day"},
		"overloaded":         {said(503, "Loading model", "unavailable_error", "503"), llm.Error{Kind: llm.KindOverloaded, Status: 503}, "Loading"},
		"server":             {said(500, "oops", "server_error", ""), llm.Error{Kind: llm.KindServer, Status: 500}, "oops"},
		"too long":           {said(400, "This model's maximum context length is 131072 tokens.", "invalid_request_error", "context_length_exceeded"), llm.Error{Kind: llm.KindTooLong, Status: 400}, "131072"},
		"too long, by words": {said(400, "the request exceeds the available context size. try increasing it", "exceed_context_size_error", "400"), llm.Error{Kind: llm.KindTooLong, Status: 400}, "context size"},
		"too large":          {said(413, "Request too large for model on tokens per minute (TPM): Limit 8000", "tokens", "rate_limit_exceeded"), llm.Error{Kind: llm.KindTooLong, Status: 413}, "TPM"},
		"unknown model":      {status(404, `{"error":"model 'x' not found, try pulling it first"}`), llm.Error{Kind: llm.KindRequest, Status: 404}, "try pulling"},
		"detail":             {status(422, `{"detail":"bad"}`), llm.Error{Kind: llm.KindRequest, Status: 422}, "bad"},
		"its own bad JSON":   {status(400, `{"error":{"message":"Failed to generate JSON.","type":"invalid_request_error","code":"json_validate_failed","failed_generation":"{\"sql\":"}}`), llm.Error{Kind: llm.KindMalformed, Status: 400, Text: `{"sql":`}, "Failed to generate"},
		"truncated":          {fakemodel.Truncated("SELECT"), llm.Error{Kind: llm.KindTruncated, Stop: llm.StopTokens, Text: "SELECT", Usage: exact(9, 3)}, "max_tokens = 100"},
		"refused":            {fakemodel.Refusal(), llm.Error{Kind: llm.KindRefused, Stop: llm.StopRefusal, Usage: exact(9, 3)}, "declined"},
		"cut":                {fakemodel.Cut(strings.Repeat("0123456789", 9), 3), llm.Error{Kind: llm.KindCut, Text: strings.Repeat("0123456789", 8), Usage: some}, "broke"},
		"cut, plain":         {fakemodel.Reply{Text: "0123456789", Plain: true, CutAfter: 20}, llm.Error{Kind: llm.KindCut}, "broke"},
		"limit in stream":    {fakemodel.MidError("0123456789", "rate_limit_exceeded", 2), llm.Error{Kind: llm.KindRateLimited, Text: "0123456789", Usage: some}, "in the middle"},
		"failed in stream":   {fakemodel.MidError("0123456789", "server_error", 2), llm.Error{Kind: llm.KindServer, Text: "0123456789", Usage: some}, "in the middle"},
		"broken stream":      {fakemodel.Malformed(), llm.Error{Kind: llm.KindMalformed}, "wire format"},
		"broken body":        {fakemodel.Reply{Plain: true, Garbage: "<html>"}, llm.Error{Kind: llm.KindMalformed}, "not an answer"},
		"an empty body":      {fakemodel.Reply{Plain: true, Garbage: "{}"}, llm.Error{Kind: llm.KindMalformed}, "no answer"},
		"error with 200":     {fakemodel.Reply{Plain: true, Garbage: `{"error":{"message":"Provider overloaded","code":503}}`}, llm.Error{Kind: llm.KindOverloaded}, "Provider overloaded"},
		"broken input":       {broken, llm.Error{Kind: llm.KindMalformed, Usage: exact(9, 3)}, "call to t is not JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			reply := c.reply
			reply.Usage = &llm.Usage{Input: 9, Output: 3}
			fake, client := start(t, reply)
			_, err := client.Complete(t.Context(), ask("q"))
			var got *llm.Error
			if !errors.As(err, &got) {
				t.Fatalf("got %v, want an *llm.Error", err)
			}
			if got.Usage != nil && got.Usage.Estimated {
				got.Usage = some
			}
			want := c.want
			want.Provider, want.Model = "groq", "openai/gpt-oss-20b"
			if d := cmp.Diff(want, *got, cmpopts.IgnoreFields(llm.Error{}, "Message", "RequestID", "Err")); d != "" {
				t.Error(d, got.Message)
			}
			if !strings.Contains(got.Message, c.says) {
				t.Errorf("message %q does not say %q", got.Message, c.says)
			}
			if strings.Contains(got.Error(), key) {
				t.Errorf("the key is in %q", got.Error())
			}
			if n := len(fake.Calls()); n != 1 {
				t.Errorf("%d requests", n)
			}
		})
	}
}

func TestWhatAServerDoesNotKnowIsLearnedOnce(t *testing.T) {
	toolless := full
	toolless.Tools, toolless.Messages = nil, full.Messages[:1]
	for mode, want := range map[string]struct {
		req      llm.Request
		requests int
		format   string
	}{"json_schema": {full, 1, "json_schema"}, "json_object": {full, 2, "json_object"}, "tool": {toolless, 3, "tool"}, "none": {toolless, 4, ""}} {
		fake := fakemodel.New(t).Answer(func(c fakemodel.Call) fakemodel.Reply {
			if c.Format == "tool" {
				return fakemodel.Tool("draft", json.RawMessage(`{"sql":"SELECT 1","plan":""}`))
			}
			return fakemodel.Text("Here you are:\n```json\n{\"sql\":\"SELECT 1\",\"plan\":\"\"}\n```")
		})
		fake.JSONMode = mode
		lessons := 0
		memory := ability.NewMemory(func(*ability.Memory) { lessons++ })
		client := openai.New(openai.Config{Provider: "vllm", BaseURL: fake.OpenAI(), Memory: memory})
		var wg sync.WaitGroup
		for range 12 {
			wg.Go(func() {
				resp, err := client.Complete(context.Background(), want.req)
				var draft struct{ SQL, Plan string }
				if err == nil {
					err = llm.Decode(resp, &draft)
				}
				if err != nil || draft.SQL != "SELECT 1" {
					t.Errorf("%s: %+v, %v", mode, draft, err)
				}
			})
		}
		wg.Wait()
		calls := fake.Calls()
		if n := len(calls) - 11; n != want.requests || lessons != 1 {
			t.Errorf("%s: learned in %d requests, want %d; %d lessons", mode, n, want.requests, lessons)
		}
		if got := calls[len(calls)-1].Format; got != want.format {
			t.Errorf("%s: the format is %q", mode, got)
		}
		kept, err := json.Marshal(memory)
		if err != nil {
			t.Fatal(err)
		}
		later := ability.NewMemory(nil)
		if err := json.Unmarshal(kept, later); err != nil {
			t.Fatal(err)
		}
		if _, err := openai.New(openai.Config{Provider: "vllm", BaseURL: fake.OpenAI(), Memory: later}).Complete(t.Context(), want.req); err != nil {
			t.Fatal(err)
		}
		if n := len(fake.Calls()) - len(calls); n != 1 {
			t.Errorf("%s: a kept memory did not help: %d requests", mode, n)
		}
	}
}

func TestRefusedParametersAreLeftOut(t *testing.T) {
	no := func(message string) fakemodel.Reply {
		b, _ := json.Marshal(map[string]any{"error": map[string]any{"message": message, "type": "invalid_request_error"}})
		return fakemodel.Reply{Status: 400, Body: string(b)}
	}
	fake := fakemodel.New(t).Script(
		no("Unrecognized request argument supplied: stream_options"),
		no("Unknown parameter: 'max_completion_tokens'"),
		no("reasoning_effort is not supported with this model"),
		no("'response_format' of type json_schema is not supported"),
		fakemodel.Text("{}"),
	)
	client := openai.New(openai.Config{BaseURL: fake.OpenAI()})
	if _, err := client.Complete(t.Context(), full); err != nil {
		t.Fatal(err)
	}
	last := string(fake.Calls()[4].Body)
	for _, gone := range []string{"stream_options", "max_completion_tokens", "reasoning_effort", `"json_schema"`} {
		if strings.Contains(last, gone) {
			t.Errorf("%s is still sent", gone)
		}
	}
	if !strings.Contains(last, `"max_tokens":2048`) {
		t.Error("max_tokens is not sent")
	}
	fake.Script(no("temperature is bad"), no("temperature is bad"), no("temperature is bad"), no("temperature is bad"))
	fresh := openai.New(openai.Config{BaseURL: fake.OpenAI()})
	if _, err := fresh.Complete(t.Context(), ask("q")); llm.KindOf(err) != llm.KindRequest {
		t.Errorf("got %v", err)
	}
	if n := len(fake.Calls()); n != 6 {
		t.Errorf("%d requests: a refusal that names nothing sent was tried again", n)
	}
}

func TestOldModelsOfAnOpenAIEndpointFlipMaxTokens(t *testing.T) {
	fake := fakemodel.New(t).Script(fakemodel.Reply{Status: 400, Body: `{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."}}`}, fakemodel.Text("x"))
	client := openai.New(openai.Config{Provider: "openrouter", BaseURL: fake.OpenAI()})
	if _, err := client.Complete(t.Context(), ask("q")); err != nil {
		t.Fatal(err)
	}
	if body := string(fake.Calls()[1].Body); !strings.Contains(body, `"max_completion_tokens":100`) {
		t.Error(body)
	}
}

// A server that wants now this and now that is not asked for ever.
func TestAServerThatContradictsItselfIsGivenUp(t *testing.T) {
	fake := fakemodel.New(t).Answer(func(fakemodel.Call) fakemodel.Reply {
		return fakemodel.Reply{Status: 400, Body: `{"error":{"message":"neither max_tokens nor max_completion_tokens is known here","type":"invalid_request_error"}}`}
	})
	_, err := openai.New(openai.Config{BaseURL: fake.OpenAI()}).Complete(t.Context(), ask("q"))
	if n := len(fake.Calls()); llm.KindOf(err) != llm.KindRequest || n > 10 {
		t.Errorf("%d requests, %v", n, err)
	}
}

func TestKeysAndEndpoints(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "from-the-environment")
	for provider, kind := range map[string]llm.Kind{"openai": llm.KindKey, "groq": llm.KindKey, "": llm.KindKey, "somebody": llm.KindUnreachable} {
		_, err := openai.New(openai.Config{Provider: provider}).Complete(t.Context(), ask("q"))
		if llm.KindOf(err) != kind {
			t.Errorf("%s: %v", provider, err)
		}
	}
	_, err := openai.New(openai.Config{Provider: "ollama", BaseURL: "http://127.0.0.1:1/v1"}).Complete(t.Context(), ask("q"))
	if llm.KindOf(err) != llm.KindUnreachable || !strings.Contains(err.Error(), "http://127.0.0.1:1") {
		t.Errorf("got %v", err)
	}
}

func TestModelsCheckTheKey(t *testing.T) {
	fake, client := start(t)
	fake.ModelNames = []string{"a", "b"}
	names, err := client.Models(t.Context())
	if err != nil || cmp.Diff(fake.ModelNames, names) != "" {
		t.Errorf("got %v, %v", names, err)
	}
	if _, err := openai.New(openai.Config{Key: "other", BaseURL: fake.OpenAI()}).Models(t.Context()); llm.KindOf(err) != llm.KindKey {
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

func TestLimitsComeFromHeaders(t *testing.T) {
	fake, client := start(t, fakemodel.Text("x"))
	fake.Header = http.Header{"x-ratelimit-remaining-requests": {"49"}, "x-ratelimit-remaining-tokens": {"8000"}, "x-ratelimit-reset-tokens": {"1m2.5s"}, "x-ratelimit-reset-requests": {"3"}}
	got, err := client.Complete(t.Context(), ask("q"))
	if err != nil {
		t.Fatal(err)
	}
	if l := got.Limits; l.RequestsLeft == nil || *l.RequestsLeft != 49 || l.TokensLeft == nil || *l.TokensLeft != 8000 || l.ResetAfter != 62500*time.Millisecond {
		t.Errorf("limits %+v", l)
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
