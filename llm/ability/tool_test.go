package ability_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sqbyl/sqbyl/internal/testkit/fakemodel"
	"github.com/sqbyl/sqbyl/internal/testkit/golden"
	"github.com/sqbyl/sqbyl/llm"
	"github.com/sqbyl/sqbyl/llm/ability"
	"github.com/sqbyl/sqbyl/llm/anthropic"
	"github.com/sqbyl/sqbyl/llm/openai"
)

// wire is a protocol that a structured answer may be asked for over.
type wire struct {
	client func(fake *fakemodel.Server, memory *ability.Memory) llm.Client
	base   func(fake *fakemodel.Server) string
	// ways are the requests until a server that refuses is asked in words.
	ways int
	// cutAfter is the number of stream events that hold 40 bytes of the draft,
	// overloaded what the error of an overloaded server is called.
	cutAfter   int
	overloaded string
}

var wires = map[string]wire{
	"anthropic": {
		client: func(fake *fakemodel.Server, memory *ability.Memory) llm.Client {
			return anthropic.New(anthropic.Config{Key: "key", BaseURL: fake.URL(), Memory: memory})
		},
		base: (*fakemodel.Server).URL, ways: 3, cutAfter: 7, overloaded: "overloaded_error",
	},
	"openai": {
		client: func(fake *fakemodel.Server, memory *ability.Memory) llm.Client {
			return openai.New(openai.Config{Provider: "vllm", BaseURL: fake.OpenAI(), Memory: memory})
		},
		base: (*fakemodel.Server).OpenAI, ways: 4, cutAfter: 4, overloaded: "engine_overloaded",
	},
}

// onEachWire runs a test on every wire.
func onEachWire(t *testing.T, test func(t *testing.T, w wire)) {
	for name, w := range wires {
		t.Run(name, func(t *testing.T) { test(t, w) })
	}
}

// held is a request whose answer a server can be held to by a tool, tooled one
// that has a tool of its own.
var (
	held = llm.Request{
		Model: "m", MaxTokens: 2048, Effort: "low",
		System:   []llm.Block{{Text: "You write SQL. a < b & c"}, {Text: ""}, {Text: "schema", Cache: llm.CacheLong}},
		Answer:   &llm.Schema{Name: "draft", Schema: json.RawMessage(`{"type":"object","properties":{"sql":{"type":"string"},"plan":{"type":"string"}},"required":["sql","plan"],"additionalProperties":false}`)},
		Messages: []llm.Message{{Role: llm.User, Text: "How many?"}},
	}
	tooled = func() llm.Request {
		r := held
		r.Tools = []llm.Tool{{Name: "list_tables", Description: "Lists tables.", Input: json.RawMessage(`{"type":"object","properties":{}}`)}}
		return r
	}()
)

const draft = `{"sql":"SELECT 'añ€🙂', count(*) FROM orders WHERE state = 'paid'","plan":""}`

// byTool asks an endpoint of which is known that it has to be asked by a tool.
func byTool(t *testing.T, w wire, fake *fakemodel.Server) llm.Client {
	t.Helper()
	return w.client(fake, known(t, w.base(fake), ability.Ability{Answers: ability.ByTool, OldMaxTokens: true}))
}

func TestTheBodyThatForcesAToolIsTheGoldenOne(t *testing.T) {
	for name, w := range wires {
		fake := fakemodel.New(t)
		fake.JSONMode = "tool"
		if _, err := byTool(t, w, fake).Complete(t.Context(), held); err != nil {
			t.Fatal(err)
		}
		var body bytes.Buffer
		if err := json.Indent(&body, fake.Calls()[0].Body, "", " "); err != nil {
			t.Fatal(err)
		}
		golden.Check(t, name+"-tool.json", body.String()+"\n")
	}
}

