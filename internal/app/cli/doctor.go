package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/app/workbench"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/dialect"
	"github.com/sqbyl/sqbyl/internal/engine/prompt"
	"github.com/sqbyl/sqbyl/internal/toolkit/project"
	"github.com/sqbyl/sqbyl/llm"
)

type doctorOptions struct {
	database string
	model    string
	json     jsonFlag
}

func newDoctor(p *Program) *cobra.Command {
	var o doctorOptions
	cmd := &cobra.Command{
		Use: "doctor", Short: "Check project, database, model and build, free", Args: exactly(0, "no argument"),
		Long: "Looks at everything that an answer needs and says what is wrong and what to do. It asks no model a question.\n" +
			"Exits 1 when something does not work.",
		RunE: func(cmd *cobra.Command, _ []string) error { return runDoctor(cmd.Context(), p, o) },
	}
	cmd.Flags().StringVar(&o.database, "db", "", "check the database at `URL`, without a project")
	cmd.Flags().StringVar(&o.model, "model", "", "check `PROVIDER:MODEL` instead of the project's")
	o.json.add(cmd)
	return cmd
}

// finding is one thing that was looked at.
type finding struct {
	Area   string   `json:"area"`
	State  state    `json:"state"`
	Text   string   `json:"text"`
	Remedy []string `json:"remedy"`
}

type state string

const (
	good    state = "ok"
	warning state = "warning"
	broken  state = "broken"
)

// examination collects findings.
type examination struct{ findings []finding }

func (e *examination) add(area string, s state, text string, remedy ...string) {
	if remedy == nil {
		remedy = []string{}
	}
	e.findings = append(e.findings, finding{area, s, text, remedy})
}

// fail adds an error in the words that any command would use for it.
func (e *examination) fail(ctx context.Context, area string, err error) {
	_, message, hints := explain(ctx, err)
	e.add(area, broken, message, hints...)
}

func runDoctor(ctx context.Context, p *Program, o doctorOptions) error {
	var e examination
	e.build()
	wb, err := workbench.Open(p.Host, workbench.Options{Database: o.database, Model: o.model})
	switch {
	case errors.Is(err, project.ErrNoProject):
		e.add("project", warning, "none in this folder or above it", "sqbyl ask --db URL works without one")
	case err != nil:
		e.fail(ctx, "project", err)
	}
	if err != nil {
		// Model and traces can be looked at without a project.
		if wb, err = workbench.Open(p.Host, workbench.Options{Database: noDatabase, Model: o.model}); err != nil {
			return err
		}
	} else {
		e.project(wb)
		e.database(ctx, wb)
	}
	e.model(ctx, wb)
	e.state(wb)
	err = wb.Close()
	if ctx.Err() != nil {
		return ctx.Err()
	}

	failed := false
	for _, f := range e.findings {
		failed = failed || f.State == broken
	}
	if o.json.on {
		err = errors.Join(err, writeJSON(p.Streams.Out, struct {
			OK       bool      `json:"ok"`
			Version  string    `json:"version"`
			Findings []finding `json:"findings"`
		}{!failed, p.Host.Version, e.findings}))
	} else {
		_, werr := io.WriteString(p.Streams.Out, renderFindings(p.Streams, e.findings))
		err = errors.Join(err, werr)
	}
	if err == nil && failed {
		return errShown
	}
	return err
}

func (e *examination) build() {
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
	e.add("build", good, text)
	if len(missing) > 0 {
		e.add("build", warning, "no driver for "+strings.Join(missing, ", "), "build with cgo (CGO_ENABLED=1 and a C compiler) for every engine and grammar")
	}
}

func (e *examination) project(wb *workbench.Workbench) {
	pr := wb.Project()
	if pr == nil {
		return
	}
	s := pr.Semantic
	e.add("project", good, fmt.Sprintf("%s in %s: %s, %s, %s", pr.Manifest.Name, pr.Dir,
		counted(len(s.Tables), "table"), counted(len(s.Examples), "example"), counted(len(s.Assets), "trusted query")))
	if most := pr.Manifest.Defaults.MaxTablesWarn; len(s.Tables) > most {
		e.add("project", warning, fmt.Sprintf("%s are many for one project (defaults.max_tables_warn is %d): the fewer a model sees, the better it answers", counted(len(s.Tables), "table"), most))
	}
	for _, name := range slices.Sorted(maps.Keys(pr.Prompts)) {
		if _, err := prompt.Load(name, pr.Prompts); err != nil {
			e.add("project", broken, err.Error(), "sqbyl prompts "+name+" shows the built-in one")
		}
	}
	for _, w := range pr.Warnings {
		e.add("project", warning, w.String())
	}
}

