package ability_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/sqbyl/sqbyl/llm"
	"github.com/sqbyl/sqbyl/llm/ability"
)

const base, model = "http://endpoint.test", "m"

type client func(context.Context, llm.Request) (llm.Response, error)

func (c client) Complete(ctx context.Context, req llm.Request) (llm.Response, error) {
	return c(ctx, req)
}

func endpoint() ability.Endpoint {
	return ability.Endpoint{Provider: "p", Base: base, Ways: []ability.Answers{ability.BySchema, ability.ByObject, ability.ByTool, ability.ByInstruction}}
}

// known is a memory that holds what is known of the one model.
func known(t *testing.T, base string, a ability.Ability) *ability.Memory {
	t.Helper()
	m := ability.NewMemory(nil)
	b, err := json.Marshal(map[string]ability.Ability{base + " " + model: a})
	if err == nil {
		err = json.Unmarshal(b, m)
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// holds is what a memory holds of the one model.
func holds(t *testing.T, m *ability.Memory) ability.Ability {
	t.Helper()
	b, err := json.Marshal(m)
	var all map[string]ability.Ability
	if err == nil {
		err = json.Unmarshal(b, &all)
	}
	if err != nil || len(all) > 1 {
		t.Fatalf("%s, %v", b, err)
	}
	for _, a := range all {
		return a
	}
	return ability.Ability{}
}

func request(tools ...llm.Tool) llm.Request {
	return llm.Request{Model: model, Effort: "low", Tools: tools, Answer: &llm.Schema{Name: "draft", Schema: []byte(`{}`)}}
}

// How servers and routers say that they take no tool, or not this one forced.
func TestRefusedToolsLeaveTheWords(t *testing.T) {
	for message, status := range map[string]int{
		"registry.ollama.ai/library/gemma:2b does not support tools":                     400,
		"Thinking may not be enabled when tool_choice forces tool use.":                  400,
		"tool_choice forces tool use is not compatible with this model":                  400,
		"No endpoints found that support tool use. To learn more, see the routing guide": 404,
		"Function calling is not enabled for this model":                                 400,
		"Function tools with reasoning_effort are not supported for this model":          400,
		"body.tools.0: extra fields not permitted":                                       422,
		"unknown field: function_call":                                                   400,
		"something is wrong":                                                             400,
	} {
		m := known(t, base, ability.Ability{Answers: ability.ByTool})
		var forms []ability.Answers
		_, err := m.Negotiate(endpoint(), client(func(ctx context.Context, _ llm.Request) (llm.Response, error) {
			form, _ := ability.FormOf(ctx)
			forms = append(forms, form.Answers)
			if form.Answers == ability.ByTool {
				return llm.Response{}, &llm.Error{Kind: llm.KindRequest, Status: status, Message: message}
			}
			form.Accepted()
			return llm.Response{}, nil
		})).Complete(t.Context(), request())
		if want := (ability.Ability{Answers: ability.ByInstruction}); err != nil || len(forms) != 2 || holds(t, m) != want {
			t.Errorf("%s: %v, %v; known %+v", message, forms, err, holds(t, m))
		}
	}
}

func TestAnUnknownModelIsNotAskedAgain(t *testing.T) {
	for _, way := range endpoint().Ways {
		n := 0
		_, err := known(t, base, ability.Ability{Answers: way}).Negotiate(endpoint(), client(func(context.Context, llm.Request) (llm.Response, error) {
			n++
			return llm.Response{}, &llm.Error{Kind: llm.KindRequest, Status: 404, Message: "model 'm' not found, try pulling it first"}
		})).Complete(t.Context(), request())
		if n != 1 || llm.KindOf(err) != llm.KindRequest {
			t.Errorf("%q: %d requests, %v", way, n, err)
		}
	}
}

// The longest way down names one thing after the other.
func TestEveryStepFitsIntoOneCall(t *testing.T) {
	says := []string{"stream_options", "max_completion_tokens", "reasoning_effort", "response_format", "json_object", "tools"}
	n := 0
	m := ability.NewMemory(nil)
	_, err := m.Negotiate(endpoint(), client(func(ctx context.Context, _ llm.Request) (llm.Response, error) {
		if n++; n <= len(says) {
			return llm.Response{}, &llm.Error{Kind: llm.KindRequest, Status: 400, Message: says[n-1] + " is not known"}
		}
		form, _ := ability.FormOf(ctx)
		form.Accepted()
		return llm.Response{}, nil
	})).Complete(t.Context(), request())
	want := ability.Ability{Answers: ability.ByInstruction, OldMaxTokens: true, NoStreamUsage: true, NoEffort: true}
	if err != nil || holds(t, m) != want {
		t.Errorf("%d requests, %v; known %+v", n, err, holds(t, m))
	}
}

// A request with tools of its own is taken in words while another finds out
// that the model cannot be forced: the lesson stays.
func TestACallThatFoundOutNothingKeepsWhatAnotherDid(t *testing.T) {
	m := known(t, base, ability.Ability{Answers: ability.ByTool})
	var negotiated llm.Client
	negotiated = m.Negotiate(endpoint(), client(func(ctx context.Context, req llm.Request) (llm.Response, error) {
		form, _ := ability.FormOf(ctx)
		switch {
		case len(req.Tools) > 0:
			if _, err := negotiated.Complete(t.Context(), request()); err != nil {
				t.Error(err)
			}
		case form.Answers == ability.ByTool:
			return llm.Response{}, &llm.Error{Kind: llm.KindRequest, Status: 400, Message: "no tools here"}
		}
		form.Accepted()
		return llm.Response{}, nil
	}))
	if _, err := negotiated.Complete(t.Context(), request(llm.Tool{Name: "own"})); err != nil {
		t.Fatal(err)
	}
	if got := holds(t, m).Answers; got != ability.ByInstruction {
		t.Errorf("known: %q", got)
	}
}

func TestWords(t *testing.T) {
	s := llm.Schema{Name: "draft", Schema: []byte(`{"type":"object"}`)}
	words := ability.ByInstruction.Instruction(s)
	if ability.BySchema.Instruction(s) != "" || ability.ByObject.Instruction(s) != words || !strings.HasSuffix(words, `{"type":"object"}`) {
		t.Errorf("%q, %q", ability.BySchema.Instruction(s), words)
	}
	if got := ability.ByTool.Instruction(s); !strings.HasPrefix(got, "Answer by calling the tool draft once.") || !strings.HasSuffix(got, words) {
		t.Errorf("%q", got)
	}
}
