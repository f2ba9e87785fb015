// Package batch asks many questions at once: it reads them, runs them as one
// paid run that can be stopped and taken up again, and tells what came of
// them.
package batch

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/agent"
	"github.com/sqbyl/sqbyl/internal/toolkit/runs"
)

// Mistakes is the error of a file of questions that cannot be used: all that
// is wrong, by line.
type Mistakes struct {
	File  string
	Lines []string // "12: the question is empty"
}

// most is how many mistakes are listed.
const most = 20

func (m *Mistakes) Error() string {
	lines := m.Lines
	more := ""
	if len(lines) > most {
		more = fmt.Sprintf("\n  … and %d more", len(lines)-most)
		lines = lines[:most]
	}
	s := ""
	if len(m.Lines) != 1 {
		s = "s"
	}
	return fmt.Sprintf("%d mistake%s in %s:\n  %s:%s%s", len(m.Lines), s, m.File, m.File, strings.Join(lines, "\n  "+m.File+":"), more)
}

// maxLine bounds one line of a file of questions: the longest question, and
// room for its spelling in JSON.
const maxLine = 8 * agent.MaxQuestion

// Read reads questions, one per line, as they are or as JSON objects with
// question and id. Empty lines are skipped. A question without an id has its
// place in the file, from 1.
func Read(in io.Reader, name string) ([]runs.Question, error) {
	var list []runs.Question
	wrong := &Mistakes{File: name}
	lines := bufio.NewReader(in)
	seen := map[string]int{}
	for number := 1; ; number++ {
		line, err := readLine(lines)
		if number == 1 {
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("read questions from %s: %w", name, err)
		}
		ended := err != nil
		if text := bytes.TrimSpace(line); len(text) > 0 {
			q, err := question(text)
			if q.ID == "" {
				q.ID = strconv.Itoa(len(list) + 1)
			}
			if first, twice := seen[q.ID]; twice && err == nil {
				err = fmt.Errorf("the id %q is also that of line %d", q.ID, first)
			}
			if err != nil {
				wrong.Lines = append(wrong.Lines, fmt.Sprintf("%d: %v", number, err))
			} else {
				seen[q.ID] = number
			}
			list = append(list, q)
		}
		if ended {
			break
		}
	}
	if len(list) == 0 {
		wrong.Lines = append(wrong.Lines, "1: there is no question in it")
	}
	if len(wrong.Lines) > 0 {
		return nil, wrong
	}
	return list, nil
}

// readLine reads one line; of one that is too long it keeps enough to say so.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		if len(line) <= maxLine {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

func question(text []byte) (runs.Question, error) {
	if len(text) > maxLine {
		return runs.Question{}, fmt.Errorf("the line is longer than %d KB", maxLine>>10)
	}
	q := runs.Question{Text: string(text)}
	if text[0] == '{' {
		var err error
		if q, err = object(text); err != nil {
			return q, err
		}
	}
	err := agent.Question{Text: q.Text}.Check()
	if err != nil {
		err = errors.New(strings.TrimPrefix(err.Error(), agent.ErrQuestion.Error()+": "))
		err = fmt.Errorf("the question cannot be asked: %w", err)
	}
	return q, err
}

func object(text []byte) (runs.Question, error) {
	var raw struct {
		Question *string         `json:"question"`
		ID       json.RawMessage `json:"id"`
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(&raw)
	if err == nil && d.More() {
		err = errors.New("there is something after the object")
	}
	if err != nil {
		return runs.Question{}, fmt.Errorf(`this is no object such as {"question": "How many?", "id": "q1"}: %s`, strings.TrimPrefix(err.Error(), "json: "))
	}
	if raw.Question == nil {
		return runs.Question{}, errors.New(`the object has no "question"`)
	}
	q := runs.Question{Text: *raw.Question}
	if len(raw.ID) == 0 || string(raw.ID) == "null" {
		return q, nil
	}
	if json.Unmarshal(raw.ID, &q.ID) != nil {
		// A number is as good a name.
		var n json.Number
		if json.Unmarshal(raw.ID, &n) != nil {
			return q, errors.New("the id is neither a text nor a number")
		}
		q.ID = n.String()
	}
	return q, nil
}
