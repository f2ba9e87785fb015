package score

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/sqbyl/sqbyl/internal/engine/compare"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
)

// Adversary is a wrong or harmless answer whose verdict is known beforehand.
type Adversary string

// The adversaries of Check. Oracle is every accepted gold itself, Mute no SQL.
const (
	Oracle          Adversary = "oracle"
	Mute            Adversary = "mute"
	OneRow          Adversary = "gold with LIMIT 1"
	Shuffled        Adversary = "rows shuffled"
	DistinctDropped Adversary = "DISTINCT dropped"
)

// Adversaries lists them in the order of a report.
var Adversaries = []Adversary{Oracle, Mute, OneRow, Shuffled, DistinctDropped}

// Check is the harness tried on itself.
type Check struct {
	Rows []CheckRow
	// GoldBroken and NotRun are cases nothing can be checked on.
	GoldBroken, NotRun []Reason
}

// CheckRow is what came of one adversary.
type CheckRow struct {
	Adversary Adversary
	// Tried counts answers whose change shows; Wrong are those whose verdict
	// was not the expected one.
	Tried int
	Wrong []Reason
	// Apart are cases on which the adversary's change cannot show.
	Apart []Reason
}

// Reason is a case and what is to say about it.
type Reason struct {
	ID   string
	Text string
}

// Passed reports that every verdict was the expected one, and that every case
// whose gold runs was checked.
func (c *Check) Passed() bool {
	for _, row := range c.Rows {
		if len(row.Wrong) > 0 {
			return false
		}
	}
	return len(c.NotRun) == 0 && len(c.Rows) > 0 && c.Rows[0].Tried > 0
}

// Check tries oracle, mute and adversaries on cases. Nothing is taken from a
// cache: the oracle's SQL runs again beside the gold.
func (r *Runner) Check(ctx context.Context, cases []Case) *Check {
	c := &checker{check: &Check{}, rows: make(map[Adversary]*CheckRow)}
	for _, a := range Adversaries {
		c.rows[a] = &CheckRow{Adversary: a}
	}
	r.Each(len(cases), func(i int) { c.one(ctx, r, cases[i]) })
	for _, a := range Adversaries {
		row := c.rows[a]
		sortReasons(row.Wrong)
		sortReasons(row.Apart)
		c.check.Rows = append(c.check.Rows, *row)
	}
	sortReasons(c.check.GoldBroken)
	sortReasons(c.check.NotRun)
	return c.check
}

func sortReasons(list []Reason) {
	slices.SortFunc(list, func(a, b Reason) int {
		if len(a.ID) != len(b.ID) {
			return len(a.ID) - len(b.ID)
		}
		return compareText(a.ID+a.Text, b.ID+b.Text)
	})
}

