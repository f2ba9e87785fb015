package prompt

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/selection"
	"github.com/sqbyl/sqbyl/semantic"
)

type writer struct {
	b      *strings.Builder
	d      *db.Dialect
	tables []selection.Table
}

// table writes one table as DDL that carries what is known as comments, then
// its joins and definitions.
func (w writer) table(t *selection.Table) {
	kind := "TABLE"
	if t.Kind == semantic.View || t.Kind == semantic.MaterializedView {
		kind = "VIEW"
	}
	fmt.Fprintf(w.b, "\n%s %s (%s\n", kind, w.name(t), after(" -- ", tableHint(t)))
	for i := range t.Columns {
		w.column(t, &t.Columns[i])
	}
	if len(t.PrimaryKey) > 1 {
		fmt.Fprintf(w.b, "  PRIMARY KEY (%s)\n", w.list(t.PrimaryKey))
	}
	w.b.WriteString(")\n")

	for _, j := range w.joins(t) {
		fmt.Fprintf(w.b, "JOIN %s\n", j)
	}
	for _, m := range t.Measures {
		w.definition("MEASURE", m.Name, m.Description, m.Synonyms, m.SQL)
	}
	for _, f := range t.Filters {
		w.definition("FILTER", f.Name, f.Description, f.Synonyms, f.SQL)
	}
}

// TableName is the table's name as SQL needs it written.
func TableName(d *db.Dialect, t *selection.Table) string {
	if t.Schema == "" {
		return d.Ident(t.Relation)
	}
	return d.Ident(t.Schema) + "." + d.Ident(t.Relation)
}

func (w writer) name(t *selection.Table) string { return TableName(w.d, t) }

func (w writer) list(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = w.d.Ident(n)
	}
	return strings.Join(quoted, ", ")
}

func (w writer) definition(kind, name, description string, synonyms []string, sql string) {
	hint := joinHints(oneLine(description), alsoCalled(synonyms))
	sql = strings.TrimSpace(sql)
	if strings.Contains(sql, "\n") {
		fmt.Fprintf(w.b, "%s %s%s\n%s\n", kind, name, after(" -- ", hint), fenced(sql))
		return
	}
	fmt.Fprintf(w.b, "%s %s = %s%s\n", kind, name, sql, after(" -- ", hint))
}

func (w writer) column(t *selection.Table, c *semantic.Column) {
	fmt.Fprintf(w.b, "  %s", w.d.Ident(c.Name))
	if c.Type != "" {
		w.b.WriteString(" " + oneLine(c.Type))
	}
	switch {
	case c.PrimaryKey && len(t.PrimaryKey) <= 1:
		w.b.WriteString(" PRIMARY KEY")
	case c.Nullable != nil && !*c.Nullable:
		w.b.WriteString(" NOT NULL")
	}
	if c.Unique && !c.PrimaryKey {
		w.b.WriteString(" UNIQUE")
	}
	fmt.Fprintf(w.b, ",%s\n", after(" -- ", columnHint(c)))
}

// joins are the project's own, then the declared references that no own join
// covers.
func (w writer) joins(t *selection.Table) []string {
	var lines []string
	covered := make(map[string]bool)
	for _, j := range t.Joins {
		covered[strings.ToLower(j.To)] = true
		line := fmt.Sprintf("%s: %s", w.target(j.To), oneLine(j.On))
		if j.Type != "" {
			line += fmt.Sprintf(" -- %s", strings.ReplaceAll(string(j.Type), "_", " "))
		}
		if j.Confidence != nil && *j.Confidence < 1 {
			line += fmt.Sprintf(" (a guess, confidence %s)", number(*j.Confidence))
		}
		lines = append(lines, line)
	}
	for _, fk := range t.ForeignKeys {
		to := w.find(fk)
		if to == nil || covered[strings.ToLower(to.Name)] {
			continue
		}
		lines = append(lines, w.reference(t, to, fk))
	}
	return lines
}

func (w writer) target(name string) string {
	for i := range w.tables {
		if strings.EqualFold(w.tables[i].Name, name) {
			return w.name(&w.tables[i])
		}
	}
	return name
}

func (w writer) find(fk catalog.ForeignKey) *selection.Table {
	for i := range w.tables {
		t := &w.tables[i]
		if strings.EqualFold(t.Relation, fk.RefTable) && (fk.RefSchema == "" || t.Schema == "" || strings.EqualFold(t.Schema, fk.RefSchema)) {
			return t
		}
	}
	return nil
}

