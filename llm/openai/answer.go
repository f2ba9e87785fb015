package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/sqbyl/sqbyl/llm"
	"github.com/sqbyl/sqbyl/llm/ability"
	"github.com/sqbyl/sqbyl/llm/internal/wire"
)

// chunk is a piece of a stream or, with Message for Delta, a whole answer.
type chunk struct {
	Model   string `json:"model"`
	Choices []struct {
		Index        int     `json:"index"`
		Delta        piece   `json:"delta"`
		Message      *piece  `json:"message"`
		FinishReason *string `json:"finish_reason"`
	} `json:"choices"`
	Usage *tokens `json:"usage"`
	Groq  *struct {
		Usage *tokens `json:"usage"`
	} `json:"x_groq"`
	Error json.RawMessage `json:"error"`
}

type piece struct {
	Content   *string `json:"content"`
	Refusal   *string `json:"refusal"`
	Reasoning *string `json:"reasoning_content"`
	Calls     []struct {
		Index    *int   `json:"index"`
		ID       string `json:"id"`
		Function struct {
			Name string `json:"name"`
			// Arguments are a JSON string, or with some servers the object.
			Arguments json.RawMessage `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

type tokens struct {
	Prompt     int64 `json:"prompt_tokens"`
	Completion int64 `json:"completion_tokens"`
	Details    struct {
		Cached int64 `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
}

// answer is an answer on its way in.
type answer struct {
	client   *Client
	req      llm.Request
	start    time.Time
	exchange *exchange
	accepted func()
	// tool is the name of the tool whose input is the answer, empty for none.
	tool string

	begun     bool
	first     time.Duration
	model     string
	text      strings.Builder
	refusal   strings.Builder
	reasoning int // characters
	calls     []call
	ended     string // finish_reason
	usage     *tokens
}

type call struct {
	id, name  string
	index     int
	arguments []byte
}

func (a *answer) begin() {
	if a.begun {
		return
	}
	a.begun = true
	a.first = time.Since(a.start)
	a.accepted()
	if a.req.Started != nil {
		a.req.Started()
	}
}

// add takes one piece of a stream.
func (a *answer) add(line []byte) error {
	var c chunk
	if err := json.Unmarshal(line, &c); err != nil {
		return a.broken("the stream is not what the wire format says: " + err.Error())
	}
	if len(c.Error) > 0 && string(c.Error) != "null" {
		return a.refused(line, 0)
	}
	a.begin()
	return a.take(c)
}

func (a *answer) take(c chunk) error {
	if c.Model != "" {
		a.model = c.Model
	}
	if c.Usage != nil {
		a.usage = c.Usage
	} else if c.Groq != nil && c.Groq.Usage != nil {
		a.usage = c.Groq.Usage
	}
	for _, choice := range c.Choices {
		if choice.Index != 0 {
			continue
		}
		p := choice.Delta
		if choice.Message != nil {
			p = *choice.Message
		}
		if p.Content != nil {
			a.text.WriteString(*p.Content)
		}
		if p.Refusal != nil {
			a.refusal.WriteString(*p.Refusal)
		}
		if p.Reasoning != nil {
			a.reasoning += len(*p.Reasoning)
		}
		if err := a.takeCalls(p); err != nil {
			return err
		}
		if choice.FinishReason != nil {
			a.ended = *choice.FinishReason
		}
	}
	return nil
}

func (a *answer) takeCalls(p piece) error {
	for _, piece := range p.Calls {
		at := len(a.calls) - 1
		switch {
		case piece.Index != nil:
			for at = 0; at < len(a.calls) && a.calls[at].index != *piece.Index; at++ {
			}
		case piece.ID != "" || at < 0:
			at = len(a.calls)
		}
		if at == len(a.calls) {
			index := at
			if piece.Index != nil {
				index = *piece.Index
			}
			a.calls = append(a.calls, call{index: index})
		}
		c := &a.calls[at]
		if c.id == "" {
			c.id = piece.ID
		}
		if c.name == "" {
			c.name = piece.Function.Name
		}
		if arguments := piece.Function.Arguments; len(arguments) > 0 && arguments[0] == '"' {
			var s string
			if err := json.Unmarshal(arguments, &s); err != nil {
				return a.broken("the arguments of a call cannot be read: " + err.Error())
			}
			c.arguments = append(c.arguments, s...)
		} else if string(arguments) != "null" {
			c.arguments = append(c.arguments, arguments...)
		}
	}
	return nil
}

// plain reads an answer of an endpoint that does not stream.
func (a *answer) plain(ctx context.Context) (llm.Response, error) {
	raw, err := io.ReadAll(a.exchange.body)
	if err != nil {
		return llm.Response{}, a.failed(ctx, err)
	}
	var c chunk
	if err := json.Unmarshal(raw, &c); err != nil {
		a.begin()
		return llm.Response{}, a.broken("the body is not an answer: " + err.Error())
	}
	if len(c.Error) > 0 && string(c.Error) != "null" {
		return llm.Response{}, a.refused(raw, 0)
	}
	a.begin()
	if err := a.take(c); err != nil {
		return llm.Response{}, err
	}
	if len(c.Choices) == 0 {
		return llm.Response{}, a.broken("the body holds no answer")
	}
	return a.response()
}

// finish judges a stream that has ended with err.
func (a *answer) finish(ctx context.Context, err error) (llm.Response, error) {
	if !errors.Is(err, io.EOF) || !a.exchange.done() && a.ended == "" {
		return llm.Response{}, a.failed(ctx, err)
	}
	if !a.begun {
		return llm.Response{}, a.broken("the stream ended without an answer")
	}
	return a.response()
}

func (a *answer) response() (llm.Response, error) {
	r := llm.Response{
		Text: a.said(), Model: a.model, Usage: a.billed(), RequestID: a.requestID(), Stop: llm.StopEnd,
		Limits: limits(a.exchange.header), Latency: time.Since(a.start), FirstByte: a.first,
	}
	if r.Model == "" {
		r.Model = a.req.Model
	}
	for i, c := range a.calls {
		if a.answered() {
			break
		}
		input := strings.TrimSpace(string(c.arguments))
		if input == "" {
			input = "{}"
		}
		if !json.Valid([]byte(input)) && a.ended != "length" {
			return llm.Response{}, a.broken("the input of the call to " + c.name + " is not JSON")
		}
		if c.id == "" {
			c.id = fmt.Sprintf("call_%d", i+1)
		}
		r.Calls = append(r.Calls, llm.ToolCall{ID: c.id, Name: c.name, Input: json.RawMessage(input)})
		r.Stop = llm.StopTool
	}
	e := &llm.Error{Text: r.Text, Usage: &r.Usage, RequestID: r.RequestID}
	switch {
	case a.ended == "length":
		e.Kind, e.Stop, e.Message = llm.KindTruncated, llm.StopTokens, fmt.Sprintf("the answer did not fit in max_tokens = %d", a.req.MaxTokens)
		if strings.TrimSpace(r.Text) == "" && len(r.Calls) == 0 {
			e.Message += "; all of them went into thinking"
		}
	case a.ended == "content_filter" || a.refusal.Len() > 0:
		e.Kind, e.Stop, e.Message = llm.KindRefused, llm.StopRefusal, "the model declined to answer"
		if a.refusal.Len() > 0 {
			e.Message += ": " + a.refusal.String()
		}
	default:
		if r.Text == "" && a.answered() {
			r.Text = "{}"
		}
		return r, nil
	}
	return llm.Response{}, a.client.named(e, a.req.Model)
}

// answered tells whether the tool was called whose input is the answer: what
// else there is beside the call is not.
func (a *answer) answered() bool {
	return a.tool != "" && slices.ContainsFunc(a.calls, func(c call) bool { return c.name == a.tool })
}

// said is the answer as far as it came.
func (a *answer) said() string {
	var inputs []string
	for _, c := range a.calls {
		if a.tool != "" && c.name == a.tool {
			inputs = append(inputs, string(c.arguments))
		}
	}
	return ability.Answered(a.text.String(), inputs)
}

// billed gives the measured usage, or an estimate of four characters a token.
func (a *answer) billed() llm.Usage {
	if u := a.usage; u != nil && u.Prompt+u.Completion > 0 {
		return llm.Usage{Input: max(0, u.Prompt-u.Details.Cached), CacheRead: u.Details.Cached, Output: u.Completion, Estimated: wire.Estimated(a.exchange.header)}
	}
	out := a.text.Len() + a.reasoning
	for _, c := range a.calls {
		out += len(c.name) + len(c.arguments)
	}
	return llm.Usage{Input: int64(a.exchange.sent)/4 + 1, Output: int64(out)/4 + 1, Estimated: true}
}

func (a *answer) requestID() string {
	for _, name := range []string{"x-request-id", "request-id"} {
		if id := a.exchange.header.Get(name); id != "" {
			return id
		}
	}
	return ""
}

// broken gives the error for an answer that cannot be read.
func (a *answer) broken(why string) error {
	e := &llm.Error{Kind: llm.KindMalformed, Message: why, Text: a.said(), RequestID: a.requestID()}
	if a.usage != nil {
		u := a.billed()
		e.Usage = &u
	}
	return a.client.named(e, a.req.Model)
}

// failed gives the error for a call that brought no whole answer.
func (a *answer) failed(ctx context.Context, err error) error {
	if a.exchange.status >= 400 {
		return a.refused(a.exchange.raw, a.exchange.status)
	}
	if said := spoken(err); said != nil {
		return a.refused(said, 0)
	}
	var syntax *json.SyntaxError
	var shape *json.UnmarshalTypeError
	if errors.As(err, &syntax) || errors.As(err, &shape) {
		return a.broken("the answer is not what the wire format says: " + err.Error())
	}
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	e := wire.Broken(ctx, err, a.client.config.BaseURL, a.begun || a.exchange.status != 0)
	e.Text, e.RequestID = a.said(), a.requestID()
	if a.begun {
		u := a.billed()
		u.Estimated = true
		e.Usage = &u
	}
	return a.client.named(e, a.req.Model)
}
