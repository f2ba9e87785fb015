// Package yamldoc reads one YAML document of a project: by the core rules of
// YAML 1.2, into Go types, with every mistake at its place.
package yamldoc

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// MaxBytes is the largest file that is read; TooLarge says so.
const (
	MaxBytes = 8 << 20
	TooLarge = "the file has more than 8 MB; project files are small texts"
)

// Document is one parsed file.
type Document struct {
	File string
	Text []byte     // as read, a byte order mark included
	Root *yaml.Node // the document's content, nil when the file is empty
}

var bom = []byte("\xef\xbb\xbf")

// Parse reads text as one YAML document. File is used in messages only. The
// document is nil when text is not YAML at all.
func Parse(file string, text []byte) (*Document, Mistakes) {
	if m, bad := NotText(file, text); bad {
		return nil, Mistakes{m}
	}
	loader, err := yaml.NewLoader(bytes.NewReader(bytes.TrimPrefix(text, bom)))
	if err != nil {
		return nil, Mistakes{{File: file, Message: err.Error()}}
	}
	var top yaml.Node
	if err := loader.Load(&top); errors.Is(err, io.EOF) {
		return &Document{File: file, Text: text}, nil
	} else if err != nil {
		return nil, Mistakes{syntax(file, text, err)}
	}
	var second yaml.Node
	if err := loader.Load(&second); err == nil {
		return nil, Mistakes{{
			File: file, Line: max(1, second.Line), Column: max(1, second.Column),
			Message: "a second document starts here; a project file holds one", Suggestion: `remove the "---" line or split the file`,
		}}
	} else if !errors.Is(err, io.EOF) {
		return nil, Mistakes{syntax(file, text, err)}
	}
	doc := &Document{File: file, Text: text}
	if top.Kind == yaml.DocumentNode && len(top.Content) > 0 {
		doc.Root = top.Content[0]
	}
	if doc.Root != nil && doc.Root.Kind == yaml.ScalarNode && isNull(doc.Root) {
		doc.Root = nil
	}
	return doc, nil
}

// NotText says what is wrong with bytes that are no UTF-8 text.
func NotText(file string, text []byte) (Mistake, bool) {
	switch {
	case len(text) > MaxBytes:
		return Mistake{File: file, Message: TooLarge}, true
	case bytes.HasPrefix(text, []byte("\xff\xfe")), bytes.HasPrefix(text, []byte("\xfe\xff")):
		return Mistake{File: file, Message: "the file is UTF-16", Suggestion: "save it as UTF-8"}, true
	}
	if i := bytes.IndexByte(text, 0); i >= 0 {
		return Mistake{File: file, Message: "this is not a text file: it holds a zero byte"}, true
	}
	if utf8.Valid(text) {
		return Mistake{}, false
	}
	line, column := 1, 1
	for rest := text; ; {
		r, size := utf8.DecodeRune(rest)
		if r == utf8.RuneError && size <= 1 {
			break
		}
		column++
		if r == '\n' {
			line, column = line+1, 1
		}
		rest = rest[size:]
	}
	return Mistake{File: file, Line: line, Column: column, Message: "a byte here is not UTF-8", Suggestion: "save the file as UTF-8"}, true
}

// syntax words an error of the parser; the usual causes are named.
func syntax(file string, text []byte, err error) Mistake {
	m := Mistake{File: file, Message: "not valid YAML: " + err.Error()}
	var le *yaml.LoadError
	if !errors.As(err, &le) {
		return m
	}
	m.Message = "not valid YAML: " + le.Message
	m.Line, m.Column = le.Mark.Line, max(1, le.Mark.Column)
	if m.Line == 0 {
		return m
	}
	line := lineOf(text, m.Line)
	switch {
	case strings.Contains(leading(line), "\t"):
		m.Message, m.Suggestion = "a tab indents this line; YAML allows only spaces there", "replace it by spaces"
	case strings.Contains(le.Message, "mapping values are not allowed"):
		m.Suggestion = `text that holds ": " must be quoted`
	case strings.Contains(le.Message, "cannot start any token"):
		m.Suggestion = "text that starts with @, ` or % must be quoted"
	}
	return m
}

func lineOf(text []byte, number int) string {
	for range number - 1 {
		_, rest, ok := bytes.Cut(text, []byte("\n"))
		if !ok {
			return ""
		}
		text = rest
	}
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return string(line)
}

func leading(line string) string {
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// At follows keys and list indexes ("0", "1", …) down from a node; nil when
// there is nothing.
func At(n *yaml.Node, keys ...string) *yaml.Node {
	for _, key := range keys {
		if n = child(n, key); n == nil {
			return nil
		}
	}
	return n
}

func child(n *yaml.Node, key string) *yaml.Node {
	if n == nil {
		return nil
	}
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == key {
				return n.Content[i+1]
			}
		}
	case yaml.SequenceNode:
		if i, err := strconv.Atoi(key); err == nil && i >= 0 && i < len(n.Content) {
			return n.Content[i]
		}
	}
	return nil
}
