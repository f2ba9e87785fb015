package asset

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/semantic"
)

// reader makes a value of a scalar; wanted says what it should have been, "" for
// a scalar that is right, and never holds the scalar's text.
type reader func(s semantic.Scalar, size []int) (v db.Value, wanted string)

// types are the declared types by name, without their sizes.
var types = map[string]reader{
	"date":                        moment(db.Date, "2006-01-02"),
	"time":                        moment(db.Clock, "15:04:05", "15:04"),
	"time without time zone":      moment(db.Clock, "15:04:05", "15:04"),
	"timestamp":                   moment(db.Timestamp, stamps...),
	"timestamp without time zone": moment(db.Timestamp, stamps...),
	"datetime":                    moment(db.Timestamp, stamps...),
	"timestamptz":                 moment(db.TimestampTZ, zoned...),
	"timestamp with time zone":    moment(db.TimestampTZ, zoned...),
	"tinyint":                     whole(8),
	"smallint":                    whole(16),
	"int2":                        whole(16),
	"integer":                     whole(32),
	"int":                         whole(32),
	"int4":                        whole(32),
	"bigint":                      whole(64),
	"int8":                        whole(64),
	"decimal":                     decimal,
	"numeric":                     decimal,
	"real":                        float,
	"float":                       float,
	"double":                      float,
	"double precision":            float,
	"text":                        text,
	"string":                      text,
	"char":                        text,
	"varchar":                     text,
	"character varying":           text,
	"boolean":                     boolean,
	"bool":                        boolean,
	"uuid":                        text,
	"interval":                    text,
	"json":                        text,
	"jsonb":                       text,
}

// KnownType reports a type that Bind can make values of.
func KnownType(declared string) bool {
	read, _ := readerOf(declared)
	return read != nil
}

// TypeNames are the types that Bind can make values of, without their sizes.
func TypeNames() []string { return slices.Sorted(maps.Keys(types)) }

// stamps and zoned are how times may be written.
var (
	stamps = []string{"2006-01-02 15:04:05", "2006-01-02T15:04:05", "2006-01-02 15:04", "2006-01-02"}
	zoned  = []string{"2006-01-02 15:04:05Z07:00", "2006-01-02T15:04:05Z07:00", "2006-01-02 15:04:05 Z07:00", "2006-01-02 15:04:05Z07"}
)

// noType is said of a declared type that Bind cannot make values of.
const noType = "has a type that no value can be given: use date, time, timestamp, timestamptz, integer, bigint, decimal(10,2), double, text or boolean"

// valueOf makes the value of a declared type, or says what is wrong.
func valueOf(declared string, s semantic.Scalar) (v db.Value, problem string) {
	read, size := readerOf(declared)
	if read == nil {
		return db.Value{}, noType
	}
	v, wanted := read(s, size)
	if wanted == "" {
		return v, ""
	}
	shown := []rune(s.Text)
	if len(shown) > 40 {
		shown = append(shown[:40], '…')
	}
	return db.Value{}, fmt.Sprintf("cannot be %q: %s", string(shown), wanted)
}

// Wanted says what a value that cannot be a parameter's should have been, ""
// for one that can. It never holds the value.
func Wanted(p semantic.Param, s semantic.Scalar) string {
	read, size := readerOf(p.Type)
	if read == nil {
		return "its type is one that no value can be given"
	}
	_, wanted := read(s, size)
	return wanted
}

func readerOf(declared string) (reader, []int) {
	name, size, ok := split(declared)
	if !ok {
		return nil, nil
	}
	return types[name], size
}

// split takes "decimal(10, 2)" apart.
func split(declared string) (name string, size []int, ok bool) {
	name, rest, sized := strings.Cut(strings.ToLower(declared), "(")
	inner, behind, _ := strings.Cut(rest, ")")
	name = strings.Join(strings.Fields(name+" "+behind), " ")
	if !sized {
		return name, nil, true
	}
	for part := range strings.SplitSeq(inner, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil || n < 0 {
			return name, nil, false
		}
		size = append(size, n)
	}
	return name, size, true
}

