package yamldoc

import (
	"encoding"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/sqbyl/sqbyl/semantic"
)

// Decoder reads documents into values. It is used by one goroutine at a time.
type Decoder struct {
	// Mistakes are those of all documents read so far, Warnings what was read
	// but may not be meant.
	Mistakes Mistakes
	Warnings Mistakes
	// HideContent keeps what the documents hold out of the messages; keys of
	// the type are still named.
	HideContent bool

	file   string
	shapes map[reflect.Type]*shape
}

// Decode reads doc's content into the struct or slice that v points to. What
// is wrong becomes a Mistake and is left out of the value.
func (d *Decoder) Decode(doc *Document, v any) {
	d.file = doc.File
	if doc.Root != nil {
		d.value(doc.Root, reflect.ValueOf(v).Elem(), "", nil)
	}
}

// Items reads doc's content, a list, calling item for each of its nodes. An
// empty document is an empty list.
func (d *Decoder) Items(doc *Document, item func(n *yaml.Node)) {
	d.file = doc.File
	if doc.Root == nil {
		return
	}
	if doc.Root.Kind != yaml.SequenceNode {
		d.Wrong(doc.Root, "the file holds "+article(doc.Root)+", a list is wanted", `begin each item with "- "`)
		return
	}
	for _, n := range doc.Root.Content {
		item(n)
	}
}

// File is the file that is being read.
func (d *Decoder) File() string { return d.file }

// Item reads one node of the document that is being read.
func (d *Decoder) Item(n *yaml.Node, v any) { d.value(n, reflect.ValueOf(v).Elem(), "", nil) }

// Wrong notes a mistake at a node of the document that is being read.
func (d *Decoder) Wrong(n *yaml.Node, message, suggestion string) {
	d.Mistakes = append(d.Mistakes, Mistake{d.file, n.Line, n.Column, message, suggestion})
}

func (d *Decoder) value(n *yaml.Node, v reflect.Value, path string, f *field) {
	if n.Kind == yaml.AliasNode {
		d.Wrong(n, d.show("*"+n.Value)+" is an alias; project files are read without anchors and aliases", "write the value out")
		return
	}
	if n.Style&yaml.TaggedStyle != 0 {
		d.Wrong(n, "the tag "+d.show(n.Tag)+" is not read in project files", "remove it")
		return
	}
	t := v.Type()
	switch {
	case t.Kind() == reflect.Pointer:
		target := reflect.New(t.Elem())
		before := len(d.Mistakes)
		d.value(n, target.Elem(), path, f)
		if len(d.Mistakes) == before {
			v.Set(target)
		}
	case t == scalarType:
		d.scalar(n, v, path)
	case reflect.PointerTo(t).Implements(unmarshaler):
		d.text(n, v, path)
	case t.Kind() == reflect.Struct:
		d.mapping(n, v, path)
	case t.Kind() == reflect.Slice:
		d.list(n, v, path)
	case t.Kind() == reflect.Map:
		d.table(n, v, path)
	default:
		d.plain(n, v, path, f)
	}
}

func (d *Decoder) mapping(n *yaml.Node, v reflect.Value, path string) {
	if n.Kind != yaml.MappingNode {
		d.Wrong(n, subject(path)+" holds "+article(n)+", keys with values are wanted", "")
		return
	}
	s := d.shape(v.Type())
	seen, meant := map[string]*yaml.Node{}, map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if !d.key(key, seen) {
			continue
		}
		f := s.fields[key.Value]
		if f == nil {
			d.unknown(key, s, n, meant)
			continue
		}
		if !isNull(value) {
			d.field(value, v, join(path, key.Value), f)
		} else if f.required {
			d.Wrong(key, join(path, key.Value)+" is empty", "")
		}
	}
	for _, name := range s.keys {
		if s.fields[name].required && seen[name] == nil && !meant[name] {
			d.Wrong(n, subject(path)+" lacks the key "+name, "")
		}
	}
}

