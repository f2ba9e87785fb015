// Package pricelist tells which model has which role, what models cost, and
// what their endpoints have been found not to do.
package pricelist

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/app/workbench"
	"github.com/sqbyl/sqbyl/internal/engine/meter"
	"github.com/sqbyl/sqbyl/internal/toolkit/project"
	"github.com/sqbyl/sqbyl/llm/ability"
)

// Document is what models --json prints.
type Document struct {
	Roles     []Role                     `json:"roles"`
	Notes     []string                   `json:"notes"`
	Prices    []meter.Price              `json:"prices"`
	Endpoints map[string]ability.Ability `json:"endpoints"`
}

// Role is a role and its model.
type Role struct {
	Role  project.Role `json:"role"`
	Model string       `json:"model"`
	// Priced tells that its price is known, so that it may be asked.
	Priced bool `json:"priced"`
}

// Collect gathers what a workbench knows, asking nobody.
func Collect(wb *workbench.Workbench) (doc Document, err error) {
	doc.Notes = []string{}
	for _, role := range project.Roles() {
		m, err := wb.AskedModel(role)
		if err != nil {
			return doc, err
		}
		_, unknown := wb.Prices().Price(m.Provider, m.ID, wb.Now())
		doc.Roles = append(doc.Roles, Role{role, m.String(), unknown == nil})
	}
	if note := wb.JudgesItself(); note != "" {
		doc.Notes = append(doc.Notes, note)
	}
	doc.Prices = wb.Prices().Rows(wb.Now())
	doc.Endpoints, err = wb.Abilities()
	return doc, err
}

// Render lays the document out for a terminal.
func (d *Document) Render(s *term.Streams) string {
	var b strings.Builder
	roles := term.Table{Indent: 2, Header: []string{"role", "model"}}
	for _, r := range d.Roles {
		row := []string{string(r.Role), r.Model}
		if !r.Priced {
			row = append(row, "no price is known; give one with --price or under model.prices")
			roles.Header = []string{"role", "model", "note"}
		}
		roles.Rows = append(roles.Rows, row)
	}
	b.WriteString(roles.Render(s.Width, s.Style))
	for _, note := range d.Notes {
		fmt.Fprintf(&b, "%s %s\n", s.Style.Text("!"), term.Wrap(note, s.Width, 2, 2))
	}
	prices := term.Table{Indent: 2, Header: []string{"$ per million tokens", "input", "output", "cache write", "1 h", "read", "from", "checked", "source"}, Right: []bool{false, true, true, true, true, true}}
	for _, p := range d.Prices {
		prices.Rows = append(prices.Rows, []string{p.Provider + ":" + p.Model, dollars(&p.Input), dollars(&p.Output), dollars(p.Write5m), dollars(p.Write1h), dollars(p.Read),
			day(p.From), day(p.Checked), p.Source})
	}
	b.WriteString("\n" + prices.Render(s.Width, s.Style))
	if len(d.Endpoints) == 0 {
		return b.String()
	}
	endpoints := term.Table{Indent: 2, Header: []string{"endpoint and model", "known not to do"}}
	for _, name := range slices.Sorted(maps.Keys(d.Endpoints)) {
		endpoints.Rows = append(endpoints.Rows, []string{name, lacks(d.Endpoints[name])})
	}
	b.WriteString("\n" + endpoints.Render(s.Width, s.Style))
	return b.String()
}

func dollars(r *meter.Rate) string {
	if r == nil {
		return ""
	}
	return string(meter.USD(*r).Dollars())
}

func day(d meter.Day) string {
	if d.IsZero() {
		return ""
	}
	return d.Format("2006-01-02")
}

// lacks is in words what an endpoint does not know.
func lacks(a ability.Ability) string {
	var list []string
	switch a.Answers {
	case ability.ByObject:
		list = append(list, "answers by schema (JSON is asked for, the schema in words)")
	case ability.ByTool:
		list = append(list, "answers by schema (a tool is forced that takes the answer)")
	case ability.ByInstruction:
		list = append(list, "structured answers (asked for in words)")
	}
	if a.NoStreamUsage {
		list = append(list, "token counts of streams")
	}
	if a.NoEffort {
		list = append(list, "effort")
	}
	if len(list) == 0 {
		return "nothing"
	}
	return strings.Join(list, ", ")
}
