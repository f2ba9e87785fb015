package compare

import (
	"math"
	"testing"

	"github.com/sqbyl/sqbyl/internal/engine/db"
)

func TestValuesAreComparedAsTheTableSays(t *testing.T) {
	text, num := db.TextValue, func(s string) db.Value { return db.LiteralValue(db.Decimal, s) }
	lit := db.LiteralValue
	null := db.Value{}
	sum := 0.1
	sum += 0.2
	inf, nan := db.FloatValue(math.Inf(1)), db.FloatValue(math.NaN())
	for _, c := range []struct {
		name             string
		gold, got        db.Value
		strict, tolerant bool
	}{
		{"NULL", null, null, true, true},
		{"NULL and no text", null, text(""), false, false},
		{"NULL and zero", null, db.IntValue(0), false, false},
		{"NULL and a word", null, text("None"), false, false},
		{"1 and 1.0", db.IntValue(1), db.FloatValue(1), true, true},
		{"1 and TRUE", db.IntValue(1), db.BoolValue(true), true, true},
		{"0.0 and FALSE", db.FloatValue(0), db.BoolValue(false), true, true},
		{"1 and 1.00", db.IntValue(1), num("1.00"), true, true},
		{"1 and '1'", db.IntValue(1), text("1"), false, false},
		{"0.1+0.2 and 0.3", db.FloatValue(sum), db.FloatValue(0.3), false, true},
		{"0.1 float and decimal", db.FloatValue(0.1), num("0.1"), false, true},
		{"0.5 float and decimal", db.FloatValue(0.5), num("0.50"), true, true},
		{"-0.375 float and decimal", db.FloatValue(-0.375), num("-3.75E-1"), true, true},
		{"1.10 and 1.1", num("1.10"), num("1.1"), true, true},
		{"decimals a little apart", num("1.1"), num("1.1000000001"), false, false},
		{"decimal and integer a little apart", num("1.0000000001"), db.IntValue(1), false, false},
		{"2^53+1 and 2^53", db.IntValue(1<<53 + 1), db.IntValue(1 << 53), false, false},
		{"2^53+1 and 2^53 float", db.IntValue(1<<53 + 1), db.FloatValue(1 << 53), false, true},
		{"2^53 and its float", db.IntValue(1 << 53), db.FloatValue(1 << 53), true, true},
		{"2^63-1 and 2^63 float", db.IntValue(math.MaxInt64), db.FloatValue(1 << 63), false, true},
		{"-2^63 and its float", db.IntValue(math.MinInt64), db.FloatValue(-1 << 63), true, true},
		{"-2^63 and 2^63 float", db.IntValue(math.MinInt64), db.FloatValue(1 << 63), false, false},
		{"2^64 decimal and float", num("18446744073709551616"), db.FloatValue(1 << 64), true, true},
		{"10^30 decimals", num("1e30"), num("1000000000000000000000000000000"), true, true},
		{"1e12 and one more", db.FloatValue(1e12), db.FloatValue(1e12 + 2000), false, false},
		{"1e12 and 1e-4 more", db.FloatValue(1e12), db.FloatValue(1e12 + 1e-4), false, true},
		{"small numbers", db.FloatValue(1e-10), db.FloatValue(2e-10), false, true},
		{"-0.0 and 0.0", db.FloatValue(math.Copysign(0, -1)), db.FloatValue(0), true, true},
		{"-0.0 and 0", db.FloatValue(math.Copysign(0, -1)), db.IntValue(0), true, true},
		{"-0 and 0 decimals", num("-0.00"), num("0"), true, true},
		{"infinity", inf, inf, true, true},
		{"infinity float and decimal", inf, num("Infinity"), true, true},
		{"infinity and its opposite", inf, db.FloatValue(math.Inf(-1)), false, false},
		{"infinity and a large number", inf, db.FloatValue(math.MaxFloat64), false, false},
		{"NaN", nan, nan, false, true},
		{"NaN float and decimal", nan, num("NaN"), false, true},
		{"NaN and NULL", nan, null, false, false},
		{"case", text("a"), text("A"), false, false},
		{"blank", text("a"), text("a "), false, false},
		{"composed and not", text("\u00e9"), text("e\u0301"), false, false},
		{"text that is not UTF-8", text("\xffA"), text("\xffA"), true, true},
		{"two texts that are not UTF-8", text("\xffA"), text("\xfeA"), false, false},
		{"text and blob", text("AB"), db.BlobValue([]byte("AB")), false, false},
		{"blob", db.BlobValue([]byte{0, 255}), db.BlobValue([]byte{0, 255}), true, true},
		{"date and midnight", lit(db.Date, "2026-11-30"), lit(db.Timestamp, "2026-11-30 00:00:00"), false, true},
		{"date and midnight in UTC", lit(db.Date, "2026-11-30"), lit(db.TimestampTZ, "2026-11-30 00:00:00+00:00"), false, true},
		{"date and midnight in UTC, with a fraction", lit(db.Date, "2026-11-30"), lit(db.TimestampTZ, "2026-11-30 00:00:00.000+00:00"), false, true},
		{"date and an instant of the day", lit(db.Date, "2026-11-30"), lit(db.TimestampTZ, "2026-11-30 00:00:01+00:00"), false, false},
		{"date and noon", lit(db.Date, "2026-11-30"), lit(db.Timestamp, "2026-11-30 12:00:00"), false, false},
		{"date and text", lit(db.Date, "2026-11-30"), text("2026-11-30"), false, false},
		{"text dates", text("2026-11-30"), text("2026-11-30 00:00:00"), false, false},
		{"fraction of seconds", lit(db.Clock, "12:00:00.50"), lit(db.Clock, "12:00:00.5"), true, true},
		{"no fraction", lit(db.Timestamp, "2026-11-30 12:00:00.000"), lit(db.Timestamp, "2026-11-30 12:00:00"), true, true},
		{"one instant", lit(db.TimestampTZ, "2026-11-30 12:00:00+00:00"), lit(db.TimestampTZ, "2026-11-30 12:00:00.0+00:00"), true, true},
		{"with a zone and without", lit(db.TimestampTZ, "2026-11-30 12:00:00+00:00"), lit(db.Timestamp, "2026-11-30 12:00:00"), false, false},
		{"JSON", lit(db.JSON, `{"a":1,"b":[2,"x"]}`), lit(db.JSON, `{ "b": [2.0, "x"], "a": 1 }`), true, true},
		{"JSON with another value", lit(db.JSON, `{"a":1}`), lit(db.JSON, `{"a":"1"}`), false, false},
		{"JSON true and 1", lit(db.JSON, `true`), lit(db.JSON, `1`), false, false},
		{"broken JSON", lit(db.JSON, `{`), lit(db.JSON, `{`), true, true},
		{"list", db.ListValue(db.IntValue(1), null), db.ListValue(db.FloatValue(1), null), true, true},
		{"list in another order", db.ListValue(db.IntValue(1), null), db.ListValue(null, db.IntValue(1)), false, false},
		{"list of floats", db.ListValue(db.FloatValue(sum)), db.ListValue(db.FloatValue(0.3)), false, false},
		{"struct", db.StructValue(db.Field{Name: "a", Value: db.IntValue(1)}, db.Field{Name: "b"}), db.StructValue(db.Field{Name: "b"}, db.Field{Name: "a", Value: db.IntValue(1)}), true, true},
		{"struct and list", db.StructValue(db.Field{Name: "", Value: null}), db.ListValue(null), false, false},
	} {
		for _, turned := range []bool{false, true} {
			gold, got := c.gold, c.got
			if turned {
				gold, got = got, gold
			}
			r := Results(Gold{Result: column(gold)}, column(got), Options{}).Rules
			if r.Bird != c.strict || r.Strict != c.strict || r.Ordered != c.strict || r.Tolerant != c.tolerant || r.Superset != c.tolerant {
				t.Errorf("%s: %+v, want strict %v, tolerant %v", c.name, r, c.strict, c.tolerant)
			}
		}
	}
}

