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

func oneCell(i, j int, v db.Value) db.Value {
	if i == 50_000 && j == 4 {
		return db.TextValue("NO")
	}
	return v
}

func manyFloats(i, j int, _ db.Value) db.Value { return db.FloatValue(float64(i*j%99991) / 3) }

// turned has the columns from last to first.
func turned(r *db.Result) *db.Result {
	out := shuffled(r)
	out.Columns = slices.Clone(out.Columns)
	slices.Reverse(out.Columns)
	for i, row := range out.Rows {
		out.Rows[i] = slices.Clone(row)
		slices.Reverse(out.Rows[i])
	}
	return out
}

// Each case has its two results only in memory: what the collector does for
// others is not the comparison's.
func BenchmarkResults(b *testing.B) {
	same := func(r *db.Result) *db.Result { return r }
	for _, c := range []struct {
		name         string
		gold, answer func(*db.Result) *db.Result
	}{
		{"same order", same, same},
		{"shuffled", same, shuffled},
		{"float noise", same, func(r *db.Result) *db.Result { return changed(r, floatNoise) }},
		{"one cell", same, func(r *db.Result) *db.Result { return changed(r, oneCell) }},
		{
			"all floats, noise", func(r *db.Result) *db.Result { return changed(r, manyFloats) },
			func(r *db.Result) *db.Result { return changed(r, floatNoise) },
		},
		{"columns reversed", same, turned},
	} {
		b.Run(c.name, func(b *testing.B) {
			gold := c.gold(bigResult(100_000))
			answer := c.answer(gold)
			for b.Loop() {
				Results(Gold{Result: gold}, answer, Options{})
			}
		})
	}
}
