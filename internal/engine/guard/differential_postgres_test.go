//go:build cgo

package guard

import (
	"slices"
	"strings"
	"testing"

	pg_query "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
)

func FuzzLexerAgainstPostgres(f *testing.F) {
	differ(f, "postgres", &sqltext.PostgresRules, askPostgres)
}

func askPostgres(sql string) (opinion, bool) {
	tree, err := pg_query.Parse(sql)
	if err != nil {
		return opinion{}, false
	}
	o := opinion{statements: len(tree.Stmts), query: true}
	var ctes []string
	var walk func(m protoreflect.Message)
	walk = func(m protoreflect.Message) {
		switch n := m.Interface().(type) {
		case *pg_query.InsertStmt, *pg_query.UpdateStmt, *pg_query.DeleteStmt, *pg_query.MergeStmt, *pg_query.IntoClause, *pg_query.LockingClause:
			o.query, o.why = false, string(m.Descriptor().Name())
		case *pg_query.CommonTableExpr:
			ctes = append(ctes, n.Ctename)
		case *pg_query.RangeVar:
			o.tables = append(o.tables, n.Relname)
		case *pg_query.FuncCall:
			name := n.Funcname[len(n.Funcname)-1].GetString_().GetSval()
			sugar := len(n.Funcname) == 2 && n.Funcname[0].GetString_().GetSval() == "pg_catalog" && !strings.Contains(strings.ToLower(sql), name)
			if n.Funcformat == pg_query.CoercionForm_COERCE_EXPLICIT_CALL && !sugar && len(name) < 63 {
				o.functions = append(o.functions, strings.ToLower(name))
			}
		}
		m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
			switch {
			case fd.IsList() && fd.Kind() == protoreflect.MessageKind:
				for i := range v.List().Len() {
					walk(v.List().Get(i).Message())
				}
			case fd.Kind() == protoreflect.MessageKind && !fd.IsList() && !fd.IsMap():
				walk(v.Message())
			}
			return true
		})
	}
	for _, s := range tree.Stmts {
		if s.Stmt.GetSelectStmt() == nil {
			o.query, o.why = false, "not a SELECT"
		}
		walk(s.ProtoReflect())
	}
	var tables []string
	for _, name := range o.tables {
		if !slices.Contains(ctes, name) && len(name) < 63 {
			tables = append(tables, strings.ToLower(name))
		}
	}
	o.tables = tables
	return o, true
}