// key notes keys that are no plain names or stand twice.
func (d *Decoder) key(key *yaml.Node, seen map[string]*yaml.Node) bool {
	switch first := seen[key.Value]; {
	case key.Kind != yaml.ScalarNode:
		d.Wrong(key, "a key is a word here, not "+article(key), "")
	case key.Value == "<<" && key.Style&quoted == 0:
		d.Wrong(key, `"<<" merges an anchor; project files are read without anchors and aliases`, "write the keys out")
	case first != nil:
		d.Wrong(key, fmt.Sprintf("key %s stands twice; the first is in line %d", d.quote(key.Value), first.Line), "merge the two")
	default:
		seen[key.Value] = key
		return true
	}
	return false
}

// unknown suggests among the keys that the mapping does not have yet.
func (d *Decoder) unknown(key *yaml.Node, s *shape, n *yaml.Node, meant map[string]bool) {
	var free []string
	for _, name := range s.keys {
		if !hasKey(n, name) {
			free = append(free, name)
		}
	}
	near := Nearest(key.Value, free)
	for _, name := range near {
		meant[name] = true
	}
	suggestion := DidYouMean(key.Value, free)
	if suggestion == "" {
		if near := Nearest(key.Value, s.keys); len(near) == 1 {
			suggestion = "did you mean " + near[0] + "? it stands here already"
		} else {
			suggestion = "known here: " + strings.Join(s.keys, ", ")
		}
	}
	d.Wrong(key, "unknown key "+d.quote(key.Value), suggestion)
}

func hasKey(n *yaml.Node, name string) bool {
	for i := 0; i < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return true
		}
	}
	return false
}

func (d *Decoder) field(n *yaml.Node, v reflect.Value, path string, f *field) {
	if f.off >= 0 && n.Kind == yaml.ScalarNode && n.Style&quoted == 0 {
		if s := Resolve(n.Value); s.Kind == semantic.BoolScalar {
			if s.Text == "false" {
				v.Field(f.off).SetBool(true)
			} else {
				d.Wrong(n, path+" is on unless it says false", "remove the line")
			}
			return
		}
	}
	if f.index < 0 {
		d.Wrong(n, path+" may only be false here", "")
		return
	}
	before := len(d.Mistakes)
	d.value(n, v.Field(f.index), path, f)
	if f.required && v.Field(f.index).Kind() == reflect.String && len(d.Mistakes) == before {
		if strings.TrimSpace(v.Field(f.index).String()) == "" {
			d.Wrong(n, path+" is empty", "")
		}
	}
}

func (d *Decoder) list(n *yaml.Node, v reflect.Value, path string) {
	if n.Kind != yaml.SequenceNode {
		suggestion := ""
		if n.Kind == yaml.ScalarNode && len(n.Value) < 40 && !d.HideContent {
			suggestion = "write [" + n.Value + "]"
		}
		d.Wrong(n, subject(path)+" holds "+article(n)+", a list is wanted", suggestion)
		return
	}
	out := reflect.MakeSlice(v.Type(), 0, len(n.Content))
	for i, item := range n.Content {
		where := fmt.Sprintf("%s[%d]", path, i+1)
		if isNull(item) {
			d.Wrong(item, where+" is empty", "remove the item")
			continue
		}
		value := reflect.New(v.Type().Elem()).Elem()
		d.value(item, value, where, nil)
		out = reflect.Append(out, value)
	}
	v.Set(out)
}

// table reads a mapping with free keys.
func (d *Decoder) table(n *yaml.Node, v reflect.Value, path string) {
	if n.Kind != yaml.MappingNode {
		d.Wrong(n, subject(path)+" holds "+article(n)+", keys with values are wanted", "")
		return
	}
	out := reflect.MakeMap(v.Type())
	seen := map[string]*yaml.Node{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if !d.key(key, seen) {
			continue
		}
		item := reflect.New(v.Type().Elem()).Elem()
		d.value(value, item, join(path, d.show(key.Value)), nil)
		out.SetMapIndex(reflect.ValueOf(key.Value), item)
	}
	v.Set(out)
}

func (d *Decoder) scalar(n *yaml.Node, v reflect.Value, path string) {
	if n.Kind != yaml.ScalarNode {
		d.Wrong(n, subject(path)+" holds "+article(n)+", one value is wanted", "")
		return
	}
	s := ScalarOf(n)
	if n.Style&quoted == 0 && leadingZero(n.Value) {
		d.Warnings = append(d.Warnings, Mistake{
			d.file, n.Line, n.Column, fmt.Sprintf("%s: %s is the number %s", path, d.show(n.Value), d.show(s.Text)),
			`if it is a code, quote it: "` + d.show(n.Value) + `"`,
		})
	}
	v.Set(reflect.ValueOf(s))
}