func moment(kind db.ValueKind, layouts ...string) reader {
	return func(s semantic.Scalar, _ []int) (db.Value, string) {
		for _, layout := range layouts {
			// Parse takes fractions of a second behind any layout with seconds.
			t, err := time.Parse(layout, strings.TrimSpace(s.Text))
			if err == nil && s.Kind == semantic.StringScalar {
				return db.LiteralValue(kind, t.UTC().Format(spelled[kind])), ""
			}
		}
		return db.Value{}, "write it as " + layouts[0]
	}
}

// spelled is how db spells times.
var spelled = map[db.ValueKind]string{
	db.Date: "2006-01-02", db.Clock: "15:04:05.999999", db.Timestamp: "2006-01-02 15:04:05.999999", db.TimestampTZ: "2006-01-02 15:04:05.999999-07:00",
}

// digits is a number's text: a number, or text that is one.
func digits(s semantic.Scalar) (string, bool) {
	return strings.TrimPrefix(strings.TrimSpace(s.Text), "+"), s.Kind != semantic.BoolScalar
}

func whole(bits int) reader {
	return func(s semantic.Scalar, _ []int) (db.Value, string) {
		literal, ok := digits(s)
		n, err := strconv.ParseInt(literal, 10, bits)
		if !ok || err != nil {
			return db.Value{}, fmt.Sprintf("it is no whole number of %d bits", bits)
		}
		return db.IntValue(n), ""
	}
}

// maxDecimal bounds the digits of a decimal, which an exponent could blow up.
const maxDecimal = 1000

func decimal(s semantic.Scalar, size []int) (db.Value, string) {
	literal, ok := digits(s)
	mantissa, exponent, _ := strings.Cut(strings.ToLower(literal), "e")
	places, err := strconv.Atoi(exponent)
	if exponent == "" {
		places, err = 0, nil
	}
	number, valid := new(big.Rat).SetString(mantissa)
	if !ok || err != nil || !valid || strings.ContainsAny(mantissa, "/_xXpP") || len(mantissa) > maxDecimal || max(places, -places) > maxDecimal {
		return db.Value{}, "it is no decimal number"
	}
	_, fraction, _ := strings.Cut(mantissa, ".")
	power := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(places, -places))), nil))
	if places < 0 {
		power.Inv(power)
	}
	exact := number.Mul(number, power).FloatString(max(0, len(fraction)-places))
	if strings.Contains(exact, ".") {
		exact = strings.TrimSuffix(strings.TrimRight(exact, "0"), ".")
	}
	whole, behind, _ := strings.Cut(strings.TrimPrefix(exact, "-"), ".")
	scale := 0
	if len(size) > 1 {
		scale = size[1]
	}
	if len(size) > 0 && (len(behind) > scale || len(strings.TrimLeft(whole, "0")) > size[0]-scale) {
		return db.Value{}, fmt.Sprintf("it has more than %d digits, %d of them behind the point", size[0], scale)
	}
	return db.LiteralValue(db.Decimal, exact), ""
}

func float(s semantic.Scalar, _ []int) (db.Value, string) {
	literal, ok := digits(s)
	if word, is := map[string]string{".inf": "inf", "-.inf": "-inf", ".nan": "nan"}[literal]; is {
		literal = word
	}
	f, err := strconv.ParseFloat(literal, 64)
	if !ok || err != nil {
		return db.Value{}, "it is no number"
	}
	return db.FloatValue(f), ""
}

func text(s semantic.Scalar, size []int) (db.Value, string) {
	if len(size) > 0 && len([]rune(s.Text)) > size[0] {
		return db.Value{}, fmt.Sprintf("it has more than %d characters", size[0])
	}
	return db.TextValue(s.Text), ""
}

func boolean(s semantic.Scalar, _ []int) (db.Value, string) {
	switch strings.ToLower(s.Text) {
	case "true":
		return db.BoolValue(true), ""
	case "false":
		return db.BoolValue(false), ""
	}
	return db.Value{}, "write true or false"
}
