package yamldoc

import (
	"encoding"
	"reflect"
	"strconv"
	"strings"

	"github.com/sqbyl/sqbyl/semantic"
)

// shape is what a struct type says of a mapping: its keys, in order. A json
// tag names a key; without omitempty or omitzero it is required. The tag
// off:"key" on a bool names a key that may hold false.
type shape struct {
	keys   []string
	fields map[string]*field
}

type field struct {
	index    int // of the value, -1 when the key holds only false
	off      int // of the bool that false sets, -1 when false is a value like others
	required bool
	min, max *float64
}

// enumerated is a string type with a fixed set of values.
type enumerated interface{ Values() []string }

var (
	scalarType  = reflect.TypeFor[semantic.Scalar]()
	unmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
	enumType    = reflect.TypeFor[enumerated]()
)

func shapeOf(t reflect.Type) *shape {
	s := &shape{fields: map[string]*field{}}
	for i := range t.NumField() {
		f := t.Field(i)
		if key := f.Tag.Get("off"); key != "" {
			s.add(key).off = i
			continue
		}
		key, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if key == "" || key == "-" {
			continue
		}
		spec := s.add(key)
		spec.index = i
		spec.required = !strings.Contains(options, "omit")
		spec.bounds(f.Tag.Get("jsonschema"))
	}
	return s
}

func (s *shape) add(key string) *field {
	if f := s.fields[key]; f != nil {
		return f
	}
	f := &field{index: -1, off: -1}
	s.fields[key] = f
	s.keys = append(s.keys, key)
	return f
}

// bounds takes minimum and maximum from the tag that the JSON Schema is made
// from as well.
func (f *field) bounds(tag string) {
	for part := range strings.SplitSeq(tag, ",") {
		name, value, _ := strings.Cut(part, "=")
		n, err := strconv.ParseFloat(value, 64)
		if err != nil {
			continue
		}
		switch name {
		case "minimum":
			f.min = &n
		case "maximum":
			f.max = &n
		}
	}
}
