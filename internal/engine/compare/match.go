package compare

import (
	"math"
	"slices"

	"github.com/sqbyl/sqbyl/internal/engine/compare/cell"
	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// maxEdges bounds the pairs tried in one cluster of close rows.
const maxEdges = 2_000_000

// matcher pairs rows of the gold with rows of the answer that are equal in the
// chosen columns. The package comment describes the method.
type matcher struct {
	gold, pred         table
	goldCols, predCols []int
	tol                cell.Tolerance
	fuzzy              []int // positions in the column lists compared within tol
	// The fuzzy cells as floats, len(fuzzy) a row; NaN where not a number.
	goldNum, predNum []float64
	partner          []int32 // by gold row: row of the answer, -1 for none
	exactKinds       bool    // a fuzzy column also holds integers or decimals
}

func newMatcher(gold, pred table, goldCols, predCols []int, tol cell.Tolerance) *matcher {
	m := &matcher{gold: gold, pred: pred, goldCols: goldCols, predCols: predCols, tol: tol}
	var goldKinds, predKinds []kinds
	both(func() { goldKinds = m.kinds(gold, goldCols) }, func() { predKinds = m.kinds(pred, predCols) })
	for k := range goldCols {
		if goldKinds[k].inexact || predKinds[k].inexact {
			m.fuzzy = append(m.fuzzy, k)
			m.exactKinds = m.exactKinds || goldKinds[k].exact && predKinds[k].exact
		}
	}
	both(func() { m.goldNum = m.numbers(gold, goldCols) }, func() { m.predNum = m.numbers(pred, predCols) })
	m.partner = make([]int32, len(gold))
	for i := range m.partner {
		m.partner[i] = -1
	}
	return m
}

// kinds are the sorts of numbers a column holds.
type kinds struct{ inexact, exact bool }

func (m *matcher) kinds(rows table, cols []int) []kinds {
	out := make([]kinds, len(cols))
	for i := range rows {
		for k, col := range cols {
			v := &rows[i][col]
			switch v.Kind() {
			case db.Float, db.Decimal:
				if m.tol.Inexact(v) {
					out[k].inexact = true
				} else {
					out[k].exact = true
				}
			case db.Int, db.Bool:
				out[k].exact = true
			default:
			}
		}
	}
	return out
}

func (m *matcher) numbers(rows table, cols []int) []float64 {
	out := make([]float64, 0, len(rows)*len(m.fuzzy))
	for i := range rows {
		for _, k := range m.fuzzy {
			f, ok := cell.Number(&rows[i][cols[k]])
			if !ok {
				f = math.NaN()
			}
			out = append(out, f)
		}
	}
	return out
}

// equal compares two whole rows.
func (m *matcher) equal(gold, pred int32) bool {
	for k := range m.goldCols {
		if !m.tol.Equal(&m.gold[gold][m.goldCols[k]], &m.pred[pred][m.predCols[k]]) {
			return false
		}
	}
	return true
}

// close compares the fuzzy cells of two rows of one bucket.
func (m *matcher) close(gold, pred int32) bool {
	g := m.goldNum[int(gold)*len(m.fuzzy):]
	p := m.predNum[int(pred)*len(m.fuzzy):]
	for j, k := range m.fuzzy {
		if math.IsNaN(g[j]) {
			continue // not a number: the bucket holds it equal
		}
		if !m.tol.Within(g[j], p[j]) {
			return false
		}
		if m.exactKinds && !m.tol.Equal(&m.gold[gold][m.goldCols[k]], &m.pred[pred][m.predCols[k]]) {
			return false
		}
	}
	return true
}

// all pairs all rows and returns how many pairs there are.
func (m *matcher) all() int {
	return m.match(sequence(len(m.gold)), sequence(len(m.pred)), false)
}

// complete reports that all rows of both sides can be paired.
func (m *matcher) complete() bool {
	if len(m.gold) != len(m.pred) {
		return false
	}
	return m.match(sequence(len(m.gold)), sequence(len(m.pred)), true) == len(m.gold)
}

func sequence(n int) []int32 {
	s := make([]int32, n)
	for i := range s {
		s[i] = int32(i)
	}
	return s
}

// match pairs as many of the given rows as it can. With perfect set it stops
// at the first sign that not all can be paired.
func (m *matcher) match(gold, pred []int32, perfect bool) int {
	c := newClasses(len(gold) + 1)
	if len(gold) == len(m.gold) {
		c.reserve(m.gold)
	}
	goldBucket := m.buckets(c, m.gold, m.goldCols, gold)
	predBucket := m.buckets(c, m.pred, m.predCols, pred)
	goldBy := group(gold, goldBucket, c.len())
	predBy := group(pred, predBucket, c.len())
	if perfect {
		for b := range goldBy {
			if len(goldBy[b]) != len(predBy[b]) {
				return 0
			}
		}
	}
	total := 0
	for b := range goldBy {
		n := m.matchBucket(goldBy[b], predBy[b])
		total += n
		if perfect && n < len(goldBy[b]) {
			return total
		}
	}
	return total
}

// buckets keys the given rows by everything but their finite fuzzy numbers.
func (m *matcher) buckets(c *classes, rows table, cols []int, which []int32) []int32 {
	fuzzy := make([]bool, len(cols))
	for _, k := range m.fuzzy {
		fuzzy[k] = true
	}
	out := make([]int32, len(which))
	var key []byte
	for i, r := range which {
		key = key[:0]
		for k, col := range cols {
			v := &rows[r][col]
			if fuzzy[k] {
				if _, ok := cell.Number(v); ok {
					key = append(key, cell.SomeNumber)
					continue
				}
			}
			key = cell.AppendKey(key, v, !m.tol.Exact)
		}
		out[i] = c.add(key)
	}
	return out
}

// group lists rows by bucket, all lists in one array.
func group(rows, bucket []int32, n int) [][]int32 {
	sizes := make([]int, n)
	for _, b := range bucket {
		sizes[b]++
	}
	store := make([]int32, len(rows))
	out := make([][]int32, n)
	at := 0
	for b, size := range sizes {
		out[b] = store[at : at : at+size]
		at += size
	}
	for i, b := range bucket {
		out[b] = append(out[b], rows[i])
	}
	return out
}

// matchBucket pairs rows that are equal but for their fuzzy numbers.
func (m *matcher) matchBucket(gold, pred []int32) int {
	switch {
	case len(gold) == 0 || len(pred) == 0:
		return 0
	case len(m.fuzzy) == 0:
		return m.pairUp(gold, pred)
	case len(gold) == 1 && len(pred) == 1:
		if !m.close(gold[0], pred[0]) {
			return 0
		}
		return m.pairUp(gold, pred)
	}
	items := make([]item, 0, len(gold)+len(pred))
	for _, r := range gold {
		items = append(items, item{row: r})
	}
	for _, r := range pred {
		items = append(items, item{row: r, pred: true})
	}
	return m.split(items, 0, 0)
}

func (m *matcher) pairUp(gold, pred []int32) int {
	n := min(len(gold), len(pred))
	for i := range n {
		m.partner[gold[i]] = pred[i]
	}
	return n
}

// item is a row of either side at its number in the column being sorted.
type item struct {
	at   float64
	row  int32
	pred bool
}

// split cuts rows into clusters no pair of equal rows crosses: it sorts by
// column after column until none of them has a gap. connected counts the
// columns known to have none.
func (m *matcher) split(items []item, column, connected int) int {
	for connected < len(m.fuzzy) {
		m.place(items, column)
		cut := m.firstGap(items)
		next := (column + 1) % len(m.fuzzy)
		if cut == len(items) {
			column, connected = next, connected+1
			continue
		}
		total := 0
		for len(items) > 0 {
			total += m.splitPart(items[:cut], next)
			items = items[cut:]
			cut = m.firstGap(items)
		}
		return total
	}
	return m.matchCluster(items)
}

// splitPart goes on with rows connected in the column before next.
func (m *matcher) splitPart(items []item, next int) int {
	preds := 0
	for _, it := range items {
		if it.pred {
			preds++
		}
	}
	if preds == 0 || preds == len(items) {
		return 0
	}
	if len(items) == 2 {
		gold, pred := items[0].row, items[1].row
		if items[0].pred {
			gold, pred = pred, gold
		}
		if !m.close(gold, pred) {
			return 0
		}
		m.partner[gold] = pred
		return 1
	}
	return m.split(items, next, 1)
}

func (m *matcher) place(items []item, column int) {
	n := len(m.fuzzy)
	for i := range items {
		numbers := m.goldNum
		if items[i].pred {
			numbers = m.predNum
		}
		items[i].at = numbers[int(items[i].row)*n+column]
	}
	sortItems(items)
}

// firstGap is the index after which two neighbours are not within tolerance.
// Cells that are no numbers are equal in a bucket and make no gap.
func (m *matcher) firstGap(items []item) int {
	for i := 1; i < len(items); i++ {
		if !math.IsNaN(items[i].at) && !m.tol.Within(items[i-1].at, items[i].at) {
			return i
		}
	}
	return len(items)
}

// sortItems sorts by number; cells that are no numbers stay where they are,
// since a bucket has none or only such.
func sortItems(items []item) {
	slices.SortFunc(items, func(a, b item) int {
		switch {
		case a.at < b.at:
			return -1
		case a.at > b.at:
			return 1
		}
		return 0
	})
}
