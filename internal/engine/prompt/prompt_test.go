package prompt_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/prompt"
	"github.com/sqbyl/sqbyl/internal/engine/selection"
	"github.com/sqbyl/sqbyl/internal/engine/values"
	"github.com/sqbyl/sqbyl/internal/testkit/golden"
	"github.com/sqbyl/sqbyl/semantic"
)

// testDialect is fixed here so that the golden files change only with the
// compiler.
func testDialect() *db.Dialect {
	simple := regexp.MustCompile(`^[a-z_][a-z0-9_]*$`)
	quote := func(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
	return &db.Dialect{
		Name: "test", Title: "TestSQL", Notes: "Dates are text, such as '2026-11-30'.", Quote: quote,
		Ident: func(name string) string {
			if !simple.MatchString(name) || name == "order" {
				return quote(name)
			}
			return name
		},
	}
}

func p[T any](v T) *T { return &v }

func bare() catalog.Schema {
	return catalog.Schema{DefaultSchema: "main", Tables: []catalog.Table{
		{Schema: "main", Name: "orders", Kind: catalog.BaseTable, Rows: 124903, Comment: "sales\n  only",
			PrimaryKey: []string{"order_id"},
			Columns: []catalog.Column{
				{Name: "order_id", Type: "INTEGER"},
				{Name: "customer_id", Type: "INTEGER"},
				{Name: "Total Amount", Type: "NUMERIC(10,\n2)", Nullable: true},
				{Name: "order", Nullable: true, Checks: []string{"it's", "b"}},
				{Name: `a"b.c`, Type: "TEXT", Nullable: true},
			},
			ForeignKeys: []catalog.ForeignKey{{Columns: []string{"customer_id"}, RefTable: "customers"}}},
		{Schema: "main", Name: "customers", Kind: catalog.BaseTable, Rows: 0, PrimaryKey: []string{"id"},
			Columns: []catalog.Column{{Name: "id", Type: "INTEGER"}, {Name: "email", Type: "TEXT", Nullable: true}}, Unique: [][]string{{"email"}}},
		{Schema: "Audit", Name: "🙂 log", Kind: catalog.View, Rows: -1, Columns: []catalog.Column{{Name: "at", Nullable: true}}},
		{Schema: "main", Name: "pairs", Kind: catalog.BaseTable, Rows: 99, PrimaryKey: []string{"a", "b"},
			Columns: []catalog.Column{{Name: "a", Type: "INTEGER"}, {Name: "b", Type: "INTEGER"}}},
	}}
}

func project() semantic.Model {
	text := func(s string) *semantic.Scalar { return &semantic.Scalar{Text: s} }
	num := func(s string) *semantic.Scalar { return &semantic.Scalar{Text: s, Kind: semantic.NumberScalar} }
	return semantic.Model{
		Instructions: "The fiscal year starts in February.\n\n{{dialect}} stays as it is.\n",
		Tables: []semantic.Table{
			{Name: "orders", Description: "One row per order.", Synonyms: []string{"purchases", "sales"}, Columns: []semantic.Column{
				{Name: "order_id"},
				{Name: "customer_id", Profile: &semantic.Profile{Distinct: &semantic.Count{N: 318204, Estimate: true}, Nulls: p(0.004)}},
				{Name: "Total Amount", Description: "In cents.", Profile: &semantic.Profile{Min: num("0"), Max: num("4200000"), P50: num("4999"), P95: num("28900"), Nulls: p(0.125)}},
				{Name: "order", Synonyms: []string{"rank"}, Samples: []semantic.Scalar{*text("it's"), *text("b")}, Profile: &semantic.Profile{Distinct: &semantic.Count{N: 2}}},
				{Name: `a"b.c`, Samples: []semantic.Scalar{*text("12  x\ny")}, Profile: &semantic.Profile{NumericText: true, Shape: "code", Min: text("1"), Max: text("9"), Nulls: p(1.0)}},
			},
				Joins: []semantic.Join{{To: "customers", Type: semantic.ManyToOne, On: "orders.customer_id = customers.id", Confidence: p(0.8)}},
				Measures: []semantic.Measure{
					{Name: "net", Description: "Without refunds.", Synonyms: []string{"net sales"}, SQL: `SUM("Total Amount") / 100.0`},
					{Name: "long", SQL: "SUM(CASE\n  WHEN 1 THEN 2 END)"},
				},
				Filters: []semantic.Filter{{Name: "recent", SQL: "ordered_at >= '2026-01-01'"}},
			},
			{Name: "customers", Comment: "people"},
		},
		Examples: []semantic.Example{{Question: "How many\norders?", SQL: "SELECT COUNT(*)\nFROM orders;\n"}},
		Assets: []semantic.Asset{{Name: "mrr", Description: "Official.", SQL: "SELECT 1\nWHERE :month > 0",
			Params: []semantic.Param{{Name: "month", Type: "date"}, {Name: "n", Type: "decimal(10,2)"}}}},
	}
}

func compile(t *testing.T, schema catalog.Schema, model semantic.Model) prompt.Prefix {
	t.Helper()
	text, err := prompt.Builtin(prompt.Direct)
	if err != nil {
		t.Fatal(err)
	}
	return prompt.Compile(text, testDialect(), selection.Everything(selection.Combine(schema, model)))
}

func TestPrefix(t *testing.T) {
	for name, model := range map[string]semantic.Model{"bare": {}, "project": project()} {
		t.Run(name, func(t *testing.T) {
			golden.Check(t, name+".golden", compile(t, bare(), model).Text)
		})
	}
}

func TestThePrefixIsTheSameByteForByte(t *testing.T) {
	first := compile(t, bare(), project())
	for range 20 {
		schema, model := bare(), project()
		schema.Tables[0], schema.Tables[1] = schema.Tables[1], schema.Tables[0]
		model.Tables[0], model.Tables[1] = model.Tables[1], model.Tables[0]
		if again := compile(t, schema, model); again != first {
			t.Fatal("the prefix depends on the order it was given in")
		}
	}
}

func TestTheHashFollowsTextAndVersion(t *testing.T) {
	s := selection.Everything(selection.Combine(bare(), semantic.Model{}))
	base := prompt.Text{Name: "direct", Version: "1", Body: "x\n"}
	hashes := make(map[string]bool)
	for _, text := range []prompt.Text{base, {Name: "direct", Version: "2", Body: "x\n"}, {Name: "direct", Version: "1", Body: "y\n"}} {
		hashes[prompt.Compile(text, testDialect(), s).Hash] = true
	}
	if len(hashes) != 3 {
		t.Errorf("%d hashes, want 3", len(hashes))
	}
}

func TestEverythingAboutTheQuestionIsInTheSuffix(t *testing.T) {
	day := time.Date(2026, 11, 30, 23, 0, 0, 0, time.UTC)
	got := prompt.Question("  How many?\n", day)
	if got != "Today is 2026-11-30 (Monday).\n\nQuestion: How many?" {
		t.Errorf("%q", got)
	}
	if question, today, ok := prompt.ParseQuestion(got); !ok || question != "How many?" || today.Format(time.DateOnly) != "2026-11-30" {
		t.Errorf("taken apart: %q %v %v", question, today, ok)
	}
	if strings.Contains(compile(t, bare(), project()).Text, "2026-11-30 (") {
		t.Error("the prefix holds a date of today")
	}
}

func TestStoredValuesOfAQuestionAreInTheSuffix(t *testing.T) {
	day := time.Date(2026, 11, 30, 23, 0, 0, 0, time.UTC)
	k := selection.Combine(bare(), project())
	s := selection.Everything(k)
	table := s.Tables[0]
	column := table.Columns[0].Name
	k.Values = values.Build([]values.Entry{
		{Table: table.Name, Column: column, Value: "O'Hara\nand Sons"}, {Table: table.Name, Column: "no_such", Value: "Hidden"}, {Table: "gone", Column: column, Value: "Nobody"},
	})
	asked := "What did the o'hara and sons of Hidden and Nobody buy?"
	lines := prompt.Named(testDialect(), s, selection.Spotted(&k, s, asked))
	if len(lines) != 2 || !strings.Contains(lines[1], " = 'O''Hara and Sons' (for \"o'hara and sons\")") {
		t.Fatalf("%q", lines)
	}
	suffix := prompt.Question(asked, day, lines...)
	if question, today, ok := prompt.ParseQuestion(suffix); !ok || question != asked || today.Format(time.DateOnly) != "2026-11-30" {
		t.Errorf("taken apart: %q %v %v", question, today, ok)
	}
	if strings.Contains(prompt.Compile(prompt.Text{Name: "direct", Version: "1"}, testDialect(), s).Text, "Hara") {
		t.Error("the prefix holds a value of a question")
	}
}

func TestAPromptWithoutAVersionIsRefused(t *testing.T) {
	for _, raw := range []string{"", "text", "---\nversion:\n---\n", "---\nversion: 1\nmore: 2\n---\nx", "---\nversion: 1\nx"} {
		if _, err := prompt.Parse("mine", raw); err == nil {
			t.Errorf("%q passed", raw)
		}
	}
	text, err := prompt.Parse("mine", "---\r\nversion: 3b\r\n---\r\nHello\r\n")
	if err != nil || text.Version != "3b" || text.Body != "Hello\n" {
		t.Errorf("%+v %v", text, err)
	}
	own := map[string]string{prompt.Repair: "---\nversion: mine\n---\nagain"}
	for _, name := range prompt.Names() {
		text, err := prompt.Load(name, own)
		if err != nil || (text.Version == "mine") != (name == prompt.Repair) {
			t.Error(text, err)
		}
	}
}

func BenchmarkCompileThousandTables(b *testing.B) {
	var schema catalog.Schema
	for i := range 1000 {
		t := catalog.Table{Name: fmt.Sprintf("table_%d", i), Rows: int64(i)}
		for j := range 20 {
			t.Columns = append(t.Columns, catalog.Column{Name: fmt.Sprintf("column_%d", j), Type: "TEXT", Comment: "what it holds"})
		}
		schema.Tables = append(schema.Tables, t)
	}
	text, err := prompt.Builtin(prompt.Direct)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		prompt.Compile(text, testDialect(), selection.Everything(selection.Combine(schema, semantic.Model{})))
	}
}
