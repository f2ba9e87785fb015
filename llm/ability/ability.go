// Package ability remembers what model endpoints do not know. An endpoint
// that refuses a part of a request is asked again without it, and from then
// on never with it: learned once per endpoint and model, and kept.
package ability

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/sqbyl/sqbyl/llm"
)

// Answers says how a model is held to a structured answer.
type Answers string

// The ways, from the strictest.
const (
	BySchema      Answers = ""            // the server enforces a JSON Schema
	ByObject      Answers = "json_object" // the server enforces JSON; the schema in words
	ByTool        Answers = "tool"        // a tool has to be called whose input is the answer; the schema in words too
	ByInstruction Answers = "instruction" // only words
)

// For gives the way in which one request is answered by a server that is asked
// in the way a: a request with tools of its own cannot be held to one of them.
func (a Answers) For(req llm.Request) Answers {
	if a == ByTool && len(req.Tools) > 0 {
		return ByInstruction
	}
	return a
}

// Ability is what an endpoint has been found not to know for a model; its
// zero value knows everything.
type Ability struct {
	Answers Answers `json:"answers,omitempty"`
	// OldMaxTokens servers know max_tokens and not max_completion_tokens.
	OldMaxTokens  bool `json:"old_max_tokens,omitempty"`
	NoStreamUsage bool `json:"no_stream_usage,omitempty"`
	NoEffort      bool `json:"no_effort,omitempty"`
}

// Instruction tells a model in words what a server cannot, or may not, hold it
// to: one that takes a tool may leave it out without a word.
func (a Answers) Instruction(s llm.Schema) string {
	words := "Answer with one JSON object and nothing else: no words around it, no code fence. It follows this JSON Schema:\n" + string(s.Schema)
	switch a {
	case BySchema:
		return ""
	case ByTool:
		return "Answer by calling the tool " + s.Name + " once. Where no tool can be called: " + words
	}
	return words
}

// Answered is the text of an answer that came, as far as it did, as the inputs
// of calls of its tool beside other text. Empty inputs are no answer; of
// several the reader may choose.
func Answered(text string, inputs []string) string {
	inputs = slices.DeleteFunc(inputs, func(s string) bool { return s == "" || s == "{}" })
	if len(inputs) == 0 {
		return text
	}
	return strings.Join(inputs, "\n")
}

// Tool is the tool whose input is the answer.
func Tool(s llm.Schema) llm.Tool {
	return llm.Tool{Name: s.Name, Description: "Takes the answer.", Input: s.Schema}
}

// Memory keeps abilities per endpoint and model. It is safe for concurrent
// use, and for several clients.
type Memory struct {
	learned func(*Memory)

	mu    sync.Mutex
	known map[string]Ability
	// learning holds a channel per endpoint and model whose first call is on
	// its way: calls at once would all be refused for the same reason.
	learning map[string]chan struct{}
}

// NewMemory makes an empty memory. learned, if not nil, is called after every
// new lesson, to keep it: a Memory is JSON.
func NewMemory(learned func(*Memory)) *Memory {
	return &Memory{learned: learned, known: map[string]Ability{}, learning: map[string]chan struct{}{}}
}

// MarshalJSON gives all abilities as one object.
func (m *Memory) MarshalJSON() ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return json.Marshal(m.known)
}