func TestTheInputOfTheAnswersToolIsTheAnswer(t *testing.T) {
	onEachWire(t, func(t *testing.T, w wire) {
		call := func(name, input string) llm.ToolCall {
			return llm.ToolCall{ID: "c", Name: name, Input: json.RawMessage(input)}
		}
		for name, c := range map[string]struct {
			reply fakemodel.Reply
			text  string
			calls []llm.ToolCall
			stop  llm.StopReason
		}{
			"in pieces":               {fakemodel.Reply{Calls: []llm.ToolCall{call("draft", draft)}}, draft, nil, llm.StopEnd},
			"words beside it":         {fakemodel.Reply{Text: "Here: {}", Thinking: "hm", Calls: []llm.ToolCall{call("draft", draft)}}, draft, nil, llm.StopEnd},
			"another call beside it":  {fakemodel.Reply{Calls: []llm.ToolCall{call("other", `{"a":1}`), call("draft", draft)}}, draft, nil, llm.StopEnd},
			"called twice":            {fakemodel.Reply{Calls: []llm.ToolCall{call("draft", `{}`), call("draft", `{"plan":1}`), call("draft", draft)}}, "{\"plan\":1}\n" + draft, nil, llm.StopEnd},
			"words and no call":       {fakemodel.Text(draft), draft, nil, llm.StopEnd},
			"words and an empty call": {fakemodel.Reply{Text: draft, Calls: []llm.ToolCall{call("draft", `{}`)}}, draft, nil, llm.StopEnd},
			"an empty answer":         {fakemodel.Reply{Calls: []llm.ToolCall{call("draft", `{}`)}}, `{}`, nil, llm.StopEnd},
			"another tool":            {fakemodel.Reply{Text: "no", Calls: []llm.ToolCall{call("other", draft)}}, "no", []llm.ToolCall{call("other", draft)}, llm.StopTool},
		} {
			for _, plain := range []bool{false, true} {
				reply := c.reply
				reply.Plain = plain
				fake := fakemodel.New(t).Script(reply)
				fake.JSONMode = "tool"
				got, err := byTool(t, w, fake).Complete(t.Context(), held)
				if err != nil {
					t.Errorf("%s (plain %v): %v", name, plain, err)
					continue
				}
				if got.Text != c.text || got.Stop != c.stop || cmp.Diff(c.calls, got.Calls) != "" {
					t.Errorf("%s (plain %v): %q, %s, %+v", name, plain, got.Text, got.Stop, got.Calls)
				}
				var into struct{ SQL, Plan string }
				if err := llm.Decode(got, &into); (err == nil) != strings.HasSuffix(c.text, draft) {
					t.Errorf("%s (plain %v): %v", name, plain, err)
				}
			}
		}
	})
}

// What there is of an answer that is not whole shows as it does of a text.
func TestPartsOfTheAnswersToolShow(t *testing.T) {
	onEachWire(t, func(t *testing.T, w wire) {
		half := fakemodel.Reply{Calls: []llm.ToolCall{{Name: "draft", Input: json.RawMessage(draft[:50])}}}
		with := func(change func(*fakemodel.Reply)) fakemodel.Reply {
			r := half
			r.Text = "Here:"
			change(&r)
			return r
		}
		for name, c := range map[string]struct {
			reply fakemodel.Reply
			kind  llm.Kind
			text  string
		}{
			"truncated":       {with(func(r *fakemodel.Reply) { r.Stop = llm.StopTokens }), llm.KindTruncated, draft[:50]},
			"declined":        {with(func(r *fakemodel.Reply) { r.Stop = llm.StopRefusal }), llm.KindRefused, draft[:50]},
			"cut":             {with(func(r *fakemodel.Reply) { r.CutAfter = w.cutAfter }), llm.KindCut, draft[:40]},
			"error in stream": {with(func(r *fakemodel.Reply) { r.ErrorAfter, r.ErrorKind = w.cutAfter, w.overloaded }), llm.KindOverloaded, draft[:40]},
		} {
			fake := fakemodel.New(t).Script(c.reply)
			fake.JSONMode = "tool"
			_, err := byTool(t, w, fake).Complete(t.Context(), held)
			var got *llm.Error
			if !errors.As(err, &got) || got.Kind != c.kind || got.Text != c.text || strings.Contains(got.Message, "thinking") {
				t.Errorf("%s: %+v", name, got)
			}
		}
		// Broken JSON is for the decoder, which mends what it can.
		slip := `{"sql":"SELECT 1` + "\n" + `FROM t","plan":"",}`
		fake := fakemodel.New(t).Script(fakemodel.Reply{Calls: []llm.ToolCall{{Name: "draft", Input: json.RawMessage(slip)}}})
		fake.JSONMode = "tool"
		resp, err := byTool(t, w, fake).Complete(t.Context(), held)
		var into struct{ SQL, Plan string }
		if err == nil {
			err = llm.Decode(resp, &into)
		}
		if err != nil || into.SQL != "SELECT 1\nFROM t" {
			t.Errorf("%+v, %v", into, err)
		}
	})
}

