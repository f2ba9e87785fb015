// Package splice changes YAML files that people have written: it touches the
// lines that must change and no others, and it reads the result again.
package splice

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"

	"go.yaml.in/yaml/v4"

	"github.com/sqbyl/sqbyl/internal/toolkit/project/yamldoc"
)

// Refusal says why a file cannot be changed by splicing text.
type Refusal struct {
	File string
	Line int // 0: the file as a whole
	Why  string
}

func (r *Refusal) Error() string {
	place := r.File
	if r.Line > 0 {
		place = fmt.Sprintf("%s:%d", r.File, r.Line)
	}
	return fmt.Sprintf("change %s: %s; change it by hand", place, r.Why)
}

// Rewrite returns text, the content of file, changed so that it reads as
// want, a struct or a slice of structs of a file format. Comments, blank
// lines, quoting and line ends outside the change stay as they are. The
// result has been read again and holds what want holds; where that cannot be
// had, the error is a *Refusal. A file that is wrong already gives its
// yamldoc.Mistakes.
func Rewrite(file string, text []byte, want any) (out []byte, err error) {
	defer func() {
		if u, ok := recover().(unclear); ok {
			out, err = nil, &Refusal{file, u.line, "its layout cannot be followed here"}
		}
	}()
	old, err := read(file, text, reflect.TypeOf(want))
	if err != nil {
		return nil, err
	}
	before, err := canonical(old)
	if err != nil {
		return nil, fmt.Errorf("change %s: %w", file, err)
	}
	after, err := canonical(want)
	if err != nil {
		return nil, fmt.Errorf("change %s: %w", file, err)
	}
	if bytes.Equal(before.text, after.text) {
		return text, nil
	}
	body, mark, ending := trim(text)
	doc, mistakes := yamldoc.Parse(file, body)
	if mistakes != nil {
		return nil, mistakes
	}
	if r := foreign(file, body, doc.Root); r != nil {
		return nil, r
	}
	w := &rewriter{source: newSource(body, doc.Root), after: after, eol: lineEnd(body)}
	w.document(before.root)
	changed, ok := w.apply()
	if !ok {
		return nil, &Refusal{File: file, Why: "the changes overlap"}
	}
	// A text block that has come to be last needs its line's end.
	for _, end := range []bool{ending, true} {
		if out := untrim(changed, mark, end); reads(file, out, want) {
			return out, nil
		}
	}
	return nil, &Refusal{File: file, Why: "the result would not read as meant"}
}

// New renders a value for a new file.
func New(v any) ([]byte, error) { return yamldoc.Write(v) }

// Read decodes a file into the value that v points to.
func Read(file string, text []byte, v any) error {
	got, err := read(file, text, reflect.TypeOf(v).Elem())
	if err == nil {
		reflect.ValueOf(v).Elem().Set(reflect.ValueOf(got))
	}
	return err
}

// read decodes text into a new value of a type.
func read(file string, text []byte, t reflect.Type) (any, error) {
	doc, mistakes := yamldoc.Parse(file, text)
	if mistakes != nil {
		return nil, mistakes
	}
	value := reflect.New(t)
	var d yamldoc.Decoder
	d.Decode(doc, value.Interface())
	if len(d.Mistakes) > 0 {
		return nil, d.Mistakes
	}
	return value.Elem().Interface(), nil
}

// canonical renders a value in the product's own layout: a tree with one
// form for what files may write in many.
func canonical(v any) (*source, error) {
	text, err := yamldoc.Write(v)
	if err != nil {
		return nil, err
	}
	doc, mistakes := yamldoc.Parse("", text)
	if mistakes != nil {
		return nil, mistakes
	}
	return newSource(text, doc.Root), nil
}

func reads(file string, text []byte, want any) bool {
	got, err := read(file, text, reflect.TypeOf(want))
	if err != nil {
		return false
	}
	a, err := yamldoc.Write(got)
	if err != nil {
		return false
	}
	b, err := yamldoc.Write(want)
	return err == nil && bytes.Equal(a, b)
}

var mark = []byte("\xef\xbb\xbf")