// UnmarshalJSON adds abilities that were kept.
func (m *Memory) UnmarshalJSON(b []byte) error {
	var kept map[string]Ability
	if err := json.Unmarshal(b, &kept); err != nil {
		return fmt.Errorf("read what endpoints know: %w", err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	maps.Copy(m.known, kept)
	return nil
}

// Endpoint is what a client says of the endpoint that it asks.
type Endpoint struct {
	Provider string
	Base     string // its address
	// First is what to try of a model that nothing is known of.
	First Ability
	// Ways are its kinds of structured answers, the strictest first.
	Ways []Answers
}

// Form is how one request is to be sent.
type Form struct {
	Ability
	// Accepted has to be called as soon as the endpoint has taken the request:
	// until the first call has got so far, others wait.
	Accepted func()
}

// AnswerTool is the name of the tool that a request in this form has to be
// answered by, empty for none.
func (f Form) AnswerTool(req llm.Request) string {
	if req.Answer == nil || f.Answers != ByTool {
		return ""
	}
	return req.Answer.Name
}

type formKey struct{}

// FormOf gives the form that a negotiation outside asks for; false when there
// is none.
func FormOf(ctx context.Context) (Form, bool) {
	f, ok := ctx.Value(formKey{}).(Form)
	return f, ok
}

// Negotiate gives a client that calls inner in the form that the endpoint is
// known to take, or in the one to try first, and again with less as long as it
// refuses what it was asked with.
func (m *Memory) Negotiate(e Endpoint, inner llm.Client) llm.Client { return negotiation{m, e, inner} }

type negotiation struct {
	memory   *Memory
	endpoint Endpoint
	inner    llm.Client
}

// maxForms bounds the forms that one call is tried in: a server that wants
// now this and now that would be asked for ever.
const maxForms = 8

func (n negotiation) Complete(ctx context.Context, req llm.Request) (llm.Response, error) {
	l := &lesson{memory: n.memory, key: public(n.endpoint.Base) + " " + req.Model}
	entered, err := l.enter(ctx, n.endpoint.First)
	if err != nil {
		return llm.Response{}, &llm.Error{Kind: llm.KindCanceled, Provider: n.endpoint.Provider, Model: req.Model,
			Message: "given up: " + err.Error(), Err: err, Unsent: true}
	}
	defer l.end()
	a := entered
	for form := 1; ; form++ {
		sent := a
		sent.Answers = a.Answers.For(req)
		resp, err := n.inner.Complete(context.WithValue(ctx, formKey{}, Form{sent, func() { l.learned(entered, a) }}), req)
		if err == nil || llm.KindOf(err) != llm.KindRequest || form == maxForms || ctx.Err() != nil {
			return resp, err
		}
		weaker, ok := a.without(err, req, n.endpoint.Ways)
		if !ok {
			return resp, err
		}
		a = weaker
	}
}

// lesson is one call's access to the memory.
type lesson struct {
	memory *Memory
	key    string
	mine   chan struct{} // set for the call that others wait for
	once   sync.Once
}

// public is an endpoint's address without a password: what is known is kept.
func public(base string) string {
	u, err := url.Parse(base)
	if err != nil || u.User == nil {
		return base
	}
	u.User = url.User(u.User.Username())
	return u.String()
}

// enter gives what is known, after waiting for a first call that is finding
// it out.
func (l *lesson) enter(ctx context.Context, first Ability) (Ability, error) {
	m := l.memory
	for {
		m.mu.Lock()
		known, ok := m.known[l.key]
		busy := m.learning[l.key]
		if !ok && busy == nil {
			l.mine = make(chan struct{})
			m.learning[l.key] = l.mine
			known, ok = first, true
		}
		m.mu.Unlock()
		if ok {
			return known, nil
		}
		select {
		case <-busy:
		case <-ctx.Done():
			return Ability{}, context.Cause(ctx)
		}
	}
}

// learned keeps an ability with which the server took a request. A call that
// found out nothing does not undo what another has found out meanwhile.
func (l *lesson) learned(entered, a Ability) {
	m := l.memory
	m.mu.Lock()
	was, known := m.known[l.key]
	lesson := !known || a != entered && a != was
	if lesson {
		m.known[l.key] = a
	}
	m.mu.Unlock()
	if lesson && m.learned != nil {
		m.learned(m)
	}
	l.end()
}

// end lets the calls that waited go on.
func (l *lesson) end() {
	l.once.Do(func() {
		if l.mine == nil {
			return
		}
		l.memory.mu.Lock()
		delete(l.memory.learning, l.key)
		l.memory.mu.Unlock()
		close(l.mine)
	})
}

var (
	saysUsage  = regexp.MustCompile(`(?i)stream_options|include_usage`)
	saysMax    = regexp.MustCompile(`(?i)max_(completion_)?tokens`)
	saysEffort = regexp.MustCompile(`(?i)effort|reasoning`)
	saysFormat = regexp.MustCompile(`(?i)response_format|json_schema|json_object|response format|structured|grammar|guided|output_config|output_format`)
	saysTool   = regexp.MustCompile(`(?i)\b(tools?|functions?)\b|tool_(choice|use)|function_call`)
)

// without gives the ability to try after a refusal: what the server named is
// left out. One that names nothing is taken to mean the structured answer,
// which is what most servers do not know.
func (a Ability) without(err error, req llm.Request, ways []Answers) (Ability, bool) {
	var e *llm.Error
	if !errors.As(err, &e) {
		return a, false
	}
	// Servers say with a 404, too, that none behind them takes a tool.
	noTool := req.Answer != nil && a.Answers.For(req) == ByTool && saysTool.MatchString(e.Message)
	if e.Status == 404 && !noTool {
		return a, false
	}
	weaker := a
	switch {
	case saysUsage.MatchString(e.Message) && !a.NoStreamUsage:
		weaker.NoStreamUsage = true
	case noTool:
		weaker.Answers = a.Answers.weaker(req, ways)
	case saysEffort.MatchString(e.Message) && req.Effort != "" && !a.NoEffort:
		weaker.NoEffort = true
	case saysFormat.MatchString(e.Message) && req.Answer != nil:
		weaker.Answers = a.Answers.weaker(req, ways)
	case saysMax.MatchString(e.Message) && !a.OldMaxTokens:
		weaker.OldMaxTokens = true
	case strings.Contains(e.Message, "max_completion_tokens") && a.OldMaxTokens:
		weaker.OldMaxTokens = false
	case req.Answer != nil:
		weaker.Answers = a.Answers.weaker(req, ways)
	}
	return weaker, weaker != a
}

// weaker gives the next way, and a itself when the request was sent in the
// last one.
func (a Answers) weaker(req llm.Request, ways []Answers) Answers {
	if a.For(req) != a {
		return a
	}
	for i, way := range ways[:len(ways)-1] {
		if way == a {
			return ways[i+1]
		}
	}
	return a
}
