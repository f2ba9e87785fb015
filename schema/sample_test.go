package schema_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/sqbyl/sqbyl/internal/app/benchcheck"
	"github.com/sqbyl/sqbyl/internal/app/workbench"
	"github.com/sqbyl/sqbyl/internal/engine/asset"
	"github.com/sqbyl/sqbyl/internal/toolkit/project"
)

// named are the values, by format and path, that name something which a
// program or the project knows, beside those of the schemas' closed lists.
var named = map[string][]string{
	"sqbyl":      {"/database/dialect", "/model/provider"}, // prefixes have tests of their own
	"semantics":  {"/joins/to"},
	"benchmarks": {"/gold_asset", "/variant_of", "/difficulty"},
}

// TestSampleTypos misspells every key, and every value of a closed list, of
// every file of the sample projects in turn, and reads them as commands do.
func TestSampleTypos(t *testing.T) {
	for _, sample := range []string{"shop", "shop-duckdb"} {
		t.Run(sample, func(t *testing.T) {
			t.Parallel()
			dir := copied(t, filepath.Join("../examples", sample))
			if mistakes := commandMistakes(t, dir); len(mistakes) > 0 {
				t.Fatal(mistakes)
			}
			met := map[string]int{}
			for _, file := range files(t, dir, append(people, project.EnvFile)...) {
				text, err := os.ReadFile(filepath.Join(dir, file))
				if err != nil {
					t.Fatal(err)
				}
				for _, w := range words(t, file, text) {
					met[path.Dir(file)+w.kind]++
					list := slices.DeleteFunc(typos(w.node.Value), func(typo string) bool { return slices.Contains(w.not, typo) })
					typo := list[met[path.Dir(file)+w.kind]*5%len(list)]
					write(t, filepath.Join(dir, file), misspelled(text, w.node, typo))
					demand(t, commandMistakes(t, dir), fmt.Sprintf("%s:%d:%d", file, w.node.Line, w.node.Column), strings.TrimPrefix(w.node.Value, "@"), typo)
				}
				write(t, filepath.Join(dir, file), text)
			}
			for _, kind := range []string{". key", ". value", "semantics key", "semantics value", "examples key", "benchmarks key", "benchmarks value", "trusted key", "trusted parameter", "trusted type", ". variable"} {
				if met[kind] == 0 {
					t.Errorf("no %s was misspelled: %v", kind, met)
				}
			}
		})
	}
}

// copied is a copy of a project's files, with a .env.
func copied(t *testing.T, from string) string {
	t.Helper()
	dir := t.TempDir()
	for _, file := range files(t, from, append(people, ".env.example")...) {
		text, err := os.ReadFile(filepath.Join(from, file))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Join(dir, path.Dir(file)), 0o755); err != nil {
			t.Fatal(err)
		}
		if file == ".env.example" {
			file = project.EnvFile
		}
		write(t, filepath.Join(dir, file), text)
	}
	return dir
}

// people are the files that people write and keep.
var people = []string{"sqbyl.yaml", "instructions.md", "semantics/*.yaml", "examples/*.yaml", "trusted/*.sql", "benchmarks/*.yaml"}

func files(t *testing.T, dir string, patterns ...string) (names []string) {
	t.Helper()
	for _, pattern := range patterns {
		found, err := fs.Glob(os.DirFS(dir), pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s in %s: %v", pattern, dir, err)
		}
		names = append(names, found...)
	}
	return names
}

// commandMistakes reads a project as commands do.
func commandMistakes(t *testing.T, dir string) project.Mistakes {
	t.Helper()
	nothing := func(string) (string, bool) { return "", false }
	wb, err := workbench.Open(workbench.Host{Dir: dir, Env: nothing}, workbench.Options{})
	if err == nil {
		_, err = benchcheck.Read(wb.Project())
		err = errors.Join(err, wb.Close())
	}
	var mistakes project.Mistakes
	if err != nil && !errors.As(err, &mistakes) {
		t.Fatal(err)
	}
	return mistakes
}

// word is a word of a file that can be misspelled.
type word struct {
	node *yaml.Node
	kind string
	// not are the words that would be right there too.
	not []string
}

func words(t *testing.T, file string, text []byte) (out []word) {
	t.Helper()
	switch dir, ext := path.Dir(file), path.Ext(file); {
	case file == project.EnvFile:
		return variables(text)
	case ext == ".sql":
		return head(text)
	case ext != ".yaml":
		return nil
	case dir == ".":
		return yamlWords(t, "sqbyl", file, text)
	default:
		return yamlWords(t, dir, file, text)
	}
}

func yamlWords(t *testing.T, format, file string, text []byte) (out []word) {
	t.Helper()
	known, closed := declared(t, format)
	closed = append(closed, named[format]...)
	for _, k := range keys(root(t, file, text), "") {
		var not []string
		for _, other := range known {
			if path.Dir(other) == path.Dir(k.path) {
				not = append(not, path.Base(other))
			}
		}
		out = append(out, word{k.node, " key", not})
		if slices.Contains(closed, k.path) && k.value.Value != "" {
			out = append(out, word{k.value, " value", nil})
		}
	}
	return out
}

// variables are the names of a .env.
func variables(text []byte) (out []word) {
	for i, line := range strings.Split(string(text), "\n") {
		if name, _, ok := strings.Cut(line, "="); ok && line[0] != '#' {
			out = append(out, word{&yaml.Node{Value: name, Line: i + 1, Column: 1}, " variable", nil})
		}
	}
	return out
}

// head are the keys, parameters and types of a trusted query's head. A key's
// place is that of its @.
func head(text []byte) (out []word) {
	for i, line := range bytes.Split(text, []byte("\n")) {
		key, value, ok := bytes.Cut(bytes.TrimPrefix(line, []byte("-- @")), []byte(":"))
		if !ok || !bytes.HasPrefix(line, []byte("-- @")) {
			continue
		}
		out = append(out, word{&yaml.Node{Value: "@" + string(key), Line: i + 1, Column: 4}, " key", nil})
		if string(key) != "params" {
			continue
		}
		at := len(line) - len(value)
		for item := range bytes.SplitSeq(value, []byte(",")) {
			name, typ, _ := bytes.Cut(item, []byte("("))
			start := at + len(name) - len(bytes.TrimLeft(name, " "))
			out = append(out,
				word{&yaml.Node{Value: string(bytes.TrimSpace(name)), Line: i + 1, Column: 1 + utf8.RuneCount(line[:start])}, " parameter", nil},
				word{&yaml.Node{Value: string(bytes.TrimSuffix(typ, []byte(")"))), Line: i + 1, Column: 1 + at + len(name) + 1}, " type", asset.TypeNames()})
			at += len(item) + 1
		}
	}
	return out
}
