package compare

import (
	"cmp"
	"hash/maphash"
	"math"
	"math/bits"
	"slices"
	"strings"
	"sync"

	"github.com/sqbyl/sqbyl/internal/engine/compare/cell"
	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// maxCells bounds the cells looked at while searching for a column mapping.
// A search beyond it ends without one: it takes many columns that hold the
// same values in another arrangement of rows.
const maxCells = 100_000_000

// byName maps gold columns to columns of the answer by name, without case; of
// equal names the first belongs to the first. It is nil where the names are
// not the same.
func (c *comparison) byName() []int {
	if width(c.Result) != width(c.pred) {
		return nil
	}
	free := make(map[string][]int)
	for k, col := range c.pred.Columns {
		name := strings.ToLower(col.Name)
		free[name] = append(free[name], k)
	}
	mapping := make([]int, 0, width(c.Result))
	for _, col := range c.Result.Columns {
		name := strings.ToLower(col.Name)
		if len(free[name]) == 0 {
			return nil
		}
		mapping = append(mapping, free[name][0])
		free[name] = free[name][1:]
	}
	return mapping
}

// search finds a column of the answer for every gold column, so that the
// multisets of rows are equal within tol; nil when there is no such choice.
func (c *comparison) search(tol cell.Tolerance) []int {
	fits := func(gold, answer []int) bool {
		return inPlace(c.Result.Rows, c.pred.Rows, gold, answer, tol) ||
			newMatcher(c.Result.Rows, c.pred.Rows, gold, answer, tol).complete()
	}
	return c.searchBy(fits, tol, true)
}

// searchFor is search under a question's own order rule.
func (c *comparison) searchFor(fits func(gold, answer []int) bool, tol cell.Tolerance) []int {
	// Where a LIMIT cuts a tie the answer may hold other values than the gold.
	sameValues := c.options.Order == AnyRowOrder || c.options.Order == StrictOrder || !c.Ordered
	return c.searchBy(fits, tol, sameValues)
}

func (c *comparison) searchBy(fits func(gold, answer []int) bool, tol cell.Tolerance, sameValues bool) []int {
	if len(c.Result.Rows) != len(c.pred.Rows) {
		return nil
	}
	s := &search{fits: fits, rows: max(1, len(c.Result.Rows))}
	gold, pred := c.signed(tol)
	for j := range gold {
		var fit []int
		for _, k := range c.preferred(j) {
			if !sameValues || gold[j].mayEqual(&pred[k]) {
				fit = append(fit, k)
			}
		}
		if len(fit) == 0 {
			return nil
		}
		s.columns = append(s.columns, candidates{j, fit})
	}
	for i, col := range s.columns {
		if len(col.answer) == 1 {
			continue
		}
		fit := slices.DeleteFunc(col.answer, func(k int) bool {
			if !sameValues {
				return !s.try([]int{col.gold}, []int{k})
			}
			return !gold[col.gold].near(&pred[k], tol)
		})
		if len(fit) == 0 {
			return nil
		}
		s.columns[i].answer = fit
	}
	slices.SortStableFunc(s.columns, func(a, b candidates) int { return cmp.Compare(len(a.answer), len(b.answer)) })
	s.same = make([]uint64, len(pred))
	s.used = make([]bool, len(pred))
	for k := range pred {
		s.same[k] = pred[k].sequence
	}
	if !s.descend(0) {
		return nil
	}
	mapping := make([]int, len(gold))
	for i, col := range s.columns {
		mapping[col.gold] = s.chosen[i]
	}
	return mapping
}

// preferred lists the answer's columns, the likely ones for gold column j
// first: the same place, then the same name.
func (c *comparison) preferred(j int) []int {
	list := positions(width(c.pred))
	rank := func(k int) int {
		switch {
		case k == j:
			return 0
		case strings.EqualFold(c.pred.Columns[k].Name, c.Result.Columns[j].Name):
			return 1
		}
		return 2
	}
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(rank(a), rank(b)) })
	return list
}

// candidates are the answer's columns one gold column may belong to.
type candidates struct {
	gold   int
	answer []int
}

type search struct {
	fits    func(gold, answer []int) bool
	columns []candidates
	same    []uint64 // answer's columns with equal numbers are equal cell by cell
	used    []bool
	chosen  []int
	rows    int
	cells   int
}

