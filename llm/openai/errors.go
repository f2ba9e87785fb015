package openai

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	sdk "github.com/sashabaranov/go-openai"

	"github.com/sqbyl/sqbyl/llm"
	"github.com/sqbyl/sqbyl/llm/internal/wire"
)

// spoken gives the body of an error that the SDK met in the middle of a
// stream, nil when err is none.
func spoken(err error) []byte {
	var api *sdk.APIError
	if !errors.As(err, &api) || api.HTTPStatusCode != 0 {
		return nil
	}
	b, err := json.Marshal(map[string]any{"error": map[string]any{"message": api.Message, "type": api.Type, "code": api.Code}})
	if err != nil {
		return nil
	}
	return b
}

// said is what an error's body says, in whichever form.
type said struct {
	message, kind, code string
	failed              string // what a model had written that was refused
}

// read understands {"error":{…}}, {"error":"…"}, {"message":"…"},
// {"detail":"…"} and text.
func read(body []byte) said {
	var outer struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
		Type    string          `json:"type"`
		Code    any             `json:"code"`
		Detail  json.RawMessage `json:"detail"`
	}
	if err := json.Unmarshal(body, &outer); err != nil {
		return said{message: short(string(body))}
	}
	s := said{message: outer.Message, kind: outer.Type, code: text(outer.Code)}
	var inner struct {
		Message string `json:"message"`
		Type    string `json:"type"`
		Code    any    `json:"code"`
		Failed  string `json:"failed_generation"`
	}
	var word string
	switch {
	case json.Unmarshal(outer.Error, &inner) == nil:
		s = said{message: inner.Message, kind: inner.Type, code: text(inner.Code), failed: inner.Failed}
	case json.Unmarshal(outer.Error, &word) == nil:
		s.message = word
	case len(outer.Detail) > 0 && json.Unmarshal(outer.Detail, &word) == nil:
		s.message = word
	}
	if s.message == "" {
		s.message = short(string(body))
	}
	return s
}

func text(code any) string {
	if code == nil {
		return ""
	}
	return fmt.Sprint(code)
}

func short(s string) string {
	s = strings.TrimSpace(s)
	if r := []rune(s); len(r) > 500 {
		s = string(r[:500]) + "…"
	}
	return s
}

// refused gives the error for what the provider put into words. status is 0
// in the middle of a stream.
func (a *answer) refused(body []byte, status int) error {
	s := read(body)
	e := &llm.Error{Kind: kindOf(s, status), Status: status, Message: short(s.message), Text: a.said(), RequestID: a.requestID()}
	e.RetryAfter = wire.RetryAfter(a.exchange.header, time.Now())
	words := s.message + " " + s.code + " " + s.kind
	switch {
	case e.Kind == llm.KindRateLimited && wire.Quota(words, e.RetryAfter), e.Kind == llm.KindRequest && wire.NoMoney(words):
		e.Kind = llm.KindQuota
	case e.Kind == llm.KindRequest && wire.TooLong(words):
		e.Kind = llm.KindTooLong
	}
	if s.failed != "" && e.Text == "" {
		e.Text = s.failed
	}
	if a.begun {
		u := a.billed()
		u.Estimated = true
		e.Usage = &u
	}
	return a.client.named(e, a.req.Model)
}

func kindOf(s said, status int) llm.Kind {
	switch s.code {
	case "json_validate_failed", "tool_use_failed":
		// The model's own slip, found by the provider.
		return llm.KindMalformed
	case "context_length_exceeded":
		return llm.KindTooLong
	case "insufficient_quota":
		return llm.KindQuota
	}
	if status >= 400 {
		return wire.KindOfStatus(status)
	}
	for _, word := range []string{s.kind, s.code} {
		switch word {
		case "rate_limit_exceeded", "rate_limit_error", "requests", "tokens", "429":
			return llm.KindRateLimited
		case "overloaded_error", "engine_overloaded", "unavailable_error", "service_unavailable", "503", "529":
			return llm.KindOverloaded
		case "invalid_request_error":
			return llm.KindRequest
		}
	}
	return llm.KindServer
}

func limits(h http.Header) llm.Limits {
	l := llm.Limits{RequestsLeft: count(h, "requests"), TokensLeft: count(h, "tokens")}
	for _, kind := range []string{"requests", "tokens"} {
		value := h.Get("x-ratelimit-reset-" + kind)
		if d, err := time.ParseDuration(value); err == nil {
			l.ResetAfter = max(l.ResetAfter, d)
		} else if s, err := strconv.ParseFloat(value, 64); err == nil {
			l.ResetAfter = max(l.ResetAfter, time.Duration(s*float64(time.Second)))
		}
	}
	return l
}

func count(h http.Header, kind string) *int64 {
	n, err := strconv.ParseInt(h.Get("x-ratelimit-remaining-"+kind), 10, 64)
	if err != nil {
		return nil
	}
	return &n
}
