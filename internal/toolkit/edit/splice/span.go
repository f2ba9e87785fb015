package splice

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// source is a YAML text with the places of its nodes. The text ends in a line
// break.
type source struct {
	text  []byte
	lines []int // byte offset of each line's start
	root  *yaml.Node
}

func newSource(text []byte, root *yaml.Node) *source {
	s := &source{text: text, root: root, lines: []int{0}}
	for i, c := range text {
		if c == '\n' {
			s.lines = append(s.lines, i+1)
		}
	}
	return s
}

// start is where a node begins. Columns count characters.
func (s *source) start(n *yaml.Node) int {
	at := s.lines[n.Line-1]
	for range n.Column - 1 {
		_, size := utf8.DecodeRune(s.text[at:])
		at += size
	}
	return at
}

// lineStart is where the line of a byte begins, nextLine where the one after
// it does.
func (s *source) lineStart(at int) int { return bytes.LastIndexByte(s.text[:at], '\n') + 1 }

func (s *source) nextLine(at int) int {
	if i := bytes.IndexByte(s.text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(s.text)
}

// end is the byte behind a node, without a comment or line break that follows
// it. It panics with an unclear when the text does not look as expected.
func (s *source) end(n *yaml.Node) int {
	at := s.start(n)
	switch n.Kind {
	case yaml.ScalarNode:
		return s.scalarEnd(n, at)
	case yaml.MappingNode, yaml.SequenceNode:
		if n.Style&yaml.FlowStyle != 0 {
			return s.flowEnd(n, at)
		}
		if len(n.Content) > 0 {
			return s.end(n.Content[len(n.Content)-1])
		}
	}
	panic(unclear{n.Line})
}

// unclear is thrown where the text's layout cannot be followed.
type unclear struct{ line int }

func (s *source) scalarEnd(n *yaml.Node, at int) int {
	switch {
	case n.Style&yaml.DoubleQuotedStyle != 0:
		for i := at + 1; i < len(s.text); i++ {
			switch s.text[i] {
			case '\\':
				i++
			case '"':
				return i + 1
			}
		}
	case n.Style&yaml.SingleQuotedStyle != 0:
		for i := at + 1; i < len(s.text); i++ {
			if s.text[i] != '\'' {
				continue
			}
			if s.text[i+1] != '\'' {
				return i + 1
			}
			i++
		}
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return s.blockEnd(n, at)
	default:
		return s.plainEnd(n, at)
	}
	panic(unclear{n.Line})
}

// plainEnd follows a plain scalar through its line breaks: a break is a space
// in the value, further ones are newlines.
func (s *source) plainEnd(n *yaml.Node, at int) int {
	value := n.Value
	for value != "" {
		gap := len(s.text[at:]) - len(bytes.TrimLeft(s.text[at:], " \t\r\n"))
		if breaks := bytes.Count(s.text[at:at+gap], []byte("\n")); breaks > 0 {
			want := " "
			if breaks > 1 {
				want = strings.Repeat("\n", breaks-1)
			}
			rest, ok := strings.CutPrefix(value, want)
			if !ok {
				panic(unclear{n.Line})
			}
			value, at = rest, at+gap
			continue
		}
		if s.text[at] != value[0] {
			panic(unclear{n.Line})
		}
		value, at = value[1:], at+1
	}
	return at
}

// blockEnd is the end of the last line of a literal or folded block that is
// not blank; with the indicator "+" blank ones count.
func (s *source) blockEnd(n *yaml.Node, at int) int {
	next := s.nextLine(at)
	head := string(s.text[at:next])
	if len(head) > 1 && (head[1] >= '0' && head[1] <= '9' || len(head) > 2 && head[2] >= '0' && head[2] <= '9') {
		panic(unclear{n.Line})
	}
	keep := strings.HasPrefix(head[1:], "+")
	end := trimBreak(s.text, next)
	indent := -1
	for next < len(s.text) && n.Value != "" {
		from := next
		next = s.nextLine(from)
		line := bytes.TrimRight(s.text[from:next], "\r\n")
		body := bytes.TrimLeft(line, " ")
		if len(body) == 0 {
			if keep {
				end = trimBreak(s.text, next)
			}
			continue
		}
		if indent < 0 {
			indent = len(line) - len(body)
		}
		if len(line)-len(body) < indent {
			break
		}
		end = trimBreak(s.text, next)
	}
	return end
}

func trimBreak(text []byte, at int) int {
	at -= len(text[:at]) - len(bytes.TrimSuffix(text[:at], []byte("\n")))
	return at - (len(text[:at]) - len(bytes.TrimSuffix(text[:at], []byte("\r"))))
}

func (s *source) flowEnd(n *yaml.Node, at int) int {
	closing := byte(']')
	if n.Kind == yaml.MappingNode {
		closing = '}'
	}
	if s.text[at] != closing-2 { // [ and ], { and } are two apart
		panic(unclear{n.Line})
	}
	at++
	if len(n.Content) > 0 {
		at = s.end(n.Content[len(n.Content)-1])
	}
	for at < len(s.text) {
		switch c := s.text[at]; {
		case c == closing:
			return at + 1
		case c == '#':
			at = s.nextLine(at)
		case strings.IndexByte(" \t\r\n,", c) >= 0:
			at++
		default:
			panic(unclear{n.Line})
		}
	}
	panic(unclear{n.Line})
}

// colon is the byte behind the colon of a key.
func (s *source) colon(key *yaml.Node) int {
	at := s.end(key)
	for at < len(s.text) && (s.text[at] == ' ' || s.text[at] == '\t') {
		at++
	}
	if at >= len(s.text) || s.text[at] != ':' {
		panic(unclear{key.Line})
	}
	return at + 1
}

// dash is the byte of the "-" of an item of a block list.
func (s *source) dash(list, item *yaml.Node) int {
	for line := item.Line; line > 0; line-- {
		at := s.start(&yaml.Node{Line: line, Column: list.Column})
		if at < len(s.text) && s.text[at] == '-' && at >= s.lines[line-1] && at < s.nextLine(s.lines[line-1]) {
			return at
		}
	}
	panic(unclear{item.Line})
}
