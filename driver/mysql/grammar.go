package mysql

import (
	"context"
	"fmt"
	"reflect"
	"strings"

	"github.com/sqlc-dev/marino/ast"
	"github.com/sqlc-dev/marino/mysql"
	"github.com/sqlc-dev/marino/parser"

	"github.com/sqbyl/sqbyl/internal/engine/guard"
)

// grammar is a parser of MySQL's language, in its MariaDB mode for MariaDB.
type grammar struct{ maria bool }

func newGrammar(maria bool) guard.Grammar { return grammar{maria} }

// Examine parses sql and walks the tree: every node must be of a kind that
// only reads.
func (g grammar) Examine(_ context.Context, sql string, policy *guard.Policy) (guard.Facts, error) {
	p := parser.New()
	p.SetMariaDB(g.maria)
	statements, _, err := p.ParseSQL(sql)
	var functions []string
	if err != nil && g.maria {
		var known string
		if known, functions = neutral(sql, policy); known != "" {
			if again, _, failed := p.ParseSQL(known); failed == nil {
				statements, err = again, nil
			}
		}
	}
	if err != nil {
		return guard.Facts{}, refuse("syntax", err.Error(), "write it as the server's manual does")
	}
	if len(statements) != 1 {
		return guard.Facts{}, refuse("second_statement", fmt.Sprintf("the text holds %d statements", len(statements)), "send one statement")
	}
	w := &walker{}
	statements[0].Accept(w)
	if w.refusal != nil {
		return guard.Facts{}, w.refusal
	}
	for _, name := range functions {
		w.facts.Functions = appendNew(w.facts.Functions, name)
	}
	return w.facts, nil
}

func refuse(rule, message, repair string) *guard.Refusal {
	return &guard.Refusal{Layer: guard.LayerGrammar, Rule: rule, Message: message, Repair: repair, Position: guard.Position{Line: 1, Column: 1}}
}

// readNodes are the kinds of node that a query may consist of. Parameters
// that nothing gives a value are the lexer's to refuse, and the session's.
var readNodes = func() map[string]bool {
	m := map[string]bool{}
	for _, name := range strings.Fields(`SelectStmt SetOprStmt SetOprSelectList WithClause CommonTableExpression SubqueryExpr TableRefsClause
		Join OnCondition TableSource TableName IndexHint FieldList SelectField WildCardField GroupByClause ByItem HavingClause OrderByClause Limit
		WindowSpec PartitionByClause FrameClause FrameBound BetweenExpr BinaryOperationExpr WhenClause CaseExpr CompareSubqueryExpr ColumnName
		ColumnNameExpr ExistsSubqueryExpr PatternInExpr IsNullExpr IsTruthExpr PatternLikeOrIlikeExpr ParenthesesExpr PositionExpr
		PatternRegexpExpr RowExpr UnaryOperationExpr MatchAgainst SetCollationExpr FuncCallExpr FuncCastExpr TrimDirectionExpr
		AggregateFuncExpr WindowFuncExpr TimeUnitExpr GetFormatSelectorExpr JSONTableExpr JSONTableColumn JSONValueExpr JSONOnResponse
		ValueExprBase ValueExpr ParamMarkerExprBase ParamMarkerExpr TableNameExpr DefaultExpr`) {
		m[name] = true
	}
	return m
}()

// walker collects what a statement uses. scopes holds the CTE names in sight
// of each query that is being walked.
type walker struct {
	facts   guard.Facts
	refusal *guard.Refusal
	scopes  []map[string]bool
}

