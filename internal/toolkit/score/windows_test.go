package score

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sqbyl/sqbyl/internal/engine/compare"
	"github.com/sqbyl/sqbyl/semantic"
)

// arrangements lists every list of some of the names, each once at most.
func arrangements(names []string) [][]string {
	all := [][]string{nil}
	for i, name := range names {
		rest := append(append([]string{}, names[:i]...), names[i+1:]...)
		for _, tail := range arrangements(rest) {
			all = append(all, append([]string{name}, tail...))
		}
	}
	return all
}

// standsIn reports that the names are so many of ant, of bee and cat, and of
// dog, in this order.
func standsIn(names []string, shown [3]int) bool {
	price := map[string]int{"ant": 0, "bee": 1, "cat": 1, "dog": 2}
	at := 0
	for tie, n := range shown {
		for range n {
			if at >= len(names) || price[names[at]] != tie {
				return false
			}
			at++
		}
	}
	return at == len(names)
}

// windows holds every answer there is to a question whose rows are cut out of
// ties against what plain counting says of it.
func windows(t *testing.T, r *Runner, engine string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "windows.test"))
	if err != nil {
		t.Fatal(err)
	}
	costs := map[string]string{"ant": "3", "bee": "2", "cat": "2", "dog": "1"}
	answers := arrangements([]string{"ant", "bee", "cat", "dog"})
	ran := 0
	for line := range strings.Lines(string(text)) {
		parts := strings.Split(strings.TrimSpace(line), "|")
		if len(parts) != 3 || !strings.Contains(parts[0], engine) {
			continue
		}
		var shown [3]int
		if _, err := fmt.Sscan(parts[2], &shown[0], &shown[1], &shown[2]); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		ran++
		for _, form := range []string{
			"SELECT name FROM item ORDER BY price DESC %",
			"SELECT DISTINCT name, price FROM item ORDER BY 2 DESC %",
			"SELECT name, price FROM item WHERE kind = 'a' UNION ALL SELECT name, price FROM item WHERE kind = 'b' ORDER BY price DESC %;",
		} {
			gold := strings.Replace(form, "%", strings.TrimSpace(parts[1]), 1)
			priced := strings.Contains(form, ", price")
			if strings.Contains(form, "UNION") && strings.Contains(parts[0], engine+"/plain") {
				continue
			}
			sql := make([]string, len(answers))
			for i, names := range answers {
				sql[i] = rowsOf(names, costs, priced)
			}
			for i, out := range r.Score(context.Background(), Case{Golds: []string{gold}}, sql...) {
				want := standsIn(answers[i], shown)
				if out.Rules.Ordered != want || !out.Verdict.Charged() || want != (out.Verdict == compare.Exact || out.Verdict == compare.Ties) {
					t.Errorf("%s\n  %s\n  is %s, in order %v (%s), want %v", gold, sql[i], out.Verdict, out.Rules.Ordered, out.Difference, want)
					break
				}
			}
		}
	}
	two := map[string]semantic.Scalar{"rows": {Text: "1", Kind: semantic.NumberScalar}, "skipped": {Text: "1", Kind: semantic.NumberScalar}}
	trusted := semantic.Asset{
		Name: "page", SQL: "SELECT name FROM item ORDER BY price DESC LIMIT :rows OFFSET :skipped",
		Params: []semantic.Param{{Name: "rows", Type: "integer"}, {Name: "skipped", Type: "integer"}},
	}
	for i, out := range r.Score(context.Background(), Case{Asset: &trusted, Params: two}, "SELECT 'bee'", "SELECT 'cat'", "SELECT 'ant'") {
		if out.Rules.Ordered != (i < 2) || !out.Verdict.Charged() {
			t.Errorf("a page of a trusted query: %s (%s)", out.Verdict, out.Difference)
		}
	}
	if ran < 10 {
		t.Errorf("%d forms for %s", ran, engine)
	}
}

func rowsOf(names []string, costs map[string]string, priced bool) string {
	var parts []string
	for _, name := range names {
		part := "SELECT '" + name + "' AS name"
		if priced {
			part += ", " + costs[name] + " AS price"
		}
		parts = append(parts, part)
	}
	switch {
	case len(parts) > 0:
		return strings.Join(parts, " UNION ALL ")
	case priced:
		return "SELECT name, price FROM item WHERE 1 = 0"
	}
	return "SELECT name FROM item WHERE 1 = 0"
}
