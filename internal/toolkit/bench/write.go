package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/sqbyl/sqbyl/internal/toolkit/project/yamldoc"
)

// Write renders questions as a benchmark file.
func Write(questions []Question) ([]byte, error) { return yamldoc.Write(questions) }

// Append adds questions behind those that text, a benchmark file, holds. What
// stands there is not touched. The result is read again and returned only
// when it holds the old questions and the new ones.
func Append(text []byte, file string, questions []Question) ([]byte, error) {
	old, err := Parse(bytes.NewReader(text), file)
	if err != nil {
		return nil, err
	}
	doc, _ := yamldoc.Parse(file, text)
	indent := 0
	if doc.Root != nil {
		if doc.Root.Style&yaml.FlowStyle != 0 {
			return nil, fmt.Errorf("add questions to %s: its list is written in brackets; begin each question with \"- \" on a line of its own", file)
		}
		indent = doc.Root.Column - 1
	}
	added, err := yamldoc.Block(questions, indent)
	if err != nil {
		return nil, fmt.Errorf("add questions to %s: %w", file, err)
	}
	out := slices.Clone(text)
	eol := "\n"
	if bytes.Contains(text, []byte("\r\n")) {
		eol = "\r\n"
	}
	if len(out) > 0 && out[len(out)-1] != '\n' {
		out = append(out, eol...)
	}
	out = append(out, strings.ReplaceAll(added, "\n", eol)...)
	return out, holds(out, file, append(old.Questions, questions...))
}

// holds reads text again.
func holds(text []byte, file string, want []Question) error {
	got, err := Parse(bytes.NewReader(text), file)
	if err != nil {
		return fmt.Errorf("add questions to %s: %w", file, err)
	}
	a, err := json.Marshal(got.Questions)
	b, err2 := json.Marshal(want)
	if err := errors.Join(err, err2); err != nil {
		return fmt.Errorf("add questions to %s: %w", file, err)
	}
	if !bytes.Equal(a, b) {
		return fmt.Errorf("add questions to %s: the file would not read back as meant; add them by hand", file)
	}
	return nil
}
