package score

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sqbyl/sqbyl/internal/engine/compare"
	"github.com/sqbyl/sqbyl/internal/testkit/golden"
)

// reading is why another evaluator and a rule of ours say different things of
// results that stand on one of the rungs.
type reading struct {
	evaluators string // separated by blanks
	theyYes    bool
	rungs      []compare.Verdict
	why        string
}

// readings explain every disagreement; the first that fits is the reason.
var readings = []reading{
	{"*", true, []compare.Verdict{compare.NoSQL, compare.Refused}, "what is no query, or more than one statement, is never right; they run the first statement, or count an empty result as the gold's"},
	{"spider_ts spider_ts_keep_distinct", true, []compare.Verdict{compare.DidNotRun}, "they repair \"> =\" before running it"},

	{"sqbyl_exact sqbyl_superset", true, []compare.Verdict{compare.Disjoint, compare.Overlap, compare.Rounding}, "they round numbers to 6 places and trim blanks around text; here 1e-9 decides and blanks count"},
	{"sqbyl_exact sqbyl_superset", false, []compare.Verdict{compare.Rounding}, "they compare 6 places absolutely; here large numbers may differ by 1e-9 of their size"},

	{"spider_ts spider_ts_keep_distinct", true, []compare.Verdict{compare.ExtraColumns, compare.MissingColumns}, "two empty results are the same for them whatever their columns; a column rule wants the gold's columns"},
	{"spider_ts", true, []compare.Verdict{compare.Duplicates, compare.Disjoint}, "they delete DISTINCT from both texts, so COUNT(DISTINCT x) becomes COUNT(x)"},
	{"spider_ts", false, []compare.Verdict{compare.Exact}, "they delete DISTINCT from both texts, and take the words \"order by\" anywhere in the gold, in a text or a subquery too, for an order"},
	{"spider_ts_keep_distinct", false, []compare.Verdict{compare.Exact}, "they take the words \"order by\" anywhere in the gold for an order, and know no ties"},
	{"spider_ts spider_ts_keep_distinct", false, []compare.Verdict{compare.Rounding}, "they compare floats exactly"},
	{"spider_ts spider_ts_keep_distinct", false, []compare.Verdict{compare.Ties}, "they compare rows that a LIMIT cuts out of a tie; here any rows of the tie are right"},

	{"defog_exact defog_subset", true, []compare.Verdict{compare.Duplicates, compare.RowsExtra, compare.RowsMissing}, "they drop duplicates, and one row against several equal ones, or no row against one, passes their first test"},
	{"defog_exact defog_subset", true, []compare.Verdict{compare.Disjoint, compare.MissingColumns, compare.ColumnOrder, compare.ExtraColumns}, "their first test spreads one row or column over the others, and exact sorts columns by name"},
	{"defog_subset", true, []compare.Verdict{compare.Rounding, compare.Overlap, compare.Disjoint}, "they allow floats 1e-5 of their size"},
	{"defog_exact", false, []compare.Verdict{compare.Rounding}, "they compare floats exactly"},
	{"defog_exact defog_subset", false, []compare.Verdict{compare.Exact, compare.RowOrder, compare.ExtraColumns}, "order counts for them where the question says order or sort; the tolerant rules leave order to the ordered one. Text that is not UTF-8 cannot be read by them"},

	{"spider2_ordered spider2_ignore_order", true, []compare.Verdict{compare.Disjoint, compare.Overlap, compare.Rounding}, "they allow 0.01, read every value from CSV ('1' is 1, '' is NULL, NULL is 0), and sort each column apart"},
	{"spider2_ordered spider2_ignore_order", true, []compare.Verdict{compare.MissingColumns}, "one column of the answer may serve for two of the gold"},
	{"spider2_ordered", false, []compare.Verdict{compare.Exact, compare.RowOrder}, "they compare row by row; the superset rule leaves order to the ordered one"},

	{"archerfish_star", true, []compare.Verdict{compare.Duplicates}, "they drop duplicates where names agree"},
	{"archerfish_star", true, []compare.Verdict{compare.Disjoint, compare.Rounding, compare.MissingColumns}, "they compare numbers to one place, values of different kinds as text, and let one column serve for two"},
	{"archerfish_star", false, []compare.Verdict{compare.Exact, compare.Rounding, compare.ColumnOrder}, "1 is not 1.0 for them once columns are compared by name, and a name that is there is not looked for elsewhere"},
}

