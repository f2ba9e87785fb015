package profile

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/semantic"
)

const (
	// topMost is how many frequent values are kept.
	topMost = 20
	// topLong is the length of the longest text that is kept, in characters.
	topLong = 80
	// heavy is the share from which a value is kept that is one of many.
	heavy = 0.05
	// heavyMost is how many of those are kept.
	heavyMost = 3
)

// fill turns what was found into profiles.
func (w *measuring) fill(out *Table) {
	if w.size.Rows >= 0 {
		rows := w.size.Rows
		if !w.size.Exact {
			rows = rounded(rows)
		}
		out.Rows, out.Exact = &rows, w.size.Exact
	}
	for _, c := range w.columns {
		o := &out.Columns[c.place]
		if c.failed != nil {
			o.Failed = reason(c.failed)
			if w.quiet || c.said.NoSamples || personalName(w.target.Name, c.live.Name, c.class) != "" {
				o.Failed = "the engine reports an error, whose text may hold a value"
			}
			continue
		}
		o.Personal = w.personal(c)
		b := builder{measuring: w, c: c}
		quiet := o.Personal != "" || c.said.NoSamples || w.quiet
		o.Profile = b.profile(quiet)
		if !quiet {
			o.Samples = b.samples()
			if c.drawn.class == db.Textual && !c.drawn.number && c.drawn.shape.order == nil {
				o.texts, o.rows = b.runs(), b.rows()
			}
		}
	}
	out.Notes = w.notes(out)
}

func reason(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }

// personal says what hints at a person: the column's name, or what its values
// look like.
func (w *measuring) personal(c *measuredColumn) string {
	if allowed(w.options.Allow, w.target.Name, c.live.Name) {
		return ""
	}
	if name := personalName(w.target.Name, c.live.Name, c.class); name != "" && c.class != db.Boolean && c.class != db.Opaque {
		return name
	}
	if c.drawn.shape.personal && !(c.drawn.shape.name == address && isVersion(c.live.Name)) {
		return c.drawn.shape.name
	}
	return ""
}

// allowed reports a column named in a list of table.column and table.*.
func allowed(list []string, table, column string) bool {
	return slices.ContainsFunc(list, func(name string) bool {
		return strings.EqualFold(name, table+".*") || strings.EqualFold(name, table+"."+column)
	})
}

// builder makes one column's profile.
type builder struct {
	*measuring
	c *measuredColumn
}

// total is the number of values of the column, -1 when it is not known.
func (b builder) total() int64 {
	switch {
	case b.c.counted != nil:
		return b.c.counted.Values
	case b.whole:
		return int64(b.c.drawn.n())
	case b.size.Rows < 0 || b.c.drawn.rows == 0:
		return -1
	}
	return int64(float64(b.size.Rows) * float64(b.c.drawn.n()) / float64(b.c.drawn.rows))
}

func (b builder) profile(quiet bool) *semantic.Profile {
	d := b.c.drawn
	p := &semantic.Profile{Nulls: b.nulls(), Distinct: b.distinct(), Shape: d.shape.name, NumericText: d.number}
	p.Sampled = !b.whole && (b.c.counted == nil || b.c.groups == nil && len(d.runs) > 0)
	if quiet {
		return p
	}
	b.span(p)
	p.Top = b.top()
	return p
}

func (b builder) nulls() *float64 {
	d := b.c.drawn
	f := 0.0
	switch {
	case b.c.counted != nil && b.size.Rows > 0:
		f = share(float64(b.size.Rows-b.c.counted.Values), float64(b.size.Rows))
	case b.c.counted == nil && !b.whole && b.c.known != nil && b.c.known.Nulls != nil:
		f = share(*b.c.known.Nulls, 1)
	case d.rows == 0:
		return nil
	default:
		f = share(float64(d.nulls), float64(d.rows))
	}
	return &f
}

