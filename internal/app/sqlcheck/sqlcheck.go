// Package sqlcheck cuts files of SQL into named texts and says of each whether
// it may run, and why not.
package sqlcheck

import (
	"errors"
	"fmt"
	"strings"

	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
)

// Verdict is what is said of one text, a line of guard --json.
type Verdict struct {
	Name      string    `json:"name"`
	Allowed   bool      `json:"allowed"`
	Layer     string    `json:"layer"`
	Rule      string    `json:"rule"`
	Position  *Position `json:"position"`
	Message   string    `json:"message"`
	Repair    string    `json:"repair"`
	Tables    []string  `json:"tables"`
	Functions []string  `json:"functions"`
}

// Position is a place in the text; line and column count from 1.
type Position struct {
	Offset int `json:"offset"`
	Line   int `json:"line"`
	Column int `json:"column"`
}

// Section is one named text of a file.
type Section struct{ Name, SQL string }

// Sections cuts the text at its lines "### name"; a text without any is one
// statement that carries the file's name.
func Sections(text, file string) []Section {
	var list []Section
	current := Section{Name: file}
	var body strings.Builder
	flush := func() {
		current.SQL = strings.TrimRight(body.String(), "\r\n")
		if current.Name != file || strings.TrimSpace(current.SQL) != "" || len(list) == 0 {
			list = append(list, current)
		}
		body.Reset()
	}
	started := false
	for _, line := range strings.SplitAfter(text, "\n") {
		name, found := strings.CutPrefix(line, "### ")
		if !found {
			body.WriteString(line)
			continue
		}
		if started || strings.TrimSpace(body.String()) != "" {
			flush()
		}
		body.Reset()
		started, current = true, Section{Name: strings.TrimSpace(name)}
	}
	flush()
	return list
}

// Judged is the verdict on a statement, or on why there is none.
func Judged(name string, s guard.Statement, err error) Verdict {
	v := Verdict{Name: name, Allowed: err == nil, Tables: []string{}, Functions: []string{}}
	facts := s.Facts()
	for _, t := range facts.Tables {
		v.Tables = append(v.Tables, t.String())
	}
	v.Functions = append(v.Functions, facts.Functions...)

	var refusal *guard.Refusal
	var database *db.Error
	switch {
	case err == nil:
	case errors.As(err, &refusal):
		v.Layer, v.Rule, v.Message, v.Repair = string(refusal.Layer), refusal.Rule, refusal.Message, refusal.Repair
		v.Position = &Position{refusal.Position.Offset, refusal.Position.Line, refusal.Position.Column}
	case errors.As(err, &database):
		v.Layer, v.Rule, v.Message = string(guard.LayerPrepare), database.Kind.String(), database.Message
		if len(database.Candidates) > 0 {
			v.Repair = "did you mean " + strings.Join(database.Candidates, ", ") + "?"
		}
	default:
		v.Layer, v.Rule, v.Message = string(guard.LayerSession), "failed", err.Error()
	}
	return v
}

// Render is the verdict for a terminal.
func (v Verdict) Render(s *term.Streams) string {
	style := s.Style
	if v.Allowed {
		uses := ""
		if len(v.Tables) > 0 {
			uses = style.Dim("  reads " + term.Clean(strings.Join(v.Tables, ", ")))
		}
		return fmt.Sprintf("%s allowed   %s%s\n", style.Good(style.OK), term.Clean(v.Name), uses)
	}
	at := ""
	if v.Position != nil && v.Position.Line > 0 {
		at = fmt.Sprintf("   at %d:%d", v.Position.Line, v.Position.Column)
	}
	text := fmt.Sprintf("%s refused   %s\n            %-8s %s%s\n", style.Wrong(style.Bad), term.Clean(v.Name), v.Layer, term.Clean(v.Message), at)
	if v.Repair != "" {
		text += "            " + style.Dim(term.Clean(v.Repair)) + "\n"
	}
	return text
}
