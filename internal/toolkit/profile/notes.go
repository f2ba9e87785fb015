package profile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/semantic"
)

// notes are what somebody who knows the data should look at: what its types
// or names do not say.
func (w *measuring) notes(t *Table) []Note {
	var notes []Note
	for _, c := range w.columns {
		o := &t.Columns[c.place]
		if o.Profile == nil {
			continue
		}
		for _, text := range []string{c.numberText(), cents(c, o.Profile), c.mixed(), c.broken(), c.blanks()} {
			if text != "" {
				notes = append(notes, Note{Column: c.live.Name, Text: text})
			}
		}
	}
	return append(notes, w.disagreements()...)
}

// numberText tells text that holds numbers.
func (c *measuredColumn) numberText() string {
	if !c.drawn.number {
		return ""
	}
	texts := c.drawn.different()
	numbers := 0
	for _, r := range texts {
		if _, ok := numberIn(r.value.Text); ok {
			numbers++
		}
	}
	if numbers == len(texts) {
		return "text, but all of it numbers"
	}
	return fmt.Sprintf("text, but %d %% numbers", numbers*100/len(texts))
}

// money are words of columns that hold amounts.
var money = []string{"amount", "price", "cost", "total", "subtotal", "revenue", "fee", "balance", "payment", "paid", "discount", "tax", "cents", "sales"}

// cents guesses amounts in a small unit: whole, never negative, large.
func cents(c *measuredColumn, p *semantic.Profile) string {
	if c.drawn.class != db.Numeric || !c.drawn.whole || p.Min == nil || p.Max == nil || p.P50 == nil {
		return ""
	}
	words := wordsOf(c.live.Name)
	if !slices.ContainsFunc(money, func(m string) bool { return slices.Contains(words, m) }) || slices.Contains(words, "id") {
		return ""
	}
	low, _ := strconv.ParseInt(p.Min.Text, 10, 64)
	high, _ := strconv.ParseInt(p.Max.Text, 10, 64)
	middle, _ := strconv.ParseInt(p.P50.Text, 10, 64)
	if low < 0 || high < 10_000 || middle < 100 {
		return ""
	}
	none := ""
	if p.Nulls != nil && *p.Nulls == 0 {
		none = ", no NULL"
	}
	return fmt.Sprintf("%s … %s%s (cents?)", grouping(p.Min.Text), grouping(p.Max.Text), none)
}

// grouping puts a comma between each three digits of a whole number.
func grouping(digits string) string {
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// mixed tells values of two kinds in one column, which SQLite stores.
func (c *measuredColumn) mixed() string {
	if c.drawn.others == 0 {
		return ""
	}
	kinds := map[db.Class]string{db.Numeric: "numbers", db.Textual: "text", db.Temporal: "dates", db.Boolean: "booleans", db.Opaque: "bytes"}
	return fmt.Sprintf("holds %s and %s of another kind", kinds[c.drawn.class], counted(c.drawn.others, "value"))
}

// broken tells documents that cannot be read.
func (c *measuredColumn) broken() string {
	if c.drawn.shape.name != "json" {
		return ""
	}
	wrong := 0
	for _, r := range c.drawn.runs {
		if strings.TrimSpace(r.value.Text) != "" && !document(r.value.Text) {
			wrong += r.n
		}
	}
	if wrong == 0 {
		return ""
	}
	return fmt.Sprintf("holds JSON, but %s cannot be read", counted(wrong, "text"))
}

// blanks tells empty texts beside NULL or in place of it.
func (c *measuredColumn) blanks() string {
	if c.drawn.blank == 0 || c.drawn.n() == 0 {
		return ""
	}
	part := float64(c.drawn.blank) / float64(c.drawn.n())
	if part < 0.01 && c.drawn.nulls == 0 {
		return ""
	}
	return "has empty texts (" + percent(part) + ")"
}

// percent writes a share: 0.4 %, 3.2 %, 48 %, 100 %.
func percent(part float64) string {
	digits := 0
	switch {
	case part < 0.0095:
		digits = 2
	case part < 0.095:
		digits = 1
	}
	return strconv.FormatFloat(part*100, 'f', digits, 64) + " %"
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// disagreements finds flags and dates that nearly always go together: a flag
// that is set exactly where the date stands, but for some rows.
func (w *measuring) disagreements() []Note {
	var notes []Note
	for _, places := range w.drawn {
		var flags, dates []*measuredColumn
		for _, c := range w.columns {
			switch {
			case c.failed != nil || !slices.Contains(places, c.place):
			case c.flag():
				flags = append(flags, c)
			case c.datelike() && c.drawn.nulls > 0 && c.drawn.n() > 0:
				dates = append(dates, c)
			}
		}
		for _, flag := range flags {
			for _, date := range dates {
				if n := disagree(flag, date); n > 0 {
					where := "rows"
					if !w.whole {
						where = "sampled rows"
					}
					notes = append(notes, Note{Column: flag.live.Name, Text: fmt.Sprintf("and %s disagree on %d %s", date.live.Name, n, where)})
				}
			}
		}
	}
	return notes
}

// flag reports a column of two values that stand for no and yes.
func (c *measuredColumn) flag() bool {
	if len(c.drawn.runs) != 2 || c.drawn.others > 0 {
		return false
	}
	return c.drawn.class == db.Boolean || c.drawn.class == db.Numeric && c.drawn.runs[0].value.Text == "0" && c.drawn.runs[1].value.Text == "1"
}

func (c *measuredColumn) datelike() bool {
	if c.drawn.class == db.Temporal || c.drawn.shape.order != nil {
		return true
	}
	words := wordsOf(c.live.Name)
	return len(words) > 1 && (words[len(words)-1] == "at" || words[len(words)-1] == "date")
}

// disagree counts the rows where a flag and a date go against what nine in
// ten of them say; 0 when there is no such rule, or no exception to it. The
// exceptions must be fewer than half of those that chance would make: a rare
// flag agrees with a rare date mostly anyway.
func disagree(flag, date *measuredColumn) int {
	var cells [2][2]int // flag is set, date stands
	for i, v := range flag.values {
		if !v.IsNull() {
			on := v.Kind() == db.Bool && v.Bool() || v.Kind() == db.Int && v.Int() != 0
			cells[bit(on)][bit(!date.values[i].IsNull())]++
		}
	}
	exceptions := func(differ bool) (seen, byChance int) {
		all := cells[0][0] + cells[0][1] + cells[1][0] + cells[1][1]
		for on := range 2 {
			with := bit((on == 1) == differ)
			seen += cells[on][with]
			byChance += (cells[on][0] + cells[on][1]) * (cells[0][with] + cells[1][with]) / max(all, 1)
		}
		return seen, byChance
	}
	same, sameByChance := exceptions(false)
	other, otherByChance := exceptions(true)
	seen, byChance := same, sameByChance
	if other < same {
		seen, byChance = other, otherByChance
	}
	if all := same + other; all < 20 || seen*10 > all || seen*2 > byChance {
		return 0
	}
	return seen
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Notes lists what is worth a look in all tables, as table.column and text.
func (r *Report) Notes() []string {
	var out []string
	for _, t := range r.Tables {
		for _, n := range t.Notes {
			join := " is "
			if !strings.HasPrefix(n.Text, "text,") {
				join = " "
			}
			out = append(out, t.Name+"."+n.Column+join+n.Text)
		}
	}
	return out
}
