package fakemodel

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/sqbyl/sqbyl/llm"
)

// Reply is what the fake does with one request: an answer, a failure, or an
// answer that goes wrong on its way. Its zero value is an empty answer.
type Reply struct {
	Text     string
	Thinking string
	Calls    []llm.ToolCall
	// Stop is the reason the answer ends with; empty means StopTool with
	// calls, else StopEnd.
	Stop llm.StopReason
	// Usage overrides the counted tokens.
	Usage *llm.Usage
	// NoUsage leaves the token counts out, as some local servers do.
	NoUsage bool
	// Model is the model that says it answered; empty means the asked one.
	Model string

	// Status makes it an HTTP error with this body and header.
	Status int
	Body   string
	Header http.Header

	// CutAfter, when positive, breaks the connection after so many events of
	// the stream (or bytes of a plain answer).
	CutAfter int
	// ErrorAfter, when positive, sends an error event of kind ErrorKind after
	// so many events.
	ErrorAfter int
	ErrorKind  string
	// Garbage, when set, is sent in place of the second event, or of a plain
	// answer's body.
	Garbage string
	// Plain answers with one JSON document although a stream was asked for.
	Plain bool

	// FirstByte passes before the answer starts, Rest before it ends.
	FirstByte time.Duration
	Rest      time.Duration
	// Hold, when set, is waited for after the first event.
	Hold <-chan struct{}
}

// Text answers with text.
func Text(s string) Reply { return Reply{Text: s} }

// JSON answers with a value as a structured answer.
func JSON(v any) Reply {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("a test's answer: %v", err))
	}
	return Reply{Text: string(b)}
}

// Tool answers with one call of a tool.
func Tool(name string, input any) Reply {
	b, err := json.Marshal(input)
	if err != nil {
		panic(fmt.Sprintf("a test's tool input: %v", err))
	}
	return Reply{Calls: []llm.ToolCall{{Name: name, Input: b}}}
}

// RateLimited is a 429 that asks for a wait; 0 names none.
func RateLimited(wait time.Duration) Reply {
	r := Reply{Status: http.StatusTooManyRequests, Body: errorBody("rate_limit_error", "This request would exceed your organization's rate limit of 50,000 input tokens per minute.")}
	if wait > 0 {
		r.Header = http.Header{"Retry-After-Ms": {fmt.Sprint(wait.Milliseconds())}}
	}
	return r
}

// DailyQuota is a 429 that only its body tells from a short limit.
func DailyQuota() Reply {
	return Reply{Status: http.StatusTooManyRequests, Header: http.Header{"Retry-After": {"432"}},
		Body: errorBody("rate_limit_error", "Rate limit reached for model in organization on tokens per day (TPD): Limit 200000, Used 199500, Requested 1200. Please try again in 7m12s.")}
}

// Overloaded is a 529.
func Overloaded() Reply { return Reply{Status: 529, Body: errorBody("overloaded_error", "Overloaded")} }

// KeyRefused is a 401.
func KeyRefused() Reply {
	return Reply{Status: http.StatusUnauthorized, Body: errorBody("authentication_error", "invalid x-api-key")}
}

// TooLong is a 400 for a prompt that does not fit.
func TooLong() Reply {
	return Reply{Status: http.StatusBadRequest, Body: errorBody("invalid_request_error", "prompt is too long: 1204301 tokens > 1000000 maximum")}
}

// Refusal is an answer that the model declined to give.
func Refusal() Reply { return Reply{Stop: llm.StopRefusal} }

// Truncated is an answer that ran into max_tokens.
func Truncated(text string) Reply { return Reply{Text: text, Stop: llm.StopTokens} }

// Cut is an answer whose connection breaks after so many events.
func Cut(text string, events int) Reply { return Reply{Text: text, CutAfter: events} }

// MidError is an answer that turns into an error event of the given kind.
func MidError(text, kind string, events int) Reply {
	return Reply{Text: text, ErrorAfter: events, ErrorKind: kind}
}

// Malformed is an answer that is not what the wire format says.
func Malformed() Reply { return Reply{Text: "x", Garbage: `{"type":"content_block_start","index":`} }

func errorBody(kind, message string) string {
	b, err := json.Marshal(map[string]any{"type": "error", "error": map[string]any{"type": kind, "message": message}})
	if err != nil {
		panic(err)
	}
	return string(b)
}

// complete tells whether the reply brings a whole answer.
func (r Reply) complete() bool {
	return r.Status == 0 && r.CutAfter == 0 && r.ErrorAfter == 0 && r.Garbage == ""
}

// stop gives the stop reason with its default.
func (r Reply) stop() llm.StopReason {
	switch {
	case r.Stop != "":
		return r.Stop
	case len(r.Calls) > 0:
		return llm.StopTool
	}
	return llm.StopEnd
}

// outputTokens counts what the reply is billed for.
func (r Reply) outputTokens() int64 {
	n := len(r.Text) + len(r.Thinking)
	for _, c := range r.Calls {
		n += len(c.Name) + len(c.Input)
	}
	return int64(n/4 + 1)
}

// pieces cuts s as a stream delivers it.
func pieces(s string) []string {
	var out []string
	for len(s) > 40 {
		cut := 40
		for cut > 0 && s[cut]&0xC0 == 0x80 {
			cut--
		}
		out, s = append(out, s[:cut]), s[cut:]
	}
	return append(out, s)
}

// readable names a request's text for failure messages.
func readable(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > 120 {
		s = s[:120] + "…"
	}
	return s
}
