package anthropic

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"

	"github.com/sqbyl/sqbyl/llm"
	"github.com/sqbyl/sqbyl/llm/ability"
	"github.com/sqbyl/sqbyl/llm/internal/wire"
)

// answer is an answer on its way in.
type answer struct {
	client *Client
	req    llm.Request
	start  time.Time
	first  time.Duration
	// accepted is told at the first byte.
	accepted func()
	// tool is the name of the tool whose input is the answer, empty for none.
	tool    string
	http    *http.Response
	message sdk.Message
	begun   bool
	whole   bool
	// broken are the inputs of calls that were not JSON, by block.
	broken map[int]json.RawMessage
}

// begin marks the first byte of the answer.
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

func (a *answer) add(event sdk.MessageStreamEventUnion) error {
	// The SDK replaces input that is not JSON by {}: look before it does.
	a.whole = event.Type == "message_stop"
	for i, b := range a.message.Content {
		if ended := a.whole || event.Type == "content_block_stop" && event.Index == int64(i); !ended {
			continue
		}
		if b.Type == "tool_use" && len(b.Input) > 0 && !json.Valid(b.Input) {
			if a.broken == nil {
				a.broken = map[int]json.RawMessage{}
			}
			a.broken[i] = bytes.Clone(b.Input)
		}
	}
	return a.message.Accumulate(event)
}

var stops = map[sdk.StopReason]llm.StopReason{
	sdk.StopReasonEndTurn: llm.StopEnd, sdk.StopReasonMaxTokens: llm.StopTokens, sdk.StopReasonStopSequence: llm.StopSeq,
	sdk.StopReasonToolUse: llm.StopTool, sdk.StopReasonPauseTurn: llm.StopPause, sdk.StopReasonRefusal: llm.StopRefusal,
	sdk.StopReasonModelContextWindowExceeded: llm.StopContext,
}

// response judges a message that arrived to its end.
func (a *answer) response() (llm.Response, error) {
	r := llm.Response{
		Stop: stops[a.message.StopReason], Model: a.message.Model, Usage: usage(a.message.Usage),
		RequestID: a.requestID(), Limits: limits(a.http.Header, time.Now()), Latency: time.Since(a.start), FirstByte: a.first,
	}
	var thinking []json.RawMessage
	broken := ""
	for i, b := range a.message.Content {
		switch b.Type {
		case "tool_use":
			if a.broken[i] != nil {
				broken = b.Name
			}
			r.Calls = append(r.Calls, llm.ToolCall{ID: b.ID, Name: b.Name, Input: b.Input})
		case "thinking", "redacted_thinking":
			thinking = append(thinking, json.RawMessage(b.RawJSON()))
		}
	}
	r.Text = a.text()
	if a.answered() {
		r.Calls, broken = nil, ""
		if r.Stop == llm.StopTool {
			r.Stop = llm.StopEnd
		}
	}
	r.Usage.Estimated = wire.Estimated(a.http.Header)
	if thinking != nil {
		r.Thinking, _ = json.Marshal(thinking) // raw parts of a document that was read
	}
	switch r.Stop {
	case llm.StopEnd, llm.StopTool, llm.StopSeq:
		if broken != "" {
			return llm.Response{}, a.malformed("the input of the call to " + broken + " is not JSON")
		}
		if r.Text == "" && a.answered() {
			r.Text = "{}"
		}
		return r, nil
	}
	e := &llm.Error{Stop: r.Stop, Text: r.Text, Usage: &r.Usage}
	switch r.Stop {
	case llm.StopTokens:
		e.Kind, e.Message = llm.KindTruncated, fmt.Sprintf("the answer did not fit in max_tokens = %d", a.req.MaxTokens)
		if strings.TrimSpace(r.Text) == "" && len(r.Calls) == 0 {
			e.Message += "; all of them went into thinking"
		}
	case llm.StopRefusal:
		e.Kind, e.Message = llm.KindRefused, "the model declined to answer"
		if why := a.message.StopDetails.Explanation; why != "" {
			e.Message += ": " + why
		}
	case llm.StopContext:
		e.Kind, e.Message = llm.KindTooLong, "the model's context was full before the answer was whole"
	case llm.StopPause:
		e.Kind, e.Message = llm.KindTruncated, "the model paused in the middle of its turn"
	default:
		e.Kind, e.Message = llm.KindMalformed, fmt.Sprintf("unknown stop reason %q", a.message.StopReason)
	}
	return llm.Response{}, a.named(e)
}

func (a *answer) malformed(why string) error {
	e := &llm.Error{Kind: llm.KindMalformed, Message: why, Text: a.text(), Usage: a.partial()}
	if a.whole && e.Usage != nil {
		e.Usage.Estimated = false
	}
	return a.named(e)
}

