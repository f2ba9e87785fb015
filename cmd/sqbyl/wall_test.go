package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	example "github.com/sqbyl/sqbyl/examples/shop"
	"github.com/sqbyl/sqbyl/internal/testkit/fakemodel"
	"github.com/sqbyl/sqbyl/internal/toolkit/bench"
	"github.com/sqbyl/sqbyl/internal/toolkit/heldout"
)

// word stands in the held-out file and nowhere else.
const word = "xylotheque"

// planted is a held-out file with the word wherever a text may stand, in golds
// that run, that break and that are refused.
const planted = `- id: w_runs
  question: How many orders came through the WORD?
  gold_sql: SELECT COUNT(*) AS WORD FROM orders WHERE channel <> 'WORD'
  eval_note: Count the WORD.
  tags: [WORD]
  difficulty: easy
- {id: w_breaks, question: "What of the WORD?", gold_sql: "SELECT WORD FROM orders"}
- {id: w_type, question: "Which WORD?", gold_sql: "SELECT WORD('WORD') FROM orders"}
- {id: w_refused, question: "Drop the WORD?", gold_sql: "DELETE FROM orders WHERE channel = 'WORD'"}
- {id: w_empty, question: "No WORD?", gold_sql: "SELECT full_name FROM customers WHERE full_name = 'WORD'"}
- {id: w_tie, question: "First WORD?", gold_sql: "SELECT 'WORD' || full_name AS n FROM customers ORDER BY is_active DESC, 'WORD' LIMIT 1"}
- {id: w_several, question: "Any WORD?", gold: ["SELECT 'WORD'", "SELECT 'WORD' UNION SELECT 'b'"], order: any}
- {id: w_asset, question: "Revenue of the WORD?", gold_asset: net_revenue, params: {from_day: "2025-01-01", to_day: "2025-12-31"}, eval_note: WORD}
- {id: w_unanswerable, question: "Who is the WORD?", unanswerable: true, eval_note: WORD}
- {id: w_quarantined, question: "Where is the WORD?", gold_sql: "SELECT 'WORD'", quarantine: The WORD is unclear.}
- {id: w_leaks, question: "How many active customers are there?", gold_sql: "SELECT COUNT(*) FROM customers WHERE 'WORD' <> full_name"}
`

// birdFile is a benchmark of one file.
const birdFile = "birds.json"

// plantedBirds are questions in BIRD's layout, with the word in those that are
// held back.
func plantedBirds(t *testing.T) string {
	t.Helper()
	var list []map[string]any
	for i := range 24 {
		id, question, in := fmt.Sprint(i), fmt.Sprintf("Which %s is number %d?", word, i), word
		if !bench.HeldBack("", id, question) {
			if question, in = fmt.Sprintf("Which one is number %d?", i), "x"; bench.HeldBack("", id, question) {
				continue
			}
		}
		gold := []string{"SELECT '" + in + "'", "SELECT " + in, "DROP TABLE " + in, "SELECT " + in + "('a') ORDER BY 1 LIMIT 1"}[i%4]
		list = append(list, map[string]any{"question_id": i, "question": question, "SQL": gold, "evidence": in})
	}
	text, err := json.Marshal(list)
	if err != nil || !strings.Contains(string(text), word) {
		t.Fatal(string(text), err)
	}
	return string(text)
}

// covered are the command lines run for each command there is.
func covered(dir string) map[string][][]string {
	in := func(args ...string) []string { return append([]string{"-C", dir}, args...) }
	heldOut := filepath.Join(dir, filepath.FromSlash(heldout.File))
	answers, birds := filepath.Join(dir, "answers.json"), filepath.Join(dir, birdFile)
	return map[string][][]string{
		"ask": {
			in("ask", "How many orders did we get in 2025?", "--json"), in("ask", "What of the rest?"), in("ask", "How many?", "--show-prompt"),
			in("ask", "How many orders did we get in 2025?", "--record", filepath.Join(dir, "recordings", "one.jsonl")),
			in("ask", "--questions", filepath.Join(dir, "questions.txt"), "--yes"), in("ask", "--questions", heldOut, "--yes"),
		},
		"bench": {
			in("bench", "lint"), in("bench", "lint", "--json"), in("bench", "leaks"), in("bench", "leaks", "--json"),
			in("bench", "lint", "--bird", birds, "--databases", dir), in("bench", "leaks", "--bird", birds, "--json"),
		},
		"compare": {
			in("compare", "--gold", "SELECT 1", "--sql", "SELECT 2"), in("compare", "--gold", "SELECT nosuch", "--sql", "SELECT 1", "--json"), in("compare", "--cases", heldOut),
		},
		"cost":   {in("cost", "ask", "How many orders are open?")},
		"demo":   {{"demo", filepath.Join(dir, "demo")}},
		"doctor": {in("doctor"), in("doctor", "--json")},
		"eval": {
			in("eval", "dev", "--solvers", answers), in("eval", "dev", "--check", "--json"),
			in("eval", "test", "--solvers", answers), in("eval", "test", "--solvers", answers, "--check"), in("eval", "test", "--solvers", answers, "--check", "--json"),
			in("eval", "test", "--solvers", answers, "--reveal"), in("eval", heldOut, "--check"),
			in("eval", "--bird", birds, "--databases", dir, "--solvers", answers), in("eval", "--bird", birds, "--databases", dir, "--check", "--json"),
			in("eval", "--bird", birds, "--databases", dir, "--check", "--split", "dev", "--json"), in("eval", "--bird", birds, "--databases", dir, "--check", "--split", "test"),
			in("eval", "--bird", birds, "--databases", dir, "--solvers", answers, "--reveal"),
		},
		"guard":      {in("guard", "--dialect", "lite", filepath.Join(dir, "query.sql")), in("guard", "--dialect", "lite", heldOut)},
		"init":       {{"init", "-C", dir, "sqlite:" + filepath.Join(dir, example.Database), "again"}},
		"introspect": {in("introspect", "--sync"), in("introspect", "--sync", "--json")},
		"models":     {in("models"), in("models", "--json")},
		"profile":    {in("profile"), in("profile", "--json")},
		"prompts":    {in("prompts"), in("prompts", "direct")},
		"schema":     {in("schema"), in("schema", "--json")},
		"undo":       {in("undo"), in("undo", "--json")},
		"values":     {in("values", word[:4]), in("values", "phone", "--json")},
		"version":    {in("version")},
	}
}

