package splice_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sqbyl/sqbyl/internal/toolkit/edit/splice"
	"github.com/sqbyl/sqbyl/internal/toolkit/project/yamldoc"
	"github.com/sqbyl/sqbyl/semantic"
)

// hand writes a table as different people would: styles, indents, comments
// and blank lines are drawn.
type hand struct {
	t        *rapid.T
	b        strings.Builder
	comments []string
	step     int  // indent of nested keys
	compact  bool // lists stand as deep as their keys
}

func (h *hand) chance(percent int) bool {
	return rapid.IntRange(1, 100).Draw(h.t, "chance") <= percent
}

func (h *hand) comment() string {
	c := fmt.Sprintf("# c%d: [a, 'b\"", len(h.comments))
	h.comments = append(h.comments, c)
	return c
}

// pause writes what people put between lines.
func (h *hand) pause(indent int) {
	if h.chance(10) {
		h.b.WriteString(strings.Repeat(" ", rapid.IntRange(0, indent).Draw(h.t, "deep")) + h.comment() + "\n")
	}
	if h.chance(8) {
		h.b.WriteString("\n")
	}
}

func (h *hand) trail() string {
	if h.chance(12) {
		return "  " + h.comment()
	}
	return ""
}

func (h *hand) scalar(s string, indent int, inFlow bool) string {
	if inFlow || !strings.Contains(s, "\n") || h.chance(30) {
		switch simple := !strings.ContainsAny(s, "\n\\\x00\u2028\ufeff\t") && yamldoc.DoubleQuoted(s) == `"`+strings.ReplaceAll(s, `"`, `\"`)+`"`; {
		case simple && h.chance(25):
			return "'" + strings.ReplaceAll(s, "'", "''") + "'"
		case h.chance(25):
			return yamldoc.DoubleQuoted(s)
		case !inFlow && simple && h.chance(15) && strings.Contains(s, "a b") && !strings.ContainsAny(s, "#:'\"-[]{}&*!|>%@`?,="):
			return strings.Replace(s, "a b", "a\n"+strings.Repeat(" ", indent+1)+"b", 1)
		}
		out, err := yamldoc.Inline(s, inFlow)
		if err != nil {
			h.t.Fatal(err)
		}
		return out
	}
	out, err := yamldoc.Text(s, indent+h.step)
	if err != nil {
		h.t.Fatal(err)
	}
	return out
}

// entry is a key with what writes its value.
type entry struct {
	key   string
	write func(indent int) // writes from behind the colon to the line's end
}

func (h *hand) text(key, s string) []entry {
	if s == "" {
		return nil
	}
	return []entry{{key, func(indent int) {
		out := h.scalar(s, indent, false)
		trail := ""
		if !strings.Contains(out, "\n") {
			trail = h.trail()
		}
		h.b.WriteString(" " + out + trail + "\n")
	}}}
}

func (h *hand) words(key string, list []string) []entry {
	if len(list) == 0 {
		return nil
	}
	return []entry{{key, func(indent int) {
		if h.chance(50) {
			var parts []string
			for _, s := range list {
				parts = append(parts, h.scalar(s, 0, true))
			}
			gap := rapid.SampledFrom([]string{", ", " , ", ",  ", ",\n" + strings.Repeat(" ", indent+1)}).Draw(h.t, "gap")
			h.b.WriteString(" [" + strings.Join(parts, gap) + "]" + h.trail() + "\n")
			return
		}
		h.b.WriteString(h.trail() + "\n")
		at := h.list(indent)
		for _, s := range list {
			h.pause(at)
			out := h.scalar(s, at, false)
			h.b.WriteString(strings.Repeat(" ", at) + "- " + out + "\n")
		}
	}}}
}

func (h *hand) list(indent int) int {
	if h.compact {
		return indent
	}
	return indent + h.step
}

func (h *hand) mapping(entries []entry, indent int, first string) {
	if h.chance(30) {
		entries = rapid.Permutation(entries).Draw(h.t, "order")
	}
	for i, e := range entries {
		lead := strings.Repeat(" ", indent)
		if i == 0 {
			lead = first
		} else {
			h.pause(indent)
		}
		h.b.WriteString(lead + e.key + ":")
		e.write(indent)
	}
}

