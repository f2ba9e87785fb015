package term

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Reasons why there is no answer from a person.
var (
	// ErrNoTerminal is given where nobody could answer.
	ErrNoTerminal = errors.New("nobody can be asked: the input is not a terminal")
	// ErrAborted is given when the input ended before an answer.
	ErrAborted = errors.New("no answer was given")
)

// Ask puts a question and reads one line. The end of the input is ErrAborted
// and never an answer.
func (s *Streams) Ask(question string) (string, error) {
	if !s.InTTY {
		return "", ErrNoTerminal
	}
	if _, err := fmt.Fprintf(s.Err, "%s %s ", question, s.ErrStyle.Step); err != nil {
		return "", fmt.Errorf("ask: %w", err)
	}
	if s.lines == nil {
		s.lines = bufio.NewReader(s.In)
	}
	line, err := s.lines.ReadString('\n')
	if errors.Is(err, io.EOF) {
		return "", ErrAborted
	}
	if err != nil {
		return "", fmt.Errorf("read the answer: %w", err)
	}
	return strings.TrimSpace(line), nil
}

// Status shows what is being done on one line of a terminal, in place of the
// line before; without a terminal it shows nothing. Empty text takes the line
// away.
func (s *Streams) Status(text string) {
	if !s.ErrTTY || text == "" && !s.status {
		return
	}
	s.status = text != ""
	if s.errWidth > 0 {
		text = Cut(Clean(text), s.errWidth-1, s.ErrStyle.More)
	}
	// A status that cannot be shown is no reason to stop.
	_, _ = io.WriteString(s.Err, "\r\x1b[K"+s.ErrStyle.Dim(text))
}
