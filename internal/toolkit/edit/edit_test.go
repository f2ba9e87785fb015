package edit_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/sqbyl/sqbyl/internal/toolkit/bench"
	"github.com/sqbyl/sqbyl/internal/toolkit/edit"
	"github.com/sqbyl/sqbyl/internal/toolkit/edit/splice"
	"github.com/sqbyl/sqbyl/internal/toolkit/project"
	"github.com/sqbyl/sqbyl/semantic"
)

var files = map[string]string{
	"sqbyl.yaml": "name: t\ndatabase: { url: 'sqlite:t.db' }\n",
	"semantics/orders.yaml": `# Orders.
table: orders
synonyms: [purchases, "sales"]   # words
columns:
  - name: order_id   # key
  - name: status
    synonyms:
      - state

joins:
  - to: addresses
    on: orders.billing_id = addresses.id   # billing
  - to: addresses
    on: orders.shipping_id = addresses.id   # shipping
measures:
  - name: net_revenue
    sql: "SUM(x)"   # cents
filters:
  - name: recent
    sql: a > 1
# end
`,
	"semantics/addresses.yaml": "table: addresses\ncolumns:\n- name: id",
	"examples/revenue.yaml":    "# Revenue.\n- question: How much?\n  sql: SELECT 1   # one\n\n- question: How many?\n  sql: |\n    SELECT 2\n",
	"examples/other.yaml":      "[]\n",
	"instructions.md":          "# Rules\r\n\r\n- Money is in cents.\r\n- The fiscal year starts in February.\r\n\r\n",
	"benchmarks/dev.yaml":      "# Dev.\n- id: q1\n  question: How much?\n  gold_sql: SELECT 1\n\n- id: q2\n  question: How many?\n  gold_sql: SELECT 2\n",
	"benchmarks/test.yaml":     "- id: held\n  question: zebra\n",
	"trusted/mrr.sql":          "-- @name: mrr\nSELECT 1;\n",
}

