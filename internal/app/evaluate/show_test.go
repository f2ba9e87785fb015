package evaluate_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sqbyl/sqbyl/driver"
	_ "github.com/sqbyl/sqbyl/driver/sqlite"
	"github.com/sqbyl/sqbyl/internal/app/evaluate"
	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/testkit/golden"
	"github.com/sqbyl/sqbyl/internal/toolkit/bench"
	"github.com/sqbyl/sqbyl/internal/toolkit/eval"
	"github.com/sqbyl/sqbyl/internal/toolkit/score"
)

// school scores two sets of predictions on the sample in BIRD's layout.
func school(t *testing.T) *evaluate.Report {
	t.Helper()
	dir := filepath.Join("..", "..", "..", "examples", "school")
	f, err := os.Open(filepath.Join(dir, "school.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	items, err := bench.ReadBIRD(f, "school.json")
	if err != nil {
		t.Fatal(err)
	}
	set := evaluate.Set{Name: "school.json", Split: evaluate.All, Items: items, Total: len(items), Headline: eval.ByBIRD}
	set.Items[2].GoldSQL = "SELECT nope FROM nowhere"
	set.Items[3].DB = "gone"
	var files []string
	for name, predictions := range map[string]map[int]string{
		"first":  {0: "SELECT 'Kent'", 1: set.Items[1].GoldSQL, 4: "SELECT 1.5", 5: "DROP TABLE schools"},
		"second": {0: set.Items[0].GoldSQL, 1: "SELECT cnty FROM schools", 4: set.Items[4].GoldSQL, 5: "SELECT FROM"},
	} {
		sql := make([]string, len(set.Items))
		for i, text := range predictions {
			sql[i] = text
		}
		var b bytes.Buffer
		if err := bench.WritePredictions(&b, set.Items, sql); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), name+".json")
		if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	if filepath.Base(files[0]) != "first.json" {
		files[0], files[1] = files[1], files[0]
	}
	solvers, warnings, err := evaluate.ParseSolvers(files, set)
	if err != nil || len(warnings) > 0 {
		t.Fatal(err, warnings)
	}
	databases := score.InFolder(filepath.Join(dir, "dev_databases"), driver.Options{})
	t.Cleanup(func() {
		if err := databases.Close(); err != nil {
			t.Error(err)
		}
	})
	done, all := 0, 0
	report, err := evaluate.Run(context.Background(), evaluate.Job{
		Set: set, Solvers: solvers, Runner: &score.Runner{Open: databases.Open, Workers: 1}, Check: true,
		Progress: func(d, a int) { done, all = d, a },
	})
	if err != nil {
		t.Fatal(err)
	}
	if done == 0 || all != 2*len(set.Items) {
		t.Errorf("told of %d of %d", done, all)
	}
	return report
}

func TestReportOnATerminal(t *testing.T) {
	report := school(t)
	for _, width := range []int{0, 100, 60} {
		s := term.Plain(nil, nil, nil)
		s.Width = width
		out := strings.ReplaceAll(report.Render(s), string(filepath.Separator), "/")
		for _, line := range strings.Split(out, "\n") {
			if width > 0 && term.Width(line) > width {
				t.Errorf("wider than %d cells: %s", width, line)
			}
		}
		if width == 100 {
			golden.Check(t, "report.golden", out)
		}
	}
}
