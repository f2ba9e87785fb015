package splice_test

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sqbyl/sqbyl/internal/toolkit/edit/splice"
	"github.com/sqbyl/sqbyl/internal/toolkit/project/yamldoc"
	"github.com/sqbyl/sqbyl/semantic"
)

func table(t *testing.T, text string) semantic.Table {
	t.Helper()
	doc, mistakes := yamldoc.Parse("t.yaml", []byte(text))
	if mistakes != nil {
		t.Fatal(mistakes)
	}
	var got semantic.Table
	var d yamldoc.Decoder
	d.Decode(doc, &got)
	if d.Mistakes != nil {
		t.Fatal(d.Mistakes)
	}
	return got
}

const human = `# Orders, by hand.

table:   analytics.orders   # the big one
synonyms: [purchases,  'transactions' , "sales"]   # words
description: One row per confirmed order.
  Excludes carts.

  And drafts.
columns:
  # keys first
  - name: order_id
    type: bigint
    profile: { nulls: 0.0, distinct: 4216890,   min: 1 }   # auto

  - name: 'status'   # three
    description: >
      One of three
      words.
    sample_values:
      - confirmed
      # the others
      - refunded

joins: []   # none yet
measures:
  - sql: SUM(a)   # first
    name: gross
  - name: net
    sql: |
      SUM(CASE WHEN status='confirmed'
        THEN amount_cents END)

    description: Net.
# the end
`

