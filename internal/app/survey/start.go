package survey

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/app/workbench"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/toolkit/introspect"
	"github.com/sqbyl/sqbyl/internal/toolkit/joins"
	"github.com/sqbyl/sqbyl/internal/toolkit/profile"
	"github.com/sqbyl/sqbyl/internal/toolkit/project"
)

// Started is a project that was made, and what is known of its database.
type Started struct {
	Dir      string            `json:"directory"`
	Name     string            `json:"name"`
	Database string            `json:"database"`
	Variable string            `json:"url_variable"`
	Product  string            `json:"product"`
	Version  string            `json:"version,omitempty"`
	User     string            `json:"user,omitempty"`
	Warnings []string          `json:"warnings"`
	Schema   Counts            `json:"schema"`
	Declared int               `json:"declared_joins"`
	Joins    []joins.Candidate `json:"found_joins"`
	Profile  []profile.Table   `json:"profile"`
	Notes    []string          `json:"notes"`

	files int // semantics files
}

// Start does everything that costs nothing, says so step by step, and writes
// a project into dir.
func Start(ctx context.Context, s *term.Streams, wb *workbench.Workbench, dir string, say func(what, text string)) (*Started, error) {
	s.Status("connecting …")
	database, err := wb.Database(ctx)
	if err != nil {
		return nil, err
	}
	info := database.Info()
	out := &Started{Database: wb.Location(), Product: info.Product, Version: info.Version, User: info.User, Warnings: []string{}, Dir: dir, Name: filepath.Base(dir)}
	for _, w := range info.Warnings {
		out.Warnings = append(out.Warnings, w.Message)
	}
	s.Status("reading the schema …")
	schema, err := wb.Schema(ctx)
	if err != nil {
		return nil, err
	}
	if len(schema.Tables) == 0 {
		return nil, fmt.Errorf("there is nothing to make a project of: %s holds no table that may be read", wb.Location())
	}
	out.Schema, out.Declared = countSchema(schema), declaredJoins(schema)
	say("connected", connectedLine(info, len(schema.Tables), s.Style))
	say("schema", schemaLine(out.Schema, s.Style))

	report, err := wb.Profile(ctx, Progress(s, len(schema.Tables)))
	if err != nil {
		return nil, err
	}
	out.Profile = report.Tables
	say("profile", profileLine(report, s.Style))

	s.Status("looking for joins …")
	found, err := wb.Joins(ctx, joins.Bounds{})
	if err != nil {
		return nil, err
	}
	out.Joins, out.Notes = filled(found.Candidates), filled(slices.Concat(introspect.Unnamed(schema), found.Notes))
	say("joins", joinsLine(out.Declared, out.Joins))

	drafts := introspect.Draft(schema, database.Dialect(), found.Candidates)
	out.files = len(drafts)
	at := map[string]*profile.Table{}
	for i := range report.Tables {
		at[report.Tables[i].Name] = &report.Tables[i]
	}
	for i, t := range drafts {
		if measured := at[t.Name]; measured != nil {
			drafts[i] = measured.Fill(t)
		}
	}
	out.Variable, err = wb.Create(ctx, workbench.New{Dir: dir, Tables: drafts, Values: report.Entries()})
	return out, err
}

// Progress shows a bar that fills with the tables of a profile, and the time
// that is left at this pace once there is a pace.
func Progress(s *term.Streams, tables int) func(done, total int, table string) {
	const cells = 20
	started := time.Now()
	return func(done, total int, table string) {
		full := cells * done / max(total, 1)
		left := ""
		if spent := time.Since(started); done > 0 && spent > 2*time.Second {
			left = fmt.Sprintf("about %s s left   ", term.Seconds(spent/time.Duration(done)*time.Duration(total-done)))
		}
		s.Status(fmt.Sprintf("profiling %s  %s%s  %d/%d   %s%s %s", term.Counted(tables, "table"),
			strings.Repeat(s.ErrStyle.BarFull, full), strings.Repeat(s.ErrStyle.BarLeft, cells-full), done, total, left, table, s.ErrStyle.More))
	}
}

func connectedLine(info db.Info, tables int, style term.Style) string {
	line := strings.TrimSpace(info.Product + " " + info.Version)
	if info.User == "" {
		return line + " " + style.Dot + " opened to read only"
	}
	line += fmt.Sprintf(" %s role %s: SELECT on %s", style.Dot, info.User, term.Counted(tables, "table"))
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
	line := fmt.Sprintf("%s in %s s, $0", term.Counted(columns, "column"), term.Seconds(r.Elapsed))
	if personal > 0 {
		line += fmt.Sprintf(" %s %d suppressed as personal", style.Dot, personal)
	}
	if failed > 0 {
		line += fmt.Sprintf(" %s %d failed (sqbyl profile says why)", style.Dot, failed)
	}
	return line
}

// Render says where the project is and what to do next; from is the folder
// that somebody is in.
func (out *Started) Render(s *term.Streams, from string) string {
	var b strings.Builder
	b.WriteString(decisions(s, out.Joins))
	b.WriteString(notes(s, out.Notes))
	dir := out.Dir
	if base, err := filepath.Abs(from); err == nil {
		if rel, err := filepath.Rel(base, dir); err == nil && filepath.IsLocal(rel) {
			dir = rel
		}
	}
	fmt.Fprintf(&b, "%s project %s written to %s%c: sqbyl.yaml, %s, .env with the database's URL (%s), .gitignore\n", s.Style.Good(s.Style.OK),
		term.Clean(out.Name), term.Clean(dir), filepath.Separator, term.Counted(out.files, "file")+" of "+project.SemanticsDir+"/", out.Variable)
	b.WriteString(crowd(s, out.files, project.NewManifest().Defaults.MaxTablesWarn))
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
