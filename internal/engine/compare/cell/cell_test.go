package cell

import (
	"math"
	"testing"

	"github.com/sqbyl/sqbyl/internal/engine/db"
)

func TestEqual(t *testing.T) {
	near := Tolerance{Abs: 1e-9, Rel: 1e-9}
	wide := Tolerance{Abs: 0.01, Rel: 0.01, Decimals: true}
	for _, c := range []struct {
		a, b                db.Value
		exactly, near, wide bool
	}{
		{db.IntValue(1), db.FloatValue(1), true, true, true},
		{db.IntValue(1), db.BoolValue(true), true, true, true},
		{db.IntValue(1), db.TextValue("1"), false, false, false},
		{db.FloatValue(0.1), db.FloatValue(0.1 + 1e-10), false, true, true},
		{db.FloatValue(0.1), db.LiteralValue(db.Decimal, "0.1"), false, true, true},
		{db.FloatValue(0.5), db.LiteralValue(db.Decimal, "0.50"), true, true, true},
		{db.LiteralValue(db.Decimal, "1.1"), db.LiteralValue(db.Decimal, "1.10"), true, true, true},
		{db.LiteralValue(db.Decimal, "1.1"), db.LiteralValue(db.Decimal, "1.105"), false, false, true},
		{db.IntValue(1 << 60), db.IntValue(1<<60 + 1), false, false, false},
		{db.FloatValue(math.NaN()), db.FloatValue(math.NaN()), true, true, true},
		{db.FloatValue(math.Inf(1)), db.FloatValue(math.MaxFloat64), false, false, false},
		{db.FloatValue(math.Copysign(0, -1)), db.IntValue(0), true, true, true},
		{db.Value{}, db.TextValue(""), false, false, false},
	} {
		for name, got := range map[string][2]bool{
			"exactly": {Exactly.Equal(&c.a, &c.b), c.exactly}, "near": {near.Equal(&c.a, &c.b), c.near}, "wide": {wide.Equal(&c.a, &c.b), c.wide},
		} {
			if got[0] != got[1] {
				t.Errorf("%s: %v and %v: %v", name, c.a, c.b, got[0])
			}
		}
	}
}

func TestPlain(t *testing.T) {
	for text, want := range map[string]string{"1.50e3": "1500", "-2.5e-3": "-0.0025", "0e9": "0", "12": "12", "1e500": "0"} {
		if got := Plain(&[]db.Value{db.LiteralValue(db.Decimal, text)}[0]); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
