package goldlint_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sqbyl/sqbyl/driver"
	_ "github.com/sqbyl/sqbyl/driver/sqlite"
	"github.com/sqbyl/sqbyl/internal/testkit/handed"
	"github.com/sqbyl/sqbyl/internal/toolkit/bench"
	"github.com/sqbyl/sqbyl/internal/toolkit/goldlint"
	"github.com/sqbyl/sqbyl/internal/toolkit/score"
	"github.com/sqbyl/sqbyl/semantic"
)

func linter(t *testing.T, dir string) *goldlint.Linter {
	t.Helper()
	databases := score.InFolder(dir, driver.Options{})
	t.Cleanup(func() {
		if err := databases.Close(); err != nil {
			t.Error(err)
		}
	})
	return &goldlint.Linter{Open: databases.Open}
}

// rows is a table t of a name and a key.
func rows(values, query string) string {
	return "WITH t(name, k) AS (VALUES " + values + ") " + query
}

func TestLint(t *testing.T) {
	l := linter(t, "")
	for _, c := range []struct{ name, gold, want string }{
		{"good", rows("('a', 1), ('b', 2)", "SELECT name FROM t ORDER BY k LIMIT 1"), ""},
		{"no order", rows("('a', 1), ('b', 2)", "SELECT name FROM t"), ""},
		{"refused", "DELETE FROM t", "refused: a statement may not begin with DELETE"},
		{"parameter", "SELECT :x", "refused: :x is a parameter"},
		{"broken", "SELECT nosuch FROM t", "does not run: "},
		{"no rows", "SELECT 1 WHERE 1 = 0", "empty: "},
		{"a NULL", "SELECT NULL", "empty: "},
		{"a zero", "SELECT 0", ""},
		{"tie cut", rows("('a', 1), ('b', 2), ('c', 2)", "SELECT name FROM t ORDER BY k DESC LIMIT 1"), "LIMIT cuts a tie: 2 rows share the key \"2\""},
		{"tie on the page before", rows("('a', 1), ('b', 1), ('c', 2)", "SELECT name FROM t ORDER BY k LIMIT 1 OFFSET 1"), ""},
		{"whole tie", rows("('a', 1), ('b', 2), ('c', 2)", "SELECT name FROM t ORDER BY k DESC LIMIT 2"), ""},
		{"tie of equal rows", rows("('a', 1), ('b', 2), ('b', 2)", "SELECT name FROM t ORDER BY k DESC LIMIT 1"), ""},
		{"tie broken", rows("('a', 1), ('b', 2), ('c', 2)", "SELECT name FROM t ORDER BY k DESC, name LIMIT 1"), ""},
		{"NULL first", rows("('a', NULL), ('b', 2)", "SELECT name FROM t ORDER BY k LIMIT 1"), "NULL sorts first: "},
		{"NULL last", rows("('a', NULL), ('b', 2)", "SELECT name FROM t ORDER BY k DESC LIMIT 1"), ""},
		{"NULL put last", rows("('a', NULL), ('b', 2)", "SELECT name FROM t ORDER BY k NULLS LAST LIMIT 1"), ""},
		{"NULL in the second key", rows("('a', NULL), ('b', 2)", "SELECT name, k FROM t ORDER BY length(name), k LIMIT 1"), ""},
		{"NULL first of two keys", rows("('a', NULL), ('b', 2)", "SELECT name FROM t ORDER BY k, name LIMIT 1"), "NULL sorts first: "},
		{"tie cut by an expression", rows("('a', 1), ('b', 2), ('c', 2)", "SELECT name FROM t ORDER BY k DESC LIMIT (SELECT 1)"), "LIMIT cuts a tie: 2 rows share the key \"2\""},
		{"tie cut beside DISTINCT", rows("('a', 1), ('B', 2), ('b', 2)", "SELECT DISTINCT name FROM t ORDER BY name COLLATE NOCASE DESC LIMIT 1"), "LIMIT cuts a tie: 2 rows share the key "},
		{"no limit at all", rows("('a', NULL), ('b', 2), ('c', 2)", "SELECT name FROM t ORDER BY k LIMIT -1"), ""},
		{"NULL, all rows", rows("('a', NULL), ('b', 2)", "SELECT name FROM t ORDER BY k"), ""},
		{"numbers as text", rows("('a', '9'), ('b', '10'), ('c', '1,200')", "SELECT name FROM t ORDER BY k DESC LIMIT 1"), `numbers sorted as text: its key is text and sorts as text: "9" stands next to "10"`},
		{"numbers as text, as wide", rows("('a', '09'), ('b', '10')", "SELECT name FROM t ORDER BY k DESC LIMIT 1"), ""},
		{"numbers cast", rows("('a', '9'), ('b', '10')", "SELECT name FROM t ORDER BY CAST(k AS INTEGER) DESC LIMIT 1"), ""},
		{"words", rows("('a', 'x9'), ('b', 'x10')", "SELECT name FROM t ORDER BY k DESC LIMIT 1"), ""},
	} {
		found := l.Lint(t.Context(), []bench.Item{{Question: bench.Question{ID: "q", Question: c.name, GoldSQL: c.gold}}})
		var got []string
		for _, f := range found {
			got = append(got, string(f.Kind)+": "+f.Text)
		}
		if all := strings.Join(got, "\n"); c.want == "" && all != "" || c.want != "" && (len(got) != 1 || !strings.HasPrefix(all, c.want)) {
			t.Errorf("%s: %q, want %q", c.name, all, c.want)
		}
	}
}