func (h *hand) items(key string, n int, item func(i int) []entry) []entry {
	if n == 0 {
		return nil
	}
	return []entry{{key, func(indent int) {
		h.b.WriteString(h.trail() + "\n")
		at := h.list(indent)
		for i := range n {
			h.pause(at)
			space := strings.Repeat(" ", rapid.IntRange(1, 3).Draw(h.t, "space"))
			deep := at + 1 + len(space)
			if h.chance(5) {
				space = "\n" + strings.Repeat(" ", deep)
			}
			h.mapping(item(i), deep, strings.Repeat(" ", at)+"-"+space)
		}
	}}}
}

func (h *hand) table(table semantic.Table) string {
	h.step = rapid.IntRange(1, 4).Draw(h.t, "step")
	h.compact = h.chance(30)
	var e []entry
	e = append(e, h.text("table", table.Name)...)
	e = append(e, h.text("description", table.Description)...)
	e = append(e, h.words("synonyms", table.Synonyms)...)
	e = append(e, h.items("columns", len(table.Columns), func(i int) []entry {
		c := table.Columns[i]
		e := append(h.text("name", c.Name), h.text("description", c.Description)...)
		if c.Profile != nil {
			e = append(e, entry{"profile", func(indent int) {
				out, err := yamldoc.Flow(*c.Profile)
				if err != nil {
					h.t.Fatal(err)
				}
				h.b.WriteString(" " + out + h.trail() + "\n")
			}})
		}
		return append(e, h.words("synonyms", c.Synonyms)...)
	})...)
	e = append(e, h.items("measures", len(table.Measures), func(i int) []entry {
		m := table.Measures[i]
		return append(append(h.text("name", m.Name), h.text("sql", m.SQL)...), h.text("description", m.Description)...)
	})...)
	h.pause(0)
	h.mapping(e, 0, "")
	h.pause(0)
	return h.b.String()
}

var word = rapid.SampledFrom([]string{
	"a", "b", "net revenue", "a b", "a b c", "it's", `say "hi"`, "a: b", "a #b", "# a", "01067", "yes", "- a", "[x]", "{y}", "a, b", "名前", "🙂 a b", "SELECT 1", "SUM(x)/100.0",
	"SELECT 1\nFROM t\n", "SELECT 1\n\nFROM t", "a\n  b\n", "two\nlines", `back\slash`, "x\ty", "trail ", "2019-02-01", "?", "*", "&a", "!t", "%", "@", "`",
})

var name = rapid.StringMatching(`[a-z][a-z_]{0,5}`)

func drawTable(t *rapid.T) semantic.Table {
	table := semantic.Table{Name: name.Draw(t, "table")}
	if rapid.Bool().Draw(t, "described") {
		table.Description = word.Draw(t, "description")
	}
	table.Synonyms = rapid.SliceOfN(word, 0, 3).Draw(t, "synonyms")
	for _, n := range rapid.SliceOfNDistinct(name, 0, 4, rapid.ID).Draw(t, "columns") {
		table.Columns = append(table.Columns, drawColumn(t, n))
	}
	for _, n := range rapid.SliceOfNDistinct(name, 0, 3, rapid.ID).Draw(t, "measures") {
		table.Measures = append(table.Measures, semantic.Measure{Name: n, SQL: word.Draw(t, "sql"), Description: word.Draw(t, "about")})
	}
	return table
}

func drawColumn(t *rapid.T, n string) semantic.Column {
	c := semantic.Column{Name: n, Synonyms: rapid.SliceOfN(word, 0, 3).Draw(t, "synonyms")}
	if rapid.Bool().Draw(t, "described") {
		c.Description = word.Draw(t, "description")
	}
	if rapid.Bool().Draw(t, "profiled") {
		low := semantic.Scalar{Text: word.Draw(t, "min")}
		c.Profile = &semantic.Profile{Min: &low, Distinct: &semantic.Count{N: 3, Estimate: rapid.Bool().Draw(t, "estimate")}}
	}
	return c
}

// additions are changes after which everything that was written still stands.
func additions(t *rapid.T, table semantic.Table) semantic.Table {
	table.Synonyms = append(slices.Clone(table.Synonyms), rapid.SliceOfN(word, 0, 2).Draw(t, "more synonyms")...)
	table.Columns = slices.Clone(table.Columns)
	for i := range table.Columns {
		if rapid.Bool().Draw(t, "touch") {
			table.Columns[i].Synonyms = append(slices.Clone(table.Columns[i].Synonyms), word.Draw(t, "synonym"))
			if table.Columns[i].Description == "" {
				table.Columns[i].Description = word.Draw(t, "description")
			}
		}
	}
	if rapid.Bool().Draw(t, "column") {
		table.Columns = append(table.Columns, drawColumn(t, "new_column"))
	}
	if rapid.Bool().Draw(t, "measure") {
		table.Measures = append(slices.Clone(table.Measures), semantic.Measure{Name: "new_measure", SQL: word.Draw(t, "sql")})
	}
	if rapid.Bool().Draw(t, "filter") {
		table.Filters = append(slices.Clone(table.Filters), semantic.Filter{Name: "new_filter", SQL: word.Draw(t, "sql")})
	}
	return table
}

