package profile

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/semantic"
)

// run is a value and how often it was drawn.
type run struct {
	value semantic.Scalar
	n     int
}

// drawn is what the drawn values of one column show.
type drawn struct {
	class  db.Class
	rows   int // drawn, NULLs too
	nulls  int
	others int // values of another class than most: text among numbers
	once   int // values drawn exactly once
	blank  int // texts without a character
	runs   []run
	shape  shape
	number bool // text that holds numbers
	whole  bool // numbers without a fraction
}

// n is the number of drawn values.
func (d *drawn) n() int { return d.rows - d.nulls }

// look sorts the drawn values of a column into runs.
func look(class db.Class, values []db.Value) *drawn {
	d := &drawn{rows: len(values), class: class}
	byClass := map[db.Class]int{}
	for _, v := range values {
		if v.IsNull() {
			d.nulls++
			continue
		}
		byClass[classOf(v)]++
	}
	if class == db.Opaque || d.n() == 0 {
		return d
	}
	for _, c := range []db.Class{db.Opaque, db.Numeric, db.Textual, db.Temporal, db.Boolean} {
		if byClass[c] > byClass[d.class] {
			d.class = c
		}
	}
	d.others = d.n() - byClass[d.class]
	switch d.class {
	case db.Numeric:
		d.numbers(values)
	case db.Opaque:
		return d
	default:
		d.texts(values)
	}
	for _, r := range d.runs {
		if r.n == 1 {
			d.once++
		}
	}
	if d.class == db.Textual {
		d.describe()
	}
	return d
}

// classOf is the class of one value.
func classOf(v db.Value) db.Class {
	switch v.Kind() {
	case db.Int, db.Float, db.Decimal:
		return db.Numeric
	case db.Text:
		return db.Textual
	case db.Date, db.Clock, db.Timestamp, db.TimestampTZ:
		return db.Temporal
	case db.Bool:
		return db.Boolean
	}
	return db.Opaque
}

// numbers sorts numbers; whole ones that fit are compared exactly.
func (d *drawn) numbers(values []db.Value) {
	var whole []int64
	var all []decimal
	for _, v := range values {
		switch v.Kind() {
		case db.Int:
			whole = append(whole, v.Int())
		case db.Float, db.Decimal:
			all = append(all, decimalOf(v))
		}
	}
	d.whole = len(all) == 0
	if d.whole {
		slices.Sort(whole)
		d.runs = runsOf(whole, func(i int64) semantic.Scalar { return number(strconv.FormatInt(i, 10)) })
		return
	}
	for _, i := range whole {
		all = append(all, decimal{float64(i), strconv.FormatInt(i, 10)})
	}
	slices.SortFunc(all, compareDecimals)
	d.runs = runsOf(all, func(x decimal) semantic.Scalar { return number(x.text) })
}

type decimal struct {
	f    float64
	text string
}

func compareDecimals(a, b decimal) int {
	return cmp.Or(cmp.Compare(a.f, b.f), cmp.Compare(a.text, b.text))
}

// decimalOf puts what is no number behind all that are, as engines do.
func decimalOf(v db.Value) decimal {
	f := v.Float()
	if v.Kind() == db.Decimal {
		// A number beyond a float counts as the infinity that it comes back as.
		f, _ = strconv.ParseFloat(v.Raw(), 64)
	}
	if math.IsNaN(f) {
		f = math.Inf(1)
	}
	return decimal{f, numberText(v)}
}

func decimalOfText(text string) decimal {
	f, err := strconv.ParseFloat(strings.TrimPrefix(text, "."), 64)
	if err != nil {
		f, _ = strconv.ParseFloat(strings.Replace(text, ".", "", 1), 64)
	}
	return decimal{f, text}
}