func (e *examination) database(ctx context.Context, wb *workbench.Workbench) {
	database, err := wb.Database(ctx)
	if err != nil {
		e.fail(ctx, "database", err)
		return
	}
	info := database.Info()
	who := ""
	if info.User != "" {
		who = " as " + info.User
	}
	e.add("database", good, fmt.Sprintf("%s %s at %s%s", info.Product, info.Version, wb.Location(), who))
	if info.Superuser {
		e.add("database", warning, "the credential is a superuser, whom no privilege binds", "use a role that may only read")
	}
	for _, w := range info.Warnings {
		e.add("database", warning, w.Message, w.Remedy...)
	}
	if database.Grammar() == nil && driver.Grammar(database.Dialect().Name) == nil && needsGrammar(database.Dialect()) {
		e.add("database", warning, "this build has no grammar of "+database.Dialect().Title+"; the other layers of the guard stand", "build with cgo to have it")
	}
	if note, err := wb.Unbounded(ctx); err == nil && note != "" {
		e.add("database", warning, note)
	}
	schema, err := wb.Schema(ctx)
	if err != nil {
		e.fail(ctx, "database", err)
		return
	}
	columns := 0
	for _, t := range schema.Tables {
		columns += len(t.Columns)
	}
	s := good
	if len(schema.Tables) == 0 {
		s = warning
	}
	e.add("schema", s, fmt.Sprintf("%s, %s", counted(len(schema.Tables), "table"), counted(columns, "column")))
	if n := len(schema.Unreadable); n > 0 {
		e.add("schema", warning, counted(n, "table")+" may not be read: "+strings.Join(schema.Unreadable, ", "))
	}
	for _, note := range wb.Knowledge(schema).Notes {
		e.add("schema", warning, note, "correct the file in semantics/")
	}
}

// needsGrammar tells the engines whose own grammar the guard has.
func needsGrammar(d *db.Dialect) bool { return d.Name != dialect.SQLite }

func (e *examination) model(ctx context.Context, wb *workbench.Workbench) {
	m, err := wb.AskedModel(project.RoleAgent)
	if err != nil {
		e.add("model", broken, err.Error(), "name another one with --model PROVIDER:MODEL or in sqbyl.yaml")
		return
	}
	if _, err := wb.Prices().Price(m.Provider, m.ID, wb.Now()); err != nil {
		e.add("model", warning, "no price is known of "+m.String()+", so nothing paid is sent to it", "give one with --price, or under model.prices in sqbyl.yaml")
	}
	if note := wb.JudgesItself(); note != "" && wb.Project() != nil {
		e.add("model", warning, note)
	}
	names, err := wb.Check(ctx, m)
	var missing *workbench.NoModelError
	switch {
	case errors.As(err, &missing):
		e.add("model", warning, missing.Message, missing.Hint)
	case llm.KindOf(err) == llm.KindKey:
		e.fail(ctx, "model", err)
	case err != nil && llm.KindOf(err) == llm.KindUnknown:
		e.fail(ctx, "model", err)
	case err != nil:
		e.add("model", warning, "the list of models could not be had, so the key is not checked: "+err.Error())
	case len(names) > 0 && !slices.Contains(names, m.ID):
		e.add("model", warning, fmt.Sprintf("the key works, but %s does not list %s", m.Provider, m.ID), nearestModel(m.ID, names)...)
	default:
		e.add("model", good, m.String()+", the key works")
	}
}

func nearestModel(name string, names []string) []string {
	if near := db.Nearest(name, names, 3); len(near) > 0 {
		return []string{"it lists " + strings.Join(near, ", ")}
	}
	return nil
}

func (e *examination) state(wb *workbench.Workbench) {
	dir, err := wb.StateDir()
	if err != nil {
		e.add("traces", broken, err.Error())
		return
	}
	if err := writable(dir); err != nil {
		e.add("traces", broken, "no trace can be written: "+err.Error(), "set SQBYL_HOME to a folder that can be written")
		return
	}
	e.add("traces", good, "in "+dir)
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

func renderFindings(s *term.Streams, list []finding) string {
	var b strings.Builder
	for _, f := range list {
		mark := s.Style.Good(s.Style.OK)
		switch f.State {
		case warning:
			mark = s.Style.Text("!")
		case broken:
			mark = s.Style.Wrong(s.Style.Bad)
		}
		fmt.Fprintf(&b, "%s %-9s %s\n", mark, f.Area, term.Wrap(term.Clean(f.Text), s.Width, 12, 12))
		for _, line := range f.Remedy {
			fmt.Fprintf(&b, "            %s\n", s.Style.Dim(term.CleanLines(line)))
		}
	}
	return b.String()
}
