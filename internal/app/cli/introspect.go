package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/app/workbench"
	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/toolkit/introspect"
	"github.com/sqbyl/sqbyl/internal/toolkit/joins"
	"github.com/sqbyl/sqbyl/internal/toolkit/project"
)

type introspectOptions struct {
	sync, dryRun bool
	json         jsonFlag
}

func newIntrospect(p *Program) *cobra.Command {
	var o introspectOptions
	cmd := &cobra.Command{
		Use: "introspect", Short: "Draft semantics files from the database, free", Args: atMost(0, "no arguments"),
		Long: "Reads the schema and drafts a semantics file for each table that has none: types, keys, allowed values, comments,\n" +
			"and joins, declared ones and those that names and data give away. Files that exist are left alone.\n\n" +
			"With --sync the files follow a database that has changed: new tables and columns are added, types and other facts\n" +
			"that the database states are put right, what is gone is reported and stays. Nothing else in a file is touched.",
		Example: "  sqbyl introspect\n  sqbyl introspect --sync --dry-run",
		RunE:    func(cmd *cobra.Command, _ []string) error { return runIntrospect(cmd.Context(), p, o) },
	}
	cmd.Flags().BoolVar(&o.sync, "sync", false, "merge what the database has changed into the files")
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "show what would be written and write nothing")
	o.json.add(cmd)
	return cmd
}

// introspected is what introspect prints as JSON.
type introspected struct {
	Database string              `json:"database"`
	Schema   schemaCounts        `json:"schema"`
	Declared int                 `json:"declared_joins"`
	Joins    []joins.Candidate   `json:"found_joins"`
	Changes  []introspect.Change `json:"changes"`
	Files    []string            `json:"changed_files"`
	Notes    []string            `json:"notes"`
}

func runIntrospect(ctx context.Context, p *Program, o introspectOptions) (err error) {
	wb, err := workbench.Open(p.Host, workbench.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, wb.Close()) }()
	schema, found, err := look(ctx, p, wb)
	if err != nil {
		return err
	}
	database, err := wb.Database(ctx)
	if err != nil {
		return err
	}
	drafts := introspect.Draft(schema, database.Dialect(), found.Candidates)
	merge := introspect.New
	if o.sync {
		merge = introspect.Sync
	}
	m, err := merge(wb.Project(), drafts)
	if err != nil {
		return err
	}
	out := introspected{
		Database: wb.Location(), Schema: countSchema(schema), Declared: declaredJoins(schema), Joins: notNil(found.Candidates),
		Changes: notNil(m.Changes), Files: []string{}, Notes: notNil(found.Notes),
	}
	for _, c := range m.Plan.Changes {
		out.Files = append(out.Files, c.File)
	}
	if !o.dryRun {
		m.Plan.Title = "introspect " + counted(len(out.Files), "table")
		if err := m.Plan.Apply(wb.Now()); err != nil {
			return err
		}
	}
	if o.json.on {
		return writeJSON(p.Streams.Out, out)
	}
	_, err = fmt.Fprint(p.Streams.Out, renderIntrospected(p.Streams, wb.Project(), schema, out, o))
	return err
}

// look reads the schema and looks for joins.
func look(ctx context.Context, p *Program, wb *workbench.Workbench) (catalog.Schema, joins.Found, error) {
	p.Streams.Status("reading the schema …")
	defer p.Streams.Status("")
	schema, err := wb.Schema(ctx)
	if err != nil {
		return schema, joins.Found{}, err
	}
	p.Streams.Status("looking for joins …")
	found, err := wb.Joins(ctx, joins.Bounds{})
	return schema, found, err
}

// schemaCounts are the size of a schema.
type schemaCounts struct {
	Tables     int      `json:"tables"`
	Columns    int      `json:"columns"`
	Schemas    int      `json:"schemas"`
	Unreadable []string `json:"unreadable"`
}

func countSchema(s catalog.Schema) schemaCounts {
	out := schemaCounts{Tables: len(s.Tables), Unreadable: notNil(s.Unreadable)}
	schemas := map[string]bool{}
	for _, t := range s.Tables {
		out.Columns += len(t.Columns)
		schemas[t.Schema] = true
	}
	out.Schemas = len(schemas)
	return out
}

func declaredJoins(s catalog.Schema) int {
	n := 0
	for _, t := range s.Tables {
		n += len(t.ForeignKeys)
	}
	return n
}

func notNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func schemaLine(c schemaCounts, style term.Style) string {
	line := counted(c.Tables, "table") + ", " + counted(c.Columns, "column")
	if c.Schemas > 1 {
		line += ", " + counted(c.Schemas, "schema")
	}
	if n := len(c.Unreadable); n > 0 {
		line += fmt.Sprintf(" %s %s not readable, left out", style.Dot, counted(n, "table"))
	}
	return line
}

// joinsLine counts what is declared and what was found: sure ones go into the
// drafts, others wait for somebody to choose.
func joinsLine(declared int, found []joins.Candidate) string {
	sure, decide := countJoins(found)
	line := fmt.Sprintf("%d declared, %d found", declared, sure+decide)
	switch {
	case sure > 0 && decide > 0:
		line += fmt.Sprintf(" (%d sure, %d to decide)", sure, decide)
	case decide > 0:
		line += " (to decide)"
	}
	return line
}