// distinct is exact where every value was seen or a key says so.
func (b builder) distinct() *semantic.Count {
	d, c := b.c.drawn, b.c
	if c.class == db.Opaque || d.class == db.Opaque {
		return nil
	}
	total := b.total()
	switch {
	case b.whole:
		return &semantic.Count{N: int64(len(d.runs) + d.others)}
	case c.groups != nil:
		return &semantic.Count{N: int64(len(c.groups))}
	case c.counted != nil && b.unique():
		return &semantic.Count{N: c.counted.Values}
	case c.known != nil && c.known.Distinct > 0:
		return &semantic.Count{N: rounded(c.known.Distinct), Estimate: true}
	case d.n() == 0 && (c.counted == nil || c.counted.Values > 0):
		return nil
	case b.unique() && total >= 0:
		return &semantic.Count{N: rounded(total), Estimate: true}
	case total < 0 && d.once > 0:
		// From a part of unknown size nothing follows for the whole.
		return nil
	}
	return &semantic.Count{N: rounded(estimate(d.n()-d.others, len(d.runs), d.once, max(total, int64(d.n())))), Estimate: true}
}

// unique reports a column that the database keeps free of doubles.
func (b builder) unique() bool {
	name := b.c.live.Name
	if len(b.live.PrimaryKey) == 1 && b.live.PrimaryKey[0] == name {
		return true
	}
	return slices.ContainsFunc(b.live.Unique, func(key []string) bool { return len(key) == 1 && key[0] == name })
}

// runs are the column's values: counted over the whole table, else drawn.
func (b builder) runs() []run {
	if b.c.groups != nil {
		return b.c.groups
	}
	return b.c.drawn.runs
}

// rows is the number of rows that runs are of.
func (b builder) rows() int {
	if b.c.groups != nil {
		return int(b.size.Rows)
	}
	return b.c.drawn.rows
}

// span fills the least and greatest value and the quantiles.
func (b builder) span(p *semantic.Profile) {
	d := b.c.drawn
	ordered := d.runs
	switch d.class {
	case db.Numeric, db.Temporal:
	case db.Textual:
		ordered = d.ordered()
	default:
		return
	}
	if len(ordered) > 0 {
		p.Min, p.Max = &ordered[0].value, &ordered[len(ordered)-1].value
	}
	if k := b.c.known; k != nil && !b.whole {
		b.replace(p, k.Min, k.Max)
	}
	if b.c.counted != nil {
		b.replace(p, b.c.counted.Min, b.c.counted.Max)
	}
	if len(ordered) < 3 || b.unique() && (d.class == db.Numeric) {
		return // the place of a key among others says nothing
	}
	q := quantiles(ordered)
	if k := b.c.known; k != nil && !b.whole && len(k.Quantiles) > 1 {
		q = known(k.Quantiles, q)
	}
	for i := range q {
		q[i] = shortened(q[i])
	}
	p.P05, p.P95 = &q[0], &q[4]
	if d.class == db.Numeric || d.number {
		p.P25, p.P50, p.P75 = &q[1], &q[2], &q[3]
	}
}

// shortened keeps six digits of a number with a fraction: where it stands
// among others does not hang on more.
func shortened(s semantic.Scalar) semantic.Scalar {
	f, err := strconv.ParseFloat(s.Text, 64)
	if s.Kind != semantic.NumberScalar || err != nil || !strings.ContainsAny(s.Text, ".e") || math.Abs(f) >= 1e6 && !strings.Contains(s.Text, "e") {
		return s
	}
	short := strconv.FormatFloat(f, 'g', 6, 64)
	if len(short) >= len(s.Text) {
		return s
	}
	return number(short)
}

// replace takes surer ends, when they are of the column's own kind.
func (b builder) replace(p *semantic.Profile, low, high db.Value) {
	d := b.c.drawn
	fits := func(v db.Value) bool {
		return !v.IsNull() && classOf(v) == d.class && (d.class != db.Textual || d.shape.sorted && d.fits(v.Raw()))
	}
	if s, ok := scalarOf(low); ok && fits(low) {
		p.Min = &s
	}
	if s, ok := scalarOf(high); ok && fits(high) {
		p.Max = &s
	}
}