func (s *search) try(gold, answer []int) bool {
	s.cells += s.rows * len(gold)
	return s.cells <= maxCells && s.fits(gold, answer)
}

// descend chooses for column i and those behind it. What is chosen so far must
// already agree row by row: that cuts wrong choices early.
func (s *search) descend(i int) bool {
	if i == len(s.columns) {
		return i == 0 || s.prefix(i)
	}
	var tried []uint64
	for _, k := range s.columns[i].answer {
		if s.used[k] || slices.Contains(tried, s.same[k]) {
			continue
		}
		tried = append(tried, s.same[k])
		s.used[k] = true
		s.chosen = append(s.chosen, k)
		forced := len(s.columns[i].answer) == 1 || i+1 == len(s.columns)
		if (forced || s.prefix(i+1)) && s.descend(i+1) {
			return true
		}
		s.used[k] = false
		s.chosen = s.chosen[:i]
	}
	return false
}

func (s *search) prefix(n int) bool {
	gold := make([]int, n)
	for i := range gold {
		gold[i] = s.columns[i].gold
	}
	return s.try(gold, s.chosen[:n])
}

// signature sums up a column: columns with the same multiset of values have
// the same one.
type signature struct {
	others   uint64 // of the cells but for finite numbers, in any order
	numbers  uint64 // of the finite numbers by value, in any order
	count    int    // finite numbers
	min, max float64
	inexact  bool   // some of them are compared within a tolerance
	sequence uint64 // of all cells in order

	rows   table
	column int
	sorted []float64 // the finite numbers, once asked for
}

func (a *signature) mayEqual(b *signature) bool {
	if a.others != b.others || a.count != b.count {
		return false
	}
	return a.inexact || b.inexact || a.numbers == b.numbers
}

// near reports that the finite numbers of two columns, each in order, are
// within tol one by one. Where they are not, no pairing of rows makes them so.
func (a *signature) near(b *signature, tol cell.Tolerance) bool {
	if a.numbers == b.numbers || !a.inexact && !b.inexact {
		return true
	}
	if !tol.Within(a.min, b.min) || !tol.Within(a.max, b.max) {
		return false
	}
	return slices.EqualFunc(a.inOrder(), b.inOrder(), tol.Within)
}

func (a *signature) inOrder() []float64 {
	if a.sorted == nil {
		a.sorted = make([]float64, 0, a.count)
		for i := range a.rows {
			if f, ok := cell.Number(&a.rows[i][a.column]); ok {
				a.sorted = append(a.sorted, f)
			}
		}
		slices.Sort(a.sorted)
	}
	return a.sorted
}

// signed gives the signatures of both sides; those within c.tol are kept.
func (c *comparison) signed(tol cell.Tolerance) (gold, pred []signature) {
	if tol == c.tol && c.goldSign != nil {
		return c.goldSign, c.predSign
	}
	seed := maphash.MakeSeed()
	both(func() { gold = signatures(c.Result, tol, seed) }, func() { pred = signatures(c.pred, tol, seed) })
	if tol == c.tol {
		c.goldSign, c.predSign = gold, pred
	}
	return gold, pred
}

// both does the same to two sides at once.
func both(gold, pred func()) {
	var wg sync.WaitGroup
	wg.Go(gold)
	pred()
	wg.Wait()
}

func signatures(r *db.Result, tol cell.Tolerance, seed maphash.Seed) []signature {
	rows := r.Rows
	out := make([]signature, len(r.Columns))
	for j := range out {
		out[j] = signature{rows: rows, column: j, min: math.Inf(1), max: math.Inf(-1)}
	}
	var key []byte
	for i := range rows {
		for j := range out {
			s, v := &out[j], &rows[i][j]
			key = cell.AppendKey(key[:0], v, !tol.Exact)
			hash := maphash.Bytes(seed, key)
			s.sequence = bits.RotateLeft64(s.sequence, 5)*0x9e3779b97f4a7c15 + hash
			if f, finite := cell.Number(v); finite {
				s.min, s.max = min(s.min, f), max(s.max, f)
				s.count++
				s.numbers += hash
				s.inexact = s.inexact || tol.Inexact(v)
			} else {
				s.others += hash
			}
		}
	}
	return out
}
