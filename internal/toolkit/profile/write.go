package profile

import (
	"slices"
	"strings"

	"github.com/sqbyl/sqbyl/semantic"
)

// Fill gives a table of a project with the new figures in place of the old
// ones. What people wrote stays: "profile: false", "sample_values: false", a
// list of sample values that a profile did not make, and that there is none
// where they deleted it. A table without columns gets all that were measured.
func (t *Table) Fill(said semantic.Table) semantic.Table {
	if said.NoProfile || t.Skipped != "" {
		return said
	}
	if t.Rows != nil {
		rows := *t.Rows
		said.Rows = &rows
	}
	if len(said.Columns) == 0 {
		for _, c := range t.Columns {
			said.Columns = append(said.Columns, semantic.Column{Name: c.Name, Type: c.Type})
		}
	}
	said.Columns = slices.Clone(said.Columns)
	for i := range said.Columns {
		c := &said.Columns[i]
		if c.NoProfile {
			continue
		}
		if m := t.column(c.Name); m != nil && m.Profile != nil {
			m.fill(c)
		}
	}
	return said
}

// column finds a column by its very name, or else without regard to case.
func (t *Table) column(name string) *Column {
	i := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name == name })
	if i < 0 {
		i = slices.IndexFunc(t.Columns, func(c Column) bool { return strings.EqualFold(c.Name, name) })
	}
	if i < 0 {
		return nil
	}
	return &t.Columns[i]
}

// fill replaces the figures of one column.
func (m *Column) fill(c *semantic.Column) {
	p := *m.Profile
	old := c.Profile
	ours := old != nil && len(c.Samples) > 0 && slices.EqualFunc(c.Samples, old.Top, func(s semantic.Scalar, top semantic.Share) bool { return s == top.Value })
	switch {
	case c.NoSamples || m.Personal != "" && ours:
		c.Samples = nil
	case m.Personal != "":
	case old == nil && len(c.Samples) == 0, ours:
		c.Samples = m.Samples
	case len(c.Samples) == 0 && old.Distinct != nil && old.Distinct.N > 0 && old.Distinct.N <= groupable && len(m.Samples) > 0:
		// They were written once and somebody took them away.
		p.Top = nil
	case len(c.Samples) == 0:
		c.Samples = m.Samples
	}
	c.Profile = &p
}