func TestAServerThatKnowsOnlyToolsIsAskedByOne(t *testing.T) {
	onEachWire(t, func(t *testing.T, w wire) {
		for name, c := range map[string]struct {
			mode   string
			answer func(fakemodel.Call) fakemodel.Reply
			first  int // requests of the first call
			format string
			kept   ability.Answers
		}{
			"knows tools": {"tool", func(c fakemodel.Call) fakemodel.Reply {
				if c.Format != "tool" || string(c.Schema) != string(held.Answer.Schema) {
					return fakemodel.Text("no tool was forced")
				}
				return fakemodel.Tool("draft", json.RawMessage(draft))
			}, w.ways - 1, "tool", ability.ByTool},
			"ignores tools silently": {"tool", func(c fakemodel.Call) fakemodel.Reply {
				if !strings.Contains(c.System, string(held.Answer.Schema)) {
					return fakemodel.Text("no words")
				}
				return fakemodel.Text(draft)
			}, w.ways - 1, "tool", ability.ByTool},
			"refuses by name": {"none", func(fakemodel.Call) fakemodel.Reply { return fakemodel.Text(draft) }, w.ways, "", ability.ByInstruction},
			"refuses without a word": {"tool", func(c fakemodel.Call) fakemodel.Reply {
				if c.Format != "" {
					return fakemodel.Reply{Status: 400, Body: `{"error":{"message":"bad request","type":"invalid_request_error"}}`}
				}
				return fakemodel.Text(draft)
			}, w.ways, "", ability.ByInstruction},
		} {
			t.Run(name, func(t *testing.T) {
				fake := fakemodel.New(t).Answer(c.answer)
				fake.JSONMode = c.mode
				lessons := 0
				memory := ability.NewMemory(func(*ability.Memory) { lessons++ })
				client := w.client(fake, memory)
				for n := range 3 {
					resp, err := client.Complete(t.Context(), held)
					var into struct{ SQL, Plan string }
					if err == nil {
						err = llm.Decode(resp, &into)
					}
					if err != nil || !strings.HasPrefix(into.SQL, "SELECT 'añ") {
						t.Fatalf("%+v, %v", into, err)
					}
					if calls := fake.Calls(); len(calls) != c.first+n || calls[len(calls)-1].Format != c.format {
						t.Errorf("call %d: %d requests, the last in form %q", n, len(calls), calls[len(calls)-1].Format)
					}
				}
				if got := holds(t, memory); lessons != 1 || got.Answers != c.kept || got.NoEffort {
					t.Errorf("%d lessons: %+v", lessons, got)
				}
			})
		}
	})
}

func TestAServerThatRefusesEverythingIsGivenUp(t *testing.T) {
	onEachWire(t, func(t *testing.T, w wire) {
		fake := fakemodel.New(t).Answer(func(fakemodel.Call) fakemodel.Reply {
			return fakemodel.Reply{Status: 400, Body: `{"error":{"message":"bad request","type":"invalid_request_error"}}`}
		})
		fake.JSONMode = "tool"
		memory := ability.NewMemory(func(*ability.Memory) { t.Error("a lesson") })
		client := w.client(fake, memory)
		if _, err := client.Complete(t.Context(), held); llm.KindOf(err) != llm.KindRequest {
			t.Errorf("got %v", err)
		}
		if n := len(fake.Calls()); n != w.ways {
			t.Errorf("%d requests", n)
		}
	})
}

// A request with tools of its own is told in words; that does not count as a
// lesson on the model.
func TestARequestWithToolsOfItsOwnIsToldInWords(t *testing.T) {
	onEachWire(t, func(t *testing.T, w wire) {
		fake := fakemodel.New(t).Answer(func(c fakemodel.Call) fakemodel.Reply {
			if c.Format == "tool" {
				return fakemodel.Tool("draft", json.RawMessage(draft))
			}
			return fakemodel.Tool("list_tables", json.RawMessage(`{}`))
		})
		fake.JSONMode = "tool"
		memory := ability.NewMemory(nil)
		client := w.client(fake, memory)
		for range 2 {
			resp, err := client.Complete(t.Context(), tooled)
			if err != nil || len(resp.Calls) != 1 || resp.Calls[0].Name != "list_tables" || resp.Stop != llm.StopTool {
				t.Fatalf("%+v, %v", resp, err)
			}
		}
		calls := fake.Calls()
		last := calls[len(calls)-1]
		if len(calls) != w.ways || last.Format != "" || cmp.Diff([]string{"list_tables"}, last.Tools) != "" || !strings.Contains(last.System, `"required":["sql","plan"]`) || strings.Contains(last.System, "calling the tool") {
			t.Errorf("%d requests, the last %q with %v: %s", len(calls), last.Format, last.Tools, last.System)
		}
		if resp, err := client.Complete(t.Context(), held); err != nil || resp.Text != draft {
			t.Errorf("%+v, %v", resp, err)
		}
		if n := len(fake.Calls()); n != len(calls)+1 || holds(t, memory).Answers != ability.ByTool {
			t.Errorf("%d requests; %+v", n, holds(t, memory))
		}
		// What refuses the words refuses the tool in their place as well: the same
		// request is not sent twice.
		fake.Script(fakemodel.Reply{Status: 400, Body: `{"error":{"message":"tools: bad","type":"invalid_request_error"}}`})
		if _, err := client.Complete(t.Context(), tooled); llm.KindOf(err) != llm.KindRequest || len(fake.Calls()) != len(calls)+2 {
			t.Errorf("%d requests, %v", len(fake.Calls()), err)
		}
	})
}
