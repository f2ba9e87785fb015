package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/app/workbench"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/toolkit/introspect"
	"github.com/sqbyl/sqbyl/internal/toolkit/joins"
	"github.com/sqbyl/sqbyl/internal/toolkit/profile"
	"github.com/sqbyl/sqbyl/internal/toolkit/project"
)

type initOptions struct {
	url, name string
	json      jsonFlag
}

func newInit(p *Program) *cobra.Command {
	var o initOptions
	cmd := &cobra.Command{
		Use: "init [URL [NAME]]", Short: "Make a project about a database, free", Args: atMost(2, "a database URL and a name"),
		Long: "Connects, reads the schema, profiles the columns and looks for joins, all with read-only SQL and without a model,\n" +
			"and writes a project of plain files into ./NAME, which must be empty or not there. NAME is what the database is called.\n" +
			"The URL goes into NAME/.env, which git ignores. Without a URL the one in DATABASE_URL is taken, or you are asked.",
		Example: "  sqbyl init postgres://reader@db/shop\n  sqbyl init sqlite:shop.db sales",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				o.url = args[0]
			}
			if len(args) > 1 {
				o.name = args[1]
			}
			return runInit(cmd.Context(), p, o)
		},
	}
	o.json.add(cmd)
	return cmd
}

// initialized is what init prints as JSON.
type initialized struct {
	Dir      string            `json:"directory"`
	Name     string            `json:"name"`
	Database string            `json:"database"`
	Variable string            `json:"url_variable"`
	Product  string            `json:"product"`
	Version  string            `json:"version,omitempty"`
	User     string            `json:"user,omitempty"`
	Warnings []string          `json:"warnings"`
	Schema   schemaCounts      `json:"schema"`
	Declared int               `json:"declared_joins"`
	Joins    []joins.Candidate `json:"found_joins"`
	Profile  []profile.Table   `json:"profile"`
	Notes    []string          `json:"notes"`
}

func runInit(ctx context.Context, p *Program, o initOptions) (err error) {
	if o.url == "" {
		if o.url, err = askURL(ctx, p); err != nil {
			return err
		}
	}
	dir, err := p.Host.Place(o.url, o.name)
	if err != nil {
		return placed(err)
	}
	wb, err := workbench.Open(p.Host, workbench.Options{Database: o.url})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, wb.Close()) }()
	say := func(what, text string) {
		if !o.json.on {
			p.Streams.Status("")
			fmt.Fprintf(p.Streams.Out, "%s %-9s  %s\n", p.Streams.Style.Accent(p.Streams.Style.Step), what, term.Wrap(term.Clean(text), p.Streams.Width, 13, 13))
		}
	}
	out, n, err := freePass(ctx, p, wb, say)
	if err != nil {
		return err
	}
	n.Dir = dir
	if out.Variable, err = wb.Create(ctx, n); err != nil {
		return placed(err)
	}
	out.Dir, out.Name = dir, filepath.Base(dir)
	if o.json.on {
		return writeJSON(p.Streams.Out, out)
	}
	_, err = fmt.Fprint(p.Streams.Out, renderInitialized(p.Streams, p.Host.Dir, out))
	return err
}

// placed says what to do about a folder that is taken.
func placed(err error) error {
	var taken *workbench.PlaceError
	if errors.As(err, &taken) {
		return &usageError{message: taken.Error(), hint: "name another folder: sqbyl init URL NAME"}
	}
	return err
}

// askURL finds a database when the command line names none.
func askURL(ctx context.Context, p *Program) (string, error) {
	if url := p.Host.DatabaseVariable(); url != "" {
		return url, nil
	}
	url, err := p.Streams.Ask(ctx, "database URL (postgres://…, mysql://…, sqlite:path, duckdb:path)")
	switch {
	case errors.Is(err, term.ErrNoTerminal), err == nil && url == "":
		return "", &usageError{message: "sqbyl init needs a database URL", hint: "usage: sqbyl init URL [NAME]"}
	case err != nil:
		return "", err
	}
	return url, nil
}

