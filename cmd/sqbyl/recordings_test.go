package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	example "github.com/sqbyl/sqbyl/examples/shop"
	"github.com/sqbyl/sqbyl/internal/app/cli"
	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/app/workbench"
	"github.com/sqbyl/sqbyl/internal/toolkit/bench"
	"github.com/sqbyl/sqbyl/internal/toolkit/project"
)

// sample is a folder of examples with recordings, and how its database is
// built; build is nil where this build lacks the engine.
type sample struct {
	folder, database string
	build            func(ctx context.Context, path string) error
}

// sqbylIn runs the command line in a folder, without a key.
func sqbylIn(t *testing.T, dir string, args ...string) (code int, out, errOut string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = cli.Main(context.Background(), args, cli.Program{
		Streams: term.Plain(strings.NewReader(""), &stdout, &stderr),
		Host: workbench.Host{Dir: dir, Version: "test", Env: func(name string) (string, bool) {
			if name == "SQBYL_HOME" {
				return filepath.Join(dir, "home"), true
			}
			return "", false
		}},
	})
	return code, stdout.String(), stderr.String()
}

// TestRecordingsAreFresh asks every recorded question again from its
// recording. A question is stale when the product would send another prompt
// today.
func TestRecordingsAreFresh(t *testing.T) {
	for _, s := range samples() {
		t.Run(s.folder, func(t *testing.T) {
			if s.build == nil {
				t.Skip("this build lacks the sample's engine: it needs cgo")
			}
			t.Parallel()
			dir := filepath.Join(t.TempDir(), s.folder)
			if err := os.CopyFS(dir, os.DirFS(filepath.Join("..", "..", "examples", s.folder))); err != nil {
				t.Fatal(err)
			}
			_ = os.Remove(filepath.Join(dir, s.database))
			_ = os.RemoveAll(filepath.Join(dir, ".sqbyl"))
			if err := s.build(t.Context(), filepath.Join(dir, s.database)); err != nil {
				t.Fatal(err)
			}
			var stale []string
			for id, question := range recordedQuestions(t, dir) {
				code, out, errOut := sqbylIn(t, dir, "ask", question, "--json", "--replay", filepath.Join(dir, filepath.FromSlash(example.Recording)))
				if code > 1 || !strings.Contains(out, `"replayed"`) {
					stale = append(stale, id)
					t.Log(errOut)
				}
			}
			if len(stale) > 0 {
				t.Errorf("examples/%s: stale recordings of %s; renew them with  go run ./tools/rerecord", s.folder, strings.Join(stale, ", "))
			}
		})
	}
}

// recordedQuestions are the texts of the demo's questions, by id.
func recordedQuestions(t *testing.T, dir string) map[string]string {
	t.Helper()
	file, err := os.Open(filepath.Join(dir, filepath.FromSlash(project.DevFile)))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	set, err := bench.Parse(file, project.DevFile)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, id := range example.Demo() {
		for _, q := range set.Questions {
			if q.ID == id {
				texts[id] = q.Question
			}
		}
	}
	if len(texts) < 4 {
		t.Fatalf("only %d of the demo's questions are in %s", len(texts), project.DevFile)
	}
	return texts
}

func TestDemo(t *testing.T) {
	dir := t.TempDir()
	code, out, errOut := sqbylIn(t, dir, "demo", "--json")
	if code != 0 {
		t.Fatalf("demo ended with %d: %s", code, errOut)
	}
	var doc struct {
		Right, Of int
		Model     string
		Questions []struct {
			ID     string
			Right  bool
			Answer struct {
				Answered bool
				Attempts []struct{ SQL, Error string }
				Replayed bool
			}
		}
	}
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatalf("not one document: %v\n%s", err, out)
	}
	repaired, refused := 0, 0
	for _, q := range doc.Questions {
		if !q.Answer.Replayed {
			t.Errorf("%s was not answered from the recording", q.ID)
		}
		if len(q.Answer.Attempts) > 1 {
			repaired++
		}
		if !q.Answer.Answered {
			refused++
		}
	}
	if doc.Of < 4 || doc.Of != len(doc.Questions) || repaired == 0 || refused == 0 {
		t.Errorf("%d questions, %d answered after a repair, %d that cannot be answered; want four, one and one at least", doc.Of, repaired, refused)
	}
	if doc.Model == "" {
		t.Error("the recording does not say which model answered")
	}
	file, err := os.ReadFile(filepath.Join(dir, "sqbyl-demo", "semantics", "orders.yaml"))
	if err != nil || !strings.HasPrefix(string(file), project.SchemaLine("semantics")) {
		t.Errorf("an editor does not find the schema of semantics/orders.yaml: %v %.100s", err, file)
	}
	code, _, errOut = sqbylIn(t, dir, "demo")
	if code != 2 || !strings.Contains(errOut, "exists") {
		t.Errorf("a second demo ended with %d: %s", code, errOut)
	}
	code, out, _ = sqbylIn(t, dir, "demo", "my other")
	for _, want := range []string{"attempt 1", "cd 'my other'", "$0", "right"} {
		if code != 0 || !strings.Contains(out, want) {
			t.Errorf("demo 'my other' ended with %d and does not say %q:\n%s", code, want, out)
		}
	}
}