func folder(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// failing is what testing.T and rapid.T share.
type failing interface {
	Helper()
	Fatal(args ...any)
}

func load(t failing, dir string) *project.Project {
	t.Helper()
	p, err := project.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func snapshot(t failing, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, relErr := filepath.Rel(dir, path)
		if name = filepath.ToSlash(name); !strings.HasPrefix(name, ".sqbyl/") {
			out[name] = string(text)
		}
		return errors.Join(err, relErr)
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func apply(t failing, dir string, edits ...edit.Edit) {
	t.Helper()
	plan, err := edit.NewPlan(load(t, dir), edits...)
	if err != nil {
		t.Fatal(err)
	}
	if err := plan.Apply(time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
}

func TestEachEdit(t *testing.T) {
	number := func(s string) *semantic.Scalar { return &semantic.Scalar{Text: s, Kind: semantic.NumberScalar} }
	for _, c := range []struct {
		name     string
		edit     edit.Edit
		file     string
		old, new string
	}{
		{"table description", edit.Describe{Table: "orders", Text: "One row an order: all."}, "semantics/orders.yaml", "table: orders\n", "table: orders\ndescription: \"One row an order: all.\"\n"},
		{"column description", edit.Describe{Table: "orders", Column: "order_id", Text: "Key."}, "semantics/orders.yaml", "  - name: order_id   # key\n", "  - name: order_id   # key\n    description: Key.\n"},
		{"table synonym", edit.AddSynonym{Table: "orders", Word: "buys"}, "semantics/orders.yaml", `"sales"]`, `"sales", buys]`},
		{"column synonym", edit.AddSynonym{Table: "orders", Column: "status", Word: "condition"}, "semantics/orders.yaml", "      - state\n", "      - state\n      - condition\n"},
		{"measure synonym", edit.AddSynonym{Table: "orders", Measure: "net_revenue", Word: "revenue"}, "semantics/orders.yaml", "  - name: net_revenue\n", "  - name: net_revenue\n    synonyms: [revenue]\n"},
		{"synonym gone", edit.DropSynonym{Table: "orders", Word: "purchases"}, "semantics/orders.yaml", "[purchases, \"sales\"]", "[\"sales\"]"},
		{"new measure", edit.PutMeasure{Table: "orders", Measure: semantic.Measure{Name: "n", SQL: "COUNT(*)"}}, "semantics/orders.yaml", "filters:\n", "  - name: \"n\"\n    sql: COUNT(*)\nfilters:\n"},
		{"changed measure", edit.PutMeasure{Table: "orders", Measure: semantic.Measure{Name: "net_revenue", SQL: "SUM(y)"}}, "semantics/orders.yaml", `"SUM(x)"`, `"SUM(y)"`},
		{"measure gone", edit.DropMeasure{Table: "orders", Name: "net_revenue"}, "semantics/orders.yaml", "measures:\n  - name: net_revenue\n    sql: \"SUM(x)\"   # cents\n", ""},
		{"new filter", edit.PutFilter{Table: "addresses", Filter: semantic.Filter{Name: "here", SQL: "x = 1"}}, "semantics/addresses.yaml", "- name: id", "- name: id\nfilters:\n- name: here\n  sql: x = 1"},
		{"filter gone", edit.DropFilter{Table: "orders", Name: "recent"}, "semantics/orders.yaml", "filters:\n  - name: recent\n    sql: a > 1\n", ""},
		{"changed join", edit.PutJoin{Table: "orders", Join: semantic.Join{To: "addresses", On: "orders.shipping_id  = addresses.id", Type: semantic.ManyToOne}}, "semantics/orders.yaml", "  - to: addresses\n    on: orders.shipping_id = addresses.id   # shipping\n", "  - to: addresses\n    type: many_to_one\n    on: orders.shipping_id  = addresses.id   # shipping\n"},
		{"join gone", edit.DropJoin{Table: "orders", To: "addresses", On: "orders.billing_id = addresses.id"}, "semantics/orders.yaml", "  - to: addresses\n    on: orders.billing_id = addresses.id   # billing\n", ""},
		{"profile", edit.PutTable{Table: semantic.Table{Name: "addresses", Columns: []semantic.Column{{Name: "id", Profile: &semantic.Profile{Min: number("1")}}}}}, "semantics/addresses.yaml", "- name: id", "- name: id\n  profile: { min: 1 }"},
		{"new table", edit.PutTable{Table: semantic.Table{Name: "sales.x", Description: "X."}}, "semantics/sales.x.yaml", "", project.SchemaLine("semantics") + "table: sales.x\ndescription: X.\n"},
		{"new example", edit.PutExample{File: "revenue", Example: semantic.Example{Question: "Who?", SQL: "SELECT 3"}}, "examples/revenue.yaml", "    SELECT 2\n", "    SELECT 2\n\n- question: Who?\n  sql: SELECT 3\n"},
		{"new example file", edit.PutExample{File: "growth", Example: semantic.Example{Question: "Who?", SQL: "SELECT 3", Tags: []string{"a"}}}, "examples/growth.yaml", "", project.SchemaLine("examples") + "- question: Who?\n  sql: SELECT 3\n  tags: [a]\n"},
		{"changed example, in its file", edit.PutExample{File: "growth", Example: semantic.Example{Question: "how  much?", SQL: "SELECT 9"}}, "examples/revenue.yaml", "sql: SELECT 1   # one\n", "sql: SELECT 9   # one\n"},
		{"example gone", edit.DropExample{Question: "How many?"}, "examples/revenue.yaml", "- question: How many?\n  sql: |\n    SELECT 2\n", ""},
		{"new instruction", edit.AddInstruction{Line: "Say hello."}, "instructions.md", "February.\r\n", "February.\r\n- Say hello.\r\n"},
		{"changed instruction", edit.ChangeInstruction{Old: "Money is in cents.", New: "Money is in euros."}, "instructions.md", "cents", "euros"},
		{"instruction gone", edit.DropInstruction{Line: "- Money is in cents."}, "instructions.md", "- Money is in cents.\r\n", ""},
		{"new asset", edit.AddAsset{Asset: semantic.Asset{Name: "late", Params: []semantic.Param{{Name: "day", Type: "date"}}, SQL: "SELECT :day"}}, "trusted/late.sql", "", "-- @name: late\n-- @params: day (date)\nSELECT :day\n"},
		{"new question", edit.PutQuestion{Question: bench.Question{ID: "q3", Question: "Who?", GoldSQL: "SELECT 3"}}, "benchmarks/dev.yaml", "  gold_sql: SELECT 2\n", "  gold_sql: SELECT 2\n\n- id: q3\n  question: Who?\n  gold_sql: SELECT 3\n"},
		{"quarantine", edit.PutQuestion{Question: bench.Question{ID: "q1", Question: "How much?", GoldSQL: "SELECT 1", Quarantine: "moves"}}, "benchmarks/dev.yaml", "  gold_sql: SELECT 1\n", "  gold_sql: SELECT 1\n  quarantine: moves\n"},
		{"question gone", edit.DropQuestion{ID: "q2"}, "benchmarks/dev.yaml", "- id: q2\n  question: How many?\n  gold_sql: SELECT 2\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := folder(t)
			before := snapshot(t, dir)
			want := snapshot(t, dir)
			if !strings.Contains(want[c.file], c.old) {
				t.Fatalf("no %q in %s", c.old, c.file)
			}
			want[c.file] = strings.Replace(want[c.file], c.old, c.new, 1)
			apply(t, dir, c.edit)
			if diff := cmp.Diff(want, snapshot(t, dir)); diff != "" {
				t.Error(diff)
			}
			load(t, dir)
			undone, err := edit.Undo(dir)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(edit.Undone{Title: c.edit.Title(), At: time.Unix(1, 0).UTC(), Files: []string{c.file}}, undone, cmpopts.EquateApproxTime(0)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(before, snapshot(t, dir)); diff != "" {
				t.Errorf("undo leaves a difference: %s", diff)
			}
			if _, err := edit.Undo(dir); !errors.Is(err, edit.ErrNothingToUndo) {
				t.Error(err)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	dir := folder(t)
	for _, c := range []struct {
		edit edit.Edit
		want string
	}{
		{edit.Describe{Table: "order"}, `there is no table "order" (nearest: orders)`},
		{edit.Describe{Table: "orders", Column: "statsu"}, `there is no column "statsu" (nearest: status)`},
		{edit.AddSynonym{Table: "orders", Word: "Sales"}, `the synonym "Sales" is there already`},
		{edit.AddSynonym{Table: "orders", Word: " "}, `the synonym is empty`},
		{edit.DropSynonym{Table: "orders", Word: "sale"}, `there is no synonym "sale" (nearest: sales)`},
		{edit.PutMeasure{Table: "orders", Measure: semantic.Measure{Name: "m"}}, `a measure needs a name and SQL`},
		{edit.DropFilter{Table: "orders", Name: "recnt"}, `there is no filter "recnt" (nearest: recent)`},
		{edit.PutJoin{Table: "orders", Join: semantic.Join{To: "address", On: "a = b"}}, `there is no table "address" (nearest: addresses)`},
		{edit.DropJoin{Table: "orders", To: "addresses"}, `2 joins lead to addresses; say which by its condition`},
		{edit.DropExample{Question: "What?"}, `there is no example "What?"`},
		{edit.AddInstruction{Line: "Money is in cents."}, `the line "Money is in cents." is there already`},
		{edit.AddInstruction{Line: "a\nb"}, `an instruction is one line of text`},
		{edit.ChangeInstruction{Old: "Money is in cent.", New: "x"}, `there is no line "Money is in cent." (nearest: Money is in cents.)`},
		{edit.AddAsset{Asset: semantic.Asset{Name: "mrr", SQL: "SELECT 1"}}, `the trusted query "mrr" is there already`},
		{edit.AddAsset{Asset: semantic.Asset{Name: "x", SQL: "SELECT :a"}}, "1 mistake in this project:\n  trusted/x.sql:2:8  the SQL uses :a, which @params does not declare (write -- @params: a (type))"},
		{edit.PutQuestion{Question: bench.Question{ID: "a b", Question: "x"}}, "1 mistake in this project:\n  benchmarks/dev.yaml:10:7  an id is one word without spaces (write q_revenue_2025)"},
		{edit.PutQuestion{Question: bench.Question{ID: "q3", Question: "x", GoldAsset: "mr"}}, "1 mistake in this project:\n  benchmarks/dev.yaml:12:15  q3.gold_asset is \"mr\", which is no trusted query (did you mean mrr?)"},
		{edit.DropQuestion{ID: "held"}, `there is no question "held"`},
	} {
		before := snapshot(t, dir)
		_, err := edit.NewPlan(load(t, dir), c.edit)
		if err == nil || err.Error() != c.edit.Title()+": "+c.want {
			t.Errorf("%T: %v", c.edit, err)
		}
		if diff := cmp.Diff(before, snapshot(t, dir)); diff != "" {
			t.Error(diff)
		}
	}
}

// TestGoldsOfOnePlan names a trusted query that another edit of the plan adds.
func TestGoldsOfOnePlan(t *testing.T) {
	late := semantic.Asset{Name: "late", Params: []semantic.Param{{Name: "day", Type: "date"}}, SQL: "SELECT :day"}
	q := bench.Question{ID: "q3", Question: "How late?", GoldAsset: "late", Params: map[string]semantic.Scalar{"day": {Text: "2026-01-01"}}}
	dir := folder(t)
	apply(t, dir, edit.PutQuestion{Question: q}, edit.AddAsset{Asset: late})
	q.Params = map[string]semantic.Scalar{"dy": {Text: "2026-01-01"}}
	if _, err := edit.NewPlan(load(t, dir), edit.PutQuestion{Question: q}); err == nil || !strings.Contains(err.Error(), `unknown parameter "dy" (did you mean day?)`) {
		t.Error(err)
	}
	var taken *edit.TakenError
	other := semantic.Asset{Name: "other", SQL: "SELECT 1"}
	if _, err := edit.NewPlan(load(t, dir), edit.AddAsset{Asset: other}, edit.AddAsset{Asset: other}); !errors.As(err, &taken) {
		t.Error(err)
	}
}

func TestHeldOutIsOutOfReach(t *testing.T) {
	dir := folder(t)
	for _, name := range []string{"../benchmarks/test", "test", "../../benchmarks/test.yaml"} {
		plan, err := edit.NewPlan(load(t, dir), edit.PutExample{File: name, Example: semantic.Example{Question: "q", SQL: "s"}})
		if err != nil {
			t.Error(err)
			continue
		}
		for _, c := range plan.Changes {
			if !strings.HasPrefix(c.File, "examples/") || strings.Count(c.File, "/") != 1 {
				t.Errorf("%s leads to %s", name, c.File)
			}
		}
	}
	if err := os.Remove(filepath.Join(dir, "examples/other.yaml")); err != nil {
		t.Fatal(err)
	}
	p := load(t, dir)
	if err := os.Symlink("../benchmarks/test.yaml", filepath.Join(dir, "examples/other.yaml")); err != nil {
		t.Skip(err)
	}
	if _, err := edit.NewPlan(p, edit.PutExample{File: "other", Example: semantic.Example{Question: "q", SQL: "s"}}); err == nil {
		t.Error("follows a link to the held-out set")
	}
}

func TestChangedMeanwhile(t *testing.T) {
	dir := folder(t)
	orders := filepath.Join(dir, "semantics/orders.yaml")
	touch := func() {
		text := snapshot(t, dir)["semantics/orders.yaml"]
		if err := os.WriteFile(orders, []byte(text+"# touched\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	describe := edit.Describe{Table: "orders", Text: "x"}
	var changed *edit.ChangedError

	p := load(t, dir)
	plan, err := edit.NewPlan(p, describe, edit.Describe{Table: "addresses", Text: "y"})
	if err != nil {
		t.Fatal(err)
	}
	touch()
	before := snapshot(t, dir)
	if err := plan.Apply(time.Time{}); !errors.As(err, &changed) || changed.File != "semantics/orders.yaml" {
		t.Errorf("between plan and apply: %v", err)
	}
	if _, err := edit.NewPlan(p, describe); !errors.As(err, &changed) {
		t.Errorf("between load and plan: %v", err)
	}
	if diff := cmp.Diff(before, snapshot(t, dir)); diff != "" {
		t.Error(diff)
	}
	if _, err := edit.Undo(dir); !errors.Is(err, edit.ErrNothingToUndo) {
		t.Error(err)
	}

	apply(t, dir, describe)
	touch()
	if _, err := edit.Undo(dir); !errors.As(err, &changed) {
		t.Errorf("before undo: %v", err)
	}
}

// TestCutShort is an apply that was killed between two files.
func TestCutShort(t *testing.T) {
	dir := folder(t)
	before := snapshot(t, dir)
	apply(t, dir, edit.Describe{Table: "orders", Text: "x"}, edit.Describe{Table: "addresses", Text: "y"})
	if err := os.WriteFile(filepath.Join(dir, "semantics/orders.yaml"), []byte(before["semantics/orders.yaml"]), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := edit.Undo(dir); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, snapshot(t, dir)); diff != "" {
		t.Error(diff)
	}
}

func TestRefusedLayout(t *testing.T) {
	dir := folder(t)
	name := filepath.Join(dir, "semantics/addresses.yaml")
	if err := os.WriteFile(name, []byte("table: &a addresses\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := edit.NewPlan(load(t, dir), edit.Describe{Table: "addresses", Text: "y"})
	var refusal *splice.Refusal
	if !errors.As(err, &refusal) || refusal.Line != 1 {
		t.Error(err)
	}
}

// independent are edits that do not touch each other's values.
var independent = []edit.Edit{
	edit.Describe{Table: "orders", Text: "One row: an order.\nTwo lines.\n"},
	edit.Describe{Table: "orders", Column: "status", Text: "State."},
	edit.AddSynonym{Table: "orders", Word: "buys"},
	edit.AddSynonym{Table: "orders", Column: "order_id", Word: "number"},
	edit.DropSynonym{Table: "orders", Column: "status", Word: "state"},
	edit.PutMeasure{Table: "orders", Measure: semantic.Measure{Name: "n", SQL: "COUNT(*)"}},
	edit.PutFilter{Table: "orders", Filter: semantic.Filter{Name: "recent", SQL: "a > 2"}},
	edit.DropMeasure{Table: "orders", Name: "net_revenue"},
	edit.DropJoin{Table: "orders", To: "addresses", On: "orders.billing_id = addresses.id"},
	edit.PutFilter{Table: "addresses", Filter: semantic.Filter{Name: "here", SQL: "x"}},
	edit.PutExample{File: "other", Example: semantic.Example{Question: "New?", SQL: "SELECT 1"}},
	edit.DropExample{Question: "How much?"},
	edit.AddInstruction{Line: "Say hello."},
	edit.DropInstruction{Line: "Money is in cents."},
	edit.PutTable{Table: semantic.Table{Name: "fresh"}},
	edit.AddAsset{Asset: semantic.Asset{Name: "late", SQL: "SELECT 1"}},
	edit.PutQuestion{Question: bench.Question{ID: "q3", Question: "Who?", Unanswerable: true}},
	edit.DropQuestion{ID: "q1"},
}

// TestAnyOrderAndUndo applies some edits in one plan, and in a random order in
// two: the project reads the same, and undo brings every byte back.
func TestAnyOrderAndUndo(t *testing.T) {
	one, two := folder(t), folder(t)
	before := snapshot(t, one)
	rapid.Check(t, func(t *rapid.T) {
		some := slices.DeleteFunc(slices.Clone(independent), func(edit.Edit) bool { return rapid.Bool().Draw(t, "leave out") })
		if len(some) == 0 {
			return
		}
		apply(t, one, some...)
		shuffled := rapid.Permutation(some).Draw(t, "order")
		half := rapid.IntRange(0, len(shuffled)-1).Draw(t, "half")
		plans := [][]edit.Edit{shuffled[:half], shuffled[half:]}
		if half == 0 {
			plans = plans[1:]
		}
		for _, edits := range plans {
			apply(t, two, edits...)
		}
		a, b := load(t, one), load(t, two)
		if diff := cmp.Diff(a.Semantic, b.Semantic, cmpopts.SortSlices(func(x, y semantic.Example) bool { return x.Question < y.Question })); diff != "" {
			t.Fatal(diff)
		}
		if _, err := edit.Undo(one); err != nil {
			t.Fatal(err)
		}
		for range plans {
			if _, err := edit.Undo(two); err != nil {
				t.Fatal(err)
			}
		}
		for _, dir := range []string{one, two} {
			if diff := cmp.Diff(before, snapshot(t, dir)); diff != "" {
				t.Fatal(diff)
			}
		}
	})
}

func TestJSON(t *testing.T) {
	for _, e := range append(independent, edit.DropFilter{Table: "a", Name: "b"}, edit.ChangeInstruction{Old: "a", New: "b"}, edit.PutJoin{Table: "a", Join: semantic.Join{To: "b", On: "c"}}) {
		b, err := edit.Encode(e)
		if err != nil {
			t.Fatal(err)
		}
		got, err := edit.Decode(b)
		if err != nil || !reflect.DeepEqual(got, e) {
			t.Errorf("%s: %#v, %v", b, got, err)
		}
	}
	for _, text := range []string{`{}`, `{"kind":"rm"}`, `{"kind":"describe","edit":[]}`} {
		if e, err := edit.Decode([]byte(text)); err == nil {
			t.Errorf("%s: %#v", text, e)
		}
	}
}

func TestJournalIsBounded(t *testing.T) {
	dir := folder(t)
	for i := range 103 {
		apply(t, dir, edit.Describe{Table: "orders", Text: strings.Repeat("x", i+1)})
	}
	entries, err := os.ReadDir(filepath.Join(dir, ".sqbyl/undo"))
	if err != nil || len(entries) != 100 || entries[99].Name() != "000103.json" {
		t.Errorf("%d entries, %v", len(entries), err)
	}
}
