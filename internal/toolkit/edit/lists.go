package edit

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/sqbyl/sqbyl/internal/toolkit/bench"
	"github.com/sqbyl/sqbyl/internal/toolkit/edit/splice"
	"github.com/sqbyl/sqbyl/internal/toolkit/project"
	"github.com/sqbyl/sqbyl/semantic"
)

// asked is a question without regard to white space and case.
func asked(question string) string {
	return strings.ToLower(strings.Join(strings.Fields(question), " "))
}

// examples looks for the file that holds a question.
func (w *planning) examples(question string) (*Change, []semantic.Example, int, error) {
	for _, name := range w.exampleFiles() {
		c, err := w.open(name)
		if err != nil {
			return nil, nil, 0, err
		}
		list, err := readExamples(c)
		if err != nil {
			return nil, nil, 0, err
		}
		if i := slices.IndexFunc(list, func(e semantic.Example) bool { return asked(e.Question) == asked(question) }); i >= 0 {
			return c, list, i, nil
		}
	}
	return nil, nil, 0, nil
}

// exampleFiles are those of the project and those that the plan adds.
func (w *planning) exampleFiles() []string {
	names := w.p.ExampleFiles()
	for name := range w.files {
		if path.Dir(name) == project.ExamplesDir && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func readExamples(c *Change) ([]semantic.Example, error) {
	var list []semantic.Example
	err := splice.Read(c.File, c.After, &list)
	return slices.Clone(list), err
}

func (w *planning) putExample(e PutExample) error {
	if asked(e.Example.Question) == "" || strings.TrimSpace(e.Example.SQL) == "" {
		return errors.New("an example needs a question and SQL")
	}
	c, list, i, err := w.examples(e.Example.Question)
	if err != nil {
		return err
	}
	if c != nil {
		e.Example.Question = list[i].Question // the same but for case and spaces
		list[i] = e.Example
		return rewrite(c, list)
	}
	name := path.Join(project.ExamplesDir, project.FileStem(strings.TrimSuffix(e.File, ".yaml"))+".yaml")
	if c, err = w.open(name); err != nil {
		return err
	}
	if c.Before == nil && len(c.After) == 0 {
		c.After = []byte(project.SchemaLine("examples"))
		return rewriteNew(c, []semantic.Example{e.Example})
	}
	if list, err = readExamples(c); err != nil {
		return err
	}
	return rewrite(c, append(list, e.Example))
}

func (w *planning) dropExample(e DropExample) error {
	c, list, i, err := w.examples(e.Question)
	if err != nil {
		return err
	}
	if c == nil {
		var known []string
		for _, x := range w.p.Semantic.Examples {
			known = append(known, x.Question)
		}
		return &UnknownError{"example", e.Question, known}
	}
	return rewrite(c, slices.Delete(list, i, i+1))
}

// questions changes the dev set. The result is held against the rules of a
// benchmark too.
func (w *planning) questions(change func([]bench.Question) ([]bench.Question, error)) error {
	c, err := w.open(project.DevFile)
	if err != nil {
		return err
	}
	set, err := bench.Parse(bytes.NewReader(c.After), c.File)
	if err != nil {
		return err
	}
	want, err := change(slices.Clone(set.Questions))
	if err != nil {
		return err
	}
	if c.Before == nil && len(c.After) == 0 {
		c.After = []byte(project.SchemaLine("benchmarks"))
		err = rewriteNew(c, want)
	} else {
		err = rewrite(c, want)
	}
	if err != nil {
		return err
	}
	_, err = bench.Parse(bytes.NewReader(c.After), c.File)
	return err
}

func putQuestion(list []bench.Question, q bench.Question) ([]bench.Question, error) {
	if strings.TrimSpace(q.ID) == "" || asked(q.Question) == "" {
		return nil, errors.New("a question needs an id and a wording")
	}
	if i := slices.IndexFunc(list, func(x bench.Question) bool { return x.ID == q.ID }); i >= 0 {
		list[i] = q
		return list, nil
	}
	return append(list, q), nil
}

func dropQuestion(list []bench.Question, id string) ([]bench.Question, error) {
	if _, err := named("question", list, id, func(q bench.Question) string { return q.ID }); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(list, func(q bench.Question) bool { return q.ID == id }), nil
}

// instructionEdit is an edit of the instructions, a text of lines.
type instructionEdit interface {
	Edit
	lines(lines []string) ([]string, error)
}

func (w *planning) instructions(e instructionEdit) error {
	c, err := w.open(project.InstructionsFile)
	if err != nil {
		return err
	}
	text, eol := string(c.After), "\n"
	if strings.Contains(text, "\r\n") {
		eol = "\r\n"
	}
	ended := text == "" || strings.HasSuffix(text, "\n")
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if text == "" {
		lines = nil
	}
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], "\r")
	}
	before := slices.Clone(lines)
	if lines, err = e.lines(lines); err != nil {
		return err
	}
	c.After = joined(before, lines, []byte(text), eol, ended)
	return nil
}

