package trace

import (
	"sync"
	"time"
)

// Kind says which side of a call a span is on.
type Kind int

// The kinds of span, with OTLP's numbers.
const (
	Internal Kind = 1
	Client   Kind = 3
)

// Attr is one attribute.
type Attr struct {
	key   string
	value value
}

// String makes a text attribute.
func String(key, v string) Attr { return Attr{key, value{String: &v}} }

// Int makes an integer attribute.
func Int(key string, v int64) Attr {
	n := integer(v)
	return Attr{key, value{Int: &n}}
}

// Bool makes a truth attribute.
func Bool(key string, v bool) Attr { return Attr{key, value{Bool: &v}} }

// Float makes a number attribute.
func Float(key string, v float64) Attr { return Attr{key, value{Double: &v}} }

// Strings makes a list attribute.
func Strings(key string, list []string) Attr {
	values := make([]value, len(list))
	for i := range list {
		values[i].String = &list[i]
	}
	return Attr{key, value{Array: &array{values}}}
}

// Span is something that took time. It is written when it ends.
type Span struct {
	run      *Run
	traceID  string
	id       string
	parentID string
	name     string
	kind     Kind
	start    time.Time

	mu      sync.Mutex
	attrs   []Attr
	failure string
	ended   bool
}

// Start begins the first span of a new trace.
func (r *Run) Start(name string, attrs ...Attr) *Span {
	return r.begin(randomHex(16), "", name, Internal, attrs)
}

// Start begins a span within s.
func (s *Span) Start(name string, kind Kind, attrs ...Attr) *Span {
	return s.run.begin(s.traceID, s.id, name, kind, attrs)
}

func (r *Run) begin(traceID, parentID, name string, kind Kind, attrs []Attr) *Span {
	now := time.Now
	if r != nil {
		now = r.now
	}
	return &Span{run: r, traceID: traceID, id: randomHex(8), parentID: parentID, name: name, kind: kind, start: now(), attrs: attrs}
}

// TraceID is the hex id of the trace the span belongs to.
func (s *Span) TraceID() string { return s.traceID }

// Set adds attributes.
func (s *Span) Set(attrs ...Attr) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.attrs = append(s.attrs, attrs...)
}

// Fail marks the span as failed; kind is short and stable.
func (s *Span) Fail(kind, message string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failure = message
	s.attrs = append(s.attrs, String(ErrorType, kind))
}

// End writes the span; a second call does nothing.
func (s *Span) End() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended || s.run == nil {
		return
	}
	s.ended = true
	s.run.append(s.encode(s.run.now()))
}
