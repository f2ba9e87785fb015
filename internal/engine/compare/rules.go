package compare

import (
	"fmt"
	"math"
	"slices"

	"github.com/sqbyl/sqbyl/internal/engine/compare/cell"
	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// Rules are the verdicts of the named rules.
type Rules struct {
	Bird     bool `json:"bird"`
	Strict   bool `json:"strict"`
	Ordered  bool `json:"ordered"`
	Tolerant bool `json:"tolerant"`
	Superset bool `json:"superset"`
}

// Columns says how columns of gold and answer belong together.
type Columns string

// The column rules; the zero value is ExactColumns.
const (
	ExactColumns Columns = "exact"     // by position, as many as the gold has
	ByName       Columns = "by_name"   // by name without case, as many as the gold has
	AnyOrder     Columns = "any_order" // any permutation under which the rows agree
	Superset     Columns = "superset"  // as AnyOrder, and the answer may have more
)

// Order says whether the order of rows counts.
type Order string

// The order rules; the zero value is AutoOrder.
const (
	AutoOrder   Order = "auto"   // where the gold has a top-level ORDER BY, up to ties
	AnyRowOrder Order = "any"    // never
	StrictOrder Order = "strict" // row by row, ties too
)

// Options are a question's own; the zero value is the default.
type Options struct {
	Columns Columns
	Order   Order
	// Tolerance is how far apart two numbers may be when one of them is a
	// float or a decimal: absolutely up to 1, relative to the larger beyond.
	// nil means 1e-9, and decimals exact.
	Tolerance *float64
}

// Check reports an option that is none.
func (o Options) Check() error {
	switch o.Columns {
	case "", ExactColumns, ByName, AnyOrder, Superset:
	default:
		return fmt.Errorf("columns: %q is none of exact, by_name, any_order, superset", string(o.Columns))
	}
	switch o.Order {
	case "", AutoOrder, AnyRowOrder, StrictOrder:
	default:
		return fmt.Errorf("order: %q is none of auto, any, strict", string(o.Order))
	}
	if t := o.Tolerance; t != nil && !(*t >= 0 && *t <= math.MaxFloat64) {
		return fmt.Errorf("tolerance: %v is not a number from 0 on", *t)
	}
	return nil
}

// defaultTolerance is absolute for numbers up to 1 and relative beyond.
const defaultTolerance = 1e-9

func toleranceOf(o Options) cell.Tolerance {
	if o.Tolerance != nil {
		return cell.Tolerance{Abs: *o.Tolerance, Rel: *o.Tolerance, Decimals: true}
	}
	return cell.Tolerance{Abs: defaultTolerance, Rel: defaultTolerance}
}

// Gold is the reference: its result, and what its text says about order.
type Gold struct {
	Result *db.Result
	// Ordered is set when the gold has an ORDER BY at its top level.
	Ordered bool
	// Key runs the gold once more with its order key. It is called at most
	// once, and only where rows are not in the gold's order; nil, or a nil
	// key, means that order counts row by row.
	Key func() *Key
}

// Report is what a comparison found.
type Report struct {
	Rules Rules
	// Headline is the tolerant rule under the question's own options.
	Headline bool
	Verdict  Verdict
	// Difference is one line for a person, "" where there is none.
	Difference string
}

// Results compares an answer with a gold.
func Results(g Gold, answer *db.Result, o Options) Report {
	if identical(g.Result, answer) && (o.Columns != ByName || sameNames(g.Result, answer)) {
		return Report{Rules: Rules{true, true, true, true, true}, Headline: true, Verdict: Exact}
	}
	c := &comparison{Gold: g, pred: answer, pair: newPair(g.Result, answer), options: o, tol: toleranceOf(o)}
	c.rules()
	c.right = c.headline()
	r := Report{Rules: c.found, Headline: c.right}
	r.Verdict = c.verdict()
	r.Difference = c.difference(r.Verdict)
	return r
}

// comparison holds what is found out on the way.
type comparison struct {
	Gold
	pred    *db.Result
	pair    *pair
	options Options
	tol     cell.Tolerance
	found   Rules
	right   bool // the headline

	key      *Key
	keyAsked bool
	matched  *matcher // all columns by position; nil until asked for
	pairs    int
	mapping  []int // answer's column of each gold column under superset

	goldSign, predSign []signature // nil until asked for

	roundPartner []int32 // by gold row, once rounded says yes
}

func (c *comparison) rules() {
	c.found.Bird = c.pair.sameSet()
	c.found.Strict = c.pair.sameMultiset()
	c.found.Ordered = c.orderedStrictly()
	c.found.Tolerant = c.tolerant()
	c.found.Superset = c.found.Tolerant
	switch {
	case c.found.Tolerant:
		c.mapping = positions(width(c.Result))
	case len(c.Result.Rows) == len(c.pred.Rows) && width(c.pred) >= width(c.Result):
		c.mapping = c.search(c.tol)
		c.found.Superset = c.mapping != nil
	}
}

func (c *comparison) tolerant() bool {
	if width(c.Result) != width(c.pred) || len(c.Result.Rows) != len(c.pred.Rows) {
		return false
	}
	return c.found.Strict || c.mayPair() && c.paired() == len(c.Result.Rows)
}

// mayPair is false where the first row of the gold has no partner: the usual
// case of answers whose columns stand in another order, and cheap.
func (c *comparison) mayPair() bool {
	all, first := positions(width(c.Result)), c.Result.Rows[:1]
	return slices.ContainsFunc(c.pred.Rows, func(row []db.Value) bool { return inPlace(first, table{row}, all, all, c.tol) })
}

func positions(n int) []int {
	p := make([]int, n)
	for i := range p {
		p[i] = i
	}
	return p
}

// headline is the tolerant rule under the question's columns, order and
// tolerance.
func (c *comparison) headline() bool {
	tol := c.tol
	fits := func(gold, answer []int) bool { return c.fits(gold, answer, tol) }
	n := width(c.Result)
	if c.options.Order == AnyRowOrder || c.options.Order != StrictOrder && !c.Ordered {
		switch c.options.Columns {
		case ExactColumns, "":
			return c.found.Tolerant
		case AnyOrder:
			return c.found.Superset && n == width(c.pred)
		case Superset:
			return c.found.Superset
		case ByName:
		}
	}
	switch c.options.Columns {
	case ByName:
		mapping := c.byName()
		return mapping != nil && fits(positions(n), mapping)
	case AnyOrder:
		return n == width(c.pred) && c.searchFor(fits, tol) != nil
	case Superset:
		return n <= width(c.pred) && c.searchFor(fits, tol) != nil
	default:
		return n == width(c.pred) && fits(positions(n), positions(n))
	}
}

// fits compares some columns of the gold with some of the answer under the
// question's order rule.
func (c *comparison) fits(gold, answer []int, tol cell.Tolerance) bool {
	if len(c.Result.Rows) != len(c.pred.Rows) {
		return false
	}
	if inPlace(c.Result.Rows, c.pred.Rows, gold, answer, tol) {
		return true
	}
	switch {
	case c.options.Order == StrictOrder:
		return false
	case c.options.Order == AnyRowOrder || !c.Ordered:
		return newMatcher(c.Result.Rows, c.pred.Rows, gold, answer, tol).complete()
	default:
		key := c.orderKey()
		return key != nil && key.allows(c.pred.Rows, gold, answer, tol)
	}
}

// inPlace reports that rows are equal one by one: the usual case, and cheap.
func inPlace(gold, pred table, goldCols, predCols []int, tol cell.Tolerance) bool {
	if len(gold) != len(pred) {
		return false
	}
	for i := range gold {
		for j := range goldCols {
			if !tol.Equal(&gold[i][goldCols[j]], &pred[i][predCols[j]]) {
				return false
			}
		}
	}
	return true
}