// against are the rules of ours each evaluator comes nearest to.
var against = []struct {
	evaluator, rule string
	says            func(tolerant, anyOrder Outcome) bool
}{
	{"sqbyl_exact", "tolerant", func(o, _ Outcome) bool { return o.Rules.Tolerant }},
	{"sqbyl_superset", "superset", func(o, _ Outcome) bool { return o.Rules.Superset }},
	{"spider_ts", "columns: any_order", func(_, o Outcome) bool { return o.Headline }},
	{"spider_ts_keep_distinct", "columns: any_order", func(_, o Outcome) bool { return o.Headline }},
	{"defog_exact", "tolerant", func(o, _ Outcome) bool { return o.Rules.Tolerant }},
	{"defog_subset", "superset", func(o, _ Outcome) bool { return o.Rules.Superset }},
	{"spider2_ordered", "superset", func(o, _ Outcome) bool { return o.Rules.Superset }},
	{"spider2_ignore_order", "superset", func(o, _ Outcome) bool { return o.Rules.Superset }},
	{"archerfish_star", "superset", func(o, _ Outcome) bool { return o.Rules.Superset }},
	{"dbt_equiv", "superset", func(o, _ Outcome) bool { return o.Rules.Superset }},
}

func reason(evaluator string, theyYes bool, v compare.Verdict) string {
	for _, r := range readings {
		names := strings.Fields(r.evaluators)
		if r.theyYes == theyYes && (names[0] == "*" || slices.Contains(names, evaluator)) && slices.Contains(r.rungs, v) {
			return r.why
		}
	}
	return ""
}

// Every disagreement of the tolerant and the column rules with another
// evaluator has a written reason; docs/comparator.md counts them.
func TestDisagreementsHaveAReason(t *testing.T) {
	cases := verdictCases(t)
	r := &Runner{Open: verdictDatabases(t)}
	plain, anyOrder := make([]Outcome, len(cases)), make([]Outcome, len(cases))
	r.Each(len(cases), func(i int) {
		c := Case{DB: cases[i].DB, Golds: []string{cases[i].Gold}}
		plain[i] = r.Score(context.Background(), c, cases[i].Pred)[0]
		c.Options.Columns = compare.AnyOrder
		anyOrder[i] = r.Score(context.Background(), c, cases[i].Pred)[0]
	})
	var text strings.Builder
	text.WriteString("| evaluator | our rule | agree | it fails on the pair | they yes, we no | we yes, they no |\n|---|---|---|---|---|---|\n")
	var reasons strings.Builder
	for _, a := range against {
		agree, failed := 0, 0
		counts := map[bool]map[string]int{true: {}, false: {}}
		totals := map[bool]int{}
		for i, c := range cases {
			official, judged := c.Official[a.evaluator]
			ours := a.says(plain[i], anyOrder[i])
			switch {
			case !judged:
			case official != 1.0 && official != 0.0:
				failed++
			case (official == 1.0) == ours:
				agree++
			default:
				why := reason(a.evaluator, !ours, plain[i].Verdict)
				if why == "" {
					t.Errorf("%s: %s says %v, %s says %v, without a reason: %s: %s", c.ID, a.evaluator, official, a.rule, ours, plain[i].Verdict, plain[i].Difference)
				}
				counts[!ours][why]++
				totals[!ours]++
			}
		}
		fmt.Fprintf(&text, "| %s | %s | %d | %d | %d | %d |\n", a.evaluator, a.rule, agree, failed, totals[true], totals[false])
		for _, theyYes := range []bool{true, false} {
			for _, why := range sortedKeys(counts[theyYes]) {
				who := "we yes"
				if theyYes {
					who = "they yes"
				}
				fmt.Fprintf(&reasons, "- %s, %s, %d: %s.\n", a.evaluator, who, counts[theyYes][why], why)
			}
		}
	}
	section(t, text.String()+"\n"+reasons.String())
}

func sortedKeys(m map[string]int) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// section holds the generated part of docs/comparator.md against text.
func section(t *testing.T, text string) {
	t.Helper()
	const begin, end = "<!-- generated: go test ./internal/toolkit/score -update -->\n", "<!-- end of generated -->"
	path := filepath.Join("..", "..", "..", "docs", "comparator.md")
	doc, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(doc), begin)
	old, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no generated part", path)
	}
	switch {
	case old == text:
	case golden.Updating():
		if err := os.WriteFile(path, []byte(head+begin+text+end+tail), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s is not up to date (-update writes it); want\n%s", path, text)
	}
}
