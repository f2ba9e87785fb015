//go:build cgo

package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"

	pg_query "github.com/pganalyze/pg_query_go/v6"
	"github.com/pganalyze/pg_query_go/v6/parser"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/sqbyl/sqbyl/internal/engine/guard"
	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
)

// grammar is PostgreSQL's own, as a library.
type grammar struct{}

func newGrammar() guard.Grammar { return grammar{} }

// Examine parses sql and walks the tree: every node must be of a kind that
// only reads.
func (grammar) Examine(_ context.Context, sql string, p *guard.Policy) (guard.Facts, error) {
	tree, err := pg_query.Parse(sql)
	var syntax *parser.Error
	switch {
	case errors.As(err, &syntax):
		return guard.Facts{}, refuse(sql, byteOffset(sql, max(syntax.Cursorpos-1, 0)), "syntax", syntax.Message, "write it as PostgreSQL does")
	case err != nil:
		return guard.Facts{}, err
	}
	if len(tree.Stmts) != 1 {
		return guard.Facts{}, refuse(sql, 0, "second_statement", fmt.Sprintf("the text holds %d statements", len(tree.Stmts)), "send one statement")
	}
	w := &walker{sql: sql}
	if err := w.message(tree.Stmts[0].ProtoReflect(), nil); err != nil {
		return guard.Facts{}, err
	}
	return w.facts, nil
}

func refuse(sql string, offset int, rule, message, repair string) *guard.Refusal {
	offset = max(offset, 0)
	line, column := sqltext.Position(sql, offset)
	return &guard.Refusal{
		Layer: guard.LayerGrammar, Rule: rule, Message: message, Repair: repair,
		Position: guard.Position{Offset: offset, Line: line, Column: column},
	}
}

// readNodes are the kinds of node that a query may consist of; the rest of the
// grammar writes, locks, sets or defines. Parameters that nothing gives a
// value are the lexer's to refuse, and the session's.
var readNodes = func() map[protoreflect.Name]bool {
	m := map[protoreflect.Name]bool{}
	for _, name := range strings.Fields(`Node RawStmt SelectStmt WithClause CommonTableExpr CTESearchClause CTECycleClause
		Integer Float Boolean String BitString List A_Const A_Expr A_ArrayExpr A_Indirection A_Indices A_Star ColumnRef
		Alias RangeVar RangeSubselect RangeFunction RangeTableFunc RangeTableFuncCol RangeTableSample JoinExpr ColumnDef
		BoolExpr SubLink CaseExpr CaseWhen CoalesceExpr MinMaxExpr NullTest BooleanTest RowExpr NamedArgExpr SQLValueFunction
		ParamRef CollateClause TypeName TypeCast FuncCall ResTarget SortBy WindowDef GroupingFunc GroupingSet XmlExpr XmlSerialize
		JsonFormat JsonReturning JsonValueExpr JsonIsPredicate JsonBehavior JsonOutput JsonArgument JsonFuncExpr JsonTablePathSpec
		JsonTable JsonTableColumn JsonKeyValue JsonParseExpr JsonScalarExpr JsonSerializeExpr JsonObjectConstructor JsonArrayConstructor
		JsonArrayQueryConstructor JsonAggConstructor JsonObjectAgg JsonArrayAgg`) {
		m[protoreflect.Name(name)] = true
	}
	return m
}()

type walker struct {
	sql   string
	facts guard.Facts
	usage *usage // nil: not asked for
}

// scope is the chain of CTE names in sight.
type scope struct {
	cte   *pg_query.CommonTableExpr
	outer *scope
}

func (s *scope) find(name string) *pg_query.CommonTableExpr {
	for ; s != nil; s = s.outer {
		if s.cte.GetCtename() == name {
			return s.cte
		}
	}
	return nil
}