func (w writer) reference(from, to *selection.Table, fk catalog.ForeignKey) string {
	refs := fk.RefColumns
	if len(refs) == 0 {
		refs = to.PrimaryKey
	}
	var on []string
	for i, c := range fk.Columns {
		if i < len(refs) {
			on = append(on, fmt.Sprintf("%s.%s = %s.%s", w.name(from), w.d.Ident(c), w.name(to), w.d.Ident(refs[i])))
		}
	}
	return fmt.Sprintf("%s: %s -- many to one", w.name(to), strings.Join(on, " AND "))
}

func tableHint(t *selection.Table) string {
	description, comment := oneLine(t.Description), oneLine(t.Comment)
	if comment == description {
		comment = ""
	}
	return joinHints(description, comment, alsoCalled(t.Synonyms), rows(t.Rows))
}

// rows is rounded to two digits: the prefix should not change whenever a row
// is added.
func rows(n *int64) string {
	switch {
	case n == nil:
		return ""
	case *n == 0:
		return "empty"
	case *n < 100:
		return fmt.Sprintf("%d rows", *n)
	}
	scale := math.Pow(10, math.Floor(math.Log10(float64(*n)))-1)
	return fmt.Sprintf("about %d rows", int64(math.Round(float64(*n)/scale)*scale))
}

func columnHint(c *semantic.Column) string {
	description, comment := oneLine(c.Description), oneLine(c.Comment)
	if comment == description {
		comment = ""
	}
	hints := []string{description, comment, alsoCalled(c.Synonyms)}
	if len(c.Enum) > 0 {
		hints = append(hints, "one of "+texts(c.Enum))
	}
	p := c.Profile
	if len(c.Samples) > 0 {
		hints = append(hints, samples(c, p))
	}
	if p != nil {
		hints = append(hints, profile(p, len(c.Samples) > 0)...)
	}
	return joinHints(hints...)
}

func samples(c *semantic.Column, p *semantic.Profile) string {
	list := make([]string, len(c.Samples))
	for i, s := range c.Samples {
		list[i] = literal(s)
	}
	label := "values such as "
	if p != nil && p.Distinct != nil && !p.Distinct.Estimate && p.Distinct.N == int64(len(list)) {
		label = "values: "
	}
	return label + strings.Join(list, ", ")
}

func profile(p *semantic.Profile, sampled bool) []string {
	var hints []string
	if p.NumericText {
		hints = append(hints, "numbers stored as text")
	}
	if p.Min != nil && p.Max != nil {
		span := literal(*p.Min) + " … " + literal(*p.Max)
		if p.P50 != nil && p.P95 != nil {
			span += fmt.Sprintf(", median %s, 95 %% up to %s", literal(*p.P50), literal(*p.P95))
		}
		hints = append(hints, span)
	}
	if p.Shape != "" {
		hints = append(hints, "looks like "+p.Shape)
	}
	if p.Distinct != nil && !sampled {
		about := ""
		if p.Distinct.Estimate {
			about = "about "
		}
		hints = append(hints, fmt.Sprintf("%s%d distinct", about, p.Distinct.N))
	}
	if p.Nulls != nil {
		switch share := *p.Nulls; {
		case share >= 1:
			hints = append(hints, "always NULL")
		case share >= 0.01:
			hints = append(hints, fmt.Sprintf("%.0f %% NULL", share*100))
		case share > 0:
			hints = append(hints, "under 1 % NULL")
		}
	}
	return hints
}

// literal writes a value the way SQL does.
func literal(s semantic.Scalar) string {
	if s.Kind == semantic.StringScalar {
		return quoted(s.Text)
	}
	return oneLine(s.Text)
}

// lineEnds would end the comment a value stands in.
var lineEnds = strings.NewReplacer("\n", " ", "\r", " ", "'", "''")

func quoted(s string) string { return "'" + lineEnds.Replace(s) + "'" }

func texts(list []string) string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = quoted(s)
	}
	return strings.Join(out, ", ")
}

func alsoCalled(synonyms []string) string {
	if len(synonyms) == 0 {
		return ""
	}
	return "also called " + strings.Join(synonyms, ", ")
}

func joinHints(hints ...string) string {
	var kept []string
	for _, h := range hints {
		if h = strings.TrimRight(h, ". "); h != "" {
			kept = append(kept, h)
		}
	}
	return strings.Join(kept, "; ")
}

func number(f float64) string { return strconv.FormatFloat(f, 'g', 3, 64) }
