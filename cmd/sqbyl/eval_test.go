package main

import (
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/sqbyl/sqbyl/internal/testkit/handed"
	"github.com/sqbyl/sqbyl/internal/testkit/servers"
)

// The PostgreSQL questions, their databases on one server, from the command
// line; now is the day the data was loaded.
func TestEvalChecksAServersDatabases(t *testing.T) {
	data := filepath.Join(handed.Data(t), "postgres")
	text, err := os.ReadFile(filepath.Join(data, "questions_postgres.json"))
	if err != nil {
		t.Fatal(err)
	}
	var questions []map[string]any
	if err := json.Unmarshal(text, &questions); err != nil {
		t.Fatal(err)
	}
	loaded := make(map[string]*servers.Server)
	var at *servers.Server
	for _, q := range questions {
		id := q["db_id"].(string)
		if loaded[id] == nil {
			dump, err := os.ReadFile(filepath.Join(data, id, id+".sql"))
			if err != nil {
				t.Fatal(err)
			}
			at = servers.Postgres(t)
			at.Exec(t, string(dump))
			loaded[id] = at
		}
		q["db_id"] = loaded[id].Database
	}
	if text, err = json.Marshal(questions); err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(t.TempDir(), "questions.json")
	if err := os.WriteFile(list, text, 0o600); err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(at.URL)
	if err != nil {
		t.Fatal(err)
	}
	u.Path = ""
	code, out, errOut := sqbyl(t, nil, "eval", "--bird", list, "--databases", u.String(), "--check", "--as-of", time.Now().Format(time.DateOnly), "--json")
	var doc struct {
		Solvers []struct {
			Name       string `json:"name"`
			N, Correct int
			Broken     int `json:"gold_broken"`
		} `json:"solvers"`
		Check struct {
			Passed bool `json:"passed"`
		} `json:"check"`
	}
	if err := json.Unmarshal([]byte(out), &doc); err != nil || code != 0 {
		t.Fatalf("exit %d, %v\n%s", code, err, errOut)
	}
	if o := doc.Solvers[0]; !doc.Check.Passed || o.Name != "oracle" || o.N != 142 || o.Correct != 142 || o.Broken != 0 {
		t.Errorf("passed %v, oracle %+v", doc.Check.Passed, o)
	}
}

// The questions in BIRD's layout, and the predictions that come with them.
func TestEvalScoresPredictionFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("944 questions")
	}
	data := filepath.Join(handed.Data(t), "bird_layout")
	code, out, errOut := sqbyl(t, nil, "eval", "--bird", filepath.Join(data, "mini_dev_sqlite.json"), "--databases", filepath.Join(data, "dev_databases"),
		"--solvers", filepath.Join(data, "predict_oracle.json")+","+filepath.Join(data, "predict_mute.json"), "--json")
	var doc struct {
		Solvers []struct {
			Name      string `json:"name"`
			N         int    `json:"n"`
			NotRun    int    `json:"not_run"`
			Rules     struct{ Bird, Strict, Tolerant int }
			Questions []json.RawMessage `json:"questions"`
		} `json:"solvers"`
	}
	if err := json.Unmarshal([]byte(out), &doc); err != nil || code != 0 {
		t.Fatalf("exit %d, %v\n%s", code, err, errOut)
	}
	want := map[string]int{"oracle": 944, "mute": 0, "predict_oracle": 944, "predict_mute": 0}
	for _, s := range doc.Solvers {
		right, known := want[s.Name]
		if !known || s.N != 944 || s.NotRun != 0 || s.Rules.Bird != right || s.Rules.Strict != right || len(s.Questions) != 944 {
			t.Errorf("%s: n %d, not run %d, %+v, %d questions", s.Name, s.N, s.NotRun, s.Rules, len(s.Questions))
		}
	}
	if len(doc.Solvers) != len(want) {
		t.Errorf("%d solvers", len(doc.Solvers))
	}
}
