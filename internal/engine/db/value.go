package db

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Value is one cell. The zero Value is NULL. It holds what the engine
// stored: numbers exact, times as canonical text, never rounded on the way.
type Value struct {
	kind   ValueKind
	num    uint64
	str    string
	fields []Field
}

// Field is a member of a List (Name empty) or a Struct.
type Field struct {
	Name  string
	Value Value
}

// ValueKind is the kind of a Value.
type ValueKind uint8

// The kinds of value. The text of Date, Clock, Timestamp and TimestampTZ is
// ISO 8601: "2026-11-30", "09:05:00.25", "2026-11-30 09:05:00",
// "2026-11-30 08:05:00+00:00" (always UTC); out-of-range ones keep the
// engine's word ("infinity").
const (
	Null ValueKind = iota
	Bool
	Int
	Float
	Decimal // an exact literal, also integers beyond 64 bits
	Text
	Blob
	Date
	Clock
	Timestamp
	TimestampTZ
	Interval
	JSON
	List
	Struct
)

// BoolValue makes a Bool.
func BoolValue(b bool) Value {
	v := Value{kind: Bool}
	if b {
		v.num = 1
	}
	return v
}

// IntValue makes an Int.
func IntValue(i int64) Value { return Value{kind: Int, num: uint64(i)} }

// FloatValue makes a Float.
func FloatValue(f float64) Value { return Value{kind: Float, num: math.Float64bits(f)} }

// TextValue makes a Text; invalid UTF-8 is kept as it is.
func TextValue(s string) Value { return Value{kind: Text, str: s} }

// BlobValue makes a Blob of a copy of b.
func BlobValue(b []byte) Value { return Value{kind: Blob, str: string(b)} }

// LiteralValue makes a value whose content is text: Decimal, Date, Clock,
// Timestamp, TimestampTZ, Interval or JSON.
func LiteralValue(kind ValueKind, text string) Value { return Value{kind: kind, str: text} }

// ListValue makes a List.
func ListValue(items ...Value) Value {
	v := Value{kind: List, fields: make([]Field, len(items))}
	for i, item := range items {
		v.fields[i].Value = item
	}
	return v
}

// StructValue makes a Struct.
func StructValue(fields ...Field) Value { return Value{kind: Struct, fields: fields} }

// Kind is the value's kind.
func (v Value) Kind() ValueKind { return v.kind }

// IsNull reports NULL.
func (v Value) IsNull() bool { return v.kind == Null }

// Bool is the content of a Bool.
func (v Value) Bool() bool { return v.num != 0 }

// Int is the content of an Int.
func (v Value) Int() int64 { return int64(v.num) }

// Float is the content of a Float.
func (v Value) Float() float64 { return math.Float64frombits(v.num) }

// Raw is the content of a Text, Blob or literal kind, byte for byte.
func (v Value) Raw() string { return v.str }

// Fields are the members of a List or Struct.
func (v Value) Fields() []Field { return v.fields }

// Size is the number of bytes the value counts against a byte cap.
func (v Value) Size() int64 {
	n := int64(8 + len(v.str))
	for _, f := range v.fields {
		n += int64(len(f.Name)) + f.Value.Size()
	}
	return n
}

// String is the value as a person reads it; NULL is "NULL".
func (v Value) String() string {
	switch v.kind {
	case Null:
		return "NULL"
	case Bool:
		return strconv.FormatBool(v.Bool())
	case Int:
		return strconv.FormatInt(v.Int(), 10)
	case Float:
		return formatFloat(v.Float())
	case Blob:
		return "x'" + hex.EncodeToString([]byte(v.str)) + "'"
	case List, Struct:
		b, err := json.Marshal(v)
		if err != nil {
			return "?"
		}
		return string(b)
	default:
		return strings.ToValidUTF8(v.str, "\uFFFD")
	}
}

// formatFloat keeps a float apart from an integer: 1.0, not 1.
func formatFloat(f float64) string {
	s := strconv.FormatFloat(f, 'g', -1, 64)
	if a := math.Abs(f); a >= 1e-5 && a < 1e16 || f == 0 {
		s = strconv.FormatFloat(f, 'f', -1, 64)
	}
	if !strings.ContainsAny(s, ".eIN") {
		s += ".0"
	}
	return s
}