// freePass does everything that costs nothing, and says so step by step.
func freePass(ctx context.Context, p *Program, wb *workbench.Workbench, say func(what, text string)) (out initialized, n workbench.New, err error) {
	s := p.Streams
	s.Status("connecting …")
	database, err := wb.Database(ctx)
	if err != nil {
		return out, n, err
	}
	info := database.Info()
	out = initialized{Database: wb.Location(), Product: info.Product, Version: info.Version, User: info.User, Warnings: []string{}}
	for _, w := range info.Warnings {
		out.Warnings = append(out.Warnings, w.Message)
	}
	s.Status("reading the schema …")
	schema, err := wb.Schema(ctx)
	if err != nil {
		return out, n, err
	}
	if len(schema.Tables) == 0 {
		return out, n, fmt.Errorf("there is nothing to make a project of: %s holds no table that may be read", wb.Location())
	}
	out.Schema, out.Declared = countSchema(schema), declaredJoins(schema)
	say("connected", connectedLine(info, len(schema.Tables), s.Style))
	if err := warnCredential(ctx, p, wb); err != nil {
		return out, n, err
	}
	say("schema", schemaLine(out.Schema, s.Style))

	report, err := measure(ctx, p, wb)
	if err != nil {
		return out, n, err
	}
	out.Profile = report.Tables
	say("profile", profileLine(report, s.Style))

	s.Status("looking for joins …")
	found, err := wb.Joins(ctx, joins.Bounds{})
	if err != nil {
		return out, n, err
	}
	out.Joins, out.Notes = notNil(found.Candidates), notNil(found.Notes)
	say("joins", joinsLine(out.Declared, out.Joins))

	n.Tables, n.Values = introspect.Draft(schema, database.Dialect(), found.Candidates), report.Entries()
	at := map[string]*profile.Table{}
	for i := range report.Tables {
		at[report.Tables[i].Name] = &report.Tables[i]
	}
	for i, t := range n.Tables {
		if measured := at[t.Name]; measured != nil {
			n.Tables[i] = measured.Fill(t)
		}
	}
	return out, n, nil
}

func connectedLine(info db.Info, tables int, style term.Style) string {
	line := strings.TrimSpace(info.Product + " " + info.Version)
	if info.User == "" {
		return line + " " + style.Dot + " opened to read only"
	}
	line += fmt.Sprintf(" %s role %s: SELECT on %s", style.Dot, info.User, counted(tables, "table"))
	switch {
	case info.Superuser:
		return line + ", a superuser"
	case len(info.Warnings) > 0:
		return line + ", may do more than read"
	}
	return line + ", can write nothing"
}

// profileLine sums a profile up in a line.
func profileLine(r *profile.Report, style term.Style) string {
	columns, personal, failed := 0, 0, 0
	for _, t := range r.Tables {
		for _, c := range t.Columns {
			columns++
			if c.Personal != "" {
				personal++
			}
			if c.Failed != "" {
				failed++
			}
		}
	}
	line := fmt.Sprintf("%s in %s s, $0", counted(columns, "column"), seconds(r.Elapsed))
	if personal > 0 {
		line += fmt.Sprintf(" %s %d suppressed as personal", style.Dot, personal)
	}
	if failed > 0 {
		line += fmt.Sprintf(" %s %d failed (sqbyl profile says why)", style.Dot, failed)
	}
	return line
}

func renderInitialized(s *term.Streams, from string, out initialized) string {
	var b strings.Builder
	b.WriteString(renderDecisions(s, out.Joins))
	b.WriteString(renderNotes(s, out.Notes))
	dir := out.Dir
	if base, err := filepath.Abs(from); err == nil {
		if rel, err := filepath.Rel(base, dir); err == nil && filepath.IsLocal(rel) {
			dir = rel
		}
	}
	fmt.Fprintf(&b, "%s project %s written to %s%c: sqbyl.yaml, %s, .env with the database's URL (%s), .gitignore\n", s.Style.Good(s.Style.OK),
		term.Clean(out.Name), term.Clean(dir), filepath.Separator, counted(out.Schema.Tables, "file")+" of "+project.SemanticsDir+"/", out.Variable)
	b.WriteString(renderCrowd(s, out.Schema.Tables, project.NewManifest().Defaults.MaxTablesWarn))
	next := `sqbyl ask "…"`
	if dir != "." {
		next = "cd " + quoteForShell(dir) + " && " + next
	}
	fmt.Fprintf(&b, "  next: %s\n", next)
	return b.String()
}

// quoteForShell quotes a path where a shell would take it apart.
func quoteForShell(path string) string {
	if strings.ContainsAny(path, " \t'\"$`\\&;|<>()*?[]#~!") {
		return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return path
}