func column(values ...db.Value) *db.Result {
	r := &db.Result{Columns: []db.Column{{Name: "x"}}}
	for _, v := range values {
		r.Rows = append(r.Rows, []db.Value{v})
	}
	return r
}

func floats(values ...float64) *db.Result {
	r := column()
	for _, f := range values {
		r.Rows = append(r.Rows, []db.Value{db.FloatValue(f)})
	}
	return r
}

func TestToleranceIsMatchedNotRounded(t *testing.T) {
	step := 6e-10 // two steps are too far
	chain := func(from, n int) *db.Result {
		var list []float64
		for i := range n {
			list = append(list, float64(from+i)*step)
		}
		return floats(list...)
	}
	for _, c := range []struct {
		name      string
		gold, got *db.Result
		want      bool
	}{
		{"chain against itself, one step on", chain(0, 50), chain(1, 50), true},
		{"chain, two steps on", chain(0, 50), chain(2, 50), false},
		{"two near one", floats(0, 2*step), floats(step, step), true},
		{"two near one, and one off", floats(0, 3*step), floats(step, step), false},
		{"many alike and one chain", floats(0, 0, 0, step), floats(step, step, step, 2*step), true},
	} {
		for _, turned := range []bool{false, true} {
			gold, got := c.gold, c.got
			if turned {
				gold, got = got, gold
			}
			if r := Results(Gold{Result: gold}, got, Options{}); r.Rules.Tolerant != c.want {
				t.Errorf("%s: tolerant %v (%s: %s)", c.name, r.Rules.Tolerant, r.Verdict, r.Difference)
			}
		}
	}
}

