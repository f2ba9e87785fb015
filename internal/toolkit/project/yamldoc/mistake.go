package yamldoc

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Mistake is one thing that is wrong in a file. Line and Column are 1-based,
// columns count characters; a Line of 0 means the file as a whole.
type Mistake struct {
	File    string `json:"file"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Message string `json:"message"`
	// Suggestion is what to write instead, as it stands in parentheses after
	// the message: "did you mean synonyms?".
	Suggestion string `json:"suggestion,omitempty"`
}

// Place is "file:line:column", as far as it is known.
func (m Mistake) Place() string {
	if m.Line == 0 {
		return m.File
	}
	return fmt.Sprintf("%s:%d:%d", m.File, m.Line, m.Column)
}

// Text is the message with its suggestion.
func (m Mistake) Text() string {
	if m.Suggestion == "" {
		return m.Message
	}
	return m.Message + " (" + m.Suggestion + ")"
}

func (m Mistake) String() string { return m.Place() + "  " + m.Text() }

// Mistakes are all mistakes of one reading, as an error.
type Mistakes []Mistake

// Error lists the mistakes under a heading, one a line, in aligned columns.
func (l Mistakes) Error() string {
	var b strings.Builder
	if len(l) == 1 {
		b.WriteString("1 mistake in this project:")
	} else {
		fmt.Fprintf(&b, "%d mistakes in this project:", len(l))
	}
	width := 0
	for _, m := range l {
		width = max(width, len(m.Place()))
	}
	for _, m := range l {
		fmt.Fprintf(&b, "\n  %-*s  %s", width, m.Place(), m.Text())
	}
	return b.String()
}

// Sort orders mistakes by file and place.
func (l Mistakes) Sort() {
	slices.SortStableFunc(l, func(a, b Mistake) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}
