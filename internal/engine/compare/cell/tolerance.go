package cell

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// Tolerance decides when two numbers count as equal.
type Tolerance struct {
	// Abs and Rel are how far apart they may be, absolutely and as a share of
	// the larger; the larger of the two holds.
	Abs, Rel float64
	Decimals bool // decimals are inexact too
	Exact    bool // no tolerance at all: the strict rules
}

// Exactly is the tolerance of the strict rules.
var Exactly = Tolerance{Exact: true}

// Within reports that two finite numbers count as equal.
func (t Tolerance) Within(a, b float64) bool {
	return math.Abs(a-b) <= max(t.Abs, t.Rel*max(math.Abs(a), math.Abs(b)))
}

// Inexact reports that a cell makes its column one compared within t.
func (t Tolerance) Inexact(v *db.Value) bool {
	return v.Kind() == db.Float && !t.Exact || t.Decimals && v.Kind() == db.Decimal
}

// Number is the value of a finite number; ok is false for anything else.
func Number(v *db.Value) (f float64, ok bool) {
	switch v.Kind() {
	case db.Bool:
		if v.Bool() {
			return 1, true
		}
		return 0, true
	case db.Int:
		return float64(v.Int()), true
	case db.Float:
		f = v.Float()
	case db.Decimal:
		d, err := strconv.ParseFloat(v.Raw(), 64)
		if err != nil {
			return 0, false
		}
		f = d
	default:
		return 0, false
	}
	return f, !math.IsNaN(f) && !math.IsInf(f, 0)
}

// Equal compares two cells within t.
func (t Tolerance) Equal(a, b *db.Value) bool {
	if Identical(a, b) {
		return true
	}
	if t.Inexact(a) || t.Inexact(b) {
		x, okX := Number(a)
		y, okY := Number(b)
		if okX && okY {
			return t.Within(x, y)
		}
		if okX != okY {
			return false
		}
	}
	switch {
	case a.Kind() == db.Text || b.Kind() == db.Text:
		return false // nothing else has the key of a text
	case a.Kind() == db.Float && b.Kind() == db.Float:
		return math.IsNaN(a.Float()) && math.IsNaN(b.Float())
	}
	var bufA, bufB [64]byte
	return bytes.Equal(AppendKey(bufA[:0], a, !t.Exact), AppendKey(bufB[:0], b, !t.Exact))
}

// Identical is cheap: it is false at times for equal cells, never true for others.
func Identical(a, b *db.Value) bool {
	if a.Kind() != b.Kind() {
		return false
	}
	switch a.Kind() {
	case db.Null:
		return true
	case db.Bool, db.Int:
		return a.Int() == b.Int()
	case db.Float:
		return a.Float() == b.Float()
	case db.Text, db.Blob, db.Date, db.Clock, db.Timestamp, db.TimestampTZ, db.Interval, db.JSON:
		return a.Raw() == b.Raw()
	case db.Decimal:
		return a.Raw() == b.Raw() && !strings.EqualFold(a.Raw(), "nan")
	default:
		return false
	}
}
