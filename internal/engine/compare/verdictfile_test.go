package compare

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/testkit/handed"
)

type storedResult struct {
	Columns []string     `json:"columns"`
	Rows    [][]db.Value `json:"rows"`
	Omitted bool         `json:"omitted"`
	Error   string       `json:"error"`
}

func (s *storedResult) result() *db.Result {
	r := &db.Result{Rows: s.Rows}
	for _, name := range s.Columns {
		r.Columns = append(r.Columns, db.Column{Name: name})
	}
	return r
}

type storedCase struct {
	ID       string `json:"id"`
	Variant  string `json:"variant"`
	Gold     string `json:"gold"`
	Pred     string `json:"pred"`
	Official map[string]any
	Facts    struct {
		Set      *bool `json:"set_equal"`
		Multiset *bool `json:"multiset_equal"`
		List     *bool `json:"list_equal"`
	}
	GoldResult storedResult `json:"gold_result"`
	PredResult storedResult `json:"pred_result"`
}

func storedCases(t testing.TB) []storedCase {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(handed.Data(t), "verdicts", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no verdict files: %v", err)
	}
	var out []storedCase
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 16<<20)
		for lines.Scan() {
			var c storedCase
			if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			out = append(out, c)
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	return out
}

func TestRulesAgreeWithOtherEvaluatorsOnStoredResults(t *testing.T) {
	n := 0
	for _, c := range storedCases(t) {
		if c.GoldResult.Omitted || c.PredResult.Omitted || c.GoldResult.Error != "" || c.PredResult.Error != "" {
			continue
		}
		n++
		r := Results(Gold{Result: c.GoldResult.result()}, c.PredResult.result(), Options{})
		if official := c.Official["bird_ex"] == 1.0; r.Rules.Bird != official || r.Rules.Bird != *c.Facts.Set {
			t.Errorf("%s: bird %v, official %v", c.ID, r.Rules.Bird, official)
		}
		if r.Rules.Strict != *c.Facts.Multiset {
			t.Errorf("%s: strict %v, multiset %v", c.ID, r.Rules.Strict, *c.Facts.Multiset)
		}
		list := Results(Gold{Result: c.GoldResult.result(), Ordered: true}, c.PredResult.result(), Options{})
		if list.Rules.Ordered != *c.Facts.List {
			t.Errorf("%s: ordered %v, list %v", c.ID, list.Rules.Ordered, *c.Facts.List)
		}
		if (r.Verdict == Exact) != (r.Rules.Strict && len(c.GoldResult.Columns) == len(c.PredResult.Columns)) {
			t.Errorf("%s: verdict %s, strict %v", c.ID, r.Verdict, r.Rules.Strict)
		}
		if r.Verdict != Exact && r.Difference == "" {
			t.Errorf("%s: no difference for %s", c.ID, r.Verdict)
		}
		if os.Getenv("SHOW") != "" {
			t.Logf("%s %s %s: %s %+v sqbyl %v %v", c.ID, c.Variant, r.Verdict, r.Difference, r.Rules, c.Official["sqbyl_exact"], c.Official["sqbyl_superset"])
		}
	}
	if n < 3500 {
		t.Errorf("only %d cases compared", n)
	}
}
