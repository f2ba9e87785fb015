package project_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sqbyl/sqbyl/internal/toolkit/project"
	"github.com/sqbyl/sqbyl/semantic"
)

func read(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestCreate(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, ".gitignore", "*.db\n.env")
	m := project.NewManifest()
	m.Name, m.Database.URL = "shop", "env:DATABASE_URL"
	m.Database.Dialect = "postgresql"
	m.Model.Default, m.Model.APIKey = "claude-opus-4-8", "env:ANTHROPIC_API_KEY"
	m.Defaults.SelfRepairAttempts, m.Defaults.AskBudget, m.Automation.AutoCoach = 0, 1_500_000, false
	m.Model.Prices = map[string]project.Price{"my/model": {Input: 250_000_000, Output: 1_000_000_000}}
	if err := project.Create(dir, m); err != nil {
		t.Fatal(err)
	}
	want := project.SchemaLine("sqbyl") + `name: shop
database:
  dialect: postgresql
  url: env:DATABASE_URL
  read_only: true
model:
  api_key: env:ANTHROPIC_API_KEY
  default: claude-opus-4-8
  prices: { my/model: { input: 0.25, output: 1 } }
automation:
  auto_coach: false
defaults:
  self_repair_attempts: 0
  ask_budget: 0.0015
`
	if diff := cmp.Diff(want, read(t, dir, project.ManifestFile)); diff != "" {
		t.Error(diff)
	}
	if got := read(t, dir, ".gitignore"); got != "*.db\n.env\n.sqbyl/\n" {
		t.Errorf("%q", got)
	}
	if err := project.Ignore(dir); err != nil || read(t, dir, ".gitignore") != "*.db\n.env\n.sqbyl/\n" {
		t.Error(err)
	}
	if err := project.Create(dir, m); !errors.Is(err, fs.ErrExist) {
		t.Errorf("overwrites a manifest: %v", err)
	}
	p, err := project.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(m, p.Manifest); diff != "" {
		t.Error(diff)
	}
}

func TestCreateParts(t *testing.T) {
	dir := folder(t, nil)
	model := semantic.Model{
		Tables:   []semantic.Table{{Name: "Orders"}, {Name: "orders"}, {Name: "sales. a/b:c"}},
		Examples: []semantic.Example{{Question: "How many?", SQL: "SELECT 1\nFROM t\n", Tags: []string{"a"}}},
		Assets:   []semantic.Asset{{Name: "mrr", Description: "x", Params: []semantic.Param{{Name: "m", Type: "decimal(10,2)"}}, SQL: "SELECT :m"}},
	}
	var files []string
	for _, table := range model.Tables {
		file, err := project.CreateTable(dir, table)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	if _, err := project.CreateTable(dir, semantic.Table{Name: "orders"}); err != nil {
		t.Fatal(err)
	}
	if err := project.RemoveFile(dir, "semantics/orders-2.yaml"); err != nil {
		t.Fatal(err)
	}
	if _, err := project.CreateExamples(dir, "a", model.Examples); err != nil {
		t.Fatal(err)
	}
	if _, err := project.CreateAsset(dir, model.Assets[0]); err != nil {
		t.Fatal(err)
	}
	if files[2] != "semantics/sales.%20a%2Fb%3Ac.yaml" {
		t.Error(files)
	}
	p, err := project.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(model, p.Semantic); diff != "" {
		t.Error(diff)
	}
}

func TestFileStem(t *testing.T) {
	for name, want := range map[string]string{
		"orders": "orders", "a.b": "a.b", "../x": "%2E.%2Fx", "名前": "名前", "con": "_con", "lpt1.x": "_lpt1.x", "": "_", "a b": "a%20b",
	} {
		if got := project.FileStem(name); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

func TestWritable(t *testing.T) {
	dir := folder(t, map[string]string{"benchmarks/test.yaml": "x"})
	for _, name := range []string{"benchmarks/test.yaml", "benchmarks/TEST.yaml", "semantics/../benchmarks/test.yaml", "../x.yaml", ".sqbyl/x", ".env", "semantics/a/b.yaml", `semantics/..\x.yaml`} {
		if err := project.WriteFile(dir, name, nil); !errors.Is(err, project.ErrNotWritable) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := project.ReadFile(dir, name); !errors.Is(err, project.ErrNotWritable) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := os.Symlink("benchmarks", filepath.Join(dir, "examples")); err != nil {
		t.Skip(err)
	}
	if err := project.WriteFile(dir, "examples/test.yaml", nil); err == nil || read(t, dir, "benchmarks/test.yaml") != "x" {
		t.Errorf("wrote through a link: %v", err)
	}
}
