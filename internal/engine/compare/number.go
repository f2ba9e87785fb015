package compare

import (
	"bytes"
	"math"
	"strconv"

	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// defaultTolerance is absolute for numbers up to 1 and relative beyond.
const defaultTolerance = 1e-9

// tolerance decides when two numbers count as equal.
type tolerance struct {
	abs, rel float64
	decimals bool // decimals are inexact too
	exact    bool // no tolerance at all: the strict rules
}

func toleranceOf(o Options) tolerance {
	if o.Tolerance != nil {
		return tolerance{abs: *o.Tolerance, rel: *o.Tolerance, decimals: true}
	}
	return tolerance{abs: defaultTolerance, rel: defaultTolerance}
}

func (t tolerance) within(a, b float64) bool {
	return math.Abs(a-b) <= max(t.abs, t.rel*max(math.Abs(a), math.Abs(b)))
}

// inexact reports that a cell makes its column one compared within t.
func (t tolerance) inexact(v *db.Value) bool {
	return v.Kind() == db.Float && !t.exact || t.decimals && v.Kind() == db.Decimal
}

// number is the value of a finite number; ok is false for anything else.
func number(v *db.Value) (f float64, ok bool) {
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

// equal compares two cells within t.
func (t tolerance) equal(a, b *db.Value) bool {
	if sameCell(a, b) {
		return true
	}
	if t.inexact(a) || t.inexact(b) {
		x, okX := number(a)
		y, okY := number(b)
		if okX && okY {
			return t.within(x, y)
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
	return bytes.Equal(appendKey(bufA[:0], a, !t.exact), appendKey(bufB[:0], b, !t.exact))
}

// Same reports that two cells are equal under the strict rules.
func Same(a, b *db.Value) bool { return exactly.equal(a, b) }
