package compare

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// tables makes two small results from bytes: few different values, so that
// they meet often.
func tables(data []byte) (a, b *db.Result) {
	next := func(n int) int {
		if len(data) == 0 {
			return 0
		}
		v := int(data[0]) % n
		data = data[1:]
		return v
	}
	values := []db.Value{
		{}, db.IntValue(0), db.IntValue(1), db.FloatValue(1), db.FloatValue(1 + 6e-10), db.FloatValue(1 + 12e-10), db.BoolValue(true),
		db.TextValue("1"), db.TextValue(""), db.TextValue("\xff"), db.BlobValue([]byte("1")), db.FloatValue(math.NaN()), db.FloatValue(math.Inf(1)),
		db.LiteralValue(db.Decimal, "1.0"), db.LiteralValue(db.Decimal, "0.1"), db.FloatValue(0.1), db.IntValue(1<<53 + 1), db.FloatValue(1 << 53),
		db.LiteralValue(db.Date, "2026-11-30"), db.LiteralValue(db.Timestamp, "2026-11-30 00:00:00"), db.LiteralValue(db.JSON, `{"a":[1]}`),
		db.ListValue(db.IntValue(1)), db.LiteralValue(db.Decimal, "x"), db.FloatValue(math.MaxFloat64), db.FloatValue(-math.MaxFloat64),
	}
	table := func() *db.Result {
		r := &db.Result{}
		columns, rows := next(4), next(6)
		for range columns {
			r.Columns = append(r.Columns, db.Column{Name: string(rune('a' + next(3)))})
		}
		for range rows {
			row := make([]db.Value, columns)
			for j := range row {
				row[j] = values[next(len(values))]
			}
			r.Rows = append(r.Rows, row)
		}
		return r
	}
	return table(), table()
}

func FuzzResults(f *testing.F) {
	f.Add([]byte{2, 3, 0, 1, 4, 5, 6, 3, 4, 5, 2, 3, 1, 0, 5, 4, 3, 3, 4, 4})
	f.Add([]byte{1, 2, 0, 11, 11, 1, 2, 0, 11, 11})
	f.Add([]byte{3, 2, 0, 1, 2, 1, 2, 3, 3, 2, 1, 3, 2, 2, 1, 0, 3, 1, 2, 2, 3, 1})
	rng := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		data := make([]byte, 40)
		for i := range data {
			data[i] = byte(rng.IntN(256))
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		a, b := tables(data)
		ab, ba := Results(Gold{Result: a}, b, Options{}), Results(Gold{Result: b}, a, Options{})
		if ab.Rules.Bird != ba.Rules.Bird || ab.Rules.Strict != ba.Rules.Strict || ab.Rules.Tolerant != ba.Rules.Tolerant {
			t.Errorf("not symmetric: %+v and %+v", ab, ba)
		}
		implications(t, a, b, ab)
		turned := &db.Result{Columns: b.Columns, Rows: slices.Clone(b.Rows)}
		slices.Reverse(turned.Rows)
		if got := Results(Gold{Result: a}, turned, Options{}); got.Rules != ab.Rules || got.Verdict != ab.Verdict {
			t.Errorf("order of rows counts without an ORDER BY: %+v, then %+v", ab, got)
		}
		self := Results(Gold{Result: a, Ordered: true}, a, Options{Order: StrictOrder})
		if hasNaN := newPair(a, a).nan; !self.Rules.Tolerant || !self.Headline || self.Rules.Strict == hasNaN {
			t.Errorf("against itself: %+v", self)
		}
		for _, columns := range []Columns{ByName, AnyOrder, Superset} {
			for _, order := range []Order{AutoOrder, AnyRowOrder, StrictOrder} {
				Results(Gold{Result: a, Ordered: true}, b, Options{Columns: columns, Order: order})
			}
		}
	})
}

func implications(t *testing.T, a, b *db.Result, r Report) {
	t.Helper()
	switch {
	case r.Rules.Strict && !r.Rules.Bird, r.Rules.Tolerant && !r.Rules.Superset, r.Rules.Strict != r.Rules.Ordered,
		r.Rules.Strict && !r.Rules.Tolerant && len(a.Columns) == len(b.Columns),
		r.Headline != r.Rules.Tolerant,
		(r.Verdict == Exact) != (r.Rules.Strict && len(a.Columns) == len(b.Columns)),
		(r.Difference == "") != (r.Verdict == Exact):
		t.Errorf("the rules contradict each other: %+v", r)
	}
	if want := bruteForce(a, b); len(a.Columns) > 0 && r.Rules.Tolerant != want {
		t.Errorf("tolerant %v, trying every pairing %v", r.Rules.Tolerant, want)
	}
}

// bruteForce tries every pairing of rows.
func bruteForce(a, b *db.Result) bool {
	if len(a.Columns) != len(b.Columns) || len(a.Rows) != len(b.Rows) {
		return false
	}
	used := make([]bool, len(b.Rows))
	var place func(i int) bool
	place = func(i int) bool {
		if i == len(a.Rows) {
			return true
		}
		for k := range b.Rows {
			if used[k] || !inPlace(a.Rows[i:i+1], b.Rows[k:k+1], positions(len(a.Columns)), positions(len(a.Columns)), toleranceOf(Options{})) {
				continue
			}
			used[k] = true
			if place(i + 1) {
				return true
			}
			used[k] = false
		}
		return false
	}
	return place(0)
}

// Time grows about with the number of cells, also for what matching finds
// hard: chains of close rows, columns that look alike.
func TestHardResultsEndSoon(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	random := func(rows, columns int, value func() db.Value) *db.Result {
		r := &db.Result{}
		for range columns {
			r.Columns = append(r.Columns, db.Column{Name: "x"})
		}
		for range rows {
			row := make([]db.Value, columns)
			for j := range row {
				row[j] = value()
			}
			r.Rows = append(r.Rows, row)
		}
		return r
	}
	dense := func() db.Value { return db.FloatValue(rng.Float64() * 1e-6) }
	coin := func() db.Value { return db.IntValue(rng.Int64N(2)) }
	mixed := func() db.Value {
		if rng.IntN(2) == 0 {
			return db.IntValue(rng.Int64N(3))
		}
		return db.FloatValue(float64(rng.IntN(3)) + 1e-12)
	}
	zero := func() db.Value { return db.IntValue(0) }
	for name, make := range map[string]func() *db.Result{
		"dense floats, one column":  func() *db.Result { return random(50_000, 1, dense) },
		"dense floats, two columns": func() *db.Result { return random(20_000, 2, dense) },
		"coins in thirty columns":   func() *db.Result { return random(200, 30, coin) },
		"floats among integers":     func() *db.Result { return random(50_000, 2, mixed) },
		"nothing but zeros":         func() *db.Result { return random(2_000, 200, zero) },
	} {
		done := time.AfterFunc(60*time.Second, func() { panic(name + ": still not done") })
		Results(Gold{Result: make()}, make(), Options{Columns: Superset})
		done.Stop()
	}
}
