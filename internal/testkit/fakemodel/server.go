// Package fakemodel is a model endpoint for tests. It speaks the wire formats
// of Anthropic's Messages and of OpenAI's chat completions over real HTTP,
// streamed and plain, answers by a script, fails on demand, keeps every
// request and writes its own bill.
package fakemodel

import (
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sqbyl/sqbyl/llm"
)

// Server is a running fake. Its fields are set before the first request.
type Server struct {
	// Key, when set, is the only one that is not refused.
	Key string
	// JSONMode says which kind of structured answer the server knows:
	// "json_schema" (the default), "json_object", "tool" or "none".
	JSONMode string
	// TokensPer4 is the number of input tokens counted for four characters;
	// 0 means 1.
	TokensPer4 float64
	// ModelNames is what the list of models holds.
	ModelNames []string
	// Header goes with every response (rate limits, for example).
	Header http.Header

	http     *httptest.Server
	inFlight atomic.Int64
	peak     atomic.Int64

	mu     sync.Mutex
	script []Reply
	answer func(Call) Reply
	calls  []Call
	bill   []Charge
	cached map[[32]byte]bool
}

// Charge is one line of the fake's bill.
type Charge struct {
	Call     int
	Model    string
	Usage    llm.Usage
	Complete bool // the client got the whole answer
}

// New starts a fake that ends with the test. Without a script or function it
// answers every request with an empty text.
func New(t testing.TB) *Server {
	s := &Server{cached: map[[32]byte]bool{}}
	s.http = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(func() {
		s.http.CloseClientConnections()
		s.http.Close()
	})
	return s
}

// URL is the base URL for an Anthropic client.
func (s *Server) URL() string { return s.http.URL }

// OpenAI is the base URL for an OpenAI-compatible client.
func (s *Server) OpenAI() string { return s.http.URL + "/v1" }

// Script queues replies, one per request for an answer. When the script is
// used up, the function of Answer takes over.
func (s *Server) Script(replies ...Reply) *Server {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script = append(s.script, replies...)
	return s
}

// Answer sets the function that replies to requests beyond the script. It is
// called for several requests at once.
func (s *Server) Answer(f func(Call) Reply) *Server {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = f
	return s
}

// Set changes Key or JSONMode of a fake that serves already.
func (s *Server) Set(change func(*Server)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(s)
}

// Calls gives every request for an answer so far.
func (s *Server) Calls() []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Call(nil), s.calls...)
}

// Bill gives every charge so far: what a provider would have billed, whole
// answers or not.
func (s *Server) Bill() []Charge {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Charge(nil), s.bill...)
}

// Peak is the largest number of requests that were in flight at once.
func (s *Server) Peak() int { return int(s.peak.Load()) }

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	for name, values := range s.Header {
		w.Header()[http.CanonicalHeaderKey(name)] = values
	}
	if !s.allowed(r) {
		s.fail(w, KeyRefused())
		return
	}
	switch path := r.URL.Path; {
	case strings.HasSuffix(path, "/models"):
		s.models(w)
	case strings.HasSuffix(path, "/messages/count_tokens"):
		writeJSON(w, map[string]any{"input_tokens": s.tokens(len(body))})
	case strings.HasSuffix(path, "/v1/messages"):
		s.complete(w, r, body, anthropicWire{})
	case strings.HasSuffix(path, "/chat/completions"):
		s.complete(w, r, body, openaiWire{})
	default:
		s.fail(w, Reply{Status: http.StatusNotFound, Body: errorBody("not_found_error", "no such path: "+path)})
	}
}

func (s *Server) allowed(r *http.Request) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Key == "" || r.Header.Get("Authorization") == "Bearer "+s.Key
}

// format is one provider's wire format.
type format interface {
	read(body []byte) (Call, error)
	// events gives an answer as a stream, names and data.
	events(r Reply, c Call, u llm.Usage) []event
	plain(r Reply, c Call, u llm.Usage) any
	midError(kind string) event
}

type event struct {
	name string // empty for OpenAI
	data string
}

func (s *Server) complete(w http.ResponseWriter, r *http.Request, body []byte, f format) {
	now := s.inFlight.Add(1)
	defer s.inFlight.Add(-1)
	for {
		peak := s.peak.Load()
		if now <= peak || s.peak.CompareAndSwap(peak, now) {
			break
		}
	}
	call, err := f.read(body)
	if err != nil {
		s.fail(w, Reply{Status: http.StatusBadRequest, Body: errorBody("invalid_request_error", err.Error())})
		return
	}
	call.Path, call.Header, call.Body = r.URL.Path, r.Header.Clone(), body
	reply := s.next(&call)
	if !s.knows(call.Format) {
		why := fmt.Sprintf("response_format type %q is not supported", call.Format)
		if call.Format == "tool" {
			why = "tool_choice: forcing a tool is not supported on this model"
		}
		s.fail(w, Reply{Status: http.StatusBadRequest, Body: errorBody("invalid_request_error", why)})
		return
	}
	if !pause(r, reply.FirstByte) {
		return
	}
	if reply.Status != 0 {
		s.fail(w, reply)
		return
	}
	if reply.Model == "" {
		reply.Model = call.Model
	}
	usage := s.charge(call, reply)
	s.send(w, r, f, call, reply, usage)
}

