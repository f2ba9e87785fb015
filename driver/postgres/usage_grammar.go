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
		u.under(node.Alias, outputs(node.Subquery, in))
	case *pg_query.RangeFunction:
		var columns []string
		for _, column := range node.Coldeflist {
			columns = append(columns, column.GetColumnDef().GetColname())
		}
		u.under(node.Alias, source{columns: columns})
	case *pg_query.RangeTableFunc:
		u.under(node.Alias, source{})
	case *pg_query.JsonTable:
		u.under(node.Alias, source{})
	case *pg_query.JoinExpr:
		u.under(node.Alias, source{})
		u.under(node.JoinUsingAlias, source{})
	}
}

// under notes what stands under an alias, which may name the columns anew.
func (u *usage) under(alias *pg_query.Alias, from source) {
	if alias == nil {
		return
	}
	if len(alias.Colnames) > 0 {
		from = source{columns: texts(alias.Colnames)}
	}
	u.sources[alias.Aliasname] = append(u.sources[alias.Aliasname], from)
}

func (u *usage) relation(node *pg_query.RangeVar, in *scope) {
	alias := node.Alias
	if alias == nil {
		alias = &pg_query.Alias{Aliasname: node.Relname}
	}
	from := source{tables: []guard.Name{{Schema: node.Schemaname, Table: node.Relname}}}
	if cte := in.find(node.Relname); cte != nil && node.Schemaname == "" {
		if from = outputs(cte.Ctequery, in); len(cte.Aliascolnames) > 0 {
			from = source{columns: texts(cte.Aliascolnames)}
		}
	}
	u.under(alias, from)
}

// outputs are the columns of a query, as far as it tells them itself or has
// all of some tables. in is a scope that holds at least what the query sees
// from outside.
func outputs(query *pg_query.Node, in *scope) (out source) {
	selected := query.GetSelectStmt()
	plain := selected.GetWithClause() == nil
	for selected.GetLarg() != nil {
		selected = selected.GetLarg()
		plain = plain && selected.GetWithClause() == nil
	}
	for _, target := range selected.GetTargetList() {
		name := target.GetResTarget().GetName()
		fields := target.GetResTarget().GetVal().GetColumnRef().GetFields()
		if name == "" && len(fields) > 0 {
			name = text(fields[len(fields)-1])
		}
		if name != "" {
			out.columns = append(out.columns, name)
		}
		if plain && len(fields) == 1 && fields[0].GetAStar() != nil {
			for _, item := range selected.GetFromClause() {
				out.tables = append(out.tables, wholeTables(item, in)...)
			}
		}
	}
	return out
}

// wholeTables are the tables of a FROM item that give all their columns by
// their own names.
func wholeTables(item *pg_query.Node, in *scope) []guard.Name {
	if join := item.GetJoinExpr(); join != nil && join.Alias == nil {
		return append(wholeTables(join.Larg, in), wholeTables(join.Rarg, in)...)
	}
	table := item.GetRangeVar()
	if table == nil || len(table.GetAlias().GetColnames()) > 0 || table.Schemaname == "" && in.find(table.Relname) != nil {
		return nil
	}
	return []guard.Name{{Schema: table.Schemaname, Table: table.Relname}}
}

func texts(nodes []*pg_query.Node) []string {
	names := make([]string, len(nodes))
	for i, node := range nodes {
		names[i] = text(node)
	}
	return names
}

func text(node *pg_query.Node) string { return node.GetString_().GetSval() }
