//go:build cgo

package postgres

import (
	pg_query "github.com/pganalyze/pg_query_go/v6"

	"github.com/sqbyl/sqbyl/internal/engine/guard"
)

// readUsage is nil where the grammar cannot tell.
func readUsage(sql string) *usage {
	tree, err := pg_query.Parse(sql)
	if err != nil || len(tree.Stmts) != 1 {
		return nil
	}
	w := &walker{sql: sql, usage: &usage{sources: map[string][]source{}}}
	if err := w.message(tree.Stmts[0].ProtoReflect(), nil); err != nil {
		return nil
	}
	w.usage.functions = w.facts.Functions
	return w.usage
}

// use notes what a node has to do with types, attributes and aliases.
func (u *usage) use(node any, in *scope) {
	switch node := node.(type) {
	case *pg_query.TypeName:
		if n := len(node.Names); n > 0 {
			u.types = append(u.types, named{text(node.Names[n-1]), max(int(node.Location), 0)})
		}
	case *pg_query.ColumnRef:
		if n := len(node.Fields); n > 1 && text(node.Fields[n-1]) != "" {
			u.attributes = append(u.attributes, attribute{named{text(node.Fields[n-1]), max(int(node.Location), 0)}, text(node.Fields[n-2])})
		}
	case *pg_query.A_Indirection:
		for _, step := range node.Indirection {
			if name := text(step); name != "" {
				u.attributes = append(u.attributes, attribute{named: named{name: name}})
			}
		}
	case *pg_query.RangeVar:
		u.relation(node, in)
	case *pg_query.RangeSubselect:
		u.under(node.Alias, outputs(node.Subquery))
	case *pg_query.RangeFunction:
		var columns []string
		for _, column := range node.Coldeflist {
			columns = append(columns, column.GetColumnDef().GetColname())
		}
		u.under(node.Alias, columns)
	case *pg_query.RangeTableFunc:
		u.under(node.Alias, nil)
	case *pg_query.JsonTable:
		u.under(node.Alias, nil)
	case *pg_query.JoinExpr:
		u.under(node.Alias, nil)
		u.under(node.JoinUsingAlias, nil)
	}
}

func (u *usage) under(alias *pg_query.Alias, columns []string) {
	if alias == nil {
		return
	}
	if len(alias.Colnames) > 0 {
		columns = nil
		for _, column := range alias.Colnames {
			columns = append(columns, text(column))
		}
	}
	u.sources[alias.Aliasname] = append(u.sources[alias.Aliasname], source{columns: columns})
}

func (u *usage) relation(node *pg_query.RangeVar, in *scope) {
	alias := node.Alias
	if alias == nil {
		alias = &pg_query.Alias{Aliasname: node.Relname}
	}
	if node.Schemaname == "" {
		if cte := in.find(node.Relname); cte != nil {
			columns := outputs(cte.Ctequery)
			if len(cte.Aliascolnames) > 0 {
				columns = nil
				for _, column := range cte.Aliascolnames {
					columns = append(columns, text(column))
				}
			}
			u.under(alias, columns)
			return
		}
	}
	if len(alias.Colnames) > 0 {
		u.under(alias, nil)
		return
	}
	table := guard.Name{Schema: node.Schemaname, Table: node.Relname}
	u.sources[alias.Aliasname] = append(u.sources[alias.Aliasname], source{table: &table})
}

// outputs are the names of a query's columns, as far as it gives them itself.
func outputs(query *pg_query.Node) []string {
	selected := query.GetSelectStmt()
	for selected.GetLarg() != nil {
		selected = selected.GetLarg()
	}
	var names []string
	for _, target := range selected.GetTargetList() {
		name := target.GetResTarget().GetName()
		if fields := target.GetResTarget().GetVal().GetColumnRef().GetFields(); name == "" && len(fields) > 0 {
			name = text(fields[len(fields)-1])
		}
		if name != "" {
			names = append(names, name)
		}
	}
	return names
}

func text(node *pg_query.Node) string { return node.GetString_().GetSval() }
