package heldout_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sqbyl/sqbyl/driver"
	_ "github.com/sqbyl/sqbyl/driver/sqlite"
	"github.com/sqbyl/sqbyl/internal/engine/compare"
	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
	"github.com/sqbyl/sqbyl/internal/toolkit/bench"
	"github.com/sqbyl/sqbyl/internal/toolkit/eval"
	"github.com/sqbyl/sqbyl/internal/toolkit/goldlint"
	"github.com/sqbyl/sqbyl/internal/toolkit/heldout"
	"github.com/sqbyl/sqbyl/internal/toolkit/score"
	"github.com/sqbyl/sqbyl/semantic"
)

const hidden = `- {id: h1, question: "zebra one?", gold_sql: "SELECT 'zebra'", difficulty: easy}
- {id: h2, question: "zebra two?", gold_sql: "SELECT 'zebra', 2 UNION SELECT 'zebra', 3"}
- {id: h3, question: "zebra three?", gold_sql: "SELECT nosuch_zebra FROM zebra"}
- {id: h4, question: "zebra four?", unanswerable: true}
- {id: h5, question: "zebra five?", gold_asset: zebras, params: {n: 3}}
- {id: h6, question: "zebra six?", gold_sql: "SELECT 'zebra'", quarantine: zebra}
`

var zebras = []semantic.Asset{{Name: "zebras", Params: []semantic.Param{{Name: "n", Type: "integer"}}, SQL: "SELECT :n"}}

func runner(t *testing.T) *score.Runner {
	t.Helper()
	databases := score.InFolder("", driver.Options{})
	t.Cleanup(func() {
		if err := databases.Close(); err != nil {
			t.Error(err)
		}
	})
	return &score.Runner{Open: databases.Open}
}

func open(t *testing.T) (string, *heldout.Set) {
	t.Helper()
	dir := folder(t, hidden)
	place := heldout.InProject(dir)
	place.Now = func() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC) }
	set, err := heldout.Open(dir, zebras, place)
	if err != nil {
		t.Fatal(err)
	}
	return dir, set
}

func answers(t *testing.T, sql ...string) heldout.Predictions {
	t.Helper()
	all := map[string]string{}
	for i, s := range sql {
		all[fmt.Sprint(i)] = s
	}
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	p, err := bench.ReadPredictions(strings.NewReader(string(text)), "model.json")
	if err != nil {
		t.Fatal(err)
	}
	return heldout.Predictions{Name: "model", Answers: p}
}

func record(t *testing.T, dir string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(heldout.LooksFile)))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return string(text)
}

func TestScorecardsAndLooks(t *testing.T) {
	dir, set := open(t)
	cards, err := set.Score(t.Context(), heldout.Config{
		Command: "eval test", Runner: runner(t), Headline: eval.ByOptions, Check: true,
		Predictions: []heldout.Predictions{answers(t, "SELECT 'zebra'", "SELECT 'zebra', 2", "SELECT 1", "", "SELECT 3", "SELECT 1")},
	})
	if err != nil {
		t.Fatal(err)
	}
	document, err := json.Marshal(eval.NewDocument("7", "test", eval.ByOptions, cards.Results(), false))
	if err != nil {
		t.Fatal(err)
	}
	check, err := json.Marshal(cards.Check)
	if err != nil {
		t.Fatal(err)
	}
	for _, shown := range []string{string(document), string(check), fmt.Sprintf("%+v %+v", cards.Results(), cards.Summaries)} {
		if strings.Contains(shown, "zebra") {
			t.Errorf("a text shows: %s", shown)
		}
	}
	var got eval.Document
	if err := json.Unmarshal(document, &got); err != nil {
		t.Fatal(err)
	}
	var verdicts []string
	for _, line := range got.Solvers[len(got.Solvers)-1].Questions {
		verdicts = append(verdicts, line.ID+" "+string(line.Verdict))
	}
	want := []string{
		"h1 " + string(compare.Exact), "h2 " + string(compare.RowsMissing), "h3 " + string(compare.GoldBroken),
		"h4 " + string(compare.NotRun), "h5 " + string(compare.Exact), "h6 " + string(compare.NotRun),
	}
	if d := cmp.Diff(want, verdicts); d != "" {
		t.Error(d)
	}
	line := `{"time":"2026-11-30T12:00:00Z","command":"eval test","set":"benchmarks/test.yaml","hash":"` + set.Summary().Hash +
		`","n":6,"headline":[{"solver":"oracle","correct":3,"n":3},{"solver":"mute","correct":0,"n":3},{"solver":"model","correct":2,"n":3}],"revealed":false}` + "\n"
	if d := cmp.Diff(line, record(t, dir)); d != "" {
		t.Error(d)
	}
}