// send writes an answer, whole or not.
func (s *Server) send(w http.ResponseWriter, r *http.Request, f format, call Call, reply Reply, usage llm.Usage) {
	w.Header().Set("request-id", fmt.Sprintf("req_%04d", call.N))
	s.started(call)
	if !call.Stream || reply.Plain {
		body := marshal(f.plain(reply, call, usage))
		if reply.Garbage != "" {
			body = reply.Garbage
		}
		w.Header().Set("content-type", "application/json")
		w.Header().Set("content-length", fmt.Sprint(len(body)))
		if reply.CutAfter > 0 && reply.CutAfter < len(body) {
			_, _ = io.WriteString(w, body[:reply.CutAfter])
			flush(w)
			panic(http.ErrAbortHandler)
		}
		if pause(r, reply.Rest) {
			_, _ = io.WriteString(w, body)
		}
		return
	}
	w.Header().Set("content-type", "text/event-stream")
	events := f.events(reply, call, usage)
	for i, e := range events {
		switch {
		case reply.CutAfter > 0 && i == reply.CutAfter:
			flush(w)
			panic(http.ErrAbortHandler)
		case reply.ErrorAfter > 0 && i == reply.ErrorAfter:
			writeEvent(w, f.midError(reply.ErrorKind))
			return
		case reply.Garbage != "" && i == 1:
			e.data = reply.Garbage
		}
		if i == len(events)-1 && !pause(r, reply.Rest) {
			return
		}
		writeEvent(w, e)
		if i == 0 {
			flush(w)
			if reply.Hold != nil {
				select {
				case <-reply.Hold:
				case <-r.Context().Done():
					return
				}
			}
		}
	}
}

// next keeps the request and picks its reply.
func (s *Server) next(call *Call) Reply {
	s.mu.Lock()
	call.N = len(s.calls) + 1
	s.calls = append(s.calls, *call)
	if len(s.script) > 0 {
		reply := s.script[0]
		s.script = s.script[1:]
		s.mu.Unlock()
		return reply
	}
	answer := s.answer
	s.mu.Unlock()
	if answer == nil {
		return Reply{}
	}
	return answer(*call)
}

// charge counts tokens, the marked prefix as written once and read later, and
// writes the bill.
func (s *Server) charge(call Call, reply Reply) llm.Usage {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := llm.Usage{Input: s.tokens(len(call.Body)), Output: reply.outputTokens()}
	if call.Prefix != "" {
		prefix := min(s.tokens(len(call.Prefix)), u.Input)
		u.Input -= prefix
		switch {
		case s.cached[prefixKey(call)]:
			u.CacheRead = prefix
		case call.Life == llm.CacheLong:
			u.CacheWrite1h = prefix
		default:
			u.CacheWrite5m = prefix
		}
	}
	if reply.Usage != nil {
		u = *reply.Usage
	}
	s.bill = append(s.bill, Charge{Call: call.N, Model: reply.Model, Usage: u, Complete: reply.complete()})
	return u
}

// started makes the call's prefix known: a cache entry exists from the first
// byte of an answer on.
func (s *Server) started(call Call) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cached[prefixKey(call)] = true
}

func prefixKey(c Call) [32]byte { return sha256.Sum256([]byte(c.Model + "\x00" + c.Prefix)) }

func (s *Server) tokens(characters int) int64 {
	per := s.TokensPer4
	if per == 0 {
		per = 1
	}
	return int64(float64(characters) / 4 * per)
}

func (s *Server) knows(format string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch s.JSONMode {
	case "none":
		return format == ""
	case "json_object", "tool":
		return format == "" || format == s.JSONMode
	}
	return format != "tool"
}

func (s *Server) models(w http.ResponseWriter) {
	data := []map[string]any{}
	for _, name := range s.ModelNames {
		data = append(data, map[string]any{"type": "model", "object": "model", "id": name, "display_name": name, "created_at": "2026-01-01T00:00:00Z"})
	}
	writeJSON(w, map[string]any{"object": "list", "data": data, "has_more": false})
}

func (s *Server) fail(w http.ResponseWriter, r Reply) {
	for name, values := range r.Header {
		w.Header()[http.CanonicalHeaderKey(name)] = values
	}
	w.Header().Set("content-type", "application/json")
	w.Header().Set("request-id", "req_failed")
	w.WriteHeader(r.Status)
	_, _ = io.WriteString(w, r.Body)
}

// pause waits, and tells whether the client is still there.
func pause(r *http.Request, d time.Duration) bool {
	if d <= 0 {
		return r.Context().Err() == nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.Context().Done():
		return false
	}
}

func writeEvent(w http.ResponseWriter, e event) {
	if e.name != "" {
		fmt.Fprintf(w, "event: %s\n", e.name)
	}
	fmt.Fprintf(w, "data: %s\n\n", e.data)
}

func flush(w http.ResponseWriter) {
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
}