// TestHeldOutWordStays plants a word in the held-out file, runs everything
// there is, and looks for the word in every output, every model request and
// every other file.
func TestHeldOutWordStays(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "shop")
	if err := os.CopyFS(dir, example.Files); err != nil {
		t.Fatal(err)
	}
	if err := example.Build(context.Background(), filepath.Join(dir, example.Database)); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		heldout.File: strings.ReplaceAll(planted, "WORD", word), birdFile: plantedBirds(t), "questions.txt": "How many orders did we get in 2025?\nWhat of the rest?\n", "query.sql": "SELECT 1",
		"answers.json": `{"0": "SELECT COUNT(*) FROM orders", "1": "SELECT 1", "5": "SELECT nosuch FROM orders", "6": "SELECT 'b'"}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	fake := fakemodel.New(t)
	fake.Answer(func(c fakemodel.Call) fakemodel.Reply {
		if strings.Contains(c.Last(), "the rest") {
			return fakemodel.JSON(map[string]any{"plan": "", "answerable": false, "missing": "the rest", "nearest": []string{}, "sql": "", "used_assets": []string{}, "confidence": "low"})
		}
		return fakemodel.JSON(map[string]any{"plan": "count", "answerable": true, "sql": "SELECT COUNT(*) AS n FROM orders", "used_assets": []string{}, "confidence": "high", "missing": "", "nearest": []string{}})
	})
	vars := map[string]string{"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": fake.URL(), "SQBYL_HOME": filepath.Join(dir, "home")}

	ran := runCovered(t, vars, dir)
	if looks, err := heldout.InProject(dir).Record(); err != nil || len(looks) != 6 {
		t.Errorf("%d looks on record, want 6: %v", len(looks), err)
	}
	for _, call := range fake.Calls() {
		if strings.Contains(strings.ToLower(string(call.Body)), word) {
			t.Errorf("a model was sent the word: %s", call)
		}
	}
	if len(fake.Calls()) < 4 || ran < 30 {
		t.Errorf("%d calls of a model in %d command lines", len(fake.Calls()), ran)
	}
	if holders := filesWith(t, dir); !slices.Equal(holders, []string{heldout.File, birdFile}) {
		t.Errorf("the word stands in %q", holders)
	}
}

// runCovered runs the command lines of every command that help lists.
func runCovered(t *testing.T, vars map[string]string, dir string) (ran int) {
	t.Helper()
	_, help, _ := sqbyl(t, vars, "--help")
	lines := covered(dir)
	var there []string
	for _, m := range regexp.MustCompile(`(?m)^  ([a-z]+) +[A-Z]`).FindAllStringSubmatch(help, -1) {
		there = append(there, m[1])
	}
	for _, name := range there {
		if name != "help" && lines[name] == nil {
			t.Errorf("nothing runs %s here: add a command line of it to covered", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(lines)) {
		if !slices.Contains(there, name) {
			continue
		}
		for _, args := range lines[name] {
			ran++
			code, out, errOut := sqbyl(t, vars, args...)
			refused := slices.Contains(args, "--reveal") || slices.Contains(args, filepath.Join(dir, filepath.FromSlash(heldout.File)))
			if (code == 2) != refused && name != "init" {
				t.Errorf("%q does not run: %s", args, errOut)
			}
			if strings.Contains(strings.ToLower(out+errOut), word) {
				t.Errorf("%q shows the word:\n%s%s", args, out, errOut)
			}
		}
	}
	return ran
}

// filesWith are the files of a folder that hold the word.
func filesWith(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if strings.Contains(strings.ToLower(string(text)), word) {
			name, _ := filepath.Rel(dir, path) // it lies in dir
			names = append(names, filepath.ToSlash(name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
