package yamldoc

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/sqbyl/sqbyl/semantic"
)

// width is where a flow list is broken into a block list.
const width = 110

// Write renders v, a struct or a slice of structs, as a document in the
// layout of hand-written project files: keys in the order of the type, short
// lists and fields tagged yaml:",flow" on one line, long text as a block.
// Decode reads the same value back.
func Write(v any) ([]byte, error) {
	text, err := Block(v, 0)
	return []byte(text), err
}

// WriteChanged renders a struct like Write, with those keys only whose values
// differ from base, and those that are required.
func WriteChanged(v, base any) ([]byte, error) {
	w := &writer{}
	w.changed(reflect.ValueOf(v), reflect.ValueOf(base), 0)
	return []byte(w.String()), w.err
}

func (w *writer) changed(v, base reflect.Value, indent int) {
	for i := range v.NumField() {
		key, options, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		value, was := v.Field(i), base.Field(i)
		if strings.Contains(options, "omit") && reflect.DeepEqual(value.Interface(), was.Interface()) {
			continue
		}
		w.WriteString(strings.Repeat(" ", indent) + key + ":")
		if value.Kind() == reflect.Struct && !isScalar(value.Type()) {
			w.WriteString("\n")
			w.changed(value, was, indent+2)
		} else {
			w.field(member{value: value}, indent)
		}
	}
}

// Block renders a struct, or a list of them, as lines that are indented by so
// many spaces; the last line ends in a newline.
func Block(v any, indent int) (string, error) {
	w := &writer{}
	value := reflect.ValueOf(v)
	if value.Kind() == reflect.Slice {
		w.items(value, indent)
	} else {
		w.fields(value, indent, strings.Repeat(" ", indent))
	}
	return w.String(), w.err
}

// Flow renders a value on one line.
func Flow(v any) (string, error) {
	w := &writer{}
	text := w.flow(reflect.ValueOf(v))
	return text, w.err
}

// Text renders text as the value of a key: plain, quoted, or a block whose
// lines are indented by so many spaces. A block ends without its last newline.
func Text(s string, indent int) (string, error) {
	w := &writer{}
	text := w.text(s, indent)
	return text, w.err
}

// Inline renders text on one line, for a place inside brackets or not.
func Inline(s string, inBrackets bool) (string, error) {
	w := &writer{}
	text := w.inline(s, inBrackets)
	return text, w.err
}

// FlowNode renders a node on one line.
func FlowNode(n *yaml.Node) (string, error) {
	w := &writer{}
	text := w.flowNode(n)
	return text, w.err
}

func (w *writer) flowNode(n *yaml.Node) string {
	var parts []string
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			parts = append(parts, w.flowNode(n.Content[i])+": "+w.flowNode(n.Content[i+1]))
		}
		return braces(parts)
	case yaml.SequenceNode:
		for _, item := range n.Content {
			parts = append(parts, w.flowNode(item))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	if s := ScalarOf(n); s.Kind != semantic.StringScalar {
		return n.Value
	}
	return w.inline(n.Value, true)
}

type writer struct {
	strings.Builder
	err error
}

func (w *writer) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

// fields writes the keys of a struct; first stands before the first of them,
// in place of the indent.
func (w *writer) fields(v reflect.Value, indent int, first string) {
	lead := first
	for key, field := range written(v) {
		w.WriteString(lead + key + ":")
		w.field(field, indent)
		lead = strings.Repeat(" ", indent)
	}
	if lead == first && strings.TrimSpace(first) != "" {
		w.WriteString(first + "{}\n")
	}
}

// member is a field to be written.
type member struct {
	value reflect.Value
	flow  bool
}

