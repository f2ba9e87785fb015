// Package llm is the contract between sqbyl and a language model: one
// request, one complete answer, its usage, and errors that say what can be
// done about them. Clients for real providers are in the folders below it.
package llm

import (
	"context"
	"encoding/json"
	"time"
)

// Client asks a model. Complete returns only whole answers; anything else is
// an *Error. A Client is safe for concurrent use.
type Client interface {
	Complete(ctx context.Context, req Request) (Response, error)
}

// Request is one question to a model. Two requests with equal JSON are the
// same request: everything that is not part of the question is left out of
// it.
type Request struct {
	Model string `json:"model"` // without a provider prefix
	// System is the stable part; a Block may end a cached prefix.
	System   []Block   `json:"system,omitempty"`
	Messages []Message `json:"messages"`
	Tools    []Tool    `json:"tools,omitempty"`
	// Answer asks for a structured answer; nil asks for text.
	Answer    *Schema `json:"answer,omitempty"`
	MaxTokens int     `json:"max_tokens"`
	Effort    string  `json:"effort,omitempty"`

	// Role names the part of the product that asks (agent, judge, …). It is
	// not sent.
	Role string `json:"-"`
	// Unit names the piece of work, such as one question, that the call belongs
	// to. It is not sent.
	Unit string `json:"-"`
	// Started, when set, is called once as soon as the first byte of the
	// answer has arrived: from then on a cached prefix exists.
	Started func() `json:"-"`
}

// Block is a piece of the system prompt.
type Block struct {
	Text  string    `json:"text"`
	Cache CacheLife `json:"cache,omitempty"`
}

// CacheLife asks the provider to keep the prompt up to and with this block.
type CacheLife string

// The cache lives that providers offer.
const (
	NoCache    CacheLife = ""
	CacheShort CacheLife = "5m"
	CacheLong  CacheLife = "1h"
)

// Role says who speaks in a Message.
type Role string

// The roles of a conversation.
const (
	User      Role = "user"
	Assistant Role = "assistant"
)

// Message is one turn.
type Message struct {
	Role Role `json:"role"`
	// Text, Calls and Results may stand together. Calls belong to the
	// assistant, after its text; Results to the user, before the text.
	Text    string       `json:"text,omitempty"`
	Calls   []ToolCall   `json:"calls,omitempty"`
	Results []ToolResult `json:"results,omitempty"`
	// Thinking is what a Response had there; a provider wants it back
	// unchanged with the calls it led to.
	Thinking json.RawMessage `json:"thinking,omitempty"`
	// Cache asks to keep the prompt up to and with this turn.
	Cache CacheLife `json:"cache,omitempty"`
}

// Tool is something the model may call. Input is a JSON Schema.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Input       json.RawMessage `json:"input"`
}

// ToolCall is the model's call of a tool.
type ToolCall struct {
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

// ToolResult answers a ToolCall.
type ToolResult struct {
	ID    string `json:"id"`
	Text  string `json:"text"`
	Error bool   `json:"error,omitempty"`
}

// Schema is the shape of a structured answer: a JSON Schema whose objects
// forbid further properties and require all of theirs.
type Schema struct {
	Name   string          `json:"name"`
	Schema json.RawMessage `json:"schema"`
}

// Response is a complete answer.
type Response struct {
	Text  string     `json:"text,omitempty"`
	Calls []ToolCall `json:"calls,omitempty"`
	// Thinking is the model's reasoning in its provider's own form.
	Thinking  json.RawMessage `json:"thinking,omitempty"`
	Stop      StopReason      `json:"stop"`
	Model     string          `json:"model"` // the model that answered, as it names itself
	Usage     Usage           `json:"usage"`
	RequestID string          `json:"request_id,omitempty"`
	Limits    Limits          `json:"-"`
	Latency   time.Duration   `json:"-"`
	FirstByte time.Duration   `json:"-"`
	// Replayed is set when the answer comes from a recording: it cost
	// nothing now.
	Replayed bool `json:"-"`
}

// Turn gives the answer as the assistant's turn of a longer conversation.
func (r Response) Turn() Message {
	return Message{Role: Assistant, Text: r.Text, Calls: r.Calls, Thinking: r.Thinking}
}

// Lister is a Client that can say which models its key reaches. Asking costs
// nothing, so it also checks the key.
type Lister interface {
	Models(ctx context.Context) ([]string, error)
}

// Counter is a Client that counts the tokens of a prompt exactly and for free.
type Counter interface {
	CountTokens(ctx context.Context, req Request) (int64, error)
}

// Negotiator is a Client that finds out what its endpoint knows. Negotiate does
// so by calls of inner, one for each HTTP request, so that whatever stands
// between the two sees every one of them; inner ends in the client itself.
type Negotiator interface {
	Negotiate(inner Client) Client
}

// Negotiated gives inner, which asks client, with the negotiation outside of it
// when client has any.
func Negotiated(client, inner Client) Client {
	if n, ok := client.(Negotiator); ok {
		return n.Negotiate(inner)
	}
	return inner
}

// StopReason says why the model stopped.
type StopReason string

// The stop reasons, in the product's own words.
const (
	StopEnd     StopReason = "end"
	StopTokens  StopReason = "max_tokens"
	StopTool    StopReason = "tool"
	StopSeq     StopReason = "stop_sequence"
	StopPause   StopReason = "pause"
	StopRefusal StopReason = "refusal"
	StopContext StopReason = "context"
)

// Usage counts tokens of one answer. The kinds do not overlap: Input is what
// was neither written to nor read from a cache.
type Usage struct {
	Input        int64 `json:"input_tokens"`
	Output       int64 `json:"output_tokens"`
	CacheWrite5m int64 `json:"cache_write_5m_tokens,omitempty"`
	CacheWrite1h int64 `json:"cache_write_1h_tokens,omitempty"`
	CacheRead    int64 `json:"cache_read_tokens,omitempty"`
	// Estimated marks counts that the endpoint did not measure.
	Estimated bool `json:"estimated,omitempty"`
}

// Add returns the sum of two usages.
func (u Usage) Add(v Usage) Usage {
	return Usage{
		Input: u.Input + v.Input, Output: u.Output + v.Output,
		CacheWrite5m: u.CacheWrite5m + v.CacheWrite5m, CacheWrite1h: u.CacheWrite1h + v.CacheWrite1h,
		CacheRead: u.CacheRead + v.CacheRead, Estimated: u.Estimated || v.Estimated,
	}
}

// Total is the number of tokens of every kind.
func (u Usage) Total() int64 {
	return u.Input + u.Output + u.CacheWrite5m + u.CacheWrite1h + u.CacheRead
}

// Limits is the provider's word on how much may still be asked; a nil
// pointer was not told.
type Limits struct {
	RequestsLeft *int64
	TokensLeft   *int64
	ResetAfter   time.Duration
}