// MarshalJSON writes numbers as exact literals, a blob as {"$blob": hex},
// NaN and infinities as {"$float": "nan"}, text that is not UTF-8 as
// {"$text": hex}.
func (v Value) MarshalJSON() ([]byte, error) {
	switch v.kind {
	case Null:
		return []byte("null"), nil
	case Bool, Int:
		return []byte(v.String()), nil
	case Float:
		return marshalFloat(v.Float())
	case Decimal:
		if json.Valid([]byte(v.str)) {
			return []byte(v.str), nil
		}
		return tagged("$float", strings.ToLower(v.str))
	case Blob:
		return tagged("$blob", hex.EncodeToString([]byte(v.str)))
	case JSON:
		if json.Valid([]byte(v.str)) {
			return []byte(v.str), nil
		}
		return marshalText(v.str)
	case List:
		items := make([]Value, len(v.fields))
		for i, f := range v.fields {
			items[i] = f.Value
		}
		return json.Marshal(items)
	case Struct:
		return marshalStruct(v.fields)
	default:
		return marshalText(v.str)
	}
}

func marshalFloat(f float64) ([]byte, error) {
	switch {
	case math.IsNaN(f):
		return tagged("$float", "nan")
	case math.IsInf(f, 1):
		return tagged("$float", "inf")
	case math.IsInf(f, -1):
		return tagged("$float", "-inf")
	}
	return []byte(formatFloat(f)), nil
}

func marshalText(s string) ([]byte, error) {
	if !utf8.ValidString(s) {
		return tagged("$text", hex.EncodeToString([]byte(s)))
	}
	return json.Marshal(s)
}

func marshalStruct(fields []Field) ([]byte, error) {
	var b strings.Builder
	b.WriteByte('{')
	for i, f := range fields {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(f.Name)
		if err != nil {
			return nil, err
		}
		val, err := f.Value.MarshalJSON()
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(val)
	}
	b.WriteByte('}')
	return []byte(b.String()), nil
}

func tagged(tag, text string) ([]byte, error) {
	return json.Marshal(map[string]string{tag: text})
}

// UnmarshalJSON reads what MarshalJSON writes; a number with a point or an
// exponent becomes a Float, an integer beyond 64 bits a Decimal.
func (v *Value) UnmarshalJSON(b []byte) error {
	text := strings.TrimSpace(string(b))
	switch {
	case text == "null":
		*v = Value{}
	case text == "true", text == "false":
		*v = BoolValue(text == "true")
	case strings.HasPrefix(text, `"`):
		var s string
		if err := json.Unmarshal(b, &s); err != nil {
			return err
		}
		*v = TextValue(s)
	case strings.HasPrefix(text, "["):
		var items []Value
		if err := json.Unmarshal(b, &items); err != nil {
			return err
		}
		*v = ListValue(items...)
	case strings.HasPrefix(text, "{"):
		return v.unmarshalTagged(b)
	default:
		return v.unmarshalNumber(text)
	}
	return nil
}

func (v *Value) unmarshalTagged(b []byte) error {
	var m map[string]string
	if err := json.Unmarshal(b, &m); err != nil || len(m) != 1 {
		*v = LiteralValue(JSON, string(b))
		return nil
	}
	for tag, s := range m {
		switch tag {
		case "$blob", "$text":
			raw, err := hex.DecodeString(s)
			if err != nil {
				return fmt.Errorf("value %s: %w", tag, err)
			}
			*v = Value{kind: Blob, str: string(raw)}
			if tag == "$text" {
				v.kind = Text
			}
		case "$float":
			f, err := strconv.ParseFloat(s, 64)
			if err != nil {
				return fmt.Errorf("value $float: %w", err)
			}
			*v = FloatValue(f)
		default:
			*v = LiteralValue(JSON, string(b))
		}
	}
	return nil
}

func (v *Value) unmarshalNumber(text string) error {
	if strings.ContainsAny(text, ".eE") {
		f, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return fmt.Errorf("value %s: %w", text, err)
		}
		*v = FloatValue(f)
		return nil
	}
	i, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		*v = LiteralValue(Decimal, text)
		return nil
	}
	*v = IntValue(i)
	return nil
}
