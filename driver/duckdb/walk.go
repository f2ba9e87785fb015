//go:build cgo && !no_duckdb

package duckdb

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"strings"

	dialect "github.com/sqbyl/sqbyl/internal/engine/dialect/duckdb"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
)

// classes are the classes of expression that a query may hold.
var classes = words(`BETWEEN CASE CAST COLLATE COLUMN_REF COMPARISON CONJUNCTION CONSTANT DEFAULT FUNCTION LAMBDA
	LAMBDA_REF OPERATOR POSITIONAL_REFERENCE STAR SUBQUERY WINDOW TYPE`)

// kinds are the other parts of a query: nodes, relations and modifiers.
var kinds = words(`SELECT_NODE SET_OPERATION_NODE RECURSIVE_CTE_NODE CTE_NODE
	BASE_TABLE SUBQUERY JOIN TABLE_FUNCTION EXPRESSION_LIST EMPTY PIVOT SHOW_REF
	ORDER_MODIFIER LIMIT_MODIFIER LIMIT_PERCENT_MODIFIER DISTINCT_MODIFIER
	ORDER_DEFAULT ASCENDING DESCENDING`)

// implicit are the functions that the engine calls without their name in the
// text: for x[1], a.b, {…}, IN t, ->, PIVOT, SUMMARIZE, CURRENT_DATE. A macro of
// such a name counts in every statement.
var implicit = words(`array_extract array_slice list_value struct_pack struct_extract struct_extract_at row map contains
	unnest json_extract json_extract_string count count_star min max avg stddev approx_quantile approx_count_distinct list first any_value
	current_catalog current_date current_role current_schema current_time current_timestamp current_user session_user user
	localtime localtimestamp get_current_time get_current_timestamp current_localtime current_localtimestamp
	-> ->> timezone date_part list_aggr list_apply list_filter quantile_cont quantile_disc`)

func words(list string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(list) {
		m[w] = true
	}
	return m
}

// walker visits a tree and refuses what it does not know.
type walker struct {
	ctx     context.Context
	grammar *grammar
	policy  *guard.Policy
	sql     string
	seen    map[string]bool
	found   []finding
}

// finding is a table or a function and where it stands.
type finding struct {
	at       int
	table    guard.Name
	function string
}

// scope is the list of CTEs that a part of the statement sees.
type scope struct {
	name  string
	outer *scope
}

func (s *scope) has(name string) bool {
	for ; s != nil; s = s.outer {
		if strings.EqualFold(s.name, name) {
			return true
		}
	}
	return false
}

func (w *walker) statement(tree map[string]any) error {
	for _, o := range w.grammar.implied {
		if err := w.expand(o, "macro"); err != nil {
			return err
		}
	}
	return w.walk(tree, nil)
}

func (w *walker) walk(v any, s *scope) error {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			if err := w.walk(item, s); err != nil {
				return err
			}
		}
	case map[string]any:
		return w.object(v, s)
	}
	return nil
}

func (w *walker) object(m map[string]any, s *scope) error {
	class, kind := str(m, "class"), str(m, "type")
	switch {
	case class == "PARAMETER":
		return nil // one without a value is the lexer's to refuse, and the session's
	case class != "" && !classes[class], class == "" && kind != "" && !kinds[kind] && !strings.HasSuffix(kind, "_TYPE_INFO"):
		return w.refuse(m, "node", fmt.Sprintf("%s is not a part of a query that may run", class+kind), "write a plain SELECT")
	case class == "CONSTANT":
		return nil
	}
	if ctes, ok := m["cte_map"].(map[string]any); ok {
		inner, err := w.ctes(ctes, s)
		if err != nil {
			return err
		}
		s = inner
	}
	if err := w.names(m, class, kind, s); err != nil {
		return err
	}
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		if k == "cte_map" {
			continue
		}
		if f, ok := m[k].(map[string]any); ok && kind == "TABLE_FUNCTION" && k == "function" {
			if err := w.arguments(f, s); err != nil {
				return err
			}
			continue
		}
		if err := w.walk(m[k], s); err != nil {
			return err
		}
	}
	return nil
}

// ctes walks the queries of WITH, each of which sees those before it, and
// itself only when it is recursive.
func (w *walker) ctes(m map[string]any, s *scope) (*scope, error) {
	entries, _ := m["map"].([]any)
	for _, e := range entries {
		entry, _ := e.(map[string]any)
		value, _ := entry["value"].(map[string]any)
		query, _ := value["query"].(map[string]any)
		node, _ := query["node"].(map[string]any)
		own := &scope{name: str(entry, "key"), outer: s}
		inner := s
		if str(node, "type") == "RECURSIVE_CTE_NODE" {
			inner = own
		}
		if err := w.walk(value, inner); err != nil {
			return nil, err
		}
		s = own
	}
	return s, nil
}

// names takes note of what an object names.
func (w *walker) names(m map[string]any, class, kind string, s *scope) error {
	if _, ok := m["function_name"]; ok {
		return w.function(m, w.policy.Functions)
	}
	if class != "" {
		return nil
	}
	switch kind {
	case "BASE_TABLE":
		return w.table(m, s)
	case "TABLE_FUNCTION":
		f, ok := m["function"].(map[string]any)
		if !ok || str(f, "class") != "FUNCTION" {
			return w.refuse(m, "node", "a table function that is no function", "write a plain SELECT")
		}
		return w.function(f, w.policy.TableFunctions)
	case "SHOW_REF":
		if show := str(m, "show_type"); m["query"] == nil || show != "DESCRIBE" && show != "SUMMARY" {
			return w.refuse(m, "show", "SHOW lists the engine's own catalog", "use the tables that the schema lists; DESCRIBE and SUMMARIZE of a table work")
		}
	}
	return nil
}

