package profile

import (
	"cmp"
	"encoding/json"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// shape is what the texts of a column look like.
type shape struct {
	name string
	// order gives a text that sorts as what the shape stands for; nil where
	// order means nothing.
	order func(text string) (key string, ok bool)
	// sorted says that texts of the shape sort by themselves.
	sorted bool
	// personal shapes stand for a person.
	personal bool
	// wanted is the share of texts that must have the shape, 0 for enough.
	wanted float64
}

const (
	// enough is the share of texts that must have a shape.
	enough = 0.98
	// enoughNumbers is the share of texts from which a column holds numbers:
	// the rest is worth a look.
	enoughNumbers = 0.95
	// fewest is the number of different texts that a code or a number is seen
	// in; the other forms are not met by chance.
	fewest = 3
	// looked is how many different texts are looked at.
	looked = 2000
)

type form struct {
	shape
	fits func(string) bool
}

func pattern(p string) func(string) bool { return regexp.MustCompile(p).MatchString }

// forms are tried in this order.
var forms = []form{
	{shape{name: "email", personal: true}, pattern(`^[^\s@]+@[^\s@]+\.[A-Za-z]{2,}$`)},
	{shape{name: "uuid"}, pattern(`(?i)^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)},
	{shape{name: "date", order: itself, sorted: true}, dates("2006-01-02")},
	{shape{name: "datetime", order: itself, sorted: true}, pattern(`^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?( ?(Z|[+-]\d\d:?(\d\d)?))?$`)},
	{shape{name: "month", order: itself, sorted: true}, dates("2006-01")},
	{shape{name: "time", order: itself, sorted: true}, pattern(`^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?$`)},
	{shape{name: "date m/d/y", order: layout("1/2/2006")}, dates("1/2/2006")},
	{shape{name: "date d/m/y", order: layout("2/1/2006")}, dates("2/1/2006")},
	{shape{name: "date d.m.y", order: layout("2.1.2006")}, dates("2.1.2006")},
	{shape{name: "date d-mon-y", order: layout("2-Jan-2006")}, dates("2-Jan-2006")},
	{shape{name: address, personal: true}, func(s string) bool { _, err := netip.ParseAddr(s); return err == nil }},
	{shape{name: "social security number", personal: true}, pattern(`^\d{3}-\d{2}-\d{4}$`)},
	{shape{name: "card number", personal: true}, cardNumber},
	{shape{name: "iban", personal: true}, pattern(`^[A-Z]{2}\d{2} ?([A-Z0-9]{4} ?){2,7}[A-Z0-9]{1,4}$`)},
	{shape{name: "phone", personal: true}, phone},
	{shape{name: "url"}, pattern(`^(?i)(https?://|www\.)\S+$`)},
	{shape{name: "hash"}, pattern(`^(?i)[0-9a-f]{32}([0-9a-f]{8}|[0-9a-f]{32}|[0-9a-f]{96})?$`)},
	{shape{name: "json", wanted: 0.9}, document},
}

// address is the shape that numbers of versions have, too.
const address = "ip address"

func itself(text string) (string, bool) { return text, true }

func dates(form string) func(string) bool {
	return func(s string) bool { _, err := time.Parse(form, s); return err == nil }
}

func layout(form string) func(string) (string, bool) {
	return func(s string) (string, bool) {
		at, err := time.Parse(form, s)
		return at.Format(time.DateOnly), err == nil
	}
}

var phoneForm = regexp.MustCompile(`^(\+\d{1,3}[ .-]?)?(\(\d{1,5}\)[ .-]?)?\d{1,8}([ .-]\d{2,8}){0,5}$|^\+\d{8,15}$`)

// phone takes what is written like a phone number: with a plus sign, an area
// in brackets or three groups, not any run of digits.
func phone(s string) bool {
	digits, signs := 0, 0
	for i, r := range s {
		switch {
		case unicode.IsDigit(r):
			digits++
		case r == '(', r == '+' && i == 0:
			signs += 2
		default:
			signs++
		}
	}
	return digits >= 9 && digits <= 15 && signs >= 2 && phoneForm.MatchString(s)
}

// cardNumber holds the check digit of payment cards (Luhn).
func cardNumber(s string) bool {
	sum, digits := 0, 0
	for i := len(s) - 1; i >= 0; i-- {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			n := int(c - '0')
			if digits%2 == 1 {
				if n *= 2; n > 9 {
					n -= 9
				}
			}
			sum += n
			digits++
		case c != ' ' && c != '-':
			return false
		}
	}
	return digits >= 13 && digits <= 19 && sum%10 == 0
}

func document(s string) bool {
	s = strings.TrimSpace(s)
	if s == "" || s[0] != '{' && s[0] != '[' {
		return false
	}
	// Drawn texts are cut, and what is left of a document is none.
	return json.Valid([]byte(s)) || utf8.RuneCountInString(s) >= db.DrawnLength && s[0] == '{' && strings.Contains(s, `":`)
}

var (
	numeral = regexp.MustCompile(`^\s*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?\s*$`)
	grouped = regexp.MustCompile(`^\s*[+-]?\d{1,3}(,\d{3})+(\.\d+)?\s*$`)
)

// numberIn reads a number written as text, with thousands separators too.
func numberIn(text string) (float64, bool) {
	if grouped.MatchString(text) {
		text = strings.ReplaceAll(text, ",", "")
	} else if !numeral.MatchString(text) {
		return 0, false
	}
	f, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return f, err == nil
}

// describe looks at the different texts of a column. A shape is that of nearly
// all of them, or of nearly all rows.
func (d *drawn) describe() {
	texts := d.different()
	if len(texts) == 0 {
		return
	}
	rows := 0
	for _, r := range texts {
		rows += r.n
	}
	of := func(fits func(string) bool, wanted float64) bool {
		misses, missed := 0, 0
		for _, r := range texts {
			if fits(r.value.Text) {
				continue
			}
			misses, missed = misses+1, missed+r.n
			if float64(misses) > (1-wanted)*float64(len(texts)) && float64(missed) > (1-wanted)*float64(rows)*1.000001 {
				return false
			}
		}
		return true
	}
	for _, f := range forms {
		if of(f.fits, cmp.Or(f.wanted, enough)) {
			d.shape = f.shape
			return
		}
	}
	if len(texts) < fewest {
		return
	}
	if of(func(s string) bool { _, ok := numberIn(s); return ok }, enoughNumbers) {
		d.number = true
		return
	}
	if code, ok := codeOf(texts); ok {
		d.shape = shape{name: "code " + code}
	}
}

// different gives the texts to look at, evenly chosen, without those
// that stand for nothing.
func (d *drawn) different() []run {
	step := max(len(d.runs)/looked, 1)
	var texts []run
	for i := 0; i < len(d.runs); i += step {
		// 0000-00-00 stands for no date where a column may not be NULL.
		if text := d.runs[i].value.Text; strings.TrimSpace(text) != "" && !strings.HasPrefix(text, "0000-00") {
			texts = append(texts, d.runs[i])
		}
	}
	return texts
}

// codeOf is the form that nearly all texts share, letters written as A or a,
// digits as 9: "AA-9999". Texts of letters only are words, not codes.
func codeOf(texts []run) (string, bool) {
	counts := map[string]int{}
	for _, r := range texts {
		text := r.value.Text
		if len(text) > 24 || strings.ContainsAny(text, " \t\n") {
			return "", false
		}
		counts[codeForm(text)]++
	}
	best := ""
	for form, n := range counts {
		if n > counts[best] || n == counts[best] && form < best {
			best = form
		}
	}
	if float64(counts[best]) < enoughNumbers*float64(len(texts)) || len(best) < 2 || !strings.ContainsAny(best, "9") && best != strings.ToUpper(best) {
		return "", false
	}
	return best, true
}

func codeForm(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsDigit(r):
			return '9'
		case unicode.IsUpper(r):
			return 'A'
		case unicode.IsLetter(r):
			return 'a'
		}
		return r
	}, text)
}

// ordered gives the runs of a column whose texts stand for dates or numbers in
// the order of those, what is neither left out; nil for other texts.
func (d *drawn) ordered() []run {
	type keyed struct {
		run
		key string
		f   float64
	}
	if !d.number && d.shape.order == nil {
		return nil
	}
	var list []keyed
	for _, r := range d.runs {
		k := keyed{run: r}
		ok := false
		if d.number {
			k.f, ok = numberIn(r.value.Text)
		} else if d.fits(r.value.Text) {
			k.key, ok = d.shape.order(r.value.Text)
		}
		if ok {
			list = append(list, k)
		}
	}
	slices.SortStableFunc(list, func(a, b keyed) int { return cmp.Or(cmp.Compare(a.f, b.f), cmp.Compare(a.key, b.key)) })
	runs := make([]run, len(list))
	for i, k := range list {
		runs[i] = k.run
	}
	return runs
}

// fits reports a text of the column's shape.
func (d *drawn) fits(text string) bool {
	for _, f := range forms {
		if f.name == d.shape.name {
			return f.fits(text)
		}
	}
	return false
}