func (d *Decoder) text(n *yaml.Node, v reflect.Value, path string) {
	if n.Kind != yaml.ScalarNode {
		d.Wrong(n, subject(path)+" holds "+article(n)+", one value is wanted", "")
		return
	}
	if err := v.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(n.Value)); err != nil {
		d.Wrong(n, path+": "+d.show(err.Error()), "")
	}
}

func (d *Decoder) plain(n *yaml.Node, v reflect.Value, path string, f *field) {
	if n.Kind != yaml.ScalarNode {
		d.Wrong(n, subject(path)+" holds "+article(n)+", one value is wanted", "")
		return
	}
	switch v.Kind() {
	case reflect.String:
		d.string(n, v, path)
	case reflect.Bool:
		s := Resolve(n.Value)
		if s.Kind != semantic.BoolScalar || n.Style&quoted != 0 {
			d.Wrong(n, fmt.Sprintf("%s is %s, true or false is wanted", path, d.quote(n.Value)), "")
			return
		}
		v.SetBool(s.Text == "true")
	default:
		d.number(n, v, path, f)
	}
}

func (d *Decoder) string(n *yaml.Node, v reflect.Value, path string) {
	if v.Type().Implements(enumType) {
		values := v.Interface().(enumerated).Values()
		if !slices.Contains(values, n.Value) {
			suggestion := DidYouMean(n.Value, values)
			if suggestion == "" {
				suggestion = "one of " + strings.Join(values, ", ")
			}
			d.Wrong(n, fmt.Sprintf("%s is %s, which it cannot be", path, d.quote(n.Value)), suggestion)
			return
		}
	}
	v.SetString(n.Value)
}

func (d *Decoder) number(n *yaml.Node, v reflect.Value, path string, f *field) {
	s := Resolve(n.Value)
	x, err := strconv.ParseFloat(s.Text, 64)
	if s.Kind != semantic.NumberScalar || n.Style&quoted != 0 || err != nil || math.IsInf(x, 0) {
		d.Wrong(n, fmt.Sprintf("%s is %s, a number is wanted", path, d.quote(n.Value)), "")
		return
	}
	if f != nil && (f.min != nil && x < *f.min || f.max != nil && x > *f.max) {
		d.Wrong(n, fmt.Sprintf("%s is %s, %s", path, d.show(n.Value), f.limits()), "")
		return
	}
	if v.CanFloat() {
		v.SetFloat(x)
		return
	}
	i, err := strconv.ParseInt(s.Text, 10, 64)
	if err != nil || v.OverflowInt(i) {
		d.Wrong(n, fmt.Sprintf("%s is %s, a whole number is wanted", path, d.show(clip(n.Value))), "")
		return
	}
	v.SetInt(i)
}

func (f *field) limits() string {
	switch {
	case f.min != nil && f.max != nil:
		return fmt.Sprintf("it must be from %g to %g", *f.min, *f.max)
	case f.min != nil:
		return fmt.Sprintf("it must be at least %g", *f.min)
	}
	return fmt.Sprintf("it must be at most %g", *f.max)
}

func (d *Decoder) shape(t reflect.Type) *shape {
	if s := d.shapes[t]; s != nil {
		return s
	}
	if d.shapes == nil {
		d.shapes = map[reflect.Type]*shape{}
	}
	d.shapes[t] = shapeOf(t)
	return d.shapes[t]
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

func subject(path string) string {
	if path == "" {
		return "this entry"
	}
	return path
}

func article(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "keys with values"
	case yaml.SequenceNode:
		return "a list"
	default:
		return "a single value"
	}
}

// show is text of the document for a message.
func (d *Decoder) show(text string) string {
	if d.HideContent {
		return "…"
	}
	return text
}

func (d *Decoder) quote(text string) string { return d.show(strconv.Quote(clip(text))) }

func clip(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return s
}
