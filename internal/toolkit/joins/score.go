package joins

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/semantic"
)

// The confidence is the logistic function of a sum of weights, each the
// natural logarithm of how many times more often its evidence stands beside a
// real reference than beside a chance pair. They are round numbers, chosen
// from what the rules mean and held against the databases of docs/joins.md.
const (
	prior = -2.0

	declaredKey = 0.8
	uniqueInAll = 0.5
	notUnique   = -4.0
	converted   = -1.0
	trimmed     = -0.5

	allFoundText    = 2.0
	allFoundNumbers = 1.0
	nearlyAll       = 0.5  // from 95 %
	mostFound       = -0.5 // from 80 %
	halfFound       = -2.0 // from 50 %
	fewFound        = -4.0
	nothingFound    = -5.0
	sameValues      = 1.0

	betterElsewhere = -3.0
)

var ruleWeights = map[Rule]float64{
	SpellsKey: 4.8, NamesKey: 4.2, NamesShortKey: 3.6, NamesLastKey: 3.4, Qualified: 3.5, SameKeyName: 2.6, Hierarchy: 3.2,
	NamesTable: 3.2, QualifiedName: 2.6, NamesLast: 2.4, NamesShort: 2.0, Role: 1.8, SameName: 1.4, Composite: 1.8,
	SameAttribute: -0.5, Extension: -0.2,
}

// clearly is by how much a target is likelier than one it explains.
const clearly = 0.5

// closeCall is how little the confidences of two targets may differ for
// somebody to decide.
const closeCall = 0.1

// enough is the number of distinct values from which finding all of them
// counts in full.
const enough = 5

// Score weighs pairs by what was measured of them, measured[i] being that of
// pairs[i]; it may be shorter. It gives the candidates worth showing, the
// surest first within each table, tables in the order of the schema. Of the
// targets of one column those stay that a likelier one does not explain.
func Score(schema catalog.Schema, d *db.Dialect, pairs []Pair, measured []Measured) []Candidate {
	byFrom := map[string][]*scored{}
	var order []string
	for i, p := range pairs {
		s := &scored{pair: p}
		if i < len(measured) {
			s.m = measured[i]
		}
		s.logit = logit(p, s.m)
		key := p.From.key()
		if byFrom[key] == nil {
			order = append(order, key)
		}
		byFrom[key] = append(byFrom[key], s)
	}
	for _, group := range byFrom {
		slices.SortStableFunc(group, func(a, b *scored) int { return cmp.Compare(b.logit, a.logit) })
	}
	var out []Candidate
	for _, key := range order {
		first := len(out)
		for i, s := range byFrom[key] {
			if i > 0 && explained(s, byFrom[key][:i], byFrom) {
				continue
			}
			if c := candidate(schema, d, s.pair, s.m, s.logit); c.Confidence >= ShowFrom {
				out = append(out, c)
			}
		}
		markDecisions(out[first:])
	}
	out = oneWay(out)
	slices.SortStableFunc(out, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(a.table, b.table), cmp.Compare(b.Confidence, a.Confidence))
	})
	return out
}

type scored struct {
	pair  Pair
	m     Measured
	logit float64
}

// explained reports a target that is only a lesser way to say what a likelier
// one says: another column of the same table, or a table that refers to the
// likelier one by the very column. Others that are much less likely are marked
// down.
func explained(s *scored, likelier []*scored, byFrom map[string][]*scored) bool {
	for _, best := range likelier {
		if best.logit-s.logit < clearly {
			continue
		}
		if best.pair.to == s.pair.to {
			return true
		}
		for _, next := range byFrom[s.pair.To.key()] {
			if next.pair.To.key() == best.pair.To.key() && next.logit > 0 {
				return true
			}
		}
	}
	if likelier[0].logit > 0 && likelier[0].logit-s.logit >= clearly {
		s.logit += betterElsewhere
	}
	return false
}

// markDecisions marks the targets of one column that are about as likely as
// the best of them.
func markDecisions(group []Candidate) {
	if len(group) < 2 || group[0].Confidence < 0.5 {
		return
	}
	for i := range group[1:] {
		if group[0].Confidence-group[i+1].Confidence <= closeCall {
			group[0].Decide, group[i+1].Decide = true, true
		}
	}
}

// oneWay keeps the likelier of two candidates that are one pair of columns
// read in both directions.
func oneWay(all []Candidate) []Candidate {
	at := map[string]int{}
	drop := map[int]bool{}
	for i, c := range all {
		if j, ok := at[c.To.key()+"\x01"+c.From.key()]; ok {
			if c.Confidence > all[j].Confidence {
				drop[j] = true
			} else {
				drop[i] = true
			}
		}
		at[c.From.key()+"\x01"+c.To.key()] = i
	}
	var kept []Candidate
	for i, c := range all {
		if !drop[i] {
			kept = append(kept, c)
		}
	}
	return kept
}

