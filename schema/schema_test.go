// Package schema_test makes the JSON Schemas of the file formats from the Go
// types that read them, and holds that the files here are those.
package schema_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/invopop/jsonschema"
	validate "github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v4"

	"github.com/sqbyl/sqbyl/internal/testkit/golden"
	"github.com/sqbyl/sqbyl/internal/toolkit/bench"
	"github.com/sqbyl/sqbyl/internal/toolkit/project"
	"github.com/sqbyl/sqbyl/internal/toolkit/project/yamldoc"
	"github.com/sqbyl/sqbyl/semantic"
)

const published = "https://raw.githubusercontent.com/sqbyl/sqbyl/main/schema/"

// format is one kind of file; value is what a file holds, a slice for a list.
type format struct {
	name, title string
	value       any
}

var formats = []format{
	{"sqbyl", "The manifest of a sqbyl project (sqbyl.yaml)", project.Manifest{}},
	{"semantics", "What a sqbyl project says of one table (semantics/*.yaml)", semantic.Table{}},
	{"examples", "Questions with SQL that answers them (examples/*.yaml)", []semantic.Example{}},
	{"benchmarks", "Questions with what counts as a right answer (benchmarks/*.yaml)", []bench.Question{}},
}

func TestFresh(t *testing.T) {
	for _, f := range formats {
		want := generate(t, f)
		if golden.Updating() {
			if err := os.WriteFile(f.name+".schema.json", want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(f.name + ".schema.json")
		if err != nil {
			t.Fatalf("%v (-update writes it)", err)
		}
		if diff := cmp.Diff(string(got), string(want)); diff != "" {
			t.Errorf("%s is stale (-update renews it): %s", f.name, diff)
		}
	}
}

func generate(t *testing.T, f format) []byte {
	t.Helper()
	r := &jsonschema.Reflector{Mapper: special, Anonymous: true, BaseSchemaID: ""}
	for _, dir := range []string{"semantic", "internal/toolkit/project", "internal/toolkit/bench"} {
		if err := comments(r, dir); err != nil {
			t.Fatal(err)
		}
	}
	s := r.Reflect(f.value)
	s.ID, s.Title = jsonschema.ID(published+f.name+".schema.json"), f.title
	refine(reflect.TypeOf(f.value), s.Definitions, map[reflect.Type]bool{})
	b, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return append(b, '\n')
}

// comments takes the doc comments of a package; they become descriptions.
func comments(r *jsonschema.Reflector, dir string) error {
	old, err := os.Getwd()
	if err != nil {
		return err
	}
	if err := os.Chdir(".."); err != nil {
		return err
	}
	err = r.AddGoComments("github.com/sqbyl/sqbyl", dir, jsonschema.WithFullComment())
	if back := os.Chdir(old); back != nil {
		return back
	}
	for name, text := range r.CommentMap {
		r.CommentMap[name] = strings.Join(strings.Fields(text), " ")
	}
	return err
}

// special gives the schemas of types that have a text form of their own.
func special(t reflect.Type) *jsonschema.Schema {
	text := func(pattern string) *jsonschema.Schema { return &jsonschema.Schema{Type: "string", Pattern: pattern} }
	switch t {
	case reflect.TypeFor[semantic.Scalar]():
		return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Type: "string"}, {Type: "number"}, {Type: "boolean"}}}
	case reflect.TypeFor[semantic.Count]():
		return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Type: "integer", Minimum: "0"}, text("^~[0-9]+$")}}
	case reflect.TypeFor[project.USD]():
		return &jsonschema.Schema{Type: "number", Minimum: "0"}
	case reflect.TypeFor[project.Bytes]():
		return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Type: "integer", Minimum: "1"}, text("^[0-9]+ *([kKMG]?B)?$")}}
	case reflect.TypeFor[project.Duration]():
		return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Type: "number", Minimum: "0"}, text("^([0-9.]+(ms|s|m|h))+$")}}
	}
	if e, ok := reflect.Zero(t).Interface().(interface{ Values() []string }); ok {
		s := &jsonschema.Schema{Type: "string"}
		for _, v := range e.Values() {
			s.Enum = append(s.Enum, v)
		}
		return s
	}
	return nil
}