// joined puts lines together again; those that were there keep their ends.
func joined(before, lines []string, text []byte, eol string, ended bool) []byte {
	ends := strings.SplitAfter(string(text), "\n")
	var b strings.Builder
	at := 0
	for i, line := range lines {
		end := eol
		if j := slices.Index(before[min(at, len(before)):], line); j >= 0 {
			at += j
			end = ends[at][len(line):]
			at++
		}
		if end == "" && i+1 < len(lines) {
			end = eol
		}
		if i+1 == len(lines) && !ended {
			end = ""
		} else if i+1 == len(lines) && end == "" {
			end = eol
		}
		b.WriteString(line + end)
	}
	return []byte(b.String())
}

// bullet splits the sign of a list off a line.
func bullet(line string) (sign, text string) {
	trimmed := strings.TrimLeft(line, " \t")
	for _, b := range []string{"- ", "* ", "+ "} {
		if rest, ok := strings.CutPrefix(trimmed, b); ok {
			return line[:len(line)-len(rest)], rest
		}
	}
	return line[:len(line)-len(trimmed)], trimmed
}

// locate finds the one line that says what text says.
func locate(lines []string, text string) (int, error) {
	_, want := bullet(text)
	at := -1
	var known []string
	for i, line := range lines {
		_, got := bullet(line)
		known = append(known, got)
		if strings.TrimSpace(got) != strings.TrimSpace(want) {
			continue
		}
		if at >= 0 {
			return 0, fmt.Errorf("the line %q stands twice in %s", want, project.InstructionsFile)
		}
		at = i
	}
	if at < 0 || strings.TrimSpace(want) == "" {
		return 0, &UnknownError{"line", want, known}
	}
	return at, nil
}

func oneLine(text string) error {
	if strings.TrimSpace(text) == "" || strings.ContainsAny(text, "\r\n") {
		return errors.New("an instruction is one line of text")
	}
	return nil
}

func (e AddInstruction) lines(lines []string) ([]string, error) {
	if err := oneLine(e.Line); err != nil {
		return nil, err
	}
	if _, err := locate(lines, e.Line); err == nil {
		return nil, &TakenError{"line", e.Line}
	}
	at := len(lines)
	for at > 0 && strings.TrimSpace(lines[at-1]) == "" {
		at--
	}
	line := e.Line
	if at > 0 {
		if sign, _ := bullet(lines[at-1]); strings.TrimSpace(sign) != "" {
			_, text := bullet(e.Line)
			line = sign + text
		}
	}
	return slices.Insert(lines, at, line), nil
}

func (e ChangeInstruction) lines(lines []string) ([]string, error) {
	if err := oneLine(e.New); err != nil {
		return nil, err
	}
	at, err := locate(lines, e.Old)
	if err != nil {
		return nil, err
	}
	sign, _ := bullet(lines[at])
	_, text := bullet(e.New)
	lines[at] = sign + text
	return lines, nil
}

func (e DropInstruction) lines(lines []string) ([]string, error) {
	at, err := locate(lines, e.Line)
	if err != nil {
		return nil, err
	}
	return slices.Delete(lines, at, at+1), nil
}
