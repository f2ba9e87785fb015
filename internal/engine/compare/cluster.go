package compare

import (
	"math"

	"github.com/sqbyl/sqbyl/internal/engine/bipartite"
	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// matchCluster pairs the rows of one cluster: as many as possible.
func (m *matcher) matchCluster(items []item) int {
	var gold, pred []int32
	for _, it := range items {
		if it.pred {
			pred = append(pred, it.row)
		} else {
			gold = append(gold, it.row)
		}
	}
	switch {
	case len(gold) == 0 || len(pred) == 0:
		return 0
	case m.narrow(items):
		return m.pairUp(gold, pred)
	case !m.exactKinds && len(m.fuzzy) == 1:
		return m.sweep(items)
	}
	edges, whole := m.edges(gold, pred)
	if !whole {
		return m.greedy(gold, pred, edges)
	}
	return m.record(gold, pred, bipartite.Match(edges, len(pred)))
}

// narrow reports that any two rows of the cluster are equal.
func (m *matcher) narrow(items []item) bool {
	for column := range m.fuzzy {
		low, high := math.Inf(1), math.Inf(-1)
		for _, it := range items {
			numbers := m.goldNum
			if it.pred {
				numbers = m.predNum
			}
			f := numbers[int(it.row)*len(m.fuzzy)+column]
			low, high = min(low, f), max(high, f)
		}
		// min and max give NaN where the cells are no numbers.
		if !math.IsNaN(low) && !m.tol.Within(low, high) {
			return false
		}
		if m.exactKinds && !m.oneExact(items, m.fuzzy[column]) {
			return false
		}
	}
	return true
}

func (m *matcher) cell(it item, k int) *db.Value {
	if it.pred {
		return &m.pred[it.row][m.predCols[k]]
	}
	return &m.gold[it.row][m.goldCols[k]]
}

// oneExact reports that the exact numbers among the rows' cells are one.
func (m *matcher) oneExact(items []item, k int) bool {
	var first *db.Value
	for _, it := range items {
		v := m.cell(it, k)
		switch {
		case m.tol.Inexact(v):
		case first == nil:
			first = v
		case !m.tol.Equal(first, v):
			return false
		}
	}
	return true
}

// sweep pairs sorted rows with one fuzzy column: the lowest free row of each
// side is either paired or out of everyone's reach. That is optimal, since
// the interval a number reaches moves up with the number.
func (m *matcher) sweep(items []item) int {
	m.place(items, 0)
	total, g, p := 0, 0, 0
	for {
		for g < len(items) && items[g].pred {
			g++
		}
		for p < len(items) && !items[p].pred {
			p++
		}
		if g == len(items) || p == len(items) {
			return total
		}
		switch {
		case m.tol.Within(items[g].at, items[p].at):
			m.partner[items[g].row] = items[p].row
			total, g, p = total+1, g+1, p+1
		case items[g].at < items[p].at:
			g++
		default:
			p++
		}
	}
}

// edges lists, for every gold row, the equal rows of the answer by index;
// whole is false when there are more than maxEdges candidates.
func (m *matcher) edges(gold, pred []int32) (edges [][]int32, whole bool) {
	order := make([]item, len(pred))
	for i := range pred {
		order[i] = item{row: int32(i)}
	}
	column := m.widest(gold)
	n := len(m.fuzzy)
	for i := range order {
		order[i].at = m.predNum[int(pred[i])*n+column]
	}
	sortItems(order)
	edges = make([][]int32, len(gold))
	tried := 0
	for i, g := range gold {
		at := m.goldNum[int(g)*n+column]
		for _, it := range order[m.firstWithin(order, at):] {
			if it.at > at && !m.tol.Within(at, it.at) {
				break
			}
			if tried++; tried > maxEdges {
				return edges, false
			}
			if m.close(g, pred[it.row]) {
				edges[i] = append(edges[i], it.row)
			}
		}
	}
	return edges, true
}

// firstWithin is the first index of sorted items within reach of at.
func (m *matcher) firstWithin(items []item, at float64) int {
	low, high := 0, len(items)
	for low < high {
		mid := (low + high) / 2
		if items[mid].at < at && !m.tol.Within(items[mid].at, at) {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// widest is the fuzzy column in which the rows spread over most tolerances.
func (m *matcher) widest(rows []int32) int {
	best, spread := 0, -1.0
	for column := range m.fuzzy {
		low, high := math.Inf(1), math.Inf(-1)
		for _, r := range rows {
			f := m.goldNum[int(r)*len(m.fuzzy)+column]
			low, high = min(low, f), max(high, f)
		}
		step := max(m.tol.Abs, m.tol.Rel*max(math.Abs(low), math.Abs(high)))
		if s := (high - low) / step; s > spread {
			best, spread = column, s
		}
	}
	return best
}

// greedy pairs in order, without taking a pair back; edges holds what was
// found before there were too many.
func (m *matcher) greedy(gold, pred []int32, edges [][]int32) int {
	taken := make([]bool, len(pred))
	left := make([]int32, len(gold))
	for i := range gold {
		left[i] = -1
		for _, p := range edges[i] {
			if !taken[p] {
				taken[p], left[i] = true, p
				break
			}
		}
	}
	return m.record(gold, pred, left)
}

func (m *matcher) record(gold, pred, left []int32) int {
	total := 0
	for i, p := range left {
		if p >= 0 {
			m.partner[gold[i]] = pred[p]
			total++
		}
	}
	return total
}
