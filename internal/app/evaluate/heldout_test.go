package evaluate_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/sqbyl/sqbyl/driver"
	_ "github.com/sqbyl/sqbyl/driver/sqlite"
	"github.com/sqbyl/sqbyl/internal/app/evaluate"
	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/toolkit/bench"
	"github.com/sqbyl/sqbyl/internal/toolkit/eval"
	"github.com/sqbyl/sqbyl/internal/toolkit/heldout"
	"github.com/sqbyl/sqbyl/internal/toolkit/score"
)

// TestHeldOutReport shows a held-out half on a terminal: ids and verdicts, and
// rows only when a person asked for them.
func TestHeldOutReport(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write(heldout.File, "- {id: h1, question: Which zebra?, gold_sql: SELECT 'zebra'}\n- {id: h2, question: \"How many\\n zebras?\", gold_sql: SELECT 2}\n")
	preds := write("preds.json", `{"0": "SELECT 'zebra'", "1": "SELECT 'zebras'"}`)
	set, err := evaluate.ReadHeldOut(dir, nil, heldout.InProject(dir))
	if err != nil {
		t.Fatal(err)
	}
	solvers, _, err := evaluate.ParseSolvers([]string{preds}, set)
	if err != nil {
		t.Fatal(err)
	}
	databases := score.InFolder("", driver.Options{})
	t.Cleanup(func() { _ = databases.Close() })
	report, err := evaluate.Run(t.Context(), evaluate.Job{Set: set, Solvers: solvers, Runner: &score.Runner{Open: databases.Open}, Command: "eval test"})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	s := term.Plain(nil, &out, &out)
	shown := report.Render(s)
	for _, want := range []string{"eval test", "2 questions", "preds, wrong of the held-out questions (1): h2 (disjoint)", "on record"} {
		if !strings.Contains(shown, want) {
			t.Errorf("the report lacks %q:\n%s", want, shown)
		}
	}
	if strings.Contains(shown+fmt.Sprintf("%+v", report.Document("1")), "zebra") {
		t.Errorf("a text shows:\n%s", shown)
	}
	rows, err := report.Cards.Reveal("eval test --reveal", true)
	if err != nil {
		t.Fatal(err)
	}
	revealed := evaluate.RenderRows(s, rows)
	for _, want := range []string{"h2  preds  disjoint", "question  How many zebras?", "gold      SELECT 2", "answer    SELECT 'zebras'", "gold 2, got 'zebras'"} {
		if !strings.Contains(revealed, want) {
			t.Errorf("the rows lack %q:\n%s", want, revealed)
		}
	}
	if percent, solver := report.Lowest(); percent != 50 || solver != "preds" || report.Unrunnable() != nil {
		t.Error(percent, solver, report.Unrunnable())
	}
}

// TestAllOfOneFileKeepsItsHeldOutHalf plants a word in every question of a
// file, the word of its half in each.
func TestAllOfOneFileKeepsItsHeldOutHalf(t *testing.T) {
	dir := t.TempDir()
	var list, preds []string
	back := 0
	for i := range 60 {
		text := func(word string) string { return fmt.Sprintf("Which %s number %d?", word, i) }
		id, word := fmt.Sprint(i), "zebra"
		if !bench.HeldBack("", id, text(word)) {
			word = "okapi"
		}
		if bench.HeldBack("", id, text(word)) != (word == "zebra") {
			continue
		}
		if word == "zebra" {
			back++
		}
		gold := "SELECT '" + word + "', " + id
		switch i % 5 {
		case 0:
			gold = "SELECT " + word // does not run
		case 1:
			gold = "DROP TABLE " + word
		}
		list = append(list, fmt.Sprintf(`{"question_id": %d, "question": %q, "SQL": %q, "evidence": %q, "difficulty": "easy"}`, i, text(word), gold, word))
		preds = append(preds, fmt.Sprintf(`"%d": "SELECT '%s', %d"`, i, word, i%3))
	}
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	place := heldout.Place{Looks: filepath.Join(dir, "looks.jsonl"), State: dir}
	set, err := evaluate.Read(write("list.jsonl", strings.Join(list, "\n")), bench.ReadBIRD, "", place)
	if err != nil || set.Len() != len(list) || back < 10 || len(set.Items) != len(list)-back {
		t.Fatalf("%d of %d, %d held back: %v", set.Len(), len(list), back, err)
	}
	solvers, warnings, err := evaluate.ParseSolvers([]string{write("preds.json", "{"+strings.Join(preds, ",")+`, "zz": "SELECT 1"}`)}, set)
	if err != nil || len(warnings) != 1 {
		t.Fatal(warnings, err)
	}
	databases := score.InFolder("", driver.Options{})
	t.Cleanup(func() { _ = databases.Close() })
	report, err := evaluate.Run(t.Context(), evaluate.Job{Set: set, Solvers: solvers, Runner: &score.Runner{Open: databases.Open}, Command: "eval list.jsonl --split all", Check: true})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	s := term.Plain(nil, &out, &out)
	document, err := json.Marshal(report.Document("1"))
	if err != nil {
		t.Fatal(err)
	}
	looks, err := os.ReadFile(place.Looks)
	if err != nil || strings.Count(string(looks), "\n") != 1 {
		t.Errorf("looks: %s, %v", looks, err)
	}
	for _, shown := range []string{report.Render(s), string(document), fmt.Sprintf("%+v", report.Results), string(looks)} {
		if strings.Contains(shown, "zebra") {
			at := strings.Index(shown, "zebra")
			t.Errorf("a text of the held-out half shows: %q", shown[max(0, at-100):at+5])
		}
	}
	if !strings.Contains(string(document), "okapi") || !strings.Contains(report.Render(s), "okapi") {
		t.Error("the dev half shows no difference")
	}
	var got eval.Document
	if err := json.Unmarshal(document, &got); err != nil {
		t.Fatal(err)
	}
	for _, solver := range got.Solvers {
		if len(solver.Questions) != len(list) || solver.N+solver.GoldBroken != len(list) || solver.Questions[0].ID == "" || solver.Questions[0].Kind != "easy" {
			t.Errorf("%s: %d questions, n %d, gold broken %d", solver.Name, len(solver.Questions), solver.N, solver.GoldBroken)
		}
		for i := 1; i < len(solver.Questions); i++ {
			before, _ := strconv.Atoi(solver.Questions[i-1].ID)
			if id, err := strconv.Atoi(solver.Questions[i].ID); err != nil || id <= before {
				t.Errorf("question %d is not in the file's order", id)
			}
		}
	}
	if !report.Check.Passed() || report.Check.Rows[0].Tried != got.Solvers[0].N {
		t.Errorf("%+v", report.Check)
	}
}