func compareText(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

type checker struct {
	mu    sync.Mutex
	check *Check
	rows  map[Adversary]*CheckRow
}

func (c *checker) one(ctx context.Context, r *Runner, whole Case) {
	c.oracle(ctx, r, whole)
	first := whole
	first.Golds = whole.Golds[:min(1, len(whole.Golds))]
	first.Options = compare.Options{}
	var gold GoldResult
	answers := []answer{{}, {rows: oneRow}, {rows: shuffled}, {sql: withoutDistinct, derived: true}}
	outs := r.score(ctx, first, answers, func(golds []GoldResult) { gold = golds[0] })
	if outs[0].Verdict == compare.GoldBroken || outs[0].Verdict == compare.NotRun {
		return // the oracle has told of it
	}
	c.expect(Mute, whole.ID, outs[0].Verdict == compare.NoSQL && outs[0].Rules == compare.Rules{} && !outs[0].Headline, "no SQL is "+string(outs[0].Verdict))
	for i, a := range []Adversary{OneRow, Shuffled, DistinctDropped} {
		c.adversary(a, whole.ID, &gold, &outs[i+1])
	}
}

// oracle answers a case with each of its golds.
func (c *checker) oracle(ctx context.Context, r *Runner, whole Case) {
	texts := whole.golds()
	if len(texts) == 0 {
		c.apart(Oracle, whole.ID, "the question has no gold")
		return
	}
	answers := make([]answer, len(texts))
	for i, sql := range texts {
		answers[i].sql = func(*GoldResult, *sqltext.Rules) (string, bool) { return sql, true }
	}
	var golds []GoldResult
	for i, out := range r.score(ctx, whole, answers, func(g []GoldResult) { golds = g }) {
		reason := Reason{whole.ID, out.Difference}
		switch {
		case out.Verdict == compare.GoldBroken, i < len(golds) && golds[i].Err != nil && failure(golds[i].Err) != compare.NotRun:
			c.note(&c.check.GoldBroken, reason)
		case out.Verdict == compare.NotRun:
			c.note(&c.check.NotRun, reason)
		case golds[i].Result != nil && hasNaN(golds[i].Result):
			c.apart(Oracle, whole.ID, "the gold returns NaN, which by the rules of the field equals nothing")
		default:
			all := compare.Rules{Bird: true, Strict: true, Ordered: true, Tolerant: true, Superset: true}
			c.expect(Oracle, whole.ID, out.Rules == all && out.Headline, fmt.Sprintf("gold %d against itself is %s: %s", i, out.Verdict, out.Difference))
		}
	}
}

func hasNaN(r *db.Result) bool {
	for _, row := range r.Rows {
		for _, v := range row {
			if v.Kind() == db.Float && math.IsNaN(v.Float()) {
				return true
			}
		}
	}
	return false
}

func (c *checker) note(list *[]Reason, r Reason) {
	c.mu.Lock()
	defer c.mu.Unlock()
	*list = append(*list, r)
}

func (c *checker) expect(a Adversary, id string, good bool, text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rows[a].Tried++
	if !good {
		c.rows[a].Wrong = append(c.rows[a].Wrong, Reason{id, text})
	}
}

func (c *checker) apart(a Adversary, id, why string) {
	c.note(&c.rows[a].Apart, Reason{id, why})
}

// adversary holds an outcome against what plain counting of the rows says.
func (c *checker) adversary(a Adversary, id string, gold *GoldResult, out *Outcome) {
	switch {
	case out.skipped != "":
		c.apart(a, id, out.skipped)
		return
	case out.result == nil:
		c.apart(a, id, "the changed gold does not run: "+out.Difference)
		return
	case hasNaN(gold.Result):
		c.apart(a, id, "the gold returns NaN, which by the rules of the field equals nothing")
		return
	}
	set, multiset, list := expected(gold.Result.Rows, out.result.Rows)
	ordered := multiset
	if gold.Ordered {
		ordered = list || out.Verdict == compare.Exact || out.Verdict == compare.Ties
	}
	good := out.Rules.Bird == set && out.Rules.Strict == multiset && out.Rules.Ordered == ordered && out.Rules.Tolerant == multiset
	switch {
	case good && list:
		c.apart(a, id, "the change leaves the gold's rows as they are")
		return
	case good && gold.Ordered && multiset && out.Rules.Ordered && out.Verdict == compare.Exact:
		c.apart(a, id, "only rows that share an order key changed places")
		return
	}
	c.expect(a, id, good, fmt.Sprintf("rows as a set %v, as a multiset %v, as a list %v, but %+v", set, multiset, list, out.Rules))
}

// expected says by plain counting whether two lists of rows are equal as sets,
// multisets and lists. It shares nothing with package compare on purpose.
func expected(gold, other [][]db.Value) (set, multiset, list bool) {
	text := func(rows [][]db.Value) ([]string, map[string]int) {
		lines, counts := make([]string, len(rows)), make(map[string]int)
		for i, row := range rows {
			for _, v := range row {
				lines[i] += fmt.Sprintf("%d %q|", v.Kind(), v.String())
			}
			counts[lines[i]]++
		}
		return lines, counts
	}
	goldLines, goldCounts := text(gold)
	otherLines, otherCounts := text(other)
	set, multiset = len(goldCounts) == len(otherCounts), len(gold) == len(other)
	for line, n := range goldCounts {
		set = set && otherCounts[line] > 0
		multiset = multiset && otherCounts[line] == n
	}
	return set, multiset && set, slices.Equal(goldLines, otherLines)
}

func oneRow(g *GoldResult) *db.Result {
	return &db.Result{Columns: g.Result.Columns, Rows: g.Result.Rows[:min(1, len(g.Result.Rows))]}
}

// shuffled moves rows by a seed, so that a check can be repeated.
func shuffled(g *GoldResult) *db.Result {
	out := &db.Result{Columns: g.Result.Columns, Rows: slices.Clone(g.Result.Rows)}
	rng := rand.New(rand.NewPCG(uint64(len(g.SQL)), uint64(len(out.Rows))))
	rng.Shuffle(len(out.Rows), func(i, j int) { out.Rows[i], out.Rows[j] = out.Rows[j], out.Rows[i] })
	return out
}

// withoutDistinct is the gold without the DISTINCT of its outermost SELECT.
func withoutDistinct(g *GoldResult, rules *sqltext.Rules) (string, bool) {
	s := sqltext.Scan(g.SQL, rules)
	depth := 0
	for i, t := range s.Tokens {
		switch t.Kind {
		case sqltext.Open:
			depth++
		case sqltext.Close:
			depth--
		case sqltext.Word:
			if depth == 0 && t.Key == sqltext.KeyDistinct && s.Key(i-1) == sqltext.KeySelect && s.Key(i+1) != sqltext.KeyOn {
				return g.SQL[:t.Start] + g.SQL[t.End:], true
			}
		default:
		}
	}
	return "", false
}
