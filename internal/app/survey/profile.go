package survey

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/app/workbench"
	"github.com/sqbyl/sqbyl/internal/toolkit/edit"
	"github.com/sqbyl/sqbyl/internal/toolkit/profile"
	"github.com/sqbyl/sqbyl/internal/toolkit/project"
)

// WriteProfile puts the figures into the semantics files and the values into
// the state, and names the files that changed.
func WriteProfile(wb *workbench.Workbench, report *profile.Report) ([]string, error) {
	p := wb.Project()
	var edits []edit.Edit
	for i := range report.Tables {
		for _, said := range p.Semantic.Tables {
			if said.Name == report.Tables[i].Name && p.TableFile(said.Name) != "" {
				edits = append(edits, edit.PutTable{Table: report.Tables[i].Fill(said)})
			}
		}
	}
	if err := profile.SaveValues(p.Dir, report.Entries()); err != nil {
		return nil, err
	}
	if len(edits) == 0 {
		return nil, nil
	}
	plan, err := edit.NewPlan(p, edits...)
	if err != nil {
		return nil, err
	}
	plan.Title = "profile " + term.Counted(len(plan.Changes), "table")
	var files []string
	for _, c := range plan.Changes {
		files = append(files, c.File)
	}
	return files, plan.Apply(wb.Now())
}

// Measured sums a profile up, with what is worth a look.
func Measured(s *term.Streams, r *profile.Report) string {
	columns, sampled := 0, 0
	var personal, failed, skipped []string
	for _, t := range r.Tables {
		if t.Skipped != "" {
			skipped = append(skipped, fmt.Sprintf("%s (%s)", t.Name, t.Skipped))
			continue
		}
		part := false
		for _, c := range t.Columns {
			switch name := t.Name + "." + c.Name; {
			case c.OptedOut:
				continue
			case c.Failed != "":
				failed = append(failed, fmt.Sprintf("%s (%s)", name, c.Failed))
			case c.Personal != "":
				personal = append(personal, name)
			}
			columns++
			part = part || c.Profile != nil && c.Profile.Sampled
		}
		if part {
			sampled++
		}
	}
	dot := " " + s.Style.Dot + " "
	line := fmt.Sprintf("%s of %s in %s s, $0", term.Counted(columns, "column"), term.Counted(len(r.Tables)-len(skipped), "table"), term.Seconds(r.Elapsed))
	if sampled > 0 {
		line += dot + term.Counted(sampled, "table") + " sampled"
	}
	if len(personal) > 0 {
		line += fmt.Sprintf("%s%d suppressed as personal (%s)", dot, len(personal), listed(personal, 6, s.Style))
	}
	if len(failed) > 0 {
		line += fmt.Sprintf("%s%d failed: %s", dot, len(failed), listed(failed, 3, s.Style))
	}
	if len(skipped) > 0 {
		line += fmt.Sprintf("%s%d skipped: %s", dot, len(skipped), listed(skipped, 3, s.Style))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", s.Style.Good(s.Style.OK), term.Wrap(term.Clean(line), s.Width, 2, 2))
	if notes := r.Notes(); len(notes) > 0 {
		fmt.Fprintf(&b, "  %s %s\n", s.Style.Accent("worth a look:"), term.Wrap(term.Clean(listedBy(notes, 8, dot, s.Style)), s.Width, 16, 2))
	}
	return b.String()
}

func listed(items []string, most int, style term.Style) string {
	return listedBy(items, most, ", ", style)
}

// listedBy joins the first items and says how many more there are.
func listedBy(items []string, most int, by string, style term.Style) string {
	if len(items) <= most+1 {
		return strings.Join(items, by)
	}
	return strings.Join(items[:most], by) + fmt.Sprintf("%s%s %d more (--json has all)", by, style.More, len(items)-most)
}

// Written says what became of the files.
func Written(s *term.Streams, wb *workbench.Workbench, r *profile.Report, files []string) string {
	without := 0
	for _, t := range r.Tables {
		if wb.Project().TableFile(t.Name) == "" {
			without++
		}
	}
	line := "nothing changed in " + project.SemanticsDir + "/"
	if len(files) > 0 {
		line = term.Counted(len(files), "file") + " of " + project.SemanticsDir + "/ changed"
	}
	if without > 0 {
		line += fmt.Sprintf(" %s %s without a semantics file, for which nothing is written", s.Style.Dot, term.Counted(without, "table"))
	}
	return "  " + s.Style.Dim(term.Wrap(line, s.Width, 2, 2)) + "\n"
}

// Columns lists what was measured, for a database without a project.
func Columns(s *term.Streams, r *profile.Report) string {
	t := term.Table{Header: []string{"column", "type", "NULL", "distinct", "values"}, Right: []bool{false, false, true, true, false}, Indent: 2}
	for _, x := range r.Tables {
		for _, c := range x.Columns {
			t.Rows = append(t.Rows, columnRow(x.Name, c, s.Style))
		}
	}
	if len(t.Rows) == 0 {
		return ""
	}
	return t.Render(s.Width, s.Style)
}

func columnRow(table string, c profile.Column, style term.Style) []string {
	row := []string{table + "." + c.Name, c.Type, "", "", ""}
	p := c.Profile
	if p == nil {
		row[4] = c.Failed
		return row
	}
	if p.Nulls != nil {
		row[2] = strconv.FormatFloat(*p.Nulls*100, 'g', 3, 64) + " %"
	}
	if p.Distinct != nil {
		about := ""
		if p.Distinct.Estimate {
			about = "~"
		}
		row[3] = about + term.Thousands(strconv.FormatInt(p.Distinct.N, 10))
	}
	var parts []string
	switch {
	case c.Personal != "":
		parts = append(parts, "personal")
	case p.Min != nil && p.Max != nil:
		parts = append(parts, p.Min.Text+" "+style.More+" "+p.Max.Text)
	}
	if p.Shape != "" {
		parts = append(parts, p.Shape)
	}
	if p.NumericText {
		parts = append(parts, "numbers as text")
	}
	if p.Min == nil {
		for _, v := range p.Top[:min(len(p.Top), 4)] {
			parts = append(parts, v.Value.Text)
		}
	}
	row[4] = strings.Join(parts, ", ")
	return row
}
