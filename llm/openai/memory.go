package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"strings"
	"sync"

	"github.com/sqbyl/sqbyl/llm"
)

// Answers says how a server is held to a structured answer.
type Answers string

// The ways, from the strictest.
const (
	BySchema      Answers = ""            // response_format json_schema
	ByObject      Answers = "json_object" // any JSON object; the schema in words
	ByInstruction Answers = "instruction" // only words
)

// Ability is what an endpoint has been found not to know for a model; its
// zero value knows everything.
type Ability struct {
	Answers Answers `json:"answers,omitempty"`
	// OldMaxTokens servers know max_tokens and not max_completion_tokens.
	OldMaxTokens  bool `json:"old_max_tokens,omitempty"`
	NoStreamUsage bool `json:"no_stream_usage,omitempty"`
	NoEffort      bool `json:"no_effort,omitempty"`
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

// lesson is one call's access to the memory.
type lesson struct {
	memory  *Memory
	key     string
	ability Ability
	mine    chan struct{} // set for the call that others wait for
	once    sync.Once
}

// enter gives what is known, after waiting for a first call that is finding
// it out.
func (m *Memory) enter(ctx context.Context, base, model, provider string) (*lesson, error) {
	l := &lesson{memory: m, key: base + " " + model}
	for {
		m.mu.Lock()
		ability, known := m.known[l.key]
		busy := m.learning[l.key]
		if known || busy == nil {
			if !known {
				l.mine = make(chan struct{})
				m.learning[l.key] = l.mine
				ability = guess(provider)
			}
			m.mu.Unlock()
			l.ability = ability
			return l, nil
		}
		m.mu.Unlock()
		select {
		case <-busy:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// guess is what to try first: only OpenAI itself is sure to know the new name
// of max_tokens.
func guess(provider string) Ability { return Ability{OldMaxTokens: provider != "openai"} }

// learned keeps an ability with which the server took a request.
func (l *lesson) learned(a Ability) {
	m := l.memory
	m.mu.Lock()
	was, known := m.known[l.key]
	m.known[l.key] = a
	m.mu.Unlock()
	if (!known || was != a) && m.learned != nil {
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
	saysFormat = regexp.MustCompile(`(?i)response_format|json_schema|json_object|response format|structured|grammar|guided`)
)

// without gives the ability to try after a refusal: what the server named is
// left out. One that names nothing is taken to mean the schema, which is what
// most servers do not know.
func (a Ability) without(err error, req llm.Request) (Ability, bool) {
	var e *llm.Error
	if !errors.As(err, &e) || e.Status == 404 {
		return a, false
	}
	weaker := a
	switch {
	case saysUsage.MatchString(e.Message) && !a.NoStreamUsage:
		weaker.NoStreamUsage = true
	case saysFormat.MatchString(e.Message) && req.Answer != nil:
		weaker.Answers = a.Answers.weaker()
	case saysMax.MatchString(e.Message) && !a.OldMaxTokens:
		weaker.OldMaxTokens = true
	case saysEffort.MatchString(e.Message) && req.Effort != "" && !a.NoEffort:
		weaker.NoEffort = true
	case saysMax.MatchString(e.Message) && a.OldMaxTokens && strings.Contains(e.Message, "max_completion_tokens"):
		weaker.OldMaxTokens = false
	case req.Answer != nil && a.Answers == BySchema:
		weaker.Answers = a.Answers.weaker()
	}
	return weaker, weaker != a
}

func (a Answers) weaker() Answers {
	if a == BySchema {
		return ByObject
	}
	return ByInstruction
}
