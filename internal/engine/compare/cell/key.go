// Package cell tells when two values of a result are the same, exactly and
// within a tolerance.
package cell

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"math"
	"slices"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// The first byte of a cell's key. Two cells are equal exactly when their keys
// are: numbers of every kind share one key by value.
const (
	tagNull byte = iota
	tagInt
	tagFloat
	tagDecimal
	tagInf
	tagNegInf
	tagNaN
	tagNumber
	tagText
	tagBlob
	tagDate
	tagClock
	tagTimestamp
	tagTimestampTZ
	tagInterval
	tagJSON // text that is not valid JSON
	tagDocument
	tagList
	tagStruct
)

// The tags that comparing rows knows.
const (
	// NaN begins the key of what is not equal to itself.
	NaN = tagNaN
	// SomeNumber stands for any finite number: a cell that is compared later,
	// within a tolerance.
	SomeNumber = tagNumber
)

// AppendKey appends the key of a cell. With midnight set a date has the key of
// its midnight, in UTC too: PostgreSQL's date_trunc makes an instant of a date.
func AppendKey(b []byte, v *db.Value, midnight bool) []byte {
	switch v.Kind() {
	case db.Null:
		return append(b, tagNull)
	case db.Bool:
		if v.Bool() {
			return appendInt(b, 1)
		}
		return appendInt(b, 0)
	case db.Int:
		return appendInt(b, v.Int())
	case db.Float:
		return appendFloat(b, v.Float())
	case db.Decimal:
		return AppendDecimal(b, v.Raw())
	case db.Text:
		return appendString(b, tagText, v.Raw())
	case db.Blob:
		return appendString(b, tagBlob, v.Raw())
	case db.Date:
		if midnight && len(v.Raw()) > 0 && v.Raw()[len(v.Raw())-1] <= '9' {
			return appendString(b, tagTimestamp, v.Raw()+" 00:00:00")
		}
		return appendString(b, tagDate, v.Raw())
	case db.Clock:
		return appendString(b, tagClock, trimFraction(v.Raw()))
	case db.Timestamp:
		return appendString(b, tagTimestamp, trimFraction(v.Raw()))
	case db.TimestampTZ:
		instant := trimFraction(v.Raw())
		if day, ok := strings.CutSuffix(instant, " 00:00:00+00:00"); ok && midnight {
			return appendString(b, tagTimestamp, day+" 00:00:00")
		}
		return appendString(b, tagTimestampTZ, instant)
	case db.Interval:
		return appendString(b, tagInterval, v.Raw())
	case db.JSON:
		return appendJSON(b, v.Raw())
	default:
		return appendNested(b, v)
	}
}

func appendInt(b []byte, i int64) []byte {
	return binary.LittleEndian.AppendUint64(append(b, tagInt), uint64(i))
}

func appendFloat(b []byte, f float64) []byte {
	switch {
	case f == math.Trunc(f) && f >= -1<<63 && f < 1<<63:
		return appendInt(b, int64(f))
	case math.IsNaN(f):
		return append(b, tagNaN)
	case math.IsInf(f, 1):
		return append(b, tagInf)
	case math.IsInf(f, -1):
		return append(b, tagNegInf)
	}
	return binary.LittleEndian.AppendUint64(append(b, tagFloat), math.Float64bits(f))
}

func appendString(b []byte, tag byte, s string) []byte {
	b = binary.AppendUvarint(append(b, tag), uint64(len(s)))
	return append(b, s...)
}

// AppendDecimal gives a decimal the key of the integer or float it is exactly
// equal to, else one of its own.
func AppendDecimal(b []byte, text string) []byte {
	d, ok := parseDecimal(text)
	if !ok {
		return appendWord(b, text)
	}
	if d.digits == "" {
		return appendInt(b, 0)
	}
	if i, ok := d.int64(); ok {
		return appendInt(b, i)
	}
	if f, ok := d.float(); ok {
		return appendFloat(b, f)
	}
	return appendString(b, tagDecimal, d.String())
}

// appendWord reads the words engines print for numbers that are not finite.
func appendWord(b []byte, text string) []byte {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "nan":
		return append(b, tagNaN)
	case "inf", "infinity", "+inf", "+infinity":
		return append(b, tagInf)
	case "-inf", "-infinity":
		return append(b, tagNegInf)
	}
	return appendString(b, tagDecimal, text)
}

// trimFraction removes zeros that end a fraction of seconds.
func trimFraction(s string) string {
	dot := strings.IndexByte(s, '.')
	if dot < 0 {
		return s
	}
	end := dot + 1
	for end < len(s) && s[end] >= '0' && s[end] <= '9' {
		end++
	}
	frac := strings.TrimRight(s[dot+1:end], "0")
	if frac != "" {
		frac = "." + frac
	}
	return s[:dot] + frac + s[end:]
}

func appendNested(b []byte, v *db.Value) []byte {
	fields := v.Fields()
	tag := tagList
	if v.Kind() == db.Struct {
		tag = tagStruct
		fields = slices.Clone(fields)
		slices.SortStableFunc(fields, func(x, y db.Field) int { return cmp.Compare(x.Name, y.Name) })
	}
	b = binary.AppendUvarint(append(b, tag), uint64(len(fields)))
	for i := range fields {
		if tag == tagStruct {
			b = appendString(b, tagText, fields[i].Name)
		}
		b = AppendKey(b, &fields[i].Value, false)
	}
	return b
}

// appendJSON keys a document by its value: order of keys and white space do
// not count, numbers count by value.
func appendJSON(b []byte, text string) []byte {
	dec := json.NewDecoder(bytes.NewReader([]byte(text)))
	dec.UseNumber()
	var doc any
	if err := dec.Decode(&doc); err != nil || dec.More() {
		return appendString(b, tagJSON, text)
	}
	return appendDocument(append(b, tagDocument), doc)
}

func appendDocument(b []byte, doc any) []byte {
	switch x := doc.(type) {
	case json.Number:
		return AppendDecimal(b, x.String())
	case string:
		return appendString(b, tagText, x)
	case bool:
		// Apart from the numbers: JSON has booleans of its own.
		if x {
			return append(b, tagBlob, 1)
		}
		return append(b, tagBlob, 0)
	case []any:
		b = binary.AppendUvarint(append(b, tagList), uint64(len(x)))
		for _, item := range x {
			b = appendDocument(b, item)
		}
		return b
	case map[string]any:
		names := make([]string, 0, len(x))
		for name := range x {
			names = append(names, name)
		}
		slices.Sort(names)
		b = binary.AppendUvarint(append(b, tagStruct), uint64(len(names)))
		for _, name := range names {
			b = appendDocument(appendString(b, tagText, name), x[name])
		}
		return b
	default:
		return append(b, tagNull)
	}
}
