package splice

import (
	"bytes"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/sqbyl/sqbyl/internal/toolkit/project/yamldoc"
)

// find is the index of a key in a mapping's content, -1 for none.
func find(n *yaml.Node, key string) int {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return i
		}
	}
	return -1
}

// same compares canonical nodes by their values.
func same(a, b *yaml.Node) bool {
	if a.Kind != b.Kind || len(a.Content) != len(b.Content) {
		return false
	}
	if a.Kind == yaml.ScalarNode {
		return yamldoc.ScalarOf(a) == yamldoc.ScalarOf(b)
	}
	for i := range a.Content {
		if !same(a.Content[i], b.Content[i]) {
			return false
		}
	}
	return true
}

func (w *rewriter) mapping(n, old, want *yaml.Node) {
	inFlow := n.Style&yaml.FlowStyle != 0
	var fresh []int // keys to insert, as indexes into want
	prev := -1      // the last key before them that n has
	flush := func() {
		switch {
		case len(fresh) == 0:
		case inFlow:
			w.flowEntries(n, want, fresh, prev)
		default:
			w.blockEntries(n, want, fresh, prev)
		}
		fresh = nil
	}
	for i := 0; i < len(want.Content); i += 2 {
		key := want.Content[i].Value
		at := find(n, key)
		if at < 0 {
			fresh = append(fresh, i)
			continue
		}
		flush()
		prev = at
		w.entry(n, at, find(old, key), old, want.Content[i+1])
	}
	flush()
	w.dropped(n, old, want)
}

// entry changes the value of a key that the text has.
func (w *rewriter) entry(n *yaml.Node, at, oldAt int, old, want *yaml.Node) {
	key, value := n.Content[at], n.Content[at+1]
	inFlow := n.Style&yaml.FlowStyle != 0
	if oldAt < 0 {
		w.replace(key, value, want, inFlow)
		return
	}
	was := old.Content[oldAt+1]
	switch {
	case same(was, want):
	case value.Kind == want.Kind && was.Kind == want.Kind && value.Kind != yaml.ScalarNode && len(value.Content) > 0 && len(want.Content) > 0:
		w.node(value, was, want)
	default:
		w.replace(key, value, want, inFlow)
	}
}

// replace writes a new value behind a key.
func (w *rewriter) replace(key, value, want *yaml.Node, inFlow bool) {
	head, rest := w.rendered(value, want, key.Column-1, inFlow)
	colon := w.colon(key)
	switch {
	case value.Kind == yaml.ScalarNode && value.Value == "" && value.Style == 0: // nothing written
		w.cut(colon, colon, spaced(head))
	case value.Kind != yaml.ScalarNode && value.Style&yaml.FlowStyle == 0:
		w.cut(colon, colon, spaced(head))
		from, to := w.nextLine(colon), w.nextLine(w.end(value))
		w.cut(from, to, "")
		w.insertLines(to, rest)
		return
	case head == "":
		w.cut(colon, w.end(value), "")
	default:
		w.cut(w.start(value), w.end(value), head)
	}
	if len(rest) > 0 {
		w.insertLines(w.nextLine(max(colon, w.valueEnd(value, colon))), rest)
	}
}

func (w *rewriter) valueEnd(value *yaml.Node, colon int) int {
	if value.Kind == yaml.ScalarNode && value.Value == "" && value.Style == 0 {
		return colon
	}
	return w.end(value)
}

func spaced(head string) string {
	if head == "" {
		return ""
	}
	return " " + head
}

// rendered gives a wanted value as what stands behind its key, and further
// lines below it. A scalar keeps the quotes of the one it replaces.
func (w *rewriter) rendered(value, want *yaml.Node, indent int, inFlow bool) (head string, rest []string) {
	switch {
	case want.Kind == yaml.ScalarNode:
		lines := strings.Split(w.scalar(value, want, indent, inFlow), "\n")
		return lines[0], lines[1:]
	case inFlow || want.Style&yaml.FlowStyle != 0:
		return flow(want), nil
	}
	return "", w.shifted(want, indent+2)
}

func flow(n *yaml.Node) string {
	text, err := yamldoc.FlowNode(n)
	if err != nil {
		panic(unclear{})
	}
	return text
}

func (w *rewriter) scalar(value, want *yaml.Node, indent int, inFlow bool) string {
	s := yamldoc.ScalarOf(want)
	if want.Style == 0 && s.Kind != 0 {
		return want.Value
	}
	text := want.Value
	if !inFlow && strings.Contains(text, "\n") {
		out, err := yamldoc.Text(text, indent+2)
		if err != nil {
			panic(unclear{value.Line})
		}
		return out
	}
	switch {
	case value.Style&yaml.DoubleQuotedStyle != 0:
		return yamldoc.DoubleQuoted(text)
	case value.Style&yaml.SingleQuotedStyle != 0 && yamldoc.DoubleQuoted(text) == `"`+strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text)+`"`:
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	out, err := yamldoc.Inline(text, inFlow)
	if err != nil {
		panic(unclear{value.Line})
	}
	return out
}