// known reads the quantiles wanted off the engine's, which are at equal steps.
func known(steps []db.Value, fallback [len(shares)]semantic.Scalar) [len(shares)]semantic.Scalar {
	out := fallback
	for i, f := range shares {
		at := int(f*float64(len(steps)-1) + 0.5)
		if s, ok := scalarOf(steps[at]); ok {
			out[i] = s
		}
	}
	return out
}

// top are the values worth keeping: all of a few, and else those that many
// rows have.
func (b builder) top() []semantic.Share {
	d := b.c.drawn
	list, total := b.c.groups, 0.0
	switch {
	case d.class == db.Opaque, d.class == db.Numeric && b.unique():
		return nil
	case list != nil:
		total = float64(b.size.Rows)
	case b.c.known != nil && !b.whole && len(b.c.known.Top) > 0:
		return b.knownTop()
	default:
		list, total = d.runs, float64(d.rows)
	}
	return kept(list, total, b.fewEnough(list))
}

// fewEnough reports values so few that each is worth telling.
func (b builder) fewEnough(list []run) bool {
	switch b.c.drawn.class {
	case db.Textual:
		return len(list) <= groupable && b.c.drawn.shape.order == nil && b.c.drawn.shape.name != "json"
	case db.Boolean:
		return true
	}
	return len(list) <= topMost/2
}

func kept(list []run, total float64, all bool) []semantic.Share {
	most := heavyMost
	if all {
		most = topMost
	}
	var out []semantic.Share
	for _, r := range frequent(list, most) {
		if f := float64(r.n) / total; (all || f >= heavy) && tellable(r.value) && (all && len(list) > 1 || r.n > 1) {
			out = append(out, semantic.Share{Value: r.value, Share: share(float64(r.n), total)})
		}
	}
	return out
}

func (b builder) knownTop() []semantic.Share {
	k := b.c.known
	all := k.Complete && len(k.Top) <= groupable
	var out []semantic.Share
	for _, f := range k.Top {
		s, ok := scalarOf(f.Value)
		if ok && tellable(s) && (all || f.Share >= heavy) {
			out = append(out, semantic.Share{Value: s, Share: share(f.Share, 1)})
		}
	}
	slices.SortStableFunc(out, func(a, b semantic.Share) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.Value.Text, b.Value.Text))
	})
	most := heavyMost
	if all {
		most = topMost
	}
	return out[:min(most, len(out))]
}

// tellable reports a value that stands well in a file: not too long, not
// blank, without characters that nothing shows.
func tellable(s semantic.Scalar) bool {
	if s.Kind != semantic.StringScalar {
		return true
	}
	return strings.TrimSpace(s.Text) != "" && utf8.ValidString(s.Text) && utf8.RuneCountInString(s.Text) <= topLong &&
		!strings.ContainsFunc(s.Text, func(r rune) bool { return r < ' ' || r == utf8.RuneError || r == 0x7f || r >= 0x80 && r < 0xa0 })
}

// samples are the texts of a column that has few of them.
func (b builder) samples() []semantic.Scalar {
	if b.c.drawn.class != db.Textual || len(b.runs()) > groupable && b.c.drawn.shape.name != "json" {
		return nil
	}
	var out []semantic.Scalar
	for _, s := range b.top() {
		out = append(out, s.Value)
	}
	return out
}

// groupsOf sorts counted values as runs are.
func groupsOf(counts []db.Frequency) []run {
	runs := make([]run, 0, len(counts))
	for _, f := range counts {
		if s, ok := scalarOf(f.Value); ok {
			runs = append(runs, run{s, int(f.Rows)})
		}
	}
	slices.SortFunc(runs, func(a, b run) int { return compareScalars(a.value, b.value) })
	return runs
}

func compareScalars(a, b semantic.Scalar) int {
	if a.Kind == semantic.NumberScalar && b.Kind == semantic.NumberScalar {
		return compareDecimals(decimalOfText(a.Text), decimalOfText(b.Text))
	}
	return cmp.Compare(a.Text, b.Text)
}
