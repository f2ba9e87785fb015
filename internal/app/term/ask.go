package term

import (
	"bufio"
	"context"
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
// and never an answer; ctx ends the waiting.
func (s *Streams) Ask(ctx context.Context, question string) (string, error) {
	if !s.InTTY {
		return "", ErrNoTerminal
	}
	if _, err := fmt.Fprintf(s.Err, "%s %s ", question, s.ErrStyle.Step); err != nil {
		return "", fmt.Errorf("ask: %w", err)
	}
	if s.lines == nil {
		s.lines = bufio.NewReader(s.In)
	}
	type read struct {
		line string
		err  error
	}
	// A read of a terminal cannot be called off: when ctx ends first, this one
	// ends with the next line, or with the process.
	got := make(chan read, 1)
	go func() {
		line, err := s.lines.ReadString('\n')
		got <- read{line, err}
	}()
	select {
	case <-ctx.Done():
		fmt.Fprintln(s.Err)
		return "", context.Cause(ctx)
	case r := <-got:
		if errors.Is(r.err, io.EOF) {
			return "", ErrAborted
		}
		if r.err != nil {
			return "", fmt.Errorf("read the answer: %w", r.err)
		}
		return strings.TrimSpace(r.line), nil
	}
}

// Status shows what is being done on one line of a terminal, in place of the
// line before; without a terminal it shows nothing. Empty text takes the line
// away.
func (s *Streams) Status(text string) {
	if !s.ErrTTY || s.Quiet || text == "" && !s.status {
		return
	}
	s.status = text != ""
	if s.errWidth > 0 {
		text = Cut(Clean(text), s.errWidth-1, s.ErrStyle.More)
	}
	// A status that cannot be shown is no reason to stop.
	_, _ = io.WriteString(s.Err, "\r\x1b[K"+s.ErrStyle.Dim(text))
}