func TestLintOfAList(t *testing.T) {
	items := bench.Items([]bench.Question{
		{ID: "a", Question: "How  many?", Gold: []string{"SELECT 1", "DROP TABLE t"}},
		{ID: "b", Question: "how many?", GoldSQL: "SELECT 1"},
		{ID: "c", Question: "None?"},
		{ID: "d", Question: "Nothing to know?", Unanswerable: true},
		{ID: "e", Question: "Not now?", GoldSQL: "nonsense", Quarantine: "wrong"},
		{ID: "f", Question: "Which?", GoldAsset: "top", Params: map[string]semantic.Scalar{"n": {Text: "1", Kind: semantic.NumberScalar}}},
		{ID: "g", Question: "Which of none?", GoldAsset: "top"},
	}, []semantic.Asset{{Name: "top", Params: []semantic.Param{{Name: "n", Type: "integer"}}, SQL: rows("('a', 1), ('b', 1)", "SELECT name FROM t WHERE k >= :n ORDER BY k LIMIT 1")}})
	var got []string
	for _, f := range linter(t, "").Lint(t.Context(), items) {
		got = append(got, f.ID+" "+string(f.Kind)+": "+f.Text)
	}
	want := []string{"a refused: gold 2: ", "b same question: asks the same as a", "c no gold: ", "f LIMIT cuts a tie: ", "g does not run: top: the parameter n (integer) has no value"}
	if len(got) != len(want) {
		t.Fatalf("%q", got)
	}
	for i := range want {
		if !strings.HasPrefix(got[i], want[i]) {
			t.Errorf("%q, want %q", got[i], want[i])
		}
	}
}

// TestLintOfPublishedQuestions finds what people found in them.
func TestLintOfPublishedQuestions(t *testing.T) {
	dir := handed.Data(t, "bird_layout")
	f, err := os.Open(filepath.Join(dir, "mini_dev_sqlite.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	items, err := bench.ReadBIRD(f, "mini_dev_sqlite.json")
	if err != nil {
		t.Fatal(err)
	}
	l := linter(t, filepath.Join(dir, "dev_databases"))
	l.Each = (&score.Runner{}).Each
	counts := map[goldlint.Kind]int{}
	for _, f := range l.Lint(t.Context(), items) {
		counts[f.Kind]++
		if f.Kind != goldlint.Empty && f.Kind != goldlint.Duplicate {
			t.Logf("%s %s: %s: %s", f.DB, f.ID, f.Kind, f.Text)
		}
	}
	t.Log(counts)
	// A busy machine may give up on a slow one.
	if counts[goldlint.Refused]+counts[goldlint.Broken] > 0 || counts[goldlint.NotRun] > 10 || counts[goldlint.TieCut] < 10 || counts[goldlint.Empty] < 10 {
		t.Error(counts)
	}
}