// shifted gives the lines of a block collection of the wanted text, moved to
// an indent.
func (w *rewriter) shifted(n *yaml.Node, indent int) []string {
	from := w.after.lineStart(w.after.start(n))
	return shift(w.after.text[from:w.after.nextLine(w.after.end(n))], n.Column-1, indent)
}

func shift(text []byte, from, to int) []string {
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	for i, line := range lines {
		if line == "" {
			continue
		}
		if to >= from {
			lines[i] = strings.Repeat(" ", to-from) + line
		} else {
			lines[i] = line[min(from-to, len(line)-len(strings.TrimLeft(line, " "))):]
		}
	}
	return lines
}

// blockEntries inserts keys below the one at prev, or above the first.
func (w *rewriter) blockEntries(n, want *yaml.Node, fresh []int, prev int) {
	indent := n.Column - 1
	var lines []string
	for _, i := range fresh {
		key, value := want.Content[i], want.Content[i+1]
		if want.Style&yaml.FlowStyle != 0 || value.Style&yaml.FlowStyle != 0 {
			lines = append(lines, strings.Repeat(" ", indent)+key.Value+": "+flow(value))
			continue
		}
		from := w.after.lineStart(w.after.start(key))
		text := bytes.Clone(w.after.text[from:w.after.nextLine(w.after.end(value))])
		copy(text, strings.Repeat(" ", key.Column-1)) // a first key stands behind a dash
		entry := shift(text, key.Column-1, indent)
		if value.Kind == yaml.SequenceNode {
			entry = append(entry[:1], shift([]byte(strings.Join(entry[1:], "\n")), indent+2, indent+w.listOffset(n))...)
		}
		lines = append(lines, entry...)
	}
	if prev >= 0 {
		w.insertLines(w.nextLine(w.valueEnd(n.Content[prev+1], w.colon(n.Content[prev]))), lines)
		return
	}
	first := w.start(n.Content[0])
	text := strings.TrimLeft(strings.Join(lines, w.eol), " ")
	w.cut(first, first, text+w.eol+strings.Repeat(" ", indent))
}

// listOffset is how much deeper than its key a list stands in this mapping.
func (w *rewriter) listOffset(n *yaml.Node) int {
	for i := 1; i < len(n.Content); i += 2 {
		if v := n.Content[i]; v.Kind == yaml.SequenceNode && v.Style&yaml.FlowStyle == 0 {
			return v.Column - n.Column
		}
	}
	return 2
}

func (w *rewriter) flowEntries(n, want *yaml.Node, fresh []int, prev int) {
	var parts []string
	for _, i := range fresh {
		parts = append(parts, want.Content[i].Value+": "+flow(want.Content[i+1]))
	}
	text := strings.Join(parts, ", ")
	if prev >= 0 {
		at := w.valueEnd(n.Content[prev+1], w.colon(n.Content[prev]))
		w.cut(at, at, ", "+text)
		return
	}
	first := w.start(n.Content[0])
	w.cut(first, first, text+", ")
}

// dropped deletes the keys that are no longer wanted.
func (w *rewriter) dropped(n, old, want *yaml.Node) {
	gone := make([]bool, len(n.Content)/2)
	spans := make([]span, len(gone))
	any := false
	for i := range gone {
		key := n.Content[2*i]
		gone[i] = find(old, key.Value) >= 0 && find(want, key.Value) < 0
		any = any || gone[i]
	}
	if !any {
		return
	}
	for i := range spans {
		spans[i] = span{w.start(n.Content[2*i]), w.valueEnd(n.Content[2*i+1], w.colon(n.Content[2*i]))}
	}
	if n.Style&yaml.FlowStyle != 0 {
		w.deleteFlow(spans, gone, n.Line)
		return
	}
	for i, s := range spans {
		if !gone[i] {
			continue
		}
		if lead := w.text[w.lineStart(s.from):s.from]; len(bytes.Trim(lead, " ")) == 0 {
			w.cut(w.lineStart(s.from), w.nextLine(s.to), "")
			continue
		}
		// The key stands behind a dash: the next one takes its place.
		if i+1 == len(spans) || gone[i+1] || bytes.IndexByte(w.text[s.to:spans[i+1].from], '#') >= 0 {
			panic(unclear{n.Line})
		}
		w.cut(s.from, spans[i+1].from, "")
	}
}

type span struct{ from, to int }

// deleteFlow deletes entries inside brackets, each with one comma.
func (w *rewriter) deleteFlow(spans []span, gone []bool, line int) {
	kept := -1 // the last entry before i that stays
	for i, s := range spans {
		from, to := s.from, s.to
		switch {
		case !gone[i]:
			kept = i
			continue
		case kept >= 0:
			from = spans[i-1].to
		case i+1 < len(spans):
			to = spans[i+1].from
		}
		if bytes.IndexByte(outside(w.text[from:to], s, from), '#') >= 0 {
			panic(unclear{line}) // a comment between entries
		}
		w.cut(from, to, "")
	}
}

// outside is a range without the entry in it.
func outside(text []byte, s span, from int) []byte {
	return append(bytes.Clone(text[:s.from-from]), text[s.to-from:]...)
}
