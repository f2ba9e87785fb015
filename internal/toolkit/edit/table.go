package edit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sqbyl/sqbyl/internal/toolkit/project"
	"github.com/sqbyl/sqbyl/internal/toolkit/project/yamldoc"
	"github.com/sqbyl/sqbyl/semantic"
)

// UnknownError names what an edit is about and the project does not have.
type UnknownError struct {
	What  string // "table", "column", "measure", …
	Name  string
	Known []string
}

func (e *UnknownError) Error() string {
	message := fmt.Sprintf("there is no %s %q", e.What, e.Name)
	if near := yamldoc.Nearest(e.Name, e.Known); len(near) > 0 {
		message += " (nearest: " + strings.Join(near, ", ") + ")"
	}
	return message
}

// TakenError refuses to add what is there.
type TakenError struct{ What, Name string }

func (e *TakenError) Error() string { return fmt.Sprintf("the %s %q is there already", e.What, e.Name) }

// tableEdit is an edit of one table's file.
type tableEdit interface {
	Edit
	table() string
	change(t *semantic.Table, p *project.Project) error
}

func (e Describe) table() string    { return e.Table }
func (e AddSynonym) table() string  { return e.Table }
func (e DropSynonym) table() string { return e.Table }
func (e PutMeasure) table() string  { return e.Table }
func (e DropMeasure) table() string { return e.Table }
func (e PutFilter) table() string   { return e.Table }
func (e DropFilter) table() string  { return e.Table }
func (e PutJoin) table() string     { return e.Table }
func (e DropJoin) table() string    { return e.Table }

// clone copies what edits change in place.
func clone(t semantic.Table) semantic.Table {
	t.Synonyms, t.Joins = slices.Clone(t.Synonyms), slices.Clone(t.Joins)
	t.Columns, t.Measures, t.Filters = slices.Clone(t.Columns), slices.Clone(t.Measures), slices.Clone(t.Filters)
	return t
}

func (e Describe) change(t *semantic.Table, _ *project.Project) error {
	if e.Column == "" {
		t.Description = e.Text
		return nil
	}
	c, err := column(t, e.Column)
	if err == nil {
		c.Description = e.Text
	}
	return err
}

func column(t *semantic.Table, name string) (*semantic.Column, error) {
	return named("column", t.Columns, name, func(c semantic.Column) string { return c.Name })
}

// named finds an item of a list by name.
func named[T any](what string, list []T, name string, nameOf func(T) string) (*T, error) {
	var known []string
	for i := range list {
		if nameOf(list[i]) == name {
			return &list[i], nil
		}
		known = append(known, nameOf(list[i]))
	}
	return nil, &UnknownError{what, name, known}
}

func measureName(m semantic.Measure) string { return m.Name }
func filterName(f semantic.Filter) string   { return f.Name }

// synonyms finds the list that an edit is about.
func (e AddSynonym) synonyms(t *semantic.Table) (*[]string, error) {
	switch {
	case e.Column != "":
		c, err := column(t, e.Column)
		if err != nil {
			return nil, err
		}
		return &c.Synonyms, nil
	case e.Measure != "":
		m, err := named("measure", t.Measures, e.Measure, measureName)
		if err != nil {
			return nil, err
		}
		return &m.Synonyms, nil
	case e.Filter != "":
		f, err := named("filter", t.Filters, e.Filter, filterName)
		if err != nil {
			return nil, err
		}
		return &f.Synonyms, nil
	}
	return &t.Synonyms, nil
}

func (e AddSynonym) change(t *semantic.Table, _ *project.Project) error {
	list, err := e.synonyms(t)
	if err != nil {
		return err
	}
	if strings.TrimSpace(e.Word) == "" {
		return fmt.Errorf("the synonym is empty")
	}
	if slices.ContainsFunc(*list, func(s string) bool { return strings.EqualFold(s, e.Word) }) {
		return &TakenError{"synonym", e.Word}
	}
	*list = append(slices.Clone(*list), e.Word)
	return nil
}

func (e DropSynonym) change(t *semantic.Table, _ *project.Project) error {
	list, err := AddSynonym(e).synonyms(t)
	if err != nil {
		return err
	}
	i := slices.Index(*list, e.Word)
	if i < 0 {
		return &UnknownError{"synonym", e.Word, *list}
	}
	*list = slices.Delete(slices.Clone(*list), i, i+1)
	return nil
}

func (e PutMeasure) change(t *semantic.Table, _ *project.Project) error {
	return put(&t.Measures, e.Measure, measureName, "measure", e.Measure.SQL)
}

func (e PutFilter) change(t *semantic.Table, _ *project.Project) error {
	return put(&t.Filters, e.Filter, filterName, "filter", e.Filter.SQL)
}

// put replaces the item of one name, or adds it. Names are compared without
// case, as people would.
func put[T any](list *[]T, item T, nameOf func(T) string, what, sql string) error {
	if strings.TrimSpace(nameOf(item)) == "" || strings.TrimSpace(sql) == "" {
		return fmt.Errorf("a %s needs a name and SQL", what)
	}
	i := slices.IndexFunc(*list, func(x T) bool { return strings.EqualFold(nameOf(x), nameOf(item)) })
	if i < 0 {
		*list = append(*list, item)
		return nil
	}
	(*list)[i] = item
	return nil
}

func (e DropMeasure) change(t *semantic.Table, _ *project.Project) error {
	return drop(&t.Measures, e.Name, measureName, "measure")
}

func (e DropFilter) change(t *semantic.Table, _ *project.Project) error {
	return drop(&t.Filters, e.Name, filterName, "filter")
}

func drop[T any](list *[]T, name string, nameOf func(T) string, what string) error {
	if _, err := named(what, *list, name, nameOf); err != nil {
		return err
	}
	*list = slices.DeleteFunc(*list, func(x T) bool { return nameOf(x) == name })
	return nil
}

func (e PutJoin) change(t *semantic.Table, p *project.Project) error {
	if strings.TrimSpace(e.Join.On) == "" {
		return fmt.Errorf("a join needs a condition")
	}
	if p.TableFile(e.Join.To) == "" {
		var known []string
		for _, other := range p.Semantic.Tables {
			known = append(known, other.Name)
		}
		return &UnknownError{"table", e.Join.To, known}
	}
	i := slices.IndexFunc(t.Joins, func(j semantic.Join) bool { return j.To == e.Join.To && squeezed(j.On) == squeezed(e.Join.On) })
	if i < 0 {
		t.Joins = append(t.Joins, e.Join)
		return nil
	}
	t.Joins[i] = e.Join
	return nil
}

// squeezed is SQL without regard to white space and case.
func squeezed(sql string) string { return strings.ToLower(strings.Join(strings.Fields(sql), " ")) }

func (e DropJoin) change(t *semantic.Table, _ *project.Project) error {
	var found []int
	var known []string
	for i, j := range t.Joins {
		known = append(known, j.To)
		if j.To == e.To && (e.On == "" || squeezed(j.On) == squeezed(e.On)) {
			found = append(found, i)
		}
	}
	switch len(found) {
	case 0:
		return &UnknownError{"join to", e.To, known}
	case 1:
		t.Joins = slices.Delete(t.Joins, found[0], found[0]+1)
		return nil
	}
	return fmt.Errorf("%d joins lead to %s; say which by its condition", len(found), e.To)
}
