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
	"github.com/sqbyl/sqbyl/semantic"
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
	node  *yaml.Node
	value *yaml.Node
	path  string
}

// keys lists the keys below a node. Those that may be anything, model ids, are
// left out.
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
			case "/model/prices":
				below = path + "/*"
			default:
				out = append(out, keyAt{n.Content[i], n.Content[i+1], below})
			}
			out = append(out, keys(n.Content[i+1], below)...)
		}
	}
	return out
}

// declared lists the paths of all keys that a schema knows, and those whose
// values are of a closed list.
func declared(t *testing.T, name string) (known, closed []string) {
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
	paths, lists := map[string]bool{}, map[string]bool{}
	var walk func(s map[string]any, path string)
	walk = func(s map[string]any, path string) {
		if ref, ok := s["$ref"].(string); ok {
			walk(defs[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any), path)
		}
		if _, ok := s["enum"]; ok {
			lists[path] = true
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
	return slices.Sorted(maps.Keys(paths)), slices.Sorted(maps.Keys(lists))
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
	return slices.DeleteFunc(slices.Compact(out), func(typo string) bool { return typo == word })
}

func TestEveryTypoIsReported(t *testing.T) {
	base := t.TempDir()
	if err := os.CopyFS(base, os.DirFS("testdata/full")); err != nil {
		t.Fatal(err)
	}
	for name, files := range fullFiles {
		known, closed := declared(t, name)
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
				if slices.Contains(closed, k.path) {
					met[k.path+"="] = true
					for _, typo := range typos(k.value.Value) {
						checkTypo(t, base, name, file, text, keyAt{node: k.value, path: k.path}, typo, false)
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
		for _, path := range closed {
			if !met[path+"="] {
				t.Errorf("no value of %s %s was misspelled", name, path)
			}
		}
	}
}

// checkTypo wants exactly one mistake: at the word, naming the right one. The
// file is read alone or in its project.
func checkTypo(t *testing.T, base, name, file string, text []byte, k keyAt, typo string, inProject bool) {
	t.Helper()
	changed := misspelled(text, k.node, typo)
	var mistakes project.Mistakes
	if inProject || name == "benchmarks" {
		mistakes = mistakesOf(t, base, file, changed)
	} else {
		mistakes = alone(t, name, file, changed)
	}
	demand(t, mistakes, fmt.Sprintf("%s:%d:%d", file, k.node.Line, k.node.Column), k.node.Value, typo)
}

// demand wants one mistake, at place, that names the right word.
func demand(t *testing.T, mistakes project.Mistakes, place, right, typo string) {
	t.Helper()
	if len(mistakes) != 1 || mistakes[0].Place() != place || !names(mistakes[0].Suggestion, right) {
		t.Errorf("%s: %s written as %q: %v", place, right, typo, mistakes)
	}
}

// misspelled is text with typo in the place of a node's word.
func misspelled(text []byte, n *yaml.Node, typo string) []byte {
	lines := bytes.Split(text, []byte("\n"))
	line := string(lines[n.Line-1])
	at := n.Column - 1
	if n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 {
		at++
	}
	lines[n.Line-1] = []byte(line[:at] + typo + line[at+len(n.Value):])
	return bytes.Join(lines, []byte("\n"))
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
	return slices.Contains(strings.FieldsFunc(suggestion, func(r rune) bool { return strings.ContainsRune(" ,?@:", r) }), key)
}

func mistakesOf(t *testing.T, base, file string, text []byte) project.Mistakes {
	t.Helper()
	var err error
	if strings.HasPrefix(file, "benchmarks/") {
		assets := []semantic.Asset{{Name: "net", Params: []semantic.Param{{Name: "a", Type: "integer"}, {Name: "since_day", Type: "date"}}}}
		_, err = bench.ParseOwn(bytes.NewReader(text), file, assets)
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
