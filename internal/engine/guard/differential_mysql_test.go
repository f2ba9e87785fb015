package guard

import (
	"slices"
	"strings"
	"testing"

	"github.com/sqlc-dev/marino/ast"
	"github.com/sqlc-dev/marino/parser"

	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
)

func FuzzLexerAgainstMySQL(f *testing.F) {
	differ(f, "mysql", &sqltext.MySQLRules, askMySQL)
}

func askMySQL(sql string) (opinion, bool) {
	stmts, _, err := parser.New().ParseSQL(sql)
	if err != nil {
		return opinion{}, false
	}
	o := opinion{statements: len(stmts), query: true}
	v := &mysqlNames{o: &o, sql: strings.ToLower(sql)}
	for _, s := range stmts {
		switch s := s.(type) {
		case *ast.SelectStmt:
			if s.SelectIntoOpt != nil || s.LockInfo != nil && s.LockInfo.LockType != ast.SelectLockNone {
				o.query, o.why = false, "SELECT that writes or locks"
			}
		case *ast.SetOprStmt:
		default:
			o.query, o.why = false, "not a SELECT"
		}
		s.Accept(v)
	}
	var tables []string
	for _, name := range o.tables {
		if !slices.Contains(v.ctes, name) && name != "dual" {
			tables = append(tables, name)
		}
	}
	o.tables = tables
	return o, true
}

type mysqlNames struct {
	o    *opinion
	sql  string
	ctes []string
}

func (v *mysqlNames) Enter(n ast.Node) (ast.Node, bool) {
	switch n := n.(type) {
	case *ast.CommonTableExpression:
		v.ctes = append(v.ctes, n.Name.L)
	case *ast.TableName:
		v.o.tables = append(v.o.tables, n.Name.L)
	case *ast.FuncCallExpr:
		v.function(n.FnName.L)
	case *ast.AggregateFuncExpr:
		v.function(n.F)
	case *ast.WindowFuncExpr:
		v.function(n.Name)
	case *ast.SelectStmt:
		if n.SelectIntoOpt != nil || n.LockInfo != nil && n.LockInfo.LockType != ast.SelectLockNone {
			v.o.query, v.o.why = false, "a part that writes or locks"
		}
	}
	return n, false
}

func (v *mysqlNames) Leave(n ast.Node) (ast.Node, bool) { return n, true }

// function leaves out what the grammar spells without a call.
func (v *mysqlNames) function(name string) {
	name = strings.ToLower(name)
	if strings.HasPrefix(name, "current_") || strings.HasPrefix(name, "local") || strings.HasPrefix(name, "utc_") || strings.HasSuffix(name, "literal") || !strings.Contains(v.sql, name) {
		return
	}
	v.o.functions = append(v.o.functions, name)
}