func countJoins(found []joins.Candidate) (sure, decide int) {
	chosen := map[string]bool{}
	for _, c := range found {
		from := c.From.Schema + "\x00" + c.From.Table + "\x00" + strings.Join(c.From.Columns, "\x00")
		switch {
		case c.Sure():
			sure++
		case c.Decide && !chosen[from]: // the targets of a column are one decision
			chosen[from] = true
			decide++
		}
	}
	return sure, decide
}

// renderDecisions shows the targets that somebody has to choose between.
func renderDecisions(s *term.Streams, found []joins.Candidate) string {
	var b strings.Builder
	for _, c := range found {
		if c.Decide {
			line := fmt.Sprintf("to decide: %s (confidence %.2f; %s)", c.On, c.Confidence, strings.Join(c.Evidence, "; "))
			fmt.Fprintf(&b, "  %s\n", s.Style.Dim(term.Wrap(term.Clean(line), s.Width, 2, 4)))
		}
	}
	return b.String()
}

func renderIntrospected(s *term.Streams, p *project.Project, schema catalog.Schema, out introspected, o introspectOptions) string {
	var b strings.Builder
	step := s.Style.Accent(s.Style.Step)
	fmt.Fprintf(&b, "%s schema   %s\n", step, term.Wrap(schemaLine(out.Schema, s.Style), s.Width, 11, 11))
	fmt.Fprintf(&b, "%s joins    %s\n", step, term.Wrap(joinsLine(out.Declared, out.Joins), s.Width, 11, 11))
	b.WriteString(renderDecisions(s, out.Joins))
	b.WriteString(renderNotes(s, out.Notes))
	b.WriteString(renderChanges(s, out.Changes))

	verb := "written"
	if o.dryRun {
		verb = "would be written"
	}
	switch kept := len(schema.Tables) - addedTables(out.Changes); {
	case len(out.Files) > 0:
		fmt.Fprintf(&b, "%s %s of %s/ %s\n", s.Style.Good(s.Style.OK), counted(len(out.Files), "file"), project.SemanticsDir, verb)
	case o.sync:
		fmt.Fprintf(&b, "%s nothing in the database has changed that the files say otherwise\n", s.Style.Good(s.Style.OK))
	default:
		fmt.Fprintf(&b, "%s %s; sqbyl introspect --sync merges what the database has changed\n", s.Style.Good(s.Style.OK), described(kept))
	}
	b.WriteString(renderCrowd(s, len(p.Semantic.Tables)+addedTables(out.Changes), p.Manifest.Defaults.MaxTablesWarn))
	if addedTables(out.Changes) > 0 && !o.dryRun {
		fmt.Fprintf(&b, "  next: sqbyl profile %s sqbyl ask \"…\"\n", s.Style.Dot)
	}
	return b.String()
}

func described(tables int) string {
	if tables == 1 {
		return "the table is described already"
	}
	return "all " + counted(tables, "table") + " are described already"
}

func addedTables(changes []introspect.Change) int {
	n := 0
	for _, c := range changes {
		if c.Kind == introspect.TableAdded {
			n++
		}
	}
	return n
}

// renderNotes lists what could not be read.
func renderNotes(s *term.Streams, notes []string) string {
	var b strings.Builder
	for _, n := range notes {
		fmt.Fprintf(&b, "  %s\n", s.Style.Dim(term.Wrap("not read: "+term.Clean(n), s.Width, 2, 4)))
	}
	return b.String()
}

// renderCrowd says that small schemas are answered better.
func renderCrowd(s *term.Streams, tables, limit int) string {
	if limit <= 0 || tables <= limit {
		return ""
	}
	line := fmt.Sprintf("%s are many for one project: agents answer best over %d or fewer. Delete the files of tables that nobody asks about.", counted(tables, "table"), limit)
	return fmt.Sprintf("  %s\n", term.Wrap(line, s.Width, 2, 2))
}

// mostShown is how many changes of a kind are listed one by one.
const mostShown = 12

func renderChanges(s *term.Streams, changes []introspect.Change) string {
	labels := []struct {
		kind  introspect.ChangeKind
		label string
		text  func(c introspect.Change) string
	}{
		{introspect.TableAdded, "new table", func(c introspect.Change) string { return c.Table }},
		{introspect.ColumnAdded, "new column", func(c introspect.Change) string { return strings.TrimSpace(c.Table + "." + c.Column + "  " + c.To) }},
		{introspect.FactChanged, "changed", func(c introspect.Change) string {
			return fmt.Sprintf("%s  %s was %s, is %s", strings.TrimSuffix(c.Table+"."+c.Column, "."), c.What, c.From, c.To)
		}},
		{introspect.JoinAdded, "new join", func(c introspect.Change) string { return c.What }},
		{introspect.ColumnDropped, "gone", func(c introspect.Change) string { return c.Table + "." + c.Column + "  stays in " + c.File }},
		{introspect.TableDropped, "gone", func(c introspect.Change) string { return c.Table + "  stays as " + c.File }},
		{introspect.NotChanged, "by hand", func(c introspect.Change) string { return c.What }},
	}
	var b strings.Builder
	for _, l := range labels {
		of := slices.DeleteFunc(slices.Clone(changes), func(c introspect.Change) bool { return c.Kind != l.kind })
		for i, c := range of {
			if i == mostShown && len(of) > mostShown+1 {
				fmt.Fprintf(&b, "  %-10s  %s\n", l.label, s.Style.Dim(fmt.Sprintf("%s %d more", s.Style.More, len(of)-i)))
				break
			}
			fmt.Fprintf(&b, "  %-10s  %s\n", l.label, term.Wrap(term.Clean(l.text(c)), s.Width, 14, 14))
		}
	}
	return b.String()
}