func TestRewrite(t *testing.T) {
	set := func(f func(*semantic.Table)) func(*semantic.Table) { return f }
	for _, c := range []struct {
		name   string
		change func(*semantic.Table)
		old    string // lines that go
		new    string // lines that come
	}{
		{"nothing", set(func(*semantic.Table) {}), "", ""},
		{
			"a synonym into brackets", func(t *semantic.Table) { t.Synonyms = append(t.Synonyms, "a, b") },
			"synonyms: [purchases,  'transactions' , \"sales\"]   # words\n", "synonyms: [purchases,  'transactions' , \"sales\", \"a, b\"]   # words\n",
		},
		{
			"a synonym out of brackets", func(t *semantic.Table) { t.Synonyms = slices.Delete(t.Synonyms, 1, 2) },
			"synonyms: [purchases,  'transactions' , \"sales\"]   # words\n", "synonyms: [purchases , \"sales\"]   # words\n",
		},
		{
			"the first synonym", func(t *semantic.Table) { t.Synonyms = t.Synonyms[1:] },
			"synonyms: [purchases,  'transactions' , \"sales\"]   # words\n", "synonyms: ['transactions' , \"sales\"]   # words\n",
		},
		{
			"a description of several lines", func(t *semantic.Table) { t.Description = "New: it.\n" },
			"description: One row per confirmed order.\n  Excludes carts.\n\n  And drafts.\n", "description: |\n  New: it.\n",
		},
		{
			"a measure at the end", func(t *semantic.Table) {
				t.Measures = append(t.Measures, semantic.Measure{Name: "n", SQL: "COUNT(*)\n+ 1\n"})
			},
			"# the end\n", "  - name: \"n\"\n    sql: |\n      COUNT(*)\n      + 1\n# the end\n",
		},
		{
			"a measure's SQL, in its quotes", func(t *semantic.Table) { t.Measures[1].SQL = "SUM(x)\nFROM y\n" },
			"      SUM(CASE WHEN status='confirmed'\n        THEN amount_cents END)\n", "      SUM(x)\n      FROM y\n",
		},
		{
			"a measure gone", func(t *semantic.Table) { t.Measures = t.Measures[1:] },
			"  - sql: SUM(a)   # first\n    name: gross\n", "",
		},
		{"all measures gone", func(t *semantic.Table) { t.Measures = nil }, human[strings.Index(human, "measures:"):strings.Index(human, "# the end")], ""},
		{
			"the first join", func(t *semantic.Table) {
				t.Joins = []semantic.Join{{To: "c", Type: semantic.ManyToOne, On: "a = b"}}
			},
			"joins: []   # none yet\n", "joins:   # none yet\n  - to: c\n    type: many_to_one\n    on: a = b\n",
		},
		{
			"the first filter, after the measures", func(t *semantic.Table) { t.Filters = []semantic.Filter{{Name: "f", SQL: "x"}} },
			"# the end\n", "filters:\n  - name: f\n    sql: x\n# the end\n",
		},
		{
			"a column's synonym and description", func(t *semantic.Table) {
				t.Columns[0].Synonyms = []string{"number"}
				t.Columns[0].Description = "Key."
			},
			"    type: bigint\n", "    type: bigint\n    description: Key.\n    synonyms: [number]\n",
		},
		{
			"a profile's figures", func(t *semantic.Table) {
				low := semantic.Scalar{Text: "2", Kind: semantic.NumberScalar}
				t.Columns[0].Profile.Min, t.Columns[0].Profile.Max = &low, &low
			},
			"    profile: { nulls: 0.0, distinct: 4216890,   min: 1 }   # auto\n", "    profile: { nulls: 0.0, distinct: 4216890,   min: 2, max: 2 }   # auto\n",
		},
		{
			"a profile switched off", func(t *semantic.Table) { t.Columns[0].Profile, t.Columns[0].NoProfile = nil, true },
			"    profile: { nulls: 0.0, distinct: 4216890,   min: 1 }   # auto\n", "    profile: false   # auto\n",
		},
		{
			"samples switched off", func(t *semantic.Table) { t.Columns[1].Samples, t.Columns[1].NoSamples = nil, true },
			"    sample_values:\n      - confirmed\n      # the others\n      - refunded\n", "    sample_values: false\n",
		},
		{
			"a sample in a block", func(t *semantic.Table) {
				t.Columns[1].Samples = append(t.Columns[1].Samples, semantic.Scalar{Text: "007"})
			},
			"      - refunded\n", "      - refunded\n      - \"007\"\n",
		},
		{
			"a column, parted by a blank line", func(t *semantic.Table) { t.Columns = append(t.Columns, semantic.Column{Name: "zip"}) },
			"      - refunded\n", "      - refunded\n\n  - name: zip\n",
		},
		{
			"a name's quotes stay", func(t *semantic.Table) { t.Name = "analytics.purchases" },
			"table:   analytics.orders   # the big one\n", "table:   analytics.purchases   # the big one\n",
		},
		{
			"a key behind a dash", func(t *semantic.Table) {
				t.Measures[0].Description = "All."
			},
			"    name: gross\n", "    name: gross\n    description: All.\n",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, eol := range []string{"\n", "\r\n"} {
				for _, cutEnd := range []bool{false, true} {
					text, want := human, strings.Replace(human, c.old, c.new, 1)
					if c.old != "" && !strings.Contains(human, c.old) {
						t.Fatalf("no %q", c.old)
					}
					text, want = strings.ReplaceAll(text, "\n", eol), strings.ReplaceAll(want, "\n", eol)
					if cutEnd {
						text, want = strings.TrimSuffix(text, eol), strings.TrimSuffix(want, eol)
					}
					changed := table(t, text)
					c.change(&changed)
					got, err := splice.Rewrite("t.yaml", []byte(text), changed)
					if err != nil {
						t.Fatal(err)
					}
					if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(string(got), "\n")); diff != "" {
						t.Error(diff)
					}
				}
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	for name, text := range map[string]string{
		"anchor":          "table: &a t\n",
		"line separator":  "table: t\ndescription: \"a\u2028b\"\n",
		"carriage return": "table: t\rdescription: x\n",
		"comment between": "table: t\nmeasures:\n  - description: x\n    # why\n    name: m\n    sql: s\n",
	} {
		want := table(t, strings.ReplaceAll(text, "&a ", ""))
		want.Description = "new"
		if len(want.Measures) > 0 {
			want.Measures[0].Description = ""
		}
		_, err := splice.Rewrite("t.yaml", []byte(text), want)
		var refusal *splice.Refusal
		if !errors.As(err, &refusal) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, text := range map[string]string{"tab": "table: t\ncolumns:\n\t- name: a\n", "two documents": "table: t\n---\ntable: u\n", "alias": "table: &a t\ndescription: *a\n"} {
		_, err := splice.Rewrite("t.yaml", []byte(text), semantic.Table{Name: "u"})
		var mistakes yamldoc.Mistakes
		if !errors.As(err, &mistakes) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestRefusesWhatReadsOtherwise holds that the result is read again: a line
// behind the last text block gives it the line's end that it lacked.
func TestRefusesWhatReadsOtherwise(t *testing.T) {
	const text = "table: t\nmeasures:\n  - name: a\n    sql: |\n      x"
	want := table(t, text)
	want.Filters = []semantic.Filter{{Name: "f", SQL: "y"}}
	_, err := splice.Rewrite("t.yaml", []byte(text), want)
	var refusal *splice.Refusal
	if !errors.As(err, &refusal) || refusal.Why != "the result would not read as meant" {
		t.Error(err)
	}
}

func TestCommentsInsideBrackets(t *testing.T) {
	const text = "table: t\nsynonyms: [a, # first\n  b, c]\n"
	want := table(t, text)
	want.Synonyms = []string{"a", "c"}
	var refusal *splice.Refusal
	if _, err := splice.Rewrite("t.yaml", []byte(text), want); !errors.As(err, &refusal) || refusal.Line != 2 {
		t.Error(err)
	}
	want.Synonyms = []string{"a", "b", "c", "d"}
	got, err := splice.Rewrite("t.yaml", []byte(text), want)
	if err != nil || string(got) != "table: t\nsynonyms: [a, # first\n  b, c, d]\n" {
		t.Errorf("%q, %v", got, err)
	}
}

// TestSameNames tells items of one name apart by what else they hold.
func TestSameNames(t *testing.T) {
	const text = "table: t\njoins:\n  - to: a\n    on: x   # billing\n  - to: a\n    on: y   # shipping\n  - to: a\n    on: z   # pickup\n"
	want := table(t, text)
	want.Joins = want.Joins[1:]
	want.Joins[1].Type = semantic.ManyToOne
	got, err := splice.Rewrite("t.yaml", []byte(text), want)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("table: t\njoins:\n  - to: a\n    on: y   # shipping\n  - to: a\n    type: many_to_one\n    on: z   # pickup\n", string(got)); diff != "" {
		t.Error(diff)
	}
}

func TestLists(t *testing.T) {
	one, two := semantic.Example{Question: "one?", SQL: "SELECT 1"}, semantic.Example{Question: "two?", SQL: "SELECT 2\nFROM t\n"}
	for _, c := range []struct {
		text string
		want []semantic.Example
		out  string
	}{
		{"", []semantic.Example{one}, "- question: one?\n  sql: SELECT 1\n"},
		{"# head\n", []semantic.Example{one}, "# head\n- question: one?\n  sql: SELECT 1\n"},
		{"[]\n", []semantic.Example{one}, "\n- question: one?\n  sql: SELECT 1\n"},
		{"- question: one?\n  sql: SELECT 1\n# tail\n", []semantic.Example{one, two}, "- question: one?\n  sql: SELECT 1\n- question: two?\n  sql: |\n    SELECT 2\n    FROM t\n# tail\n"},
		{"# head\n- question: one?\n  sql: SELECT 1\n# tail\n", nil, "# head\n# tail\n"},
		{"[{ question: one?, sql: SELECT 1 }]\n", []semantic.Example{one, two}, "[{ question: one?, sql: SELECT 1 }, { question: two?, sql: \"SELECT 2\\nFROM t\\n\" }]\n"},
		{"-\n  question: one?\n  sql: SELECT 1\n-   question: three?\n    sql: SELECT 3\n", []semantic.Example{two}, "- question: two?\n  sql: |\n    SELECT 2\n    FROM t\n"},
	} {
		got, err := splice.Rewrite("e.yaml", []byte(c.text), c.want)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
		} else if diff := cmp.Diff(c.out, string(got)); diff != "" {
			t.Errorf("%q: %s", c.text, diff)
		}
	}
}

// BenchmarkProfile renews the profiles of 1,000 columns.
func BenchmarkProfile(b *testing.B) {
	want := semantic.Table{Name: "wide"}
	for i := range 1000 {
		low := semantic.Scalar{Text: strconv.Itoa(i), Kind: semantic.NumberScalar}
		want.Columns = append(want.Columns, semantic.Column{Name: "c" + strconv.Itoa(i), Type: "int", Profile: &semantic.Profile{Min: &low, Max: &low}})
	}
	text, err := splice.New(want)
	if err != nil {
		b.Fatal(err)
	}
	for i := range want.Columns {
		high := semantic.Scalar{Text: "9", Kind: semantic.NumberScalar}
		want.Columns[i].Profile = &semantic.Profile{Min: want.Columns[i].Profile.Min, Max: &high}
	}
	for b.Loop() {
		if _, err := splice.Rewrite("t.yaml", text, want); err != nil {
			b.Fatal(err)
		}
	}
}
