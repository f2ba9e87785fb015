package survey

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/toolkit/introspect"
	"github.com/sqbyl/sqbyl/internal/toolkit/project"
)

// Render shows what was found and what was done about it.
func (out *Introspected) Render(s *term.Streams) string {
	var b strings.Builder
	step := s.Style.Accent(s.Style.Step)
	fmt.Fprintf(&b, "%s schema   %s\n", step, term.Wrap(schemaLine(out.Schema, s.Style), s.Width, 11, 11))
	fmt.Fprintf(&b, "%s joins    %s\n", step, term.Wrap(joinsLine(out.Declared, out.Joins), s.Width, 11, 11))
	b.WriteString(decisions(s, out.Joins))
	b.WriteString(notes(s, out.Notes))
	b.WriteString(changesText(s, out.Changes))

	verb := "written"
	if out.how.DryRun {
		verb = "would be written"
	}
	switch kept := out.Schema.Tables - addedTables(out.Changes) - len(out.LeftOut); {
	case len(out.Files) > 0:
		fmt.Fprintf(&b, "%s %s of %s/ %s\n", s.Style.Good(s.Style.OK), term.Counted(len(out.Files), "file"), project.SemanticsDir, verb)
	case out.how.Sync:
		fmt.Fprintf(&b, "%s nothing in the database has changed that the files say otherwise\n", s.Style.Good(s.Style.OK))
	case kept == 0:
	default:
		fmt.Fprintf(&b, "%s %s; sqbyl introspect --sync merges what the database has changed\n", s.Style.Good(s.Style.OK), described(kept))
	}
	if n := len(out.LeftOut); n > 0 {
		fmt.Fprintf(&b, "  %s\n", s.Style.Dim(term.Wrap(fmt.Sprintf("%s taken out by hand, not brought back; sqbyl introspect TABLE does that", term.Counted(n, "table")), s.Width, 2, 2)))
	}
	b.WriteString(crowd(s, out.described+addedTables(out.Changes), out.limit))
	if addedTables(out.Changes) > 0 && !out.how.DryRun {
		fmt.Fprintf(&b, "  next: sqbyl profile %s sqbyl ask \"…\"\n", s.Style.Dot)
	}
	return b.String()
}

func described(tables int) string {
	if tables == 1 {
		return "the table is described already"
	}
	return "all " + term.Counted(tables, "table") + " are described already"
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

// notes lists what could not be read.
func notes(s *term.Streams, notes []string) string {
	var b strings.Builder
	for _, n := range notes {
		fmt.Fprintf(&b, "  %s\n", s.Style.Dim(term.Wrap("not read: "+term.Clean(n), s.Width, 2, 4)))
	}
	return b.String()
}

// crowd says that small schemas are answered better.
func crowd(s *term.Streams, tables, limit int) string {
	if limit <= 0 || tables <= limit {
		return ""
	}
	line := fmt.Sprintf("%s are many for one project: agents answer best over %d or fewer. Delete the files of tables that nobody asks about.", term.Counted(tables, "table"), limit)
	return fmt.Sprintf("  %s\n", term.Wrap(line, s.Width, 2, 2))
}

// mostShown is how many changes of a kind are listed one by one.
const mostShown = 12

func changesText(s *term.Streams, changes []introspect.Change) string {
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