// In two inexact columns no single order pairs all rows: matching has to
// choose.
func TestToleranceInTwoColumnsNeedsAMatching(t *testing.T) {
	step := 6e-10
	table := func(pairs ...[2]float64) *db.Result {
		r := &db.Result{Columns: []db.Column{{Name: "a"}, {Name: "b"}}}
		for _, p := range pairs {
			r.Rows = append(r.Rows, []db.Value{db.FloatValue(p[0] * step), db.FloatValue(p[1] * step)})
		}
		return r
	}
	gold := table([2]float64{0, 0}, [2]float64{1, 1}, [2]float64{2, 0}, [2]float64{1, -1})
	got := table([2]float64{1, 0}, [2]float64{0, 1}, [2]float64{2, -1}, [2]float64{2, 1})
	if r := Results(Gold{Result: gold}, got, Options{}); !r.Rules.Tolerant {
		t.Errorf("a matching exists: %s: %s", r.Verdict, r.Difference)
	}
	// Two rows of the answer are near the middle row of the gold only.
	gold = table([2]float64{0, 0}, [2]float64{1, 1}, [2]float64{2, 2})
	got = table([2]float64{0, 2}, [2]float64{2, 0}, [2]float64{1, 1})
	if r := Results(Gold{Result: gold}, got, Options{}); r.Rules.Tolerant {
		t.Error("no matching exists")
	}
}

func TestOwnToleranceHoldsForDecimals(t *testing.T) {
	gold, got := column(db.LiteralValue(db.Decimal, "10.504")), column(db.LiteralValue(db.Decimal, "10.5"))
	cent, none := 0.001, 0.0
	if !Results(Gold{Result: gold}, got, Options{Tolerance: &cent}).Headline {
		t.Error("0.001 of 10 allows 0.004")
	}
	if Results(Gold{Result: gold}, got, Options{}).Headline {
		t.Error("two decimals are exact by default")
	}
	sum := 0.1
	sum += 0.2
	if Results(Gold{Result: floats(sum)}, floats(0.3), Options{Tolerance: &none}).Headline {
		t.Error("no tolerance is none")
	}
	if Results(Gold{Result: column(db.IntValue(10000))}, column(db.IntValue(10001)), Options{Tolerance: &cent}).Headline {
		t.Error("two integers are exact always")
	}
}