// arguments walks a table function's parameters; its name was looked at.
func (w *walker) arguments(f map[string]any, s *scope) error {
	for _, k := range []string{"children", "filter", "order_bys"} {
		if err := w.walk(f[k], s); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) table(m map[string]any, s *scope) error {
	name := guard.Name{Catalog: str(m, "catalog_name"), Schema: str(m, "schema_name"), Table: str(m, "table_name")}
	if name.Schema == "" && name.Catalog == "" && s.has(name.Table) {
		return nil
	}
	fold := w.policy.Rules.Fold
	w.found = append(w.found, finding{at: location(m), table: guard.Name{
		Catalog: fold(name.Catalog, true), Schema: fold(name.Schema, true), Table: fold(name.Table, true),
	}})
	// a.b may be a schema or a database before the name, so that every view of
	// this name is looked at.
	for _, o := range w.grammar.objects[strings.ToLower(name.Table)] {
		if o.Macro {
			continue
		}
		if err := w.expand(o, "view"); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) function(m map[string]any, allowed map[string]bool) error {
	name := strings.ToLower(str(m, "function_name"))
	full := name
	schema, catalog := strings.ToLower(str(m, "schema")), strings.ToLower(str(m, "catalog"))
	if schema != "" && schema != "main" || catalog != "" {
		// The parser itself writes main before the functions of its sugar.
		full = strings.TrimPrefix(catalog+"."+schema+"."+name, ".")
	}
	operator, _ := m["is_operator"].(bool)
	if !w.listed(full) && (full != name || !allowed[name]) {
		r := w.refusal(m, "function", full+" is not on the list of functions that only compute",
			fmt.Sprintf("if it only computes, allow it in sqbyl.yaml: database.allow_functions: [%s]", full))
		r.Names = []string{full}
		return r
	}
	if !operator {
		if name == "count_star" {
			full = "count"
		}
		w.found = append(w.found, finding{at: location(m), function: full})
	}
	// A macro stands before the engine's function, or operator, of its name.
	for _, o := range w.grammar.objects[name] {
		if !o.Macro {
			continue
		}
		if err := w.expand(o, "macro"); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) listed(name string) bool {
	for _, a := range w.policy.Allowed {
		if strings.EqualFold(a, name) {
			return true
		}
	}
	return false
}

// expand walks the body of a view or macro, once.
func (w *walker) expand(o dialect.Object, what string) error {
	id := what + " " + o.Schema + "." + o.Name + " " + o.Body
	if w.seen[id] {
		return nil
	}
	w.seen[id] = true
	body := o.Body
	if o.Scalar {
		body = "SELECT (" + body + ")"
	}
	label := what + " " + o.Name
	tree, err := parse(w.ctx, body)
	if err == nil {
		inner := &walker{ctx: w.ctx, grammar: w.grammar, policy: w.policy, seen: w.seen}
		err = inner.statement(tree)
		for _, f := range inner.found {
			f.at = len(w.sql) // what it reads comes after what is written
			w.found = append(w.found, f)
		}
	}
	var refusal *guard.Refusal
	if errors.As(err, &refusal) && refusal.Rule != "through_"+what {
		return &guard.Refusal{
			Layer: guard.LayerGrammar, Rule: "through_" + what, Names: append([]string{o.Name}, refusal.Names...), Position: position(w.sql, 0),
			Message: fmt.Sprintf("the %s does what a statement may not: %s", label, refusal.Message),
			Repair:  "use the tables it reads, or leave it out",
		}
	}
	return err
}

func (w *walker) refusal(m map[string]any, rule, message, repair string) *guard.Refusal {
	return &guard.Refusal{Layer: guard.LayerGrammar, Rule: rule, Position: position(w.sql, location(m)), Message: message, Repair: repair}
}

func (w *walker) refuse(m map[string]any, rule, message, repair string) error {
	return w.refusal(m, rule, message, repair)
}

// facts are the findings in order of appearance, without repeats.
func (w *walker) facts() guard.Facts {
	sort.SliceStable(w.found, func(a, b int) bool { return w.found[a].at < w.found[b].at })
	var facts guard.Facts
	tables, functions := map[guard.Name]bool{}, map[string]bool{}
	for _, f := range w.found {
		switch {
		case f.function != "" && !functions[f.function]:
			functions[f.function] = true
			facts.Functions = append(facts.Functions, f.function)
		case f.function == "" && !tables[f.table]:
			tables[f.table] = true
			facts.Tables = append(facts.Tables, f.table)
		}
	}
	return facts
}

func str(m map[string]any, key string) string {
	s, _ := m[key].(string)
	return s
}

// location is the byte where a part stands; the engine's "nowhere" is the
// largest number there is.
func location(m map[string]any) int {
	if at, ok := m["query_location"].(float64); ok && at >= 0 && at < 1<<31 {
		return int(at)
	}
	return 0
}