// written yields the keys to be written and their values: what is not
// omitted, in the order of the type.
func written(v reflect.Value) func(yield func(string, member) bool) {
	return func(yield func(string, member) bool) {
		t := v.Type()
		offs := map[string]bool{}
		for i := range t.NumField() {
			if key := t.Field(i).Tag.Get("off"); key != "" && v.Field(i).Bool() {
				offs[key] = true
			}
		}
		for i := range t.NumField() {
			f, value := t.Field(i), v.Field(i)
			key, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			off := f.Tag.Get("off")
			switch {
			case off != "" && offs[off]:
				key, value = off, reflect.ValueOf(false)
			case key == "" || key == "-" || offs[key]:
				continue
			case strings.Contains(options, "omit") && empty(value):
				continue
			}
			if !yield(key, member{value, f.Tag.Get("yaml") == ",flow"}) {
				return
			}
		}
	}
}

func empty(v reflect.Value) bool {
	if v.Kind() == reflect.Slice || v.Kind() == reflect.Map {
		return v.Len() == 0
	}
	return v.IsZero()
}

func (w *writer) field(m member, indent int) {
	v := reflect.Indirect(m.value)
	switch {
	case m.flow:
		w.WriteString(" " + w.flow(v) + "\n")
	case isScalar(v.Type()):
		w.WriteString(" " + w.scalar(v, indent+2) + "\n")
	case v.Kind() == reflect.Struct:
		w.WriteString("\n")
		w.fields(v, indent+2, strings.Repeat(" ", indent+2))
	case v.Kind() == reflect.Slice && !isScalar(v.Type().Elem()):
		w.WriteString("\n")
		w.items(v, indent+2)
	case v.Kind() == reflect.Slice:
		w.scalars(v, indent)
	default:
		w.WriteString(" " + w.flow(v) + "\n")
	}
}

// scalars writes a list of plain values: on one line while it fits there.
func (w *writer) scalars(v reflect.Value, indent int) {
	line := w.flow(v)
	long := utf8.RuneCountInString(line) > width
	for i := range v.Len() {
		long = long || v.Index(i).Kind() == reflect.String && strings.Contains(v.Index(i).String(), "\n")
	}
	if !long {
		w.WriteString(" " + line + "\n")
		return
	}
	w.WriteString("\n")
	for i := range v.Len() {
		w.WriteString(strings.Repeat(" ", indent+2) + "- " + w.scalar(v.Index(i), indent+4) + "\n")
	}
}

func (w *writer) items(v reflect.Value, indent int) {
	for i := range v.Len() {
		w.fields(reflect.Indirect(v.Index(i)), indent+2, strings.Repeat(" ", indent)+"- ")
	}
}

func isScalar(t reflect.Type) bool {
	if t == scalarType || reflect.PointerTo(t).Implements(unmarshaler) {
		return true
	}
	switch t.Kind() {
	case reflect.String, reflect.Bool, reflect.Int, reflect.Int64, reflect.Float64:
		return true
	}
	return false
}

func (w *writer) scalar(v reflect.Value, indent int) string {
	if v.Kind() == reflect.String {
		return w.text(v.String(), indent)
	}
	return w.flow(v)
}

