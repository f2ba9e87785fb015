package bench_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sqbyl/sqbyl/internal/toolkit/bench"
	"github.com/sqbyl/sqbyl/semantic"
)

func parse(t *testing.T, text string) *bench.Set {
	t.Helper()
	set, err := bench.Parse(strings.NewReader(text), "dev.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func lines(mistakes []bench.Mistake) string {
	var b strings.Builder
	for _, m := range mistakes {
		b.WriteString(m.String() + "\n")
	}
	return b.String()
}

const everything = `# head
- id: q1
  question: How much?
  gold_asset: net_revenue
  params: { from_day: "2025-01-01", n: 10 }
  order: strict
  columns: superset
  tolerance: 0.01
  eval_note: "Net of refunds."
  difficulty: easy
  tags: [a, b]
  canonical: true
- id: q2
  question: How much is it?
  gold: [SELECT 1, "SELECT 2"]
  variant_of: q1
  quarantine: gold moves
- id: q3
  question: Who is late?
  unanswerable: true
`

func TestParse(t *testing.T) {
	tolerance := 0.01
	want := []bench.Question{
		{
			ID: "q1", Question: "How much?", GoldAsset: "net_revenue", Order: bench.OrderStrict, Columns: bench.ColumnsSuperset, Tolerance: &tolerance,
			Params:   map[string]semantic.Scalar{"from_day": {Text: "2025-01-01"}, "n": {Text: "10", Kind: semantic.NumberScalar}},
			EvalNote: "Net of refunds.", Difficulty: "easy", Tags: []string{"a", "b"}, Canonical: true,
		},
		{ID: "q2", Question: "How much is it?", Gold: []string{"SELECT 1", "SELECT 2"}, VariantOf: "q1", Quarantine: "gold moves"},
		{ID: "q3", Question: "Who is late?", Unanswerable: true},
	}
	if diff := cmp.Diff(want, parse(t, everything).Questions); diff != "" {
		t.Error(diff)
	}
	text, err := bench.Write(want)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, parse(t, string(text)).Questions); diff != "" {
		t.Error(diff)
	}
}

const wrong = `- id: q1
  question: Secret one
  gold_sql: SELECT secret
  gold_asset: secret
- id: q1
  question: Secret two
  gold_sql: SELECT secret
- id: two words
  question: Secret three
  unanswerable: true
  gold_sql: SELECT secret
- id: q4
  qestion: Secret four
  order: secret
  canonical: Secret
- id: q6
  question: Secret six
  gold: [SELECT secret, ""]
  Secret seven: 1
  variant_of: q6
- id: q7
  question: Secret seven
  params: { a: secret }
- Secret: eight
- Secret nine
- id: q10
  question: ""
  gold_sql: ""
  tolerance: -1
`

func TestAllMistakesAtOnce(t *testing.T) {
	_, err := bench.Parse(strings.NewReader(wrong), "dev.yaml")
	var mistakes bench.Mistakes
	if !errors.As(err, &mistakes) {
		t.Fatal(err)
	}
	want := `dev.yaml:4:15  q1 has both gold_sql and gold_asset (keep one; gold: takes a list of right answers)
dev.yaml:5:7  the id q1 is taken by the question in line 1 (ids are unique in a file)
dev.yaml:8:7  an id is one word without spaces (write q_revenue_2025)
dev.yaml:10:17  the question has both gold_sql and unanswerable (keep one; gold: takes a list of right answers)
dev.yaml:13:3  unknown key "qestion" (did you mean question?)
dev.yaml:14:10  order is "secret", which it cannot be (one of auto, any, strict)
dev.yaml:15:14  canonical is "Secret", true or false is wanted
dev.yaml:18:9  q6.gold[2] is empty (remove the item)
dev.yaml:19:3  unknown key "Secret seven" (known here: id, question, gold_sql, gold_asset, params, gold, order, columns, tolerance, eval_note, difficulty, tags, canonical, variant_of, unanswerable, quarantine)
dev.yaml:20:15  q6 is a variant of itself
dev.yaml:23:11  q7 has params, but no gold_asset that takes them
dev.yaml:24:3  unknown key "Secret" (known here: id, question, gold_sql, gold_asset, params, gold, order, columns, tolerance, eval_note, difficulty, tags, canonical, variant_of, unanswerable, quarantine)
dev.yaml:24:3  this entry lacks the key id
dev.yaml:24:3  this entry lacks the key question
dev.yaml:25:3  this entry holds a single value, keys with values are wanted
dev.yaml:27:13  question is empty
dev.yaml:28:13  q10.gold_sql is empty (remove the line)
dev.yaml:29:14  tolerance is -1, it must be at least 0
`
	if diff := cmp.Diff(want, lines(mistakes)); diff != "" {
		t.Error(diff)
	}
}

func TestHidden(t *testing.T) {
	for _, text := range []string{wrong, "- id: *secret\n", "- id: &secret a\n- *secret\n", "- secret: [\n", "%SECRET\n", "- id: !secret x\n", "- {id: a, question: b, gold_sql: c, secret: [}\n"} {
		_, err := bench.ParseHidden(strings.NewReader(text), "test.yaml", nil)
		if err == nil {
			t.Errorf("%q is accepted", text)
		} else if strings.Contains(strings.ToLower(err.Error()), "secret") || strings.Contains(err.Error(), "two words") {
			t.Errorf("shows what it hides: %v", err)
		}
	}
}

