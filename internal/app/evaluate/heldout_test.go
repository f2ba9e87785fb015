package evaluate_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sqbyl/sqbyl/driver"
	_ "github.com/sqbyl/sqbyl/driver/sqlite"
	"github.com/sqbyl/sqbyl/internal/app/evaluate"
	"github.com/sqbyl/sqbyl/internal/app/term"
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
	for _, want := range []string{"eval test", "2 questions", "preds, wrong: h2 (disjoint)", "on record"} {
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
