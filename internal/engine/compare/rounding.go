package compare

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/compare/cell"
	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// rounded reports that the rows are equal once each column's numbers are
// rounded to the fewer decimal places of the two sides. An integer is never a
// rounded number: it comes as often from a division that cut the rest off. And
// rounding to whole numbers counts only where it moves none by more than 1 %:
// 10.0 for 10.5 is another number.
func (c *comparison) rounded() bool {
	if len(c.Result.Rows) != len(c.pred.Rows) || c.pair.nan {
		return false
	}
	goldSign, predSign := c.signed(c.tol)
	places := make([]int, width(c.Result))
	some := false
	for j := range places {
		// Rounding leaves all but numbers as it is.
		if goldSign[j].others != predSign[j].others || goldSign[j].count != predSign[j].count {
			return false
		}
		if goldSign[j].numbers == predSign[j].numbers {
			places[j] = -1
			continue
		}
		gold, answer := decimals(c.Result.Rows, j), decimals(c.pred.Rows, j)
		places[j] = -1
		if gold >= 0 && answer >= 0 && gold != answer {
			places[j], some = min(gold, answer), true
		}
	}
	if !some {
		return false
	}
	// Engines round a binary half either way.
	return c.roundedBy(places, roundShortest) || c.roundedBy(places, roundBinary)
}

func (c *comparison) roundedBy(places []int, round func(v *db.Value, places int) string) bool {
	classes := newClasses(len(c.Result.Rows) + 1)
	classify := func(rows table) []int32 {
		out := make([]int32, len(rows))
		var key []byte
		for i := range rows {
			key = key[:0]
			for j := range places {
				v := &rows[i][j]
				if _, ok := cell.Number(v); ok && places[j] >= 0 {
					key = cell.AppendDecimal(key, round(v, places[j]))
					continue
				}
				key = cell.AppendKey(key, v, true)
			}
			out[i] = classes.add(key)
		}
		return out
	}
	gold, answer := classify(c.Result.Rows), classify(c.pred.Rows)
	if !slices.Equal(count(gold, classes.len()), count(answer, classes.len())) {
		return false
	}
	c.roundPartner = partners(gold, answer, classes.len())
	return c.movesLittle(places)
}

func (c *comparison) movesLittle(places []int) bool {
	for i, p := range c.roundPartner {
		for j := range places {
			if places[j] != 0 {
				continue
			}
			x, okX := cell.Number(&c.Result.Rows[i][j])
			y, okY := cell.Number(&c.pred.Rows[p][j])
			if okX && okY && math.Abs(x-y) > 0.01*max(math.Abs(x), math.Abs(y)) {
				return false
			}
		}
	}
	return true
}

// partners pairs rows of equal class in order.
func partners(gold, answer []int32, n int) []int32 {
	free := group(sequence(len(answer)), answer, n)
	out := make([]int32, len(gold))
	for i, class := range gold {
		out[i] = free[class][0]
		free[class] = free[class][1:]
	}
	return out
}

// decimals is the largest number of decimal places in a column's floats and
// decimals, -1 where there is none.
func decimals(rows table, column int) int {
	most := -1
	for i := range rows {
		v := &rows[i][column]
		if _, ok := cell.Number(v); ok && (v.Kind() == db.Float || v.Kind() == db.Decimal) {
			_, frac, _ := strings.Cut(cell.Plain(v), ".")
			if _, printed, _ := strings.Cut(v.Raw(), "."); v.Kind() == db.Decimal && len(printed) > len(frac) {
				frac = printed // the engine prints a decimal with its places
			}
			most = max(most, len(frac))
		}
	}
	return most
}

// roundShortest rounds the shortest decimal that stands for v, half away from
// zero.
func roundShortest(v *db.Value, places int) string {
	text := cell.Plain(v)
	whole, frac, _ := strings.Cut(text, ".")
	if len(frac) <= places {
		return text
	}
	up := frac[places] >= '5'
	digits := []byte(whole + frac[:places])
	for i := len(digits) - 1; up && i >= 0; i-- {
		switch digits[i] {
		case '-':
			continue
		case '9':
			digits[i] = '0'
		default:
			digits[i]++
			up = false
		}
	}
	out := string(digits)
	if up {
		sign := ""
		if strings.HasPrefix(out, "-") {
			sign, out = "-", out[1:]
		}
		out = sign + "1" + out
	}
	return out[:len(out)-places] + "." + out[len(out)-places:]
}

// roundBinary rounds the exact value of a float.
func roundBinary(v *db.Value, places int) string {
	if v.Kind() == db.Float {
		return strconv.FormatFloat(v.Float(), 'f', places, 64)
	}
	return roundShortest(v, places)
}
