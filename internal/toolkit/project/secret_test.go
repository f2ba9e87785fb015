package project_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/sqbyl/sqbyl/internal/toolkit/project"
)

func TestAVariableIsReadBackAsItWasWritten(t *testing.T) {
	for _, value := range []string{
		"postgres://reader:secret@db/shop?sslmode=disable", "sqlite:/data/my shop.db", `mysql://a:p'w"d#1 # x@h/d`, "postgres://a:p$HOME\\@h/d", "'quoted'",
	} {
		dir := t.TempDir()
		m := project.NewManifest()
		m.Name, m.Database.URL = "t", "env:DATABASE_URL"
		if err := project.Create(dir, m); err != nil {
			t.Fatal(err)
		}
		if err := project.CreateEnv(dir, "DATABASE_URL", value); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(filepath.Join(dir, ".env"))
		if err != nil {
			t.Fatal(err)
		}
		if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("mode %v", info.Mode())
		}
		p, err := project.Load(dir)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := p.Variable(func(string) (string, bool) { return "", false }, "DATABASE_URL"); got != value {
			t.Errorf("%q, want %q", got, value)
		}
		if err := project.CreateEnv(dir, "DATABASE_URL", value); err == nil {
			t.Error("a .env that is there was written over")
		}
	}
	if err := project.CreateEnv(t.TempDir(), "A", "x\nB=y"); err == nil {
		t.Error("two lines were written")
	}
}
