package score

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/sqbyl/sqbyl/driver"
	_ "github.com/sqbyl/sqbyl/driver/sqlite"
	"github.com/sqbyl/sqbyl/internal/engine/compare"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/testkit/handed"
)

// verdictCase is a line of the files that say what other evaluators said.
type verdictCase struct {
	ID       string         `json:"id"`
	Kind     string         `json:"kind"`
	Variant  string         `json:"variant"`
	Model    string         `json:"model"`
	DB       string         `json:"db_id"`
	Question string         `json:"question"`
	Gold     string         `json:"gold"`
	Pred     string         `json:"pred"`
	Official map[string]any `json:"official"`
	Facts    struct {
		Multiset *bool `json:"multiset_equal"`
		List     *bool `json:"list_equal"`
	} `json:"facts"`
}

func readLines[T any](t testing.TB, name string) []T {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []T
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var v T
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out = append(out, v)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

func verdictCases(t testing.TB) []verdictCase {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(handed.Data(t), "verdicts", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no verdict files: %v", err)
	}
	var out []verdictCase
	for _, name := range files {
		out = append(out, readLines[verdictCase](t, name)...)
	}
	return out
}

// verdictDatabases finds the benchmark's databases and the one of edge cases.
func verdictDatabases(t testing.TB) func(ctx context.Context, id string) (db.Database, error) {
	t.Helper()
	data := handed.Data(t)
	bird := InFolder(filepath.Join(data, "bird_layout", "dev_databases"), driver.Options{})
	edge := InFolder(filepath.Join(data, "verdicts", "db"), driver.Options{})
	t.Cleanup(func() { _, _ = bird.Close(), edge.Close() })
	return func(ctx context.Context, id string) (db.Database, error) {
		if id == "edge" {
			return edge.Open(ctx, id)
		}
		return bird.Open(ctx, id)
	}
}

// engineSensitive are the cases in which another SQLite than CPython's own
// says something else.
func engineSensitive(t testing.TB) map[string]bool {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(handed.Data(t), "verdicts", "engine_sensitive.json"))
	if err != nil {
		t.Fatal(err)
	}
	var list []struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal(b, &list); err != nil {
		t.Fatal(err)
	}
	out := make(map[string]bool)
	for _, e := range list {
		out[e.ID] = true
	}
	return out
}

// departs reports a prediction that is no query. Other evaluators credit it
// where the gold returns nothing; here it is never right.
func departs(v compare.Verdict) bool { return v == compare.NoSQL || v == compare.Refused }

var opensQuery = regexp.MustCompile(`(?i)^\s*(select|with|values)\b`)

func TestAgreesWithOtherEvaluators(t *testing.T) {
	cases := verdictCases(t)
	sensitive := engineSensitive(t)
	outcomes := scoreAll(t, cases)
	departures := 0
	for i, c := range cases {
		out := outcomes[i][0]
		if sensitive[c.ID] {
			continue
		}
		official := c.Official["bird_ex"] == 1.0
		if official && departs(out.Verdict) {
			departures++
			if opensQuery.MatchString(c.Pred) {
				t.Errorf("%s: a query others call right is %s: %s\n%s", c.ID, out.Verdict, out.Difference, c.Pred)
			}
			continue
		}
		if out.Rules.Bird != official {
			t.Errorf("%s (%s): bird %v, official %v: %s: %s\n%s\n%s", c.ID, c.Variant, out.Rules.Bird, official, out.Verdict, out.Difference, c.Gold, c.Pred)
		}
		strict := c.Facts.Multiset != nil && *c.Facts.Multiset
		if out.Rules.Strict != strict {
			t.Errorf("%s (%s): strict %v, multiset %v: %s: %s\n%s\n%s", c.ID, c.Variant, out.Rules.Strict, strict, out.Verdict, out.Difference, c.Gold, c.Pred)
		}
	}
	t.Logf("%d cases, %d departures", len(cases), departures)
}

func scoreAll(t testing.TB, cases []verdictCase) [][]Outcome {
	t.Helper()
	r := &Runner{Open: verdictDatabases(t)}
	list := make([]Case, len(cases))
	for i, c := range cases {
		list[i] = Case{ID: c.ID, DB: c.DB, Golds: []string{c.Gold}}
	}
	return r.All(context.Background(), list, func(i int) []string { return []string{cases[i].Pred} })
}
