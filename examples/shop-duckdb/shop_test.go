//go:build cgo && !no_duckdb

package shopduckdb_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sqbyl/sqbyl/driver"
	_ "github.com/sqbyl/sqbyl/driver/duckdb"
	_ "github.com/sqbyl/sqbyl/driver/sqlite"
	"github.com/sqbyl/sqbyl/examples/shop"
	shopduckdb "github.com/sqbyl/sqbyl/examples/shop-duckdb"
	"github.com/sqbyl/sqbyl/internal/engine/asset"
	"github.com/sqbyl/sqbyl/internal/engine/compare"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/orderkey"
	"github.com/sqbyl/sqbyl/internal/toolkit/bench"
	"github.com/sqbyl/sqbyl/internal/toolkit/eval"
	"github.com/sqbyl/sqbyl/internal/toolkit/project"
	"github.com/sqbyl/sqbyl/internal/toolkit/score"
	"github.com/sqbyl/sqbyl/semantic"
)

// sample is one of the two sample projects with its database.
type sample struct {
	*project.Project
	files    fs.FS
	database db.Database
}

func open(t *testing.T, files fs.FS, name string, build func(context.Context, string) error) sample {
	t.Helper()
	s := sample{files: files}
	dir := t.TempDir()
	for _, part := range []string{"sqbyl.yaml", "instructions.md", "semantics", "examples", "trusted", "benchmarks"} {
		copyPart(t, files, part, dir)
	}
	path := filepath.Join(dir, name)
	err := build(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if s.Project, err = project.Load(dir); err != nil {
		t.Fatal(err)
	}
	if s.database, err = driver.Open(t.Context(), path, driver.Options{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.database.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func copyPart(t *testing.T, files fs.FS, part, dir string) {
	t.Helper()
	err := fs.WalkDir(files, part, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(files, path)
		if err != nil {
			return err
		}
		to := filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		return os.WriteFile(to, text, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (s sample) items(t *testing.T, file string) []bench.Item {
	t.Helper()
	text, err := fs.ReadFile(s.files, "benchmarks/"+file)
	if err != nil {
		t.Fatal(err)
	}
	set, err := bench.Parse(bytes.NewReader(text), file)
	if err != nil {
		t.Fatal(err)
	}
	return bench.Items(set.Questions, s.Semantic.Assets)
}

// golds run the accepted golds of an item.
func (s sample) golds(t *testing.T, session db.Session, it bench.Item) (texts []string, results []*db.Result) {
	t.Helper()
	if it.Asset != nil {
		return []string{it.Asset.SQL}, []*db.Result{s.run(t, session, it, *it.Asset)}
	}
	for _, sql := range it.Golds() {
		results = append(results, s.run(t, session, it, semantic.Asset{Name: it.ID, SQL: sql}))
	}
	return it.Golds(), results
}

func (s sample) run(t *testing.T, session db.Session, it bench.Item, a semantic.Asset) *db.Result {
	t.Helper()
	policy := s.database.Dialect().Policy
	policy.Grammar = s.database.Grammar()
	st, args, err := asset.Bind(t.Context(), a, it.Params, &policy)
	var res *db.Result
	if err == nil {
		res, err = session.Query(t.Context(), st, db.ScoreCaps, args...)
	}
	if err != nil {
		t.Fatalf("%s in %s: %v", it.ID, s.database.Dialect().Title, err)
	}
	return res
}

func both(t *testing.T) (lite, duck sample) {
	t.Helper()
	return open(t, shop.Files, shop.Database, shop.Build), open(t, os.DirFS("."), shopduckdb.Database, shopduckdb.Build)
}

// TestDialectsAgree wants the same questions under the same options in both
// dialects, and equal results of the golds.
func TestDialectsAgree(t *testing.T) {
	lite, duck := both(t)
	for _, s := range []sample{lite, duck} {
		if len(s.Warnings) > 0 {
			t.Error(s.Warnings)
		}
	}
	one, two := begin(t, lite.database), begin(t, duck.database)
	for _, file := range []string{"dev.yaml", "test.yaml"} {
		a, b := lite.items(t, file), duck.items(t, file)
		if d := cmp.Diff(withoutSQL(a), withoutSQL(b)); d != "" {
			t.Fatalf("%s (-SQLite +DuckDB):\n%s", file, d)
		}
		for i := range a {
			if a[i].Unanswerable {
				continue
			}
			texts, want := lite.golds(t, one, a[i])
			_, got := duck.golds(t, two, b[i])
			for n := range want {
				if len(want[n].Rows) == 0 || len(got[n].Rows) == 0 {
					t.Errorf("%s: gold %d returns nothing", a[i].ID, n)
				}
				report := compare.Results(compare.Gold{Result: want[n], Ordered: orderkey.Ordered(texts[n], &lite.database.Dialect().Policy.Rules)}, got[n], eval.Case(a[i]).Options)
				if !report.Headline {
					t.Errorf("%s, gold %d: %s: %s", a[i].ID, n, report.Verdict, report.Difference)
				}
				t.Logf("%s\t%s\t%s", a[i].ID, a[i].Question.Question, rowsOf(t, got[n]))
			}
		}
	}
}

func rowsOf(t *testing.T, res *db.Result) string {
	text, err := json.Marshal(res.Rows)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func begin(t *testing.T, database db.Database) db.Session {
	t.Helper()
	s, err := database.Session(t.Context(), db.Score)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func withoutSQL(items []bench.Item) []bench.Question {
	out := make([]bench.Question, len(items))
	for i, it := range items {
		out[i] = it.Question
		out[i].GoldSQL, out[i].Gold = "", make([]string, len(it.Gold))
	}
	return out
}

// TestSemanticLayersAgree wants the same columns, measures, filters, joins,
// examples and trusted queries, SQL and types aside.
func TestSemanticLayersAgree(t *testing.T) {
	lite, duck := both(t)
	if d := cmp.Diff(outline(lite.Semantic), outline(duck.Semantic)); d != "" {
		t.Errorf("-SQLite +DuckDB:\n%s", d)
	}
}

func outline(m semantic.Model) map[string]bool {
	out := map[string]bool{"instructions " + m.Instructions: true}
	note := func(parts ...string) { out[text(parts)] = true }
	for _, table := range m.Tables {
		name := bare(table.Name)
		note("table", name, table.Description, text(table.Synonyms))
		for _, c := range table.Columns {
			note("column", name, c.Name, c.Description, text(c.Synonyms))
		}
		for _, j := range table.Joins {
			note("join", name, bare(j.To), string(j.Type))
		}
		for _, x := range table.Measures {
			note("measure", name, x.Name, x.Description)
		}
		for _, f := range table.Filters {
			note("filter", name, f.Name, f.Description)
		}
	}
	for _, e := range m.Examples {
		note("example", e.Question)
	}
	for _, a := range m.Assets {
		note("asset", a.Name, a.Description)
		for _, p := range a.Params {
			note("param", a.Name, p.Name, p.Type)
		}
	}
	return out
}

func text(parts []string) string {
	b, _ := json.Marshal(parts) // strings always have JSON
	return string(b)
}

// bare is a table's name without its schema.
func bare(name string) string {
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] == '.' {
			return name[i+1:]
		}
	}
	return name
}

func TestTraps(t *testing.T) {
	_, duck := both(t)
	r := &score.Runner{Open: score.One(duck.database)}
	byID := map[string]bench.Item{}
	for _, it := range duck.items(t, "dev.yaml") {
		byID[it.ID] = it
	}
	raw, err := os.ReadFile(filepath.Join("testdata", "traps.json"))
	if err != nil {
		t.Fatal(err)
	}
	var traps []struct{ Trap, Question, Naive, Right string }
	if err := json.Unmarshal(raw, &traps); err != nil {
		t.Fatal(err)
	}
	for _, trap := range traps {
		it := byID[trap.Question]
		c := eval.Case(it)
		switch {
		case it.Unanswerable:
			c.Golds = []string{trap.Naive}
		case trap.Right != "":
			c.Golds, c.Asset = []string{trap.Right}, nil
		}
		out := r.Score(t.Context(), c, trap.Naive)[0]
		if out.Rows <= 0 || !it.Unanswerable && (out.Headline || out.Rules.Superset) {
			t.Errorf("%s: the naive SQL returns %d rows: %s %s", trap.Trap, out.Rows, out.Verdict, out.Difference)
		}
	}
}
