package score

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/testkit/handed"
	"github.com/sqbyl/sqbyl/internal/toolkit/bench"
)

// layout reads a question list in BIRD's layout and opens its databases.
func layout(t testing.TB, folder, questions string, o driver.Options) ([]bench.Item, *Runner) {
	t.Helper()
	f, err := os.Open(filepath.Join(folder, questions))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	items, err := bench.ReadBIRD(f, questions)
	if err != nil {
		t.Fatal(err)
	}
	databases := InFolder(filepath.Join(folder, "dev_databases"), o)
	t.Cleanup(func() {
		if err := databases.Close(); err != nil {
			t.Error(err)
		}
	})
	return items, &Runner{Open: databases.Open}
}

func casesOf(items []bench.Item) []Case {
	cases := make([]Case, len(items))
	for i, it := range items {
		cases[i] = Case{ID: it.ID, DB: it.DB, Golds: it.Golds()}
	}
	return cases
}

func report(t *testing.T, check *Check) {
	t.Helper()
	for _, row := range check.Rows {
		t.Logf("%-18s tried %d, wrong %d, apart %d", row.Adversary, row.Tried, len(row.Wrong), len(row.Apart))
		for _, w := range row.Wrong {
			t.Errorf("%s: question %s: %s", row.Adversary, w.ID, w.Text)
		}
	}
	for _, r := range append(check.GoldBroken, check.NotRun...) {
		t.Errorf("question %s: %s", r.ID, r.Text)
	}
}

func TestCheckPassesOnTheBenchmarkLayout(t *testing.T) {
	if testing.Short() {
		t.Skip("944 questions")
	}
	items, r := layout(t, filepath.Join(handed.Data(t), "bird_layout"), "mini_dev_sqlite.json", driver.Options{})
	// Two of them take half a second, but on a slow machine under the race
	// detector more than a statement's limit.
	r.Caps = db.ScoreCaps
	r.Caps.Time = time.Hour
	check := r.Check(context.Background(), casesOf(items))
	report(t, check)
	if !check.Passed() {
		t.Error("the check did not pass")
	}
	for _, row := range check.Rows {
		if got := row.Tried + len(row.Apart); got != len(items) || row.Tried == 0 {
			t.Errorf("%s: %d tried, %d apart, of %d", row.Adversary, row.Tried, len(row.Apart), len(items))
		}
	}
}

func TestCheckPassesOnTheSchool(t *testing.T) {
	items, r := layout(t, filepath.Join("..", "..", "..", "examples", "school"), "school.json", driver.Options{})
	check := r.Check(context.Background(), casesOf(items))
	report(t, check)
}

// The oracle's SQL is run beside the gold's, not remembered.
func TestOracleIsExecuted(t *testing.T) {
	var sent []string
	items, r := layout(t, filepath.Join("..", "..", "..", "examples", "school"), "school.json", driver.Options{
		Log: func(sql string) { sent = append(sent, sql) },
	})
	r.Workers = 1
	it := items[0]
	c := Case{ID: it.ID, DB: it.DB, Golds: it.Golds()}
	if _, err := r.Open(context.Background(), it.DB); err != nil {
		t.Fatal(err)
	}
	sent = nil
	out := r.Score(context.Background(), c, c.Golds[0], c.Golds[0])
	for _, o := range out {
		if !o.Rules.Strict {
			t.Errorf("gold against itself: %s: %s", o.Verdict, o.Difference)
		}
	}
	times := 0
	for _, sql := range sent {
		if strings.TrimSpace(sql) == strings.TrimSpace(c.Golds[0]) {
			times++
		}
	}
	if times != 3 {
		t.Errorf("the gold and two predictions of the same text were executed %d times, want 3:\n%s", times, strings.Join(sent, "\n"))
	}
}