func (d *drawn) texts(values []db.Value) {
	texts := make([]string, 0, d.n())
	kind := semantic.StringScalar
	for _, v := range values {
		if classOf(v) != d.class || v.IsNull() {
			continue
		}
		if v.Kind() == db.Bool {
			kind = semantic.BoolScalar
		}
		text := v.String()
		if v.Kind() == db.Text {
			text = v.Raw()
		}
		if text == "" {
			d.blank++
		}
		texts = append(texts, text)
	}
	slices.Sort(texts)
	d.runs = runsOf(texts, func(s string) semantic.Scalar { return semantic.Scalar{Text: s, Kind: kind} })
}

// runsOf counts equal neighbors of a sorted list.
func runsOf[T comparable](sorted []T, scalar func(T) semantic.Scalar) []run {
	var runs []run
	for i := 0; i < len(sorted); {
		j := i + 1
		for j < len(sorted) && sorted[j] == sorted[i] {
			j++
		}
		runs = append(runs, run{scalar(sorted[i]), j - i})
		i = j
	}
	return runs
}

// The quantiles of a profile.
var shares = [...]float64{0.05, 0.25, 0.5, 0.75, 0.95}

// quantiles gives the values at shares of sorted runs: the least value that
// at least that share of values does not exceed.
func quantiles(runs []run) [len(shares)]semantic.Scalar {
	total := 0
	for _, r := range runs {
		total += r.n
	}
	var out [len(shares)]semantic.Scalar
	at, seen := 0, 0
	for _, r := range runs {
		seen += r.n
		for at < len(shares) && float64(seen) >= shares[at]*float64(total) {
			out[at] = r.value
			at++
		}
	}
	return out
}

// frequent are the most frequent runs, the most frequent first, then by their
// order.
func frequent(runs []run, most int) []run {
	list := slices.Clone(runs)
	slices.SortStableFunc(list, func(a, b run) int { return cmp.Compare(b.n, a.n) })
	return list[:min(most, len(list))]
}

// estimate is the number of distinct values of a column with total values, of
// which n were drawn: the estimator Duj1 of Haas and Stokes, "Estimating the
// number of classes in a finite population" (1998), as PostgreSQL uses it.
// once of the distinct drawn values were drawn a single time.
func estimate(n, distinct, once int, total int64) int64 {
	switch {
	case n == 0:
		return 0
	case once == 0:
		return int64(distinct)
	case once == n:
		return total
	}
	f, d, one, all := float64(n), float64(distinct), float64(once), float64(total)
	return int64(min(max(math.Round(f*d/(f-one+one*f/all)), d), all))
}

// rounded keeps three digits: an estimate has no more.
func rounded(n int64) int64 {
	scale := int64(1)
	for n/scale >= 1000 {
		scale *= 10
	}
	return (n + scale/2) / scale * scale
}

// share keeps four digits of a share, and never makes nearly all or nearly
// none into all or none.
func share(part, whole float64) float64 {
	if whole <= 0 || part <= 0 {
		return 0
	}
	if part >= whole {
		return 1
	}
	f, err := strconv.ParseFloat(strconv.FormatFloat(part/whole, 'g', 4, 64), 64)
	if err != nil || f >= 1 {
		return 0.9999
	}
	return f
}

func number(text string) semantic.Scalar {
	return semantic.Scalar{Text: text, Kind: semantic.NumberScalar}
}

// numberText is a number as a project file holds it.
func numberText(v db.Value) string {
	text := v.String()
	f, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil && !math.IsInf(f, 0):
		return text
	case math.IsNaN(f):
		return ".nan"
	case math.IsInf(f, 1) && err == nil:
		return ".inf"
	case math.IsInf(f, -1) && err == nil:
		return "-.inf"
	}
	return text
}

// scalarOf is a value as a project file holds it; ok is false for one that
// has no such form.
func scalarOf(v db.Value) (s semantic.Scalar, ok bool) {
	switch classOf(v) {
	case db.Numeric:
		return number(numberText(v)), true
	case db.Boolean:
		return semantic.Scalar{Text: v.String(), Kind: semantic.BoolScalar}, true
	case db.Textual:
		return semantic.Scalar{Text: v.Raw()}, true
	case db.Temporal:
		return semantic.Scalar{Text: v.String()}, true
	}
	return semantic.Scalar{}, false
}
