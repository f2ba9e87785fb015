package profile

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/engine/selection"
	"github.com/sqbyl/sqbyl/semantic"
)

var identifier = regexp.MustCompile(`[\p{L}\p{N}_$]+`)

// unreadable says why a view is not read. What a table keeps to itself is not
// read through a view either; and a limit on a view's rows does not limit what
// it reads, so that the tables it names must be small enough together.
func (w *measuring) unreadable() string {
	if w.live.Kind != catalog.View && w.live.Kind != catalog.MaterializedView {
		return ""
	}
	if w.live.Definition == "" && slices.ContainsFunc(w.targets, guarded) {
		return "a view whose text may not be read, so that it is not known whether it reads what has profile: false"
	}
	texts := []string{w.live.Definition}
	tables := w.under(w.live, map[string]bool{}, &texts)
	for _, t := range tables {
		if why := w.kept(t, strings.Join(texts, "\n")); why != "" {
			return why
		}
	}
	if w.live.Kind == catalog.MaterializedView {
		return ""
	}
	var total int64
	for _, t := range tables {
		rows := t.Rows
		if rows <= w.options.MaxRows && t.Kind == catalog.BaseTable {
			size, err := w.how.Size(w.ctx, w.s, t, w.options.MaxRows)
			if err != nil {
				continue // the view's own error says it better
			}
			rows = max(rows, size.Rows)
		}
		if total += max(rows, 0); total > w.options.MaxRows {
			return fmt.Sprintf("a view over %s, which has more rows than profile.max_rows (%d)", t.Name, w.options.MaxRows)
		}
	}
	return ""
}

// under lists the tables that a view's text names, through views too. A name
// that only looks like a table's costs nothing but care.
func (w *measuring) under(view catalog.Table, seen map[string]bool, texts *[]string) []catalog.Table {
	words := map[string]bool{}
	for _, word := range identifier.FindAllString(view.Definition, -1) {
		words[strings.ToLower(word)] = true
	}
	var tables []catalog.Table
	for _, t := range w.schema.Tables {
		key := t.Schema + "\x00" + t.Name
		if seen[key] || !words[strings.ToLower(t.Name)] && (identifier.FindString(t.Name) == t.Name || !strings.Contains(view.Definition, t.Name)) {
			continue
		}
		seen[key] = true
		if t.Definition != "" {
			*texts = append(*texts, t.Definition)
			tables = append(tables, w.under(t, seen, texts)...)
		}
		if t.Kind == catalog.View {
			continue
		}
		tables = append(tables, t)
	}
	return tables
}

// kept holds a view's text against what the project says of a table below it:
// a column with profile: false keeps the view from being read, one with
// sample_values: false its values from being kept.
func (w *measuring) kept(t catalog.Table, text string) string {
	i := slices.IndexFunc(w.targets, func(x selection.Table) bool {
		return x.Relation == t.Name && (x.Schema == t.Schema || x.Schema == "" && t.Schema == w.schema.DefaultSchema)
	})
	if i < 0 {
		return ""
	}
	said := w.targets[i]
	if said.NoProfile {
		return "a view over " + said.Name + ", which has profile: false"
	}
	for _, c := range said.Columns {
		switch {
		case !c.NoProfile && !c.NoSamples || !names(text, c.Name):
		case c.NoProfile:
			return "a view over " + said.Name + "." + c.Name + ", which has profile: false"
		default:
			w.quiet = true
		}
	}
	return ""
}

// guarded reports a table that keeps something to itself.
func guarded(t selection.Table) bool {
	return t.NoProfile || slices.ContainsFunc(t.Columns, func(c semantic.Column) bool { return c.NoProfile || c.NoSamples })
}

var everything = regexp.MustCompile(`(?i)(select|distinct|,|\.)\s*\*`)

// names reports that a view's text names a column, or all there are.
func names(text, column string) bool {
	if everything.MatchString(text) {
		return true
	}
	if identifier.FindString(column) != column {
		return strings.Contains(strings.ToLower(text), strings.ToLower(column))
	}
	return slices.ContainsFunc(identifier.FindAllString(text, -1), func(word string) bool { return strings.EqualFold(word, column) })
}
