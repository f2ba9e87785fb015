package schema_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/sqbyl/sqbyl/internal/toolkit/bench"
	"github.com/sqbyl/sqbyl/internal/toolkit/project"
	"github.com/sqbyl/sqbyl/internal/toolkit/project/yamldoc"
)

// fullFiles use every key of every format, by format.
var fullFiles = map[string][]string{
	"sqbyl":      {"sqbyl.yaml"},
	"semantics":  {"semantics/orders.yaml", "semantics/customers.yaml"},
	"examples":   {"examples/all.yaml"},
	"benchmarks": {"benchmarks/dev.yaml"},
}

// keyAt is a key of a file, and the path of keys it stands under.
type keyAt struct {
	node *yaml.Node
	path string
}

// keys lists the keys below a node. Those of maps with free keys, model ids
// and parameters, are left out.
func keys(n *yaml.Node, path string) []keyAt {
	var out []keyAt
	switch n.Kind {
	case yaml.SequenceNode:
		for _, item := range n.Content {
			out = append(out, keys(item, path)...)
		}
	case yaml.MappingNode:
		for i := 0; i < len(n.Content); i += 2 {
			below := path + "/" + n.Content[i].Value
			switch path {
			case "/params":
				continue
			case "/model/prices":
				below = path + "/*"
			default:
				out = append(out, keyAt{n.Content[i], below})
			}
			out = append(out, keys(n.Content[i+1], below)...)
		}
	}
	return out
}

// declared lists the paths of all keys that a schema knows.
func declared(t *testing.T, name string) []string {
	t.Helper()
	raw, err := os.ReadFile(name + ".schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	defs := doc["$defs"].(map[string]any)
	paths := map[string]bool{}
	var walk func(s map[string]any, path string)
	walk = func(s map[string]any, path string) {
		if ref, ok := s["$ref"].(string); ok {
			walk(defs[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any), path)
		}
		for _, word := range []string{"items", "additionalProperties"} {
			if sub, ok := s[word].(map[string]any); ok {
				if word == "items" {
					walk(sub, path)
				} else {
					walk(sub, path+"/*")
				}
			}
		}
		if choices, ok := s["oneOf"].([]any); ok {
			for _, c := range choices {
				walk(c.(map[string]any), path)
			}
		}
		if properties, ok := s["properties"].(map[string]any); ok {
			for key, sub := range properties {
				paths[path+"/"+key] = true
				walk(sub.(map[string]any), path+"/"+key)
			}
		}
	}
	walk(doc, "")
	return slices.Sorted(maps.Keys(paths))
}

// typos are the one-letter mistakes in a word: a letter changed, lost,
// doubled, or swapped with the next.
func typos(word string) []string {
	var out []string
	for i := range word {
		out = append(out, word[:i]+"x"+word[i+1:], word[:i]+word[i+1:], word[:i+1]+word[i:])
		if i+1 < len(word) {
			out = append(out, word[:i]+string(word[i+1])+string(word[i])+word[i+2:])
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func TestEveryTypoIsReported(t *testing.T) {
	base := t.TempDir()
	if err := os.CopyFS(base, os.DirFS("testdata/full")); err != nil {
		t.Fatal(err)
	}
	for name, files := range fullFiles {
		known := declared(t, name)
		met := map[string]bool{}
		for _, file := range files {
			text, err := os.ReadFile(filepath.Join("testdata/full", file))
			if err != nil {
				t.Fatal(err)
			}
			for _, k := range keys(root(t, file, text), "") {
				met[k.path] = true
				for i, typo := range typos(k.node.Value) {
					if !slices.Contains(known, strings.TrimSuffix(k.path, k.node.Value)+typo) {
						checkTypo(t, base, name, file, text, k, typo, i%8 == 0)
					}
				}
			}
			write(t, filepath.Join(base, file), text)
		}
		for _, path := range known {
			if !met[path] {
				t.Errorf("testdata/full does not use %s %s", name, path)
			}
		}
	}
}

// checkTypo wants exactly one mistake: at the key, naming the right one. The
// file is read alone or in its project.
func checkTypo(t *testing.T, base, name, file string, text []byte, k keyAt, typo string, inProject bool) {
	t.Helper()
	lines := bytes.Split(text, []byte("\n"))
	line := string(lines[k.node.Line-1])
	at := k.node.Column - 1
	lines[k.node.Line-1] = []byte(line[:at] + typo + line[at+len(k.node.Value):])
	changed := bytes.Join(lines, []byte("\n"))
	var mistakes project.Mistakes
	if inProject || name == "benchmarks" {
		mistakes = mistakesOf(t, base, file, changed)
	} else {
		mistakes = alone(t, name, file, changed)
	}
	place := fmt.Sprintf("%s:%d:%d", file, k.node.Line, k.node.Column)
	if len(mistakes) != 1 || mistakes[0].Place() != place || !names(mistakes[0].Suggestion, k.node.Value) {
		t.Errorf("%s: %s written as %s: %v", place, k.path, typo, mistakes)
	}
}

// alone decodes one file of a format.
func alone(t *testing.T, name, file string, text []byte) project.Mistakes {
	t.Helper()
	doc, mistakes := yamldoc.Parse(file, text)
	var d yamldoc.Decoder
	i := slices.IndexFunc(formats, func(f format) bool { return f.name == name })
	d.Decode(doc, reflect.New(reflect.TypeOf(formats[i].value)).Interface())
	return append(mistakes, d.Mistakes...)
}

func names(suggestion, key string) bool {
	return slices.Contains(strings.FieldsFunc(suggestion, func(r rune) bool { return strings.ContainsRune(" ,?", r) }), key)
}

func mistakesOf(t *testing.T, base, file string, text []byte) project.Mistakes {
	t.Helper()
	var err error
	if strings.HasPrefix(file, "benchmarks/") {
		_, err = bench.Parse(bytes.NewReader(text), file)
	} else {
		write(t, filepath.Join(base, file), text)
		_, err = project.Load(base)
	}
	var mistakes project.Mistakes
	if err != nil && !errors.As(err, &mistakes) {
		t.Fatal(err)
	}
	return mistakes
}

func write(t *testing.T, file string, text []byte) {
	t.Helper()
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestTrustedTypos(t *testing.T) {
	base := t.TempDir()
	if err := os.CopyFS(base, os.DirFS("testdata/full")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(base, "trusted"), 0o755); err != nil {
		t.Fatal(err)
	}
	const text = "-- @name: net\n-- @params: day (date)\n-- @description: Net.\nSELECT :day\n"
	for i, key := range []string{"name", "params", "description"} {
		for _, typo := range typos(key) {
			mistakes := mistakesOf(t, base, "trusted/net.sql", []byte(strings.Replace(text, "@"+key, "@"+typo, 1)))
			place := fmt.Sprintf("trusted/net.sql:%d:4", i+1)
			if len(mistakes) != 1 || mistakes[0].Place() != place || !names(mistakes[0].Suggestion, key) {
				t.Errorf("%s written as %s: %v", key, typo, mistakes)
			}
		}
	}
}
