package compare

import (
	"slices"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/compare/cell"
	"github.com/sqbyl/sqbyl/internal/engine/db"
)

type table = [][]db.Value

// pair is a gold and an answer with every row's class under exact equality.
type pair struct {
	gold, pred           *db.Result
	goldClass, predClass []int32
	goldCount, predCount []int32 // rows per class
	nan                  bool    // some cell is NaN, which equals nothing
}

func newPair(gold, pred *db.Result) *pair {
	p := &pair{gold: gold, pred: pred}
	c := newClasses(len(gold.Rows) + 1)
	c.reserve(gold.Rows)
	p.goldClass = p.classify(c, gold.Rows)
	p.predClass = p.classify(c, pred.Rows)
	p.goldCount = count(p.goldClass, c.len())
	p.predCount = count(p.predClass, c.len())
	return p
}

func (p *pair) classify(c *classes, rows table) []int32 {
	out := make([]int32, len(rows))
	var key []byte
	for i, row := range rows {
		key = key[:0]
		for j := range row {
			start := len(key)
			key = cell.AppendKey(key, &row[j], false)
			p.nan = p.nan || key[start] == cell.NaN
		}
		out[i] = c.add(key)
	}
	return out
}

func count(class []int32, n int) []int32 {
	counts := make([]int32, n)
	for _, c := range class {
		counts[c]++
	}
	return counts
}

// sameSet reports that the two sets of rows are equal.
func (p *pair) sameSet() bool {
	if p.nan {
		return false
	}
	for c := range p.goldCount {
		if (p.goldCount[c] == 0) != (p.predCount[c] == 0) {
			return false
		}
	}
	return true
}

// sameMultiset reports that every row is there as often.
func (p *pair) sameMultiset() bool {
	return !p.nan && slices.Equal(p.goldCount, p.predCount)
}

// sameList reports that the rows are equal one by one.
func (p *pair) sameList() bool {
	return !p.nan && slices.Equal(p.goldClass, p.predClass)
}

// identical reports that two results are equal row by row and column by
// column: the usual case, found without keys.
func identical(gold, pred *db.Result) bool {
	if width(gold) != width(pred) || len(gold.Rows) != len(pred.Rows) {
		return false
	}
	for i, row := range gold.Rows {
		for j := range row {
			if !cell.Identical(&row[j], &pred.Rows[i][j]) {
				return false
			}
		}
	}
	return true
}

// sameNames reports that columns of the same place have the same name.
func sameNames(gold, pred *db.Result) bool {
	for j := range gold.Columns {
		if !strings.EqualFold(gold.Columns[j].Name, pred.Columns[j].Name) {
			return false
		}
	}
	return true
}

func width(r *db.Result) int { return len(r.Columns) }
