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
		for _, text := range []string{c.numberText(), cents(c, o.Profile), c.mixed(), c.blanks()} {
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
	for _, text := range texts {
		if _, ok := numberIn(text); ok {
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
	return fmt.Sprintf("%s … %s%s (cents?)", p.Min.Text, p.Max.Text, none)
}

// mixed tells values of two kinds in one column, which SQLite stores.
func (c *measuredColumn) mixed() string {
	if c.drawn.others == 0 {
		return ""
	}
	kinds := map[db.Class]string{db.Numeric: "numbers", db.Textual: "text", db.Temporal: "dates", db.Boolean: "booleans", db.Opaque: "bytes"}
	return fmt.Sprintf("holds %s and %s of another kind", kinds[c.drawn.class], counted(c.drawn.others, "value"))
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
	return fmt.Sprintf("has empty texts (%.2g %%)", part*100)
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
// ten of them say; 0 when there is no such rule, or no exception to it.
func disagree(flag, date *measuredColumn) int {
	together, apart := 0, 0
	set := map[bool]int{}
	for i, v := range flag.values {
		if v.IsNull() {
			continue
		}
		on := v.Kind() == db.Bool && v.Bool() || v.Kind() == db.Int && v.Int() != 0
		set[on]++
		if on == !date.values[i].IsNull() {
			together++
		} else {
			apart++
		}
	}
	exceptions, all := min(together, apart), together+apart
	// A rare flag would agree with a rare date by chance.
	if all < 20 || exceptions*10 > all || exceptions*2 > min(set[true], set[false], date.drawn.nulls, date.drawn.n()) {
		return 0
	}
	return exceptions
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