func finish(t *rapid.T, text string) string {
	if cut := strings.TrimSuffix(text, "\n"); rapid.IntRange(1, 4).Draw(t, "no end") == 1 && canonical(t, []byte(cut)) == canonical(t, []byte(text)) {
		text = cut
	}
	if rapid.Bool().Draw(t, "crlf") {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text
}

func canonical(t *rapid.T, text []byte) string {
	doc, mistakes := yamldoc.Parse("t.yaml", text)
	var d yamldoc.Decoder
	var table semantic.Table
	if doc != nil {
		d.Decode(doc, &table)
	}
	if mistakes = append(mistakes, d.Mistakes...); mistakes != nil {
		t.Fatalf("%v\n%s", mistakes, text)
	}
	return written(t, table)
}

func written(t *rapid.T, table semantic.Table) string {
	out, err := yamldoc.Write(table)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// tally counts refusals: they are allowed, but must stay rare.
type tally struct{ all, refused int }

func (c *tally) rewrite(t *rapid.T, text string, want semantic.Table) ([]byte, bool) {
	if got := canonical(t, []byte(text)); got == "" {
		t.Fatal("nothing")
	}
	c.all++
	out, err := splice.Rewrite("t.yaml", []byte(text), want)
	var refusal *splice.Refusal
	if errors.As(err, &refusal) {
		c.refused++
		t.Logf("%v\n%s\n--- wanted\n%s", err, text, written(t, want))
		return nil, false
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if diff := canonical(t, out); diff != written(t, want) {
		t.Fatalf("reads as\n%s\nwant\n%s\nfrom\n%s", diff, written(t, want), out)
	}
	return out, true
}

func (c *tally) check(t *testing.T, percent int) {
	t.Logf("%d of %d refused", c.refused, c.all)
	if 100*c.refused > percent*c.all {
		t.Errorf("%d of %d refused", c.refused, c.all)
	}
}

func TestAdditionsKeepEverything(t *testing.T) {
	var c tally
	rapid.Check(t, func(t *rapid.T) {
		h := &hand{t: t}
		old := drawTable(t)
		text := finish(t, h.table(old))
		if canonical(t, []byte(text)) != written(t, old) {
			t.Fatalf("the test writes\n%s\nfor\n%s", text, written(t, old))
		}
		out, ok := c.rewrite(t, text, additions(t, old))
		if !ok {
			return
		}
		at := 0
		for _, comment := range slices.SortedFunc(slices.Values(h.comments), func(a, b string) int { return strings.Index(text, a) - strings.Index(text, b) }) {
			i := strings.Index(string(out[at:]), comment)
			if i < 0 {
				t.Fatalf("%s is lost or moved\n%s\n---\n%s", comment, text, out)
			}
			at += i
		}
		if strings.Contains(text, "\r\n") && strings.Count(string(out), "\n") != strings.Count(string(out), "\r\n") {
			t.Fatalf("mixed line ends: %q", out)
		}
		if cut := strings.TrimRight(string(out), "\r\n"); strings.HasSuffix(text, "\n") != strings.HasSuffix(string(out), "\n") && canonical(t, []byte(cut)) == canonical(t, out) {
			t.Fatalf("the last line's end changed: %q", out)
		}
	})
	c.check(t, 1)
}

func TestAnyChange(t *testing.T) {
	var c tally
	rapid.Check(t, func(t *rapid.T) {
		h := &hand{t: t}
		old, other := drawTable(t), drawTable(t)
		text := finish(t, h.table(old))
		want := old
		want.Description = other.Description
		want.Synonyms = other.Synonyms
		for _, col := range other.Columns {
			if !slices.ContainsFunc(want.Columns, func(c semantic.Column) bool { return c.Name == col.Name }) {
				want.Columns = append(slices.Clone(want.Columns), col)
			}
		}
		if len(want.Columns) > 1 && rapid.Bool().Draw(t, "drop") {
			want.Columns = slices.Delete(slices.Clone(want.Columns), 0, 1)
		}
		if rapid.Bool().Draw(t, "measures") {
			want.Measures = other.Measures
		}
		c.rewrite(t, text, want)
	})
	c.check(t, 1)
}
