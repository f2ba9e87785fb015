package trace

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"
)

// The types of OTLP's JSON encoding that the product uses: ids in hex,
// 64-bit integers as strings.
type document struct {
	ResourceSpans []resourceSpans `json:"resourceSpans"`
}

type resourceSpans struct {
	Resource   resource     `json:"resource"`
	ScopeSpans []scopeSpans `json:"scopeSpans"`
}

type resource struct {
	Attributes []keyValue `json:"attributes"`
}

type scopeSpans struct {
	Scope scope      `json:"scope"`
	Spans []wireSpan `json:"spans"`
}

type scope struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
}

type wireSpan struct {
	TraceID    string     `json:"traceId"`
	SpanID     string     `json:"spanId"`
	ParentID   string     `json:"parentSpanId,omitempty"`
	Name       string     `json:"name"`
	Kind       Kind       `json:"kind"`
	Start      integer    `json:"startTimeUnixNano"`
	End        integer    `json:"endTimeUnixNano"`
	Attributes []keyValue `json:"attributes,omitempty"`
	Status     status     `json:"status"`
}

type status struct {
	Code    int    `json:"code,omitempty"` // 1 ok, 2 error
	Message string `json:"message,omitempty"`
}

type keyValue struct {
	Key   string `json:"key"`
	Value value  `json:"value"`
}

type value struct {
	String *string  `json:"stringValue,omitempty"`
	Int    *integer `json:"intValue,omitempty"`
	Bool   *bool    `json:"boolValue,omitempty"`
	Double *float64 `json:"doubleValue,omitempty"`
	Array  *array   `json:"arrayValue,omitempty"`
}

type array struct {
	Values []value `json:"values"`
}

type integer int64

func (i integer) MarshalJSON() ([]byte, error) {
	return strconv.AppendQuote(nil, strconv.FormatInt(int64(i), 10)), nil
}

func (i *integer) UnmarshalJSON(b []byte) error {
	n, err := strconv.ParseInt(string(bytes.Trim(b, `"`)), 10, 64)
	*i = integer(n)
	return err
}

// encode is the span as one line, with its line end.
func (s *Span) encode(end time.Time) []byte {
	w := wireSpan{
		TraceID: s.traceID, SpanID: s.id, ParentID: s.parentID, Name: s.name, Kind: s.kind,
		Start: integer(s.start.UnixNano()), End: integer(end.UnixNano()), Status: status{Code: 1},
	}
	if s.failure != "" {
		w.Status = status{Code: 2, Message: s.failure}
	}
	for _, a := range s.attrs {
		w.Attributes = append(w.Attributes, keyValue{a.key, a.value})
	}

	about := []keyValue{{ServiceName, String("", "sqbyl").value}}
	if s.run.version != "" {
		about = append(about, keyValue{ServiceVersion, String("", s.run.version).value})
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	// The types above cannot fail to encode but for a NaN, which no caller
	// measures; the line is then empty rather than broken.
	if err := e.Encode(document{[]resourceSpans{{
		Resource:   resource{about},
		ScopeSpans: []scopeSpans{{Scope: scope{"github.com/sqbyl/sqbyl", s.run.version}, Spans: []wireSpan{w}}},
	}}}); err != nil {
		return nil
	}
	return b.Bytes()
}

// Record is a span as it was read back.
type Record struct {
	TraceID, SpanID, ParentID string
	Name                      string
	Start, End                time.Time
	// Error is the message of a failed span.
	Error string
	attrs map[string]value
}

// Text is the attribute's text, "" when the span has none of that name.
func (r *Record) Text(key string) string {
	v := r.attrs[key]
	switch {
	case v.String != nil:
		return *v.String
	case v.Int != nil:
		return strconv.FormatInt(int64(*v.Int), 10)
	case v.Bool != nil:
		return strconv.FormatBool(*v.Bool)
	case v.Double != nil:
		return strconv.FormatFloat(*v.Double, 'g', -1, 64)
	}
	return ""
}

// List is the attribute's texts, nil when the span has no such list.
func (r *Record) List(key string) []string {
	v := r.attrs[key]
	if v.Array == nil {
		return nil
	}
	var list []string
	for _, item := range v.Array.Values {
		if item.String != nil {
			list = append(list, *item.String)
		}
	}
	return list
}

// Read reads a trace file. A last line that a killed process left broken is
// ignored; a broken line before it is an error.
func Read(in io.Reader) ([]Record, error) {
	var records []Record
	lines := bufio.NewReader(in)
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			if errors.Is(err, io.EOF) {
				return records, nil
			}
			return records, fmt.Errorf("read the trace: %w", err)
		}
		var d document
		if err := json.Unmarshal(line, &d); err != nil {
			return records, fmt.Errorf("line %d of the trace: %w", n, err)
		}
		for _, rs := range d.ResourceSpans {
			for _, ss := range rs.ScopeSpans {
				for i := range ss.Spans {
					records = append(records, record(&ss.Spans[i]))
				}
			}
		}
	}
}

func record(w *wireSpan) Record {
	r := Record{
		TraceID: w.TraceID, SpanID: w.SpanID, ParentID: w.ParentID, Name: w.Name,
		Start: time.Unix(0, int64(w.Start)), End: time.Unix(0, int64(w.End)),
		Error: w.Status.Message, attrs: make(map[string]value, len(w.Attributes)),
	}
	for _, kv := range w.Attributes {
		r.attrs[kv.Key] = kv.Value
	}
	return r
}