// refine adds to the definitions what invopop does not know of: keys that may
// hold false, and descriptions that name keys, not Go fields.
func refine(t reflect.Type, defs jsonschema.Definitions, seen map[reflect.Type]bool) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		refine(t.Elem(), defs, seen)
		return
	case reflect.Struct:
	default:
		return
	}
	if seen[t] || special(t) != nil {
		return
	}
	seen[t] = true
	properties := defs[t.Name()].Properties
	for i := range t.NumField() {
		f := t.Field(i)
		refine(f.Type, defs, seen)
		key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if p, ok := properties.Get(key); ok {
			p.Description = renamed(p.Description, f.Name, key)
		}
		if key = f.Tag.Get("off"); key == "" {
			continue
		}
		off := &jsonschema.Schema{Const: false}
		if value, ok := properties.Get(key); ok {
			description := value.Description
			value.Description = ""
			off = &jsonschema.Schema{OneOf: []*jsonschema.Schema{value, off}, Description: description}
		}
		properties.Set(key, off)
	}
}

// renamed puts a key in the place of the field's name that opens a comment.
func renamed(description, field, key string) string {
	for _, end := range []string{" ", ", "} {
		if rest, ok := strings.CutPrefix(description, field+end); ok {
			return key + end + rest
		}
	}
	return description
}

func compiled(t *testing.T, name string) *validate.Schema {
	t.Helper()
	c := validate.NewCompiler()
	raw, err := os.ReadFile(name + ".schema.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := validate.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.AddResource(published+name+".schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(published + name + ".schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// value reads a node as JSON has it, by the core rules.
func value(n *yaml.Node) any {
	switch n.Kind {
	case yaml.MappingNode:
		m := map[string]any{}
		for i := 0; i < len(n.Content); i += 2 {
			m[n.Content[i].Value] = value(n.Content[i+1])
		}
		return m
	case yaml.SequenceNode:
		list := []any{}
		for _, item := range n.Content {
			list = append(list, value(item))
		}
		return list
	}
	if n.Style != 0 {
		return n.Value
	}
	switch s := yamldoc.Resolve(n.Value); s.Kind {
	case semantic.NumberScalar:
		return json.Number(s.Text)
	case semantic.BoolScalar:
		return s.Text == "true"
	default:
		return s.Text
	}
}

func root(t *testing.T, file string, text []byte) *yaml.Node {
	t.Helper()
	doc, mistakes := yamldoc.Parse(file, text)
	if mistakes != nil {
		t.Fatal(mistakes)
	}
	return doc.Root
}

// TestAccepts holds the specification's files and the samples against the
// schemas.
func TestAccepts(t *testing.T) {
	for _, f := range formats {
		s := compiled(t, f.name)
		pattern := f.name + "/*.yaml"
		if f.name == "sqbyl" {
			pattern = "sqbyl.yaml"
		}
		n := 0
		for _, dir := range []string{"../internal/toolkit/project/testdata/specification", "../examples/shop", "../examples/shop-duckdb", "testdata/full"} {
			files, err := filepath.Glob(filepath.Join(dir, pattern))
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range files {
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if err := s.Validate(value(root(t, file, text))); err != nil {
					t.Errorf("%s: %v", file, err)
				}
				n++
			}
		}
		if n == 0 {
			t.Errorf("%s: no files", f.name)
		}
	}
}

func TestRefuses(t *testing.T) {
	for name, texts := range map[string][]string{
		"sqbyl":      {"name: a", "name: a\ndatabase: { url: x }\nmdel: {}", "name: a\ndatabase: { url: x }\ndefaults: { ask_budget: -1 }", "name: a\ndatabase: { url: x }\nselection: { strategy: all }"},
		"semantics":  {"table: t\nprofile: true", "table: t\ncolumns: [{ name: a, profile: { nulls: 2 } }]", "table: t\njoins: [{ to: a, on: b, type: many }]", "table: t\ncolumns: [{ name: a, sample_values: true }]", "table: t\ncolumns: [{ name: a, profile: { distinct: ~x } }]"},
		"examples":   {"question: a", "- question: a"},
		"benchmarks": {"- id: a\n  question: b\n  order: sorted", "- id: a"},
	} {
		s := compiled(t, name)
		for _, text := range texts {
			if s.Validate(value(root(t, name, []byte(text)))) == nil {
				t.Errorf("%s accepts %q", name, text)
			}
		}
	}
}