// Enter looks at a node before its children.
func (w *walker) Enter(n ast.Node) (ast.Node, bool) {
	name := reflect.Indirect(reflect.ValueOf(n)).Type().Name()
	if w.refusal == nil && !readNodes[name] {
		w.refuseNode(name)
	}
	if w.refusal != nil {
		return n, true
	}
	switch node := n.(type) {
	case *ast.SelectStmt:
		w.enterQuery(node.With)
		switch {
		case node.SelectIntoOpt != nil:
			w.refuseNode("SelectIntoOption")
		case node.LockInfo != nil || len(node.MoreLockInfos) > 0:
			w.refuseNode("SelectLockInfo")
		case node.SelectStmtOpts != nil && (node.CalcFoundRows || node.Priority != mysql.NoPriority):
			w.refusal = refuse("option", "HIGH_PRIORITY and SQL_CALC_FOUND_ROWS reach beyond the statement", "leave the option out")
		case len(node.TableHints) > 0:
			w.refuseNode("TableOptimizerHint")
		}
	case *ast.SetOprStmt:
		w.enterQuery(node.With)
	case *ast.SetOprSelectList:
		w.enterQuery(node.With)
	case *ast.TableName:
		w.table(node)
	case *ast.FuncCallExpr:
		w.function(node.Schema.L, node.FnName.L)
	case *ast.AggregateFuncExpr:
		w.function("", node.F)
	case *ast.WindowFuncExpr:
		w.function("", node.Name)
	}
	return n, w.refusal != nil
}

// Leave ends a query's scope.
func (w *walker) Leave(n ast.Node) (ast.Node, bool) {
	switch n.(type) {
	case *ast.SelectStmt, *ast.SetOprStmt, *ast.SetOprSelectList:
		if len(w.scopes) > 0 {
			w.scopes = w.scopes[:len(w.scopes)-1]
		}
	}
	return n, w.refusal == nil
}

// enterQuery brings the names of its WITH in sight. That an early one is in
// sight of itself too can hide a table of its name, which the lexer's list of
// tables has all the same.
func (w *walker) enterQuery(with *ast.WithClause) {
	names := map[string]bool{}
	if with != nil {
		for _, cte := range with.CTEs {
			names[cte.Name.L] = true
		}
	}
	w.scopes = append(w.scopes, names)
}

func (w *walker) table(node *ast.TableName) {
	switch {
	case node.AsOf != nil || node.TableSample != nil:
		w.refuseNode("AsOfClause")
		return
	case node.Schema.L == "":
		for _, names := range w.scopes {
			if names[node.Name.L] {
				return
			}
		}
		if node.Name.L == "dual" {
			return
		}
	}
	w.facts.Tables = appendNew(w.facts.Tables, guard.Name{Schema: node.Schema.L, Table: node.Name.L})
}

// literalPrefix begins the names of functions that no statement can spell.
const literalPrefix = "'tidb`.("

func (w *walker) function(schema, name string) {
	name = strings.ToLower(name)
	if strings.HasPrefix(name, literalPrefix) {
		return // DATE'…' and its like, as the parser keeps them
	}
	name = strings.TrimSuffix(name, "_func")
	if schema != "" {
		name = schema + "." + name
	}
	w.facts.Functions = appendNew(w.facts.Functions, name)
}

func (w *walker) refuseNode(name string) {
	message, repair := name+" does more than read", "write one SELECT"
	switch name {
	case "SelectIntoOption":
		message, repair = "SELECT INTO writes a file or a variable", "leave INTO out"
	case "SelectLockInfo":
		message, repair = "FOR UPDATE and LOCK IN SHARE MODE lock rows", "leave the locking clause out"
	case "VariableExpr":
		message, repair = "variables live on in the connection", "write the value, or a subquery"
	case "TableOptimizerHint":
		message, repair = "hints may change settings of the session", "leave the hint out"
	default:
		if verb, ok := strings.CutSuffix(name, "Stmt"); ok {
			message = strings.ToUpper(verb) + " is not a query"
		}
	}
	w.refusal = refuse("node", message, repair)
}

func appendNew[T comparable](list []T, item T) []T {
	for _, have := range list {
		if have == item {
			return list
		}
	}
	return append(list, item)
}
