// Package health looks at everything that an answer needs, for free, and says
// what is wrong and what to do.
package health

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/app/workbench"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/dialect"
	"github.com/sqbyl/sqbyl/internal/toolkit/project"
	"github.com/sqbyl/sqbyl/llm"
)

// Finding is one thing that was looked at.
type Finding struct {
	Area   string   `json:"area"`
	State  State    `json:"state"`
	Text   string   `json:"text"`
	Remedy []string `json:"remedy"`
}

// State is how a thing was found.
type State string

// The states.
const (
	Good    State = "ok"
	Warning State = "warning"
	Broken  State = "broken"
)

// Examination collects findings. Explain words an error as commands do.
type Examination struct {
	Explain  func(error) (message string, hints []string)
	Findings []Finding
}

// Add adds a finding, and what can be done about it.
func (e *Examination) Add(area string, s State, text string, remedy ...string) {
	if remedy == nil {
		remedy = []string{}
	}
	e.Findings = append(e.Findings, Finding{area, s, text, remedy})
}

// Failed tells whether something does not work.
func (e *Examination) Failed() bool {
	return slices.ContainsFunc(e.Findings, func(f Finding) bool { return f.State == Broken })
}

// Fail adds an error in the words that any command would use for it.
func (e *Examination) Fail(area string, err error) {
	message, hints := e.Explain(err)
	e.Add(area, Broken, message, hints...)
}

// Build looks at what this build can open.
func (e *Examination) Build() {
	have := driver.Registered()
	var grammars, missing []string
	for _, name := range dialect.Names() {
		if driver.Grammar(name) != nil {
			grammars = append(grammars, name)
		}
		if _, err := driver.Lookup(name); err != nil {
			missing = append(missing, name)
		}
	}
	text := "opens " + strings.Join(have, ", ")
	if len(grammars) > 0 {
		text += "; with the engine's own grammar for " + strings.Join(grammars, ", ")
	}
	e.Add("build", Good, text)
	if len(missing) > 0 {
		e.Add("build", Warning, "no driver for "+strings.Join(missing, ", "), "build with cgo (CGO_ENABLED=1 and a C compiler) for every engine and grammar")
	}
}

// Project looks at the project.
func (e *Examination) Project(wb *workbench.Workbench) {
	pr := wb.Project()
	if pr == nil {
		return
	}
	s := pr.Semantic
	e.Add("project", Good, fmt.Sprintf("%s in %s: %s, %s, %s", pr.Manifest.Name, pr.Dir,
		term.Counted(len(s.Tables), "table"), term.Counted(len(s.Examples), "example"), term.Counted(len(s.Assets), "trusted query")))
	if most := pr.Manifest.Defaults.MaxTablesWarn; len(s.Tables) > most {
		e.Add("project", Warning, fmt.Sprintf("%s are many for one project (defaults.max_tables_warn is %d): the fewer a model sees, the better it answers", term.Counted(len(s.Tables), "table"), most))
	}
	for _, w := range pr.Warnings {
		e.Add("project", Warning, w.String())
	}
	e.benchmarks(pr)
}

// Database looks at the database and its schema.
func (e *Examination) Database(ctx context.Context, wb *workbench.Workbench) {
	database, err := wb.Database(ctx)
	if err != nil {
		e.Fail("database", err)
		return
	}
	info := database.Info()
	who := ""
	if info.User != "" {
		who = " as " + info.User
	}
	e.Add("database", Good, fmt.Sprintf("%s %s at %s%s", info.Product, info.Version, wb.Location(), who))
	if info.Superuser {
		e.Add("database", Warning, "the credential is a superuser, whom no privilege binds", "use a role that may only read")
	}
	for _, w := range info.Warnings {
		e.Add("database", Warning, w.Message, w.Remedy...)
	}
	if database.Grammar() == nil && driver.Grammar(database.Dialect().Name) == nil && needsGrammar(database.Dialect()) {
		e.Add("database", Warning, "this build has no grammar of "+database.Dialect().Title+"; the other layers of the guard stand", "build with cgo to have it")
	}
	if note, err := wb.Unbounded(ctx); err == nil && note != "" {
		e.Add("database", Warning, note)
	}
	schema, err := wb.Schema(ctx)
	if err != nil {
		e.Fail("database", err)
		return
	}
	columns := 0
	for _, t := range schema.Tables {
		columns += len(t.Columns)
	}
	s := Good
	if len(schema.Tables) == 0 {
		s = Warning
	}
	e.Add("schema", s, fmt.Sprintf("%s, %s", term.Counted(len(schema.Tables), "table"), term.Counted(columns, "column")))
	if n := len(schema.Unreadable); n > 0 {
		e.Add("schema", Warning, term.Counted(n, "table")+" cannot be read: "+strings.Join(schema.Unreadable, ", "))
	}
	for _, note := range wb.Knowledge(schema).Notes {
		e.Add("schema", Warning, note, "correct the file in semantics/")
	}
}

