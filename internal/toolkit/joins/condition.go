package joins

import (
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// Condition is the SQL by which the columns of from meet those of to: tables
// by their bare names, qualified where both have the same name. A table that
// refers to itself stands a second time under an alias made of the referring
// column: categories.parent_id = parent.category_id.
func Condition(d *db.Dialect, from catalog.Table, columns []string, to catalog.Table, targets []string) string {
	return condition(d, from, columns, to, targets, func(side string) string { return side })
}

// condition writes both sides of each pair of columns through wrap.
func condition(d *db.Dialect, from catalog.Table, columns []string, to catalog.Table, targets []string, wrap func(side string) string) string {
	left, right := d.Ident(from.Name), d.Ident(to.Name)
	switch {
	case from.Schema == to.Schema && from.Name == to.Name:
		right = d.Ident(alias(from.Name, columns))
	case from.Name == to.Name:
		left, right = d.Ident(from.Schema)+"."+left, d.Ident(to.Schema)+"."+right
	}
	parts := make([]string, 0, len(columns))
	for i, c := range columns {
		parts = append(parts, wrap(left+"."+d.Ident(c))+" = "+wrap(right+"."+d.Ident(targets[i])))
	}
	return strings.Join(parts, " AND ")
}

// alias names the second appearance of a table after what its column says.
func alias(table string, columns []string) string {
	var words []string
	for _, w := range split(columns[0]) {
		if !keyWords[w] && w != "to" {
			words = append(words, w)
		}
	}
	name := strings.Join(words, "_")
	if name == "" || strings.EqualFold(name, table) {
		return "other_" + table
	}
	return name
}