func TestRevealIsForAPersonAndOnRecord(t *testing.T) {
	dir, set := open(t)
	cards, err := set.Score(t.Context(), heldout.Config{Command: "eval test", Runner: runner(t), Headline: eval.ByOptions,
		Predictions: []heldout.Predictions{answers(t, "SELECT 'zebra'", "SELECT 'zebra', 2", "SELECT 1", "SELECT 4", "SELECT 3", "")}})
	if err != nil {
		t.Fatal(err)
	}
	before := record(t, dir)
	if rows, err := cards.Reveal("eval test --reveal", false); !errors.Is(err, heldout.ErrNoReviewer) || rows != nil || record(t, dir) != before {
		t.Error(rows, err)
	}
	rows, err := cards.Reveal("eval test --reveal", true)
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 3 || rows[0].ID != "h2" || rows[0].Question != "zebra two?" || rows[0].SQL != "SELECT 'zebra', 2" || rows[0].Difference == "" {
		t.Errorf("%+v", rows)
	}
	looks, err := heldout.InProject(dir).Record()
	if err != nil || len(looks) != 2 || looks[0].Revealed || !looks[1].Revealed || looks[1].Command != "eval test --reveal" {
		t.Errorf("%+v, %v", looks, err)
	}
}

// TestNothingIsShownOffTheRecord takes the record's place away.
func TestNothingIsShownOffTheRecord(t *testing.T) {
	dir, set := open(t)
	if err := os.Mkdir(filepath.Join(dir, filepath.FromSlash(heldout.LooksFile)), 0o755); err != nil {
		t.Fatal(err)
	}
	cards, err := set.Score(t.Context(), heldout.Config{Command: "eval test", Runner: runner(t), Headline: eval.ByOptions})
	if err == nil || cards != nil || strings.Contains(err.Error(), "zebra") {
		t.Error(cards, err)
	}
}

