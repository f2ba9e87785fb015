package survey

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/toolkit/joins"
)

// Schema shows tables, a line each, and under them the joins that nobody
// declared.
func Schema(s *term.Streams, schema catalog.Schema, found joins.Found) string {
	if len(schema.Tables) == 0 {
		return "  no tables\n"
	}
	names := make([]string, len(schema.Tables))
	sizes := make([]string, len(schema.Tables))
	width, size := 0, 0
	for i := range schema.Tables {
		names[i], sizes[i] = tableName(&schema.Tables[i], schema.DefaultSchema), rowCount(&schema.Tables[i])
		width, size = max(width, term.Width(names[i])), max(size, term.Width(sizes[i]))
	}
	width = min(width, 40)

	var b strings.Builder
	for i := range schema.Tables {
		name := term.Cut(names[i], width, s.Style.More)
		lead := fmt.Sprintf("  %s%s  %s%s  ", s.Style.Accent(name), strings.Repeat(" ", width-term.Width(name)), strings.Repeat(" ", size-term.Width(sizes[i])), s.Style.Dim(sizes[i]))
		room := 0
		if s.Width > 0 {
			room = max(s.Width-width-size-6, 20)
		}
		b.WriteString(lead + columnsLine(&schema.Tables[i], schema.DefaultSchema, s.Style, room) + "\n")
		for _, c := range found.Candidates {
			if c.From.Schema == schema.Tables[i].Schema && c.From.Table == schema.Tables[i].Name && c.Confidence >= 0.5 {
				indent := width + size + 6
				if s.Width > 0 && s.Width < indent+40 {
					indent = 4
				}
				fmt.Fprintf(&b, "%s%s\n", strings.Repeat(" ", indent), s.Style.Dim(term.Wrap(looksJoined(c), s.Width, indent, indent+2)))
			}
		}
	}
	if n := len(schema.Unreadable); n > 0 {
		fmt.Fprintf(&b, "  %s\n", s.Style.Dim(term.Counted(n, "table")+" cannot be read: "+term.Clean(strings.Join(schema.Unreadable, ", "))))
	}
	b.WriteString(notes(s, found.Notes))
	return b.String()
}

// looksJoined words a join that nobody declared.
func looksJoined(c joins.Candidate) string {
	why := fmt.Sprintf("confidence %s", strconv.FormatFloat(c.Confidence, 'f', -1, 64))
	if share := c.Measured.Inclusion(); share != "" {
		why = "inclusion " + share + ", " + why
	}
	if c.Decide {
		why += ", not the only one"
	}
	return fmt.Sprintf("looks joined by %s (%s)", term.Clean(c.On), why)
}

func tableName(t *catalog.Table, defaultSchema string) string {
	name := t.Name
	if t.Schema != "" && t.Schema != defaultSchema {
		name = t.Schema + "." + name
	}
	name = term.Clean(name)
	switch {
	case t.Kind != catalog.BaseTable && t.Kind != "":
		name += " (" + strings.ReplaceAll(string(t.Kind), "_", " ") + ")"
	case t.Partitioned != "":
		name += " (partitioned)"
	case len(t.PrimaryKey) == 0:
		name += " (no key)"
	}
	return name
}

func rowCount(t *catalog.Table) string {
	if t.Rows < 0 {
		return ""
	}
	about := ""
	if !t.RowsExact {
		about = "~"
	}
	return about + term.Counted(int(t.Rows), "row")
}

// columnsLine names keys first, then what refers elsewhere, then the rest as
// far as there is room.
func columnsLine(t *catalog.Table, defaultSchema string, style term.Style, room int) string {
	var parts []string
	special := make(map[string]bool)
	if len(t.PrimaryKey) > 0 {
		parts = append(parts, term.Clean(strings.Join(t.PrimaryKey, ", "))+" PK")
		for _, c := range t.PrimaryKey {
			special[c] = true
		}
	}
	arrow := "→"
	if style.OK != "✓" {
		arrow = "->"
	}
	for _, fk := range t.ForeignKeys {
		target := fk.RefTable
		if fk.RefSchema != "" && fk.RefSchema != defaultSchema {
			target = fk.RefSchema + "." + target
		}
		parts = append(parts, term.Clean(strings.Join(fk.Columns, ", ")+" "+arrow+" "+target))
		for _, c := range fk.Columns {
			special[c] = true
		}
	}
	if t.RowSecurity {
		parts = append(parts, "row security")
	}
	total := term.Counted(len(t.Columns), "column")
	separator := " " + style.Dot + " "
	for _, c := range t.Columns {
		if special[c.Name] {
			continue
		}
		line := strings.Join(append(parts, term.Clean(c.Name)), separator)
		if room > 0 && term.Width(line)+term.Width(separator+style.More+" "+total) > room {
			return term.Cut(strings.Join(append(parts, style.More+" "+total), separator), room, style.More)
		}
		parts = append(parts, term.Clean(c.Name))
	}
	return strings.Join(append(parts, style.Dim(total)), separator)
}