func TestVariants(t *testing.T) {
	const text = "- {id: a1, question: x, gold_sql: s}\n- {id: a2, question: y, gold_sql: s, variant_of: a9}\n- {id: a3, question: z, gold_sql: s, variant_of: a1, canonical: true}\n"
	_, err := bench.Parse(strings.NewReader(text), "dev.yaml")
	var mistakes bench.Mistakes
	if !errors.As(err, &mistakes) {
		t.Fatal(err)
	}
	want := `dev.yaml:2:50  variant_of "a9": no such id (nearest: a1, a2, a3)
dev.yaml:3:50  a3 is canonical and a variant (keep one of the two keys)
`
	if diff := cmp.Diff(want, lines(mistakes)); diff != "" {
		t.Error(diff)
	}
}

func TestWarnings(t *testing.T) {
	set := parse(t, "- id: a\n  question: How  many?\n- id: b\n  question: how many?\n  gold_sql: SELECT 1\n")
	want := `dev.yaml:1:3  a has no gold: its answers can only be judged (add gold_sql, gold_asset or gold, or unanswerable: true)
dev.yaml:3:3  b asks the same as a (keep one of the two)
`
	if diff := cmp.Diff(want, lines(set.Warnings)); diff != "" {
		t.Error(diff)
	}
}

func TestAppend(t *testing.T) {
	more := []bench.Question{{ID: "n1", Question: "New: one?", GoldSQL: "SELECT 1\nFROM t\n", Tags: []string{"x"}}}
	for _, text := range []string{
		"", "# only a comment", everything, strings.TrimSuffix(everything, "\n"), strings.ReplaceAll(everything, "\n", "\r\n"),
		"  - id: a\n    question: b\n    gold_sql: c\n# tail\n",
	} {
		got, err := bench.Append([]byte(text), "dev.yaml", more)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if !strings.HasPrefix(string(got), text) {
			t.Errorf("%q: what stood there has changed: %q", text, got)
		}
		want := append(parse(t, text).Questions, more...)
		if diff := cmp.Diff(want, parse(t, string(got)).Questions, cmpopts.EquateEmpty()); diff != "" {
			t.Error(diff)
		}
		if strings.Contains(text, "\r\n") && strings.Count(string(got), "\n") != strings.Count(string(got), "\r\n") {
			t.Errorf("mixes line ends: %q", got)
		}
	}
	for _, text := range []string{"[{ id: a, question: b, gold_sql: c }]", "- id: n1\n  question: b\n  gold_sql: c\n"} {
		if got, err := bench.Append([]byte(text), "dev.yaml", more); err == nil {
			t.Errorf("%q: %s", text, got)
		}
	}
}

func TestHash(t *testing.T) {
	hash := func(text string) string {
		h, err := bench.Hash(parse(t, text).Questions)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	a := hash("- {id: a, question: x, gold_sql: s}\n- {id: b, question: y, gold_sql: s}\n")
	if a != hash("# c\n- id: b\n  question: y\n  gold_sql: s\n- id: a\n  question: 'x'\n  gold_sql: s\n") {
		t.Error("layout changes the hash")
	}
	if a == hash("- {id: a, question: x, gold_sql: s}\n- {id: b, question: z, gold_sql: s}\n") {
		t.Error("a question does not change the hash")
	}
}

// TestFilesOfOthers reads every benchmark file that lies at hand.
func TestFilesOfOthers(t *testing.T) {
	var files []string
	for _, pattern := range []string{"../project/testdata/specification/benchmarks/*.yaml", "../../../examples/*/benchmarks/*.yaml", "../../../../shared/data/project_yaml/*/benchmarks/*.yaml"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		set, err := bench.Parse(f, filepath.Base(file))
		if err != nil {
			t.Errorf("%s: %v", file, err)
		} else if len(set.Questions) == 0 {
			t.Errorf("%s: no questions", file)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestDifficulties(t *testing.T) {
	const text = `- {id: a, question: A, gold_sql: s, difficulty: esy}
- {id: b, question: B, gold_sql: s, difficulty: level1}
- {id: c, question: C, gold_sql: s, difficulty: level2}
- {id: d, question: D, gold_sql: s, difficulty: level2}
- {id: e, question: E, gold_sql: s, difficulty: levle2}
- {id: f, question: F, gold_sql: s, difficulty: Easy}
- {id: g, question: G, gold_sql: s, difficulty: extra}
- {id: h, question: H, gold_sql: s, difficulty: [hard]}
- {id: i, question: I, gold_sql: s, difficulty: X}
- {id: j, question: J, gold_sql: s, difficulty: hard}
`
	_, err := bench.Parse(strings.NewReader(text), "dev.yaml")
	var mistakes bench.Mistakes
	if !errors.As(err, &mistakes) {
		t.Fatal(err)
	}
	want := `dev.yaml:1:49  a.difficulty is "esy", which no other question has (did you mean easy?)
dev.yaml:5:49  e.difficulty is "levle2", which no other question has (did you mean level2?)
dev.yaml:6:49  f.difficulty is "Easy", which no other question has (did you mean easy?)
dev.yaml:8:49  difficulty holds a list, one value is wanted
`
	if diff := cmp.Diff(want, lines(mistakes)); diff != "" {
		t.Error(diff)
	}
}