// trim takes off a byte order mark, and gives a last line without an end one.
func trim(text []byte) (body, bom []byte, ending bool) {
	body = text
	if bytes.HasPrefix(body, mark) {
		bom, body = mark, body[len(mark):]
	}
	if len(body) == 0 || body[len(body)-1] == '\n' {
		return body, bom, true
	}
	return append(slices.Clone(body), lineEnd(body)...), bom, false
}

func untrim(body, bom []byte, ending bool) []byte {
	if !ending {
		body = body[:trimBreak(body, len(body))]
	}
	return append(slices.Clone(bom), body...)
}

// lineEnd is the line end that most lines have.
func lineEnd(text []byte) string {
	if n := bytes.Count(text, []byte("\r\n")); n > 0 && 2*n >= bytes.Count(text, []byte("\n")) {
		return "\r\n"
	}
	return "\n"
}

// foreign finds what splicing does not follow.
func foreign(file string, text []byte, root *yaml.Node) *Refusal {
	for _, c := range []string{"\u0085", "\u2028", "\u2029"} {
		if bytes.Contains(text, []byte(c)) {
			return &Refusal{File: file, Why: "it holds line breaks other than newlines"}
		}
	}
	for i, c := range text {
		if c == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			return &Refusal{File: file, Why: "it holds carriage returns without newlines"}
		}
	}
	return anchored(file, root)
}

func anchored(file string, n *yaml.Node) *Refusal {
	if n == nil {
		return nil
	}
	switch {
	case n.Anchor != "":
		return &Refusal{file, n.Line, "it uses the anchor &" + n.Anchor}
	case n.Style&yaml.TaggedStyle != 0:
		return &Refusal{file, n.Line, "it uses the tag " + n.Tag}
	}
	for _, c := range n.Content {
		if r := anchored(file, c); r != nil {
			return r
		}
	}
	return nil
}

// cut replaces a range of the text.
type cut struct {
	from, to int
	with     string
}

// rewriter collects the cuts that turn a text into another.
type rewriter struct {
	*source
	after *source // the wanted value in the product's own layout
	eol   string
	cuts  []cut
}

func (w *rewriter) cut(from, to int, with string) { w.cuts = append(w.cuts, cut{from, to, with}) }

// lines inserts whole lines before the byte at, the start of a line.
func (w *rewriter) insertLines(at int, lines []string) {
	var b bytes.Buffer
	for _, line := range lines {
		b.WriteString(line + w.eol)
	}
	w.cut(at, at, b.String())
}

func (w *rewriter) apply() ([]byte, bool) {
	slices.SortStableFunc(w.cuts, func(a, b cut) int {
		if a.from != b.from {
			return a.from - b.from
		}
		return min(1, a.to-a.from) - min(1, b.to-b.from) // an insertion before what is replaced there
	})
	var out []byte
	at := 0
	for _, c := range w.cuts {
		if c.from < at || c.to < c.from {
			return nil, false
		}
		out = append(append(out, w.text[at:c.from]...), c.with...)
		at = c.to
	}
	return append(out, w.text[at:]...), true
}

// document handles files that are empty on one side or both.
func (w *rewriter) document(old *yaml.Node) {
	n, want := w.root, w.after.root
	switch {
	case want == nil && n == nil:
	case n == nil || old == nil && n.Style&yaml.FlowStyle != 0:
		if n != nil {
			w.cut(w.start(n), w.end(n), "")
		}
		w.cut(len(w.text), len(w.text), string(bytes.ReplaceAll(w.after.text, []byte("\n"), []byte(w.eol))))
	case want == nil:
		w.sequence(n, old, &yaml.Node{Kind: yaml.SequenceNode})
	case n.Kind != want.Kind:
		panic(unclear{n.Line})
	default:
		w.node(n, old, want)
	}
}

// node changes a collection whose value differs.
func (w *rewriter) node(n, old, want *yaml.Node) {
	if n.Kind == yaml.MappingNode {
		w.mapping(n, old, want)
	} else {
		w.sequence(n, old, want)
	}
}
