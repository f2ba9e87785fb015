package compare

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// bigResult has columns of every usual kind, ten in turn.
func bigResult(rows int) *db.Result {
	rng := rand.New(rand.NewPCG(1, 2))
	r := &db.Result{}
	for j := range 10 {
		r.Columns = append(r.Columns, db.Column{Name: fmt.Sprintf("c%d", j)})
	}
	for i := range rows {
		r.Rows = append(r.Rows, []db.Value{
			db.IntValue(int64(i)), db.TextValue(fmt.Sprintf("name %d", rng.IntN(rows))),
			db.FloatValue(rng.Float64() * 1e4), db.IntValue(rng.Int64N(50)), db.TextValue([]string{"DK", "DE", "SE"}[rng.IntN(3)]),
			db.FloatValue(float64(rng.IntN(1000)) / 4), {}, db.TextValue("2026-11-30 09:05:00"),
			db.FloatValue(rng.NormFloat64()), db.IntValue(rng.Int64()),
		})
	}
	return r
}

func shuffled(r *db.Result) *db.Result {
	rng := rand.New(rand.NewPCG(3, 4))
	out := &db.Result{Columns: r.Columns, Rows: slices.Clone(r.Rows)}
	rng.Shuffle(len(out.Rows), func(i, j int) { out.Rows[i], out.Rows[j] = out.Rows[j], out.Rows[i] })
	return out
}

// changed gives every cell of a shuffled copy to f.
func changed(r *db.Result, f func(i, j int, v db.Value) db.Value) *db.Result {
	out := shuffled(r)
	for i, row := range out.Rows {
		row = slices.Clone(row)
		for j := range row {
			row[j] = f(i, j, row[j])
		}
		out.Rows[i] = row
	}
	return out
}

func floatNoise(_, _ int, v db.Value) db.Value {
	if v.Kind() == db.Float {
		return db.FloatValue(v.Float() * (1 + 1e-13))
	}
	return v
}

func BenchmarkResults(b *testing.B) {
	gold := bigResult(100_000)
	floats := changed(gold, func(i, j int, v db.Value) db.Value { return db.FloatValue(float64(i*j%99991) / 3) })
	turned := shuffled(gold)
	turned.Columns = slices.Clone(turned.Columns)
	slices.Reverse(turned.Columns)
	for i, row := range turned.Rows {
		turned.Rows[i] = slices.Clone(row)
		slices.Reverse(turned.Rows[i])
	}
	cases := []struct {
		name      string
		gold, got *db.Result
	}{
		{"same order", gold, gold},
		{"shuffled", gold, shuffled(gold)},
		{"float noise", gold, changed(gold, floatNoise)},
		{"one cell", gold, changed(gold, func(i, j int, v db.Value) db.Value {
			if i == 50_000 && j == 4 {
				return db.TextValue("NO")
			}
			return v
		})},
		{"all floats, noise", floats, changed(floats, floatNoise)},
		{"columns reversed", gold, turned},
	}
	for _, c := range cases {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				Results(Gold{Result: c.gold}, c.got, Options{})
			}
		})
	}
}
