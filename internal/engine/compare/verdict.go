package compare

import "slices"

// Verdict is a rung of the ladder: what kind of difference there is.
type Verdict string

// The rungs. Of those that hold for two results the first in Ladder is the
// verdict; those from DidNotRun on say why there are no two results.
const (
	Exact          Verdict = "exact"           // the gold's rows, in its order up to ties
	ColumnOrder    Verdict = "column order"    // the gold's rows with columns in another order
	RowOrder       Verdict = "row order"       // the gold's rows in an order its ORDER BY forbids
	ExtraColumns   Verdict = "extra columns"   // the gold's rows and columns, and further columns
	Rounding       Verdict = "rounding"        // equal within the tolerance, or rounded to fewer places
	Ties           Verdict = "ties"            // other rows of a tie that the gold's LIMIT cuts
	Duplicates     Verdict = "duplicates"      // the same rows, not as often
	MissingColumns Verdict = "missing columns" // the gold's rows without some of its columns
	RowsMissing    Verdict = "rows missing"    // some of the gold's rows and no other
	RowsExtra      Verdict = "rows extra"      // all of the gold's rows and others
	Overlap        Verdict = "overlap"         // some of the gold's rows and others
	Disjoint       Verdict = "disjoint"        // none of the gold's rows
	DidNotRun      Verdict = "did not run"     // the database refused or broke off the prediction
	Refused        Verdict = "refused"         // the guard refused the prediction
	NoSQL          Verdict = "no SQL"          // there is no query to run
	GoldBroken     Verdict = "gold broken"     // the gold itself does not run
	NotRun         Verdict = "not run"         // nothing was tried, or it could not be judged
)

// Ladder lists the rungs in order of precedence.
var Ladder = []Verdict{
	Exact, ColumnOrder, RowOrder, ExtraColumns, Rounding, Ties, Duplicates,
	MissingColumns, RowsMissing, RowsExtra, Overlap, Disjoint,
	DidNotRun, Refused, NoSQL, GoldBroken, NotRun,
}

// Failed is the report where there are no two results to compare.
func Failed(v Verdict, reason string) Report {
	return Report{Verdict: v, Difference: oneLine(reason, 300)}
}

// Charged reports whether a verdict counts for or against who answered: a
// broken gold and a question never run count for nobody.
func (v Verdict) Charged() bool { return v != GoldBroken && v != NotRun }

func (c *comparison) verdict() Verdict {
	for _, v := range Ladder {
		if c.holds(v) {
			return v
		}
	}
	return Disjoint
}

func (c *comparison) holds(v Verdict) bool {
	gold, answer := width(c.Result), width(c.pred)
	switch v {
	case Exact:
		return gold == answer && c.found.Strict && c.found.Ordered && !c.misnamed() && !c.misplaced()
	case ColumnOrder:
		return gold == answer && c.found.Superset && (!c.found.Tolerant || c.misnamed() && c.byName() != nil)
	case RowOrder:
		return gold == answer && !c.misnamed() && (c.found.Strict || c.misplaced())
	case ExtraColumns:
		return gold < answer && c.found.Superset
	case Rounding:
		return c.found.Tolerant && !c.misnamed() || gold == answer && !c.found.Tolerant && c.rounded()
	case Ties:
		return gold == answer && c.found.Ordered && !c.misnamed() || c.right
	case Duplicates:
		return gold == answer && c.found.Bird && !c.misnamed()
	case MissingColumns:
		return c.misnamed() || answer < gold && answer > 0 && c.narrower() != nil
	case RowsMissing:
		return gold == answer && c.paired() == len(c.pred.Rows)
	case RowsExtra:
		return gold == answer && c.paired() == len(c.Result.Rows)
	case Overlap:
		return gold == answer && c.paired() > 0
	default:
		return v == Disjoint
	}
}

// misnamed reports rows that are right by position while the question wants
// columns by name, and the answer's names are others or stand elsewhere.
func (c *comparison) misnamed() bool {
	return c.options.Columns == ByName && !c.right && c.found.Tolerant && !slices.Equal(c.byName(), positions(width(c.Result)))
}

// misplaced reports the right rows in an order that the question forbids.
func (c *comparison) misplaced() bool {
	return !c.right && c.found.Tolerant && !c.misnamed() && (c.Ordered || c.options.Order == StrictOrder)
}

// paired is the number of rows gold and answer share, by position and within
// the tolerance.
func (c *comparison) paired() int {
	if c.matched == nil {
		all := positions(width(c.Result))
		c.matched = newMatcher(c.Result.Rows, c.pred.Rows, all, all, c.tol)
		c.pairs = c.matched.all()
	}
	return c.pairs
}

// narrower maps the answer's columns into the gold's, nil where they are not
// a part of it.
func (c *comparison) narrower() []int {
	turned := &comparison{Gold: Gold{Result: c.pred}, pred: c.Result}
	return turned.search(c.tol)
}

// Rank is the verdict's place in Ladder, from 0 on.
func (v Verdict) Rank() int { return slices.Index(Ladder, v) }