func TestALookBehindACutLine(t *testing.T) {
	dir, set := open(t)
	path := filepath.Join(dir, filepath.FromSlash(heldout.LooksFile))
	if err := os.WriteFile(path, []byte(`{"time":"2026-`), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := set.Score(t.Context(), heldout.Config{Command: "eval test", Runner: runner(t), Headline: eval.ByOptions}); err != nil {
		t.Fatal(err)
	}
	looks, err := heldout.InProject(dir).Record()
	if err != nil || len(looks) != 1 || looks[0].N != 6 {
		t.Errorf("%+v, %v", looks, err)
	}
}

func TestLintAndLeaksSayNoText(t *testing.T) {
	dir, set := open(t)
	found := set.Lint(t.Context(), &goldlint.Linter{Open: runner(t).Open})
	if d := cmp.Diff([]goldlint.Finding{{ID: "h3", Kind: goldlint.Broken}}, found); d != "" {
		t.Error(d)
	}
	dev := bench.Items([]bench.Question{{ID: "d1", Question: "Zebra one", GoldSQL: "SELECT 1"}}, nil)
	leaks, err := json.Marshal(set.Leaks(dev, []semantic.Example{{Question: "An example", SQL: "SELECT 'zebra';"}}, &sqltext.SQLiteRules))
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"kind":"same question","a":{"source":"dev","id":"d1"},"b":{"source":"held-out","id":"h1"}},` +
		`{"kind":"same SQL","a":{"source":"held-out","id":"h1"},"b":{"source":"examples","id":"1"}},` +
		`{"kind":"same SQL","a":{"source":"held-out","id":"h6"},"b":{"source":"examples","id":"1"}}]`
	if d := cmp.Diff(want, string(leaks)); d != "" {
		t.Error(d)
	}
	if record(t, dir) != "" {
		t.Error("ids and kinds are no look")
	}
}

func TestOneFile(t *testing.T) {
	path := filepath.Join("..", "..", "..", "examples", "school", "school.json")
	dir := t.TempDir()
	place := heldout.Place{Looks: filepath.Join(dir, "looks.jsonl"), State: dir}
	file, err := heldout.OpenFile(path, bench.ReadBIRD, place)
	if err != nil {
		t.Fatal(err)
	}
	n := file.HeldOut().Summary().Questions
	if len(file.Dev()) == 0 || n == 0 || len(file.Dev())+n != file.Total() || len(file.Warnings) != 2 {
		t.Errorf("%d dev, %d held out of %d; %q", len(file.Dev()), n, file.Total(), file.Warnings)
	}
	for _, it := range file.Dev() {
		if bench.HeldBack(it.DB, it.ID, it.Question.Question) {
			t.Errorf("%s is in the dev half", it.ID)
		}
	}
	databases := score.InFolder(filepath.Join(filepath.Dir(path), "dev_databases"), driver.Options{})
	t.Cleanup(func() { _ = databases.Close() })
	cards, err := file.HeldOut().Score(t.Context(), heldout.Config{Command: "eval --bird --split test", Runner: &score.Runner{Open: databases.Open}, Headline: eval.ByBIRD})
	if err != nil || cards.Summaries[0].Correct != n {
		t.Errorf("%+v, %v", cards, err)
	}
	last := fmt.Sprint(file.Total() - 1)
	p, err := bench.ReadPredictions(strings.NewReader(`{"0": "SELECT 1", "`+last+`": "SELECT 1", "99": "SELECT 1"}`), "p.json")
	if err != nil {
		t.Fatal(err)
	}
	if unknown := file.Unknown(p); len(unknown) == 0 || unknown[len(unknown)-1] != "99" {
		t.Errorf("%q", unknown)
	}
	looks, err := place.Record()
	if err != nil || len(looks) != 1 || looks[0].Set != "school.json" || looks[0].N != n || looks[0].Revealed {
		t.Errorf("%+v, %v", looks, err)
	}
	if got := file.HeldOut().StateDir(); got != filepath.Join(dir, "heldout") {
		t.Error(got)
	}
}

func TestIs(t *testing.T) {
	dir := folder(t, "")
	dev := filepath.Join(dir, "benchmarks", "dev.yaml")
	if err := os.WriteFile(dev, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	link, hard := filepath.Join(t.TempDir(), "link.yaml"), filepath.Join(dir, "hard.yaml")
	file := filepath.Join(dir, filepath.FromSlash(heldout.File))
	for _, err := range []error{os.Symlink(file, link), os.Link(file, hard)} {
		if err != nil {
			t.Skip(err)
		}
	}
	for path, want := range map[string]bool{file: true, link: true, hard: true, dev: false, dir: false, "nosuch": false} {
		if heldout.Is(path) != want {
			t.Errorf("Is(%s) is not %t", path, want)
		}
	}
	if _, err := heldout.OpenFile(link, bench.ReadCSV, heldout.Place{}); !errors.Is(err, heldout.ErrIsHeldOut) {
		t.Error(err)
	}
}

func TestMistakesOfAFileHaveTheirPlace(t *testing.T) {
	for text, want := range map[string]string{
		"\xef\xbb\xbf\n[{\"question\": \"a\",\n  \"SQL\": 1}]":          "line 3, column 10: SQL is a number, which does not belong there",
		"[{\"question\": \"a\"\n \"SQL\": \"b\"}]":                      "line 2, column 2: invalid character",
		"\n\n[{\"question\": \"a\"},":                                   "line 3, column 19: the file ends within its list",
		"{\"question\": \"a\"}\n{\"question\": [\"zebra\"]}\n":          "line 2: question is an array",
		"[{\"question\": \"a\", \"SQL\": \"x\", \"alternatives\": {}}]": "column 48: alternatives is an object",
		"[]\n[{\"question\": \"zebra\"}]":                               "line 2, column 1: invalid character '[' after top-level value",
		"[12345]":                                                       "line 1, column 6: the question is a number",
		"zebra":                                                         "line 1: invalid character",
	} {
		path := filepath.Join(t.TempDir(), "list.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := heldout.OpenFile(path, bench.ReadBIRD, heldout.Place{})
		if err == nil || !strings.HasPrefix(err.Error(), "read list.json: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
		if err != nil && (strings.Contains(err.Error(), "zebra") || strings.Contains(err.Error(), "12345")) {
			t.Errorf("a value shows: %v", err)
		}
	}
}
