package profile_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/sqbyl/sqbyl/internal/testkit/handed"
	"github.com/sqbyl/sqbyl/internal/toolkit/profile"
	"github.com/sqbyl/sqbyl/semantic"
)

// TestBirdDatabases profiles every handed SQLite database twice: no error, and
// the same bytes.
func TestBirdDatabases(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(handed.Data(t, "bird_layout"), "dev_databases", "*", "*.sqlite"))
	if err != nil || len(files) != 16 {
		t.Fatalf("%d databases: %v", len(files), err)
	}
	for _, file := range files {
		first := run(t, "sqlite:"+file, semantic.Model{}, profile.Options{})
		healthy(t, filepath.Base(file), first)
		second := run(t, "sqlite:"+file, semantic.Model{}, profile.Options{Workers: 1})
		if asJSON(t, first) != asJSON(t, second) {
			t.Errorf("%s: two profiles differ", filepath.Base(file))
		}
		for _, n := range first.Notes() {
			t.Log(filepath.Base(file), n)
		}
	}
}

// healthy wants every table and column measured.
func healthy(t *testing.T, name string, r *profile.Report) {
	t.Helper()
	if len(r.Tables) == 0 {
		t.Errorf("%s: no tables", name)
	}
	for _, x := range r.Tables {
		if x.Skipped != "" {
			t.Errorf("%s: %s was skipped: %s", name, x.Name, x.Skipped)
		}
		for _, c := range x.Columns {
			if c.Failed != "" || c.Profile == nil {
				t.Errorf("%s: %s.%s: %s", name, x.Name, c.Name, c.Failed)
			}
			if raw := asJSON(t, c.Samples); c.Personal != "" && strings.Contains(raw, `"`) {
				t.Errorf("%s: %s.%s is personal and has samples %s", name, x.Name, c.Name, raw)
			}
		}
	}
}