func (s Side) key() string {
	return s.Schema + "\x00" + s.Table + "\x00" + strings.Join(s.Columns, "\x00")
}

func logit(p Pair, m Measured) float64 {
	sum := prior + ruleWeights[p.Rule] + foundWeight(m)
	switch {
	case p.Declared:
		sum += declaredKey
	case m.ToUnique == UniqueInAll:
		sum += uniqueInAll
	case m.ToUnique == Repeated:
		sum += notUnique
	}
	if p.Converted {
		sum += converted
	}
	if m.Trimmed {
		sum += trimmed
	}
	if p.Rule == Extension && m.Equal && m.Checked >= 4*enough {
		sum += sameValues
	}
	return sum
}

// foundWeight says how much finding the values speaks for a reference. Whole
// numbers are found by chance more easily than text, and few values more
// easily than many. Where only a part of the target was looked at, what was
// not found says nothing.
func foundWeight(m Measured) float64 {
	if m.Checked == 0 || m.Partial && m.Found < m.Checked {
		return 0
	}
	full := allFoundText
	if m.Numbers {
		full = allFoundNumbers
	}
	switch share := float64(m.Found) / float64(m.Checked); {
	case share == 1:
		return full * math.Min(1, float64(m.Checked)/enough)
	case share >= 0.95:
		return nearlyAll
	case share >= 0.8:
		return mostFound
	case share >= 0.5:
		return halfFound
	case share > 0:
		return fewFound
	}
	return nothingFound
}

func candidate(schema catalog.Schema, d *db.Dialect, p Pair, m Measured, logit float64) Candidate {
	from, to := schema.Tables[p.from], schema.Tables[p.to]
	return Candidate{
		table: p.from,
		From:  p.From, To: p.To, Type: cardinality(from, p, m), Rule: p.Rule, Measured: m,
		On:         condition(d, from, p.From.Columns, to, p.To.Columns, wrapping(d, p, m)),
		Confidence: math.Round(100/(1+math.Exp(-logit))) / 100,
		Evidence:   evidence(p, m),
	}
}

// wrapping makes columns comparable: text where their types differ and the
// engine does not convert, without blanks where those keep them apart.
func wrapping(d *db.Dialect, p Pair, m Measured) func(string) string {
	return func(side string) string {
		if p.Converted && d.Evidence.AsText != nil {
			side = d.Evidence.AsText(side)
		}
		if m.Trimmed {
			side = "TRIM(" + side + ")"
		}
		return side
	}
}

// cardinality is what was observed: one row to one where the values of
// neither side repeat.
func cardinality(from catalog.Table, p Pair, m Measured) semantic.JoinType {
	one := m.FromUnique == UniqueInAll && m.Checked >= enough
	for _, key := range append([][]string{from.PrimaryKey}, from.Unique...) {
		one = one || len(key) > 0 && slices.Equal(key, p.From.Columns)
	}
	switch {
	case m.ToUnique == Repeated && one:
		return semantic.OneToMany
	case m.ToUnique == Repeated:
		return semantic.ManyToMany
	case one:
		return semantic.OneToOne
	}
	return semantic.ManyToOne
}

func evidence(p Pair, m Measured) []string {
	list := []string{string(p.Rule)}
	switch {
	case p.Declared:
		list = append(list, "target is a declared key")
	case m.ToUnique == Repeated:
		list = append(list, "target values repeat")
	case m.ToUnique != NotLooked:
		list = append(list, "target is "+string(m.ToUnique))
	}
	switch {
	case m.Checked == 0:
		list = append(list, "no values to compare")
	case m.Partial && m.Found < m.Checked:
		list = append(list, fmt.Sprintf("%d of %d values found in the rows read", m.Found, m.Checked))
	default:
		list = append(list, fmt.Sprintf("inclusion %s of %s", share(m.Found, m.Checked), count(m.Checked, "value")))
	}
	if m.Trimmed {
		list = append(list, "only after trimming blanks")
	}
	if p.Converted {
		list = append(list, "types differ")
	}
	if m.Equal {
		list = append(list, "both sides hold the same values")
	}
	return list
}

// Inclusion is the share of the values that were found, as "97 %", "" where
// none were looked for or too little was looked at.
func (m Measured) Inclusion() string {
	if m.Checked == 0 || m.Partial && m.Found < m.Checked {
		return ""
	}
	return share(m.Found, m.Checked)
}

// share rounds down, so that 100 % means all.
func share(found, checked int) string {
	return fmt.Sprintf("%d %%", 100*found/checked)
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
