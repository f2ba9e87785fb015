package heldout_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sqbyl/sqbyl/internal/toolkit/bench"
	"github.com/sqbyl/sqbyl/internal/toolkit/heldout"
)

func folder(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "benchmarks"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, heldout.File), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestValidate(t *testing.T) {
	dir := folder(t, "- {id: a, question: x, gold_sql: s}\n- {id: b, question: y, unanswerable: true, quarantine: z}\n- {id: c, question: zebra}\n")
	got, err := heldout.Validate(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got.Questions != 3 || got.Unanswerable != 1 || got.Quarantined != 1 || !strings.HasPrefix(got.Hash, "sha256:") || len(got.Warnings) != 1 {
		t.Errorf("%+v", got)
	}
	if strings.Contains(got.Warnings[0].String(), "zebra") {
		t.Error(got.Warnings)
	}
	if hash, err := heldout.Hash(dir, nil); err != nil || hash != got.Hash {
		t.Error(hash, err)
	}
}

func TestMistakesHideContent(t *testing.T) {
	_, err := heldout.Validate(folder(t, "- id: a\n  question: [zebra]\n  gold: zebra\n  zebra: zebra\n- id: a\n  order: zebra\n"), nil)
	var mistakes bench.Mistakes
	if !errors.As(err, &mistakes) || len(mistakes) != 6 {
		t.Fatal(err)
	}
	if strings.Contains(err.Error(), "zebra") {
		t.Error(err)
	}
}

func TestNone(t *testing.T) {
	if _, err := heldout.Validate(t.TempDir(), nil); !errors.Is(err, heldout.ErrNone) {
		t.Error(err)
	}
	dir := folder(t, "")
	file := filepath.Join(dir, heldout.File)
	if err := os.Rename(file, file+".old"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("test.yaml.old", file); err != nil {
		t.Skip(err)
	}
	var mistakes bench.Mistakes
	if _, err := heldout.Validate(dir, nil); !errors.As(err, &mistakes) {
		t.Error(err)
	}
}