// failed gives the error for a call that brought no whole message.
func (a *answer) failed(ctx context.Context, err error) error {
	var api *sdk.Error
	if errors.As(err, &api) {
		return a.named(a.refusal(api))
	}
	var syntax *json.SyntaxError
	var shape *json.UnmarshalTypeError
	if errors.As(err, &syntax) || errors.As(err, &shape) {
		return a.malformed("the stream is not what the wire format says: " + err.Error())
	}
	e := wire.Broken(ctx, err, a.client.config.BaseURL, a.begun)
	e.Text, e.Usage = a.text(), a.partial()
	return a.named(e)
}

// refusal reads an error that the provider put into words, as a response of
// its own or in the middle of a stream, where the status still says 200.
func (a *answer) refusal(api *sdk.Error) *llm.Error {
	body := api.RawJSON()
	message := api.Message
	if message == "" {
		message = strings.TrimSpace(body)
	}
	if len(message) > 500 {
		message = message[:500] + "…"
	}
	e := &llm.Error{Kind: kindOf(string(api.Type()), api.StatusCode), Message: message, RequestID: api.RequestID, Text: a.text(), Usage: a.partial()}
	if api.StatusCode >= 400 {
		e.Status = api.StatusCode
	}
	if api.Response != nil {
		e.RetryAfter = wire.RetryAfter(api.Response.Header, time.Now())
	}
	switch {
	case e.Kind == llm.KindRateLimited && wire.Quota(message+" "+string(api.ErrorCode()), e.RetryAfter), e.Kind == llm.KindRequest && wire.NoMoney(message):
		e.Kind = llm.KindQuota
	case e.Kind == llm.KindRequest && wire.TooLong(message):
		e.Kind = llm.KindTooLong
	}
	return e
}

func kindOf(kind string, status int) llm.Kind {
	switch kind {
	case "authentication_error", "permission_error":
		return llm.KindKey
	case "billing_error":
		return llm.KindQuota
	case "rate_limit_error":
		return llm.KindRateLimited
	case "overloaded_error":
		return llm.KindOverloaded
	case "request_too_large":
		return llm.KindTooLong
	case "invalid_request_error", "not_found_error":
		return llm.KindRequest
	case "api_error", "timeout_error":
		if status < 400 || status >= 500 {
			return llm.KindServer
		}
	}
	return wire.KindOfStatus(status)
}

// named fills in what every error of a call has.
func (a *answer) named(e *llm.Error) error {
	if e.RequestID == "" {
		e.RequestID = a.requestID()
	}
	return a.client.named(e, a.req.Model)
}

func (a *answer) requestID() string {
	if a.http == nil {
		return ""
	}
	return a.http.Header.Get("request-id")
}

// answered tells whether the tool was called whose input is the answer: what
// else there is beside the call is not.
func (a *answer) answered() bool {
	return a.tool != "" && slices.ContainsFunc(a.message.Content, func(b sdk.ContentBlockUnion) bool {
		return b.Type == "tool_use" && b.Name == a.tool
	})
}

// text is the answer as far as it came.
func (a *answer) text() string {
	var text strings.Builder
	var inputs []string
	for i, b := range a.message.Content {
		text.WriteString(b.Text)
		input := string(b.Input)
		if broken := a.broken[i]; broken != nil {
			input = string(broken)
		}
		if a.tool != "" && b.Type == "tool_use" && b.Name == a.tool {
			inputs = append(inputs, input)
		}
	}
	return ability.Answered(text.String(), inputs)
}

// partial gives what had been counted of an answer that is not whole.
func (a *answer) partial() *llm.Usage {
	if !a.begun || a.message.ID == "" {
		return nil
	}
	u := usage(a.message.Usage)
	u.Estimated = true
	return &u
}

func usage(u sdk.Usage) llm.Usage {
	out := llm.Usage{Input: u.InputTokens, Output: u.OutputTokens, CacheRead: u.CacheReadInputTokens}
	out.CacheWrite1h = u.CacheCreation.Ephemeral1hInputTokens
	out.CacheWrite5m = max(0, u.CacheCreationInputTokens-out.CacheWrite1h)
	return out
}

func limits(h http.Header, now time.Time) llm.Limits {
	l := llm.Limits{RequestsLeft: count(h, "requests"), TokensLeft: count(h, "tokens")}
	for _, kind := range []string{"input-tokens", "output-tokens"} {
		if n := count(h, kind); n != nil && (l.TokensLeft == nil || *n < *l.TokensLeft) {
			l.TokensLeft = n
		}
	}
	for _, kind := range []string{"requests", "tokens", "input-tokens", "output-tokens"} {
		if at, err := time.Parse(time.RFC3339, h.Get("anthropic-ratelimit-"+kind+"-reset")); err == nil {
			l.ResetAfter = max(l.ResetAfter, at.Sub(now))
		}
	}
	return l
}

func count(h http.Header, kind string) *int64 {
	n, err := strconv.ParseInt(h.Get("anthropic-ratelimit-"+kind+"-remaining"), 10, 64)
	if err != nil {
		return nil
	}
	return &n
}