func (w *walker) message(m protoreflect.Message, in *scope) error {
	name := m.Descriptor().Name()
	if !readNodes[name] {
		return w.forbidden(m, string(name))
	}
	if w.usage != nil {
		w.usage.use(m.Interface(), in)
	}
	switch node := m.Interface().(type) {
	case *pg_query.SelectStmt:
		return w.query(m, node, in)
	case *pg_query.RangeVar:
		if node.Schemaname != "" || in.find(node.Relname) == nil {
			w.facts.Tables = appendNew(w.facts.Tables, guard.Name{Catalog: node.Catalogname, Schema: node.Schemaname, Table: node.Relname})
		}
	case *pg_query.FuncCall:
		name, err := w.qualified(node.Funcname, node.Location)
		if err != nil {
			return err
		}
		w.facts.Functions = appendNew(w.facts.Functions, name)
	case *pg_query.A_Expr:
		if len(node.Name) > 1 {
			if schema := node.Name[0].GetString_().GetSval(); schema != "pg_catalog" {
				return refuse(w.sql, int(node.Location), "operator", "an operator of the schema "+schema+" may do anything", "use the engine's own operators")
			}
		}
	}
	return w.fields(m, in)
}

// fields walks everything below a node.
func (w *walker) fields(m protoreflect.Message, in *scope) error {
	var err error
	m.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		if field.Message() == nil {
			return true
		}
		if !field.IsList() {
			err = w.message(value.Message(), in)
			return err == nil
		}
		for i := 0; i < value.List().Len() && err == nil; i++ {
			err = w.message(value.List().Get(i).Message(), in)
		}
		return err == nil
	})
	return err
}

// query walks a SELECT: the names of its WITH are in sight in all of it, in
// each other from top to bottom, with RECURSIVE everywhere.
func (w *walker) query(m protoreflect.Message, node *pg_query.SelectStmt, in *scope) error {
	if node.WithClause != nil {
		if node.WithClause.Recursive {
			for _, cte := range node.WithClause.Ctes {
				in = &scope{cte.GetCommonTableExpr(), in}
			}
		}
		for _, cte := range node.WithClause.Ctes {
			expr := cte.GetCommonTableExpr()
			if err := w.message(expr.ProtoReflect(), in); err != nil {
				return err
			}
			in = &scope{expr, in}
		}
	}
	with := m.Descriptor().Fields().ByName("with_clause")
	var err error
	m.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		switch {
		case field == with || field.Message() == nil:
		case field.IsList():
			for i := 0; i < value.List().Len() && err == nil; i++ {
				err = w.message(value.List().Get(i).Message(), in)
			}
		default:
			err = w.message(value.Message(), in)
		}
		return err == nil
	})
	return err
}

// qualified is a function's name; the engine's own schema is left out.
func (w *walker) qualified(names []*pg_query.Node, location int32) (string, error) {
	parts := make([]string, 0, len(names))
	for _, n := range names {
		parts = append(parts, n.GetString_().GetSval())
	}
	if len(parts) == 2 && parts[0] == "pg_catalog" {
		parts = parts[1:]
	}
	if len(parts) == 0 {
		return "", refuse(w.sql, int(location), "function", "a call without a name", "")
	}
	return strings.Join(parts, "."), nil
}

// forbidden says what a node that does more than read is, and where.
func (w *walker) forbidden(m protoreflect.Message, name string) error {
	offset := 0
	if field := m.Descriptor().Fields().ByName("location"); field != nil {
		offset = int(m.Get(field).Int())
	}
	message, repair := name+" does more than read", "write one SELECT"
	switch name {
	case "IntoClause":
		message, repair = "SELECT INTO makes a table", "leave INTO out"
	case "LockingClause":
		message, repair = "FOR UPDATE and FOR SHARE lock rows", "leave the locking clause out"
	default:
		if verb, ok := strings.CutSuffix(name, "Stmt"); ok {
			message = strings.ToUpper(verb) + " is not a query"
		}
	}
	return refuse(w.sql, offset, "node", message, repair)
}

func appendNew[T comparable](list []T, item T) []T {
	for _, have := range list {
		if have == item {
			return list
		}
	}
	return append(list, item)
}