// needsGrammar tells the engines whose own grammar the guard has.
func needsGrammar(d *db.Dialect) bool { return d.Name != dialect.SQLite }

// Model looks at the models and, for free, at the key.
func (e *Examination) Model(ctx context.Context, wb *workbench.Workbench) {
	m, err := wb.AskedModel(project.RoleAgent)
	if err != nil {
		e.Add("model", Broken, err.Error(), "name another one with --model PROVIDER:MODEL or in sqbyl.yaml")
		return
	}
	if _, err := wb.Prices().Price(m.Provider, m.ID, wb.Now()); err != nil {
		e.Add("model", Warning, "no price is known of "+m.String()+", so nothing paid is sent to it", "give one with --price, or under model.prices in sqbyl.yaml")
	}
	if note := wb.JudgesItself(); note != "" && wb.Project() != nil {
		e.Add("model", Warning, note)
	}
	names, err := wb.Check(ctx, m)
	var missing *workbench.NoModelError
	switch {
	case errors.As(err, &missing):
		e.Add("model", Warning, missing.Message, missing.Hint)
	case llm.KindOf(err) == llm.KindKey:
		e.Fail("model", err)
	case err != nil && llm.KindOf(err) == llm.KindUnknown:
		e.Fail("model", err)
	case err != nil:
		e.Add("model", Warning, "the list of models could not be had, so the key is not checked: "+term.NoHTML(err.Error()))
	case len(names) > 0 && !slices.Contains(names, m.ID):
		e.Add("model", Warning, fmt.Sprintf("the key works, but %s does not list %s", m.Provider, m.ID), nearestModel(m.ID, names)...)
	default:
		e.Add("model", Good, m.String()+", the key works")
	}
}

func nearestModel(name string, names []string) []string {
	if near := db.Nearest(name, names, 3); len(near) > 0 {
		return []string{"it lists " + strings.Join(near, ", ")}
	}
	return nil
}

// State looks at where traces and costs are kept.
func (e *Examination) State(wb *workbench.Workbench) {
	dir, err := wb.StateDir()
	if err != nil {
		e.Add("traces", Broken, err.Error())
		return
	}
	if err := writable(dir); err != nil {
		e.Add("traces", Broken, "no trace can be written: "+err.Error(), "set SQBYL_HOME to a folder that can be written")
		return
	}
	e.Add("traces", Good, "in "+dir)
}

// writable tells whether a folder, or the first one above it that exists, can
// be written, and leaves nothing behind.
func writable(dir string) error {
	for {
		info, err := os.Stat(dir)
		switch {
		case err == nil && !info.IsDir():
			return fmt.Errorf("%s is a file", dir)
		case err == nil:
			probe, err := os.CreateTemp(dir, ".sqbyl-*")
			if err != nil {
				return err
			}
			return errors.Join(probe.Close(), os.Remove(probe.Name()))
		case !os.IsNotExist(err):
			return err
		}
		above := filepath.Dir(dir)
		if above == dir {
			return err
		}
		dir = above
	}
}

// Render lays findings out for a terminal.
func Render(s *term.Streams, list []Finding) string {
	var b strings.Builder
	for _, f := range list {
		mark := s.Style.Good(s.Style.OK)
		switch f.State {
		case Warning:
			mark = s.Style.Text("!")
		case Broken:
			mark = s.Style.Wrong(s.Style.Bad)
		}
		fmt.Fprintf(&b, "%s %-9s %s\n", mark, f.Area, term.Wrap(term.Clean(f.Text), s.Width, 12, 12))
		for _, line := range f.Remedy {
			fmt.Fprintf(&b, "            %s\n", s.Style.Dim(term.CleanLines(line)))
		}
	}
	return b.String()
}