// flow renders a value on one line.
func (w *writer) flow(v reflect.Value) string {
	v = reflect.Indirect(v)
	switch {
	case v.Type() == scalarType:
		s := v.Interface().(semantic.Scalar)
		if s.Kind == semantic.StringScalar {
			return w.inline(s.Text, true)
		}
		return s.Text
	case reflect.PointerTo(v.Type()).Implements(unmarshaler):
		return fmt.Sprint(v.Interface())
	}
	switch v.Kind() {
	case reflect.String:
		return w.inline(v.String(), true)
	case reflect.Struct:
		var parts []string
		for key, m := range written(v) {
			parts = append(parts, key+": "+w.flow(m.value))
		}
		return braces(parts)
	case reflect.Map:
		var parts []string
		for _, key := range sortedKeys(v) {
			parts = append(parts, w.inline(key, true)+": "+w.flow(v.MapIndex(reflect.ValueOf(key))))
		}
		return braces(parts)
	case reflect.Slice:
		parts := make([]string, v.Len())
		for i := range parts {
			parts[i] = w.flow(v.Index(i))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case reflect.Float64:
		return float(v.Float())
	default:
		b, err := json.Marshal(v.Interface())
		if err != nil {
			w.fail(err)
		}
		return string(b)
	}
}

func braces(parts []string) string {
	if len(parts) == 0 {
		return "{}"
	}
	return "{ " + strings.Join(parts, ", ") + " }"
}

func sortedKeys(v reflect.Value) []string {
	var keys []string
	for _, k := range v.MapKeys() {
		keys = append(keys, k.String())
	}
	slices.Sort(keys)
	return keys
}

// float keeps a number with a point: 0.0, as people write shares.
func float(f float64) string {
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// text renders a string as a value in block context.
func (w *writer) text(s string, indent int) string {
	if !strings.Contains(strings.TrimSuffix(s, "\n"), "\n") && !strings.HasSuffix(s, "\n") || !blockable(s) {
		return w.inline(s, false)
	}
	head := "|"
	if !strings.HasSuffix(s, "\n") {
		head = "|-"
	}
	var b strings.Builder
	b.WriteString(head)
	for line := range strings.SplitSeq(strings.TrimSuffix(s, "\n"), "\n") {
		b.WriteByte('\n')
		if line != "" {
			b.WriteString(strings.Repeat(" ", indent) + line)
		}
	}
	return b.String()
}

// blockable reports text that a literal block holds as it is. One that ends
// in several newlines would hang on the blank lines behind it.
func blockable(s string) bool {
	if strings.HasSuffix(s, "\n\n") || strings.TrimRight(s, "\n") == "" || s[0] == ' ' || s[0] == '\n' || s[0] == '\t' || !utf8.ValidString(s) {
		return false
	}
	for _, r := range s {
		if r != '\n' && r != '\t' && !printable(r) {
			return false
		}
	}
	for line := range strings.SplitSeq(s, "\n") {
		if line != "" && strings.Trim(line, " \t") == "" {
			return false // its spaces would be lost or taken for the indent
		}
	}
	return true
}

// printable excludes what YAML readers normalise or refuse.
func printable(r rune) bool {
	return r >= ' ' && r != 0x7f && r != 0x85 && r != 0x2028 && r != 0x2029 && r != 0xfeff && r != utf8.RuneError && !unicode.Is(unicode.Cc, r) && !unicode.Is(unicode.Cs, r)
}

// inline renders a string on one line: plain where no reader of YAML, old or
// new, could take it for something else.
func (w *writer) inline(s string, inFlow bool) string {
	if !utf8.ValidString(s) {
		w.fail(fmt.Errorf("write %.40q: it is not UTF-8 text", s))
	}
	if plain(s, inFlow) {
		return s
	}
	return DoubleQuoted(s)
}

// old are words of YAML 1.1 that other readers take for booleans.
var old = []string{"y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan"}

func plain(s string, inFlow bool) bool {
	if s == "" || s != strings.TrimSpace(s) || strings.ContainsAny(s[:1], "-?:,[]{}#&*!|>'\"%@`~=<.+0123456789") {
		return s != "" && dashed(s, inFlow)
	}
	return harmless(s, inFlow)
}

// dashed allows text that begins with a digit or a sign and is no number,
// date or time under any rules: 2nd, 3 rooms.
func dashed(s string, inFlow bool) bool {
	if s[0] < '0' || s[0] > '9' || s != strings.TrimSpace(s) {
		return false
	}
	return strings.IndexFunc(s, func(r rune) bool { return unicode.IsLetter(r) && !strings.ContainsRune("abcdefoxtzABCDEFOXTZ", r) }) >= 0 && harmless(s, inFlow)
}

func harmless(s string, inFlow bool) bool {
	if inFlow && strings.ContainsAny(s, ",[]{}:") || slices.Contains(old, strings.ToLower(s)) {
		return false
	}
	for i, r := range s {
		switch {
		case !printable(r):
			return false
		case r == '#' && i > 0 && s[i-1] == ' ':
			return false
		case r == ':' && (i+1 == len(s) || s[i+1] == ' '):
			return false
		}
	}
	return true
}

// DoubleQuoted renders text in double quotes.
func DoubleQuoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case printable(r):
			b.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
