package postgres

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/db"
	own "github.com/sqbyl/sqbyl/internal/engine/dialect/postgres"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
)

// homemade is what somebody made in this database that runs functions. The
// guard's lists speak of the built-in ones.
type homemade struct {
	functions  map[string]string // name → schema
	attributes map[string]string
	operators  []string
	uses       []hiddenCall
	holders    map[string]map[string]bool // by root: type or relation → through an array; nil until read
}

// hiddenCall runs a function that the statement does not name.
type hiddenCall struct {
	kind, name, schema string
	roots              []string // oids of the types it takes; none: built-in ones
	function           string
	targets            []string // of an explicit cast
	check              string   // of a domain
}

func readHomemade(names, uses [][][]byte) homemade {
	h := homemade{functions: map[string]string{}, attributes: map[string]string{}}
	for _, row := range names {
		name, schema := string(row[1]), string(row[2])
		switch string(row[0]) {
		case "function":
			h.functions[name] = schema
		case "attribute":
			h.attributes[name] = schema
		case "operator":
			h.operators = append(h.operators, name)
		}
	}
	for _, row := range uses {
		c := hiddenCall{kind: string(row[0]), name: string(row[1]), schema: string(row[2]), roots: strings.Fields(string(row[3])), function: string(row[4])}
		if c.kind == "domain" {
			c.check = string(row[5])
		} else if len(row[5]) > 0 {
			c.targets = strings.Split(string(row[5]), "\n")
		}
		h.uses = append(h.uses, c)
	}
	return h
}

// admitHomemade refuses what a person of this database has given a meaning of
// their own and sql may use, unless it is allowed.
func (s *session) admitHomemade(ctx context.Context, sql string, tables []guard.Name, policy *guard.Policy) error {
	h := &s.homemade
	if len(h.functions)+len(h.operators)+len(h.uses) == 0 {
		return nil
	}
	script := sqltext.Scan(sql, &policy.Rules)
	if err := h.named(script, policy); err != nil {
		return err
	}
	u := readUsage(sql)
	if u == nil {
		u = guessUsage(script)
	}
	if err := s.attributes(ctx, script, u, policy); err != nil {
		return err
	}
	return s.hidden(ctx, script, tables, u, policy)
}

// named are the functions and operators that stand in the text.
func (h *homemade) named(script *sqltext.Script, policy *guard.Policy) error {
	for i, token := range script.Tokens {
		rule, name, schema := "", "", ""
		switch token.Kind {
		case sqltext.Operator:
			if slices.Contains(h.operators, script.Text(i)) {
				rule, name = "operator", script.Text(i)
			}
		case sqltext.Word, sqltext.Name:
			if from, ok := h.functions[script.Name(i)]; ok && script.Is(i+1, "(") {
				rule, name, schema = "function", script.Name(i), from
			}
		}
		if rule != "" && !allowed(policy, name, schema) {
			return madeHere(script.SQL, int(token.Start), rule, name, schema)
		}
	}
	return nil
}

func madeHere(sql string, offset int, rule, name, schema string) *guard.Refusal {
	line, column := sqltext.Position(sql, offset)
	article := "a "
	if rule == "operator" {
		article = "an "
	}
	where := ""
	if schema != "" {
		where = " (schema " + schema + ")"
	}
	return &guard.Refusal{
		Layer: guard.LayerPrepare, Rule: rule, Names: []string{name},
		Position: guard.Position{Offset: offset, Line: line, Column: column},
		Message:  fmt.Sprintf("%s is %s%s made in this database%s, and may do anything", name, article, rule, where),
		Repair:   fmt.Sprintf("do without it; if it only computes, allow it in sqbyl.yaml: database.allow_functions: [%s]", name),
	}
}

// attributes refuses x.f where that is the call f(x): x has no column f, or
// none that is cheap to know.
func (s *session) attributes(ctx context.Context, script *sqltext.Script, u *usage, policy *guard.Policy) error {
	for _, a := range u.attributes {
		schema, ok := s.homemade.attributes[a.name]
		if ok && allowed(policy, a.name, schema) {
			continue
		}
		if !ok && !s.homemade.domain(a.name) {
			continue
		}
		is, err := s.isColumn(ctx, u.sources[a.of], a.name)
		if err != nil {
			return err
		}
		switch {
		case is:
		case ok:
			r := madeHere(script.SQL, a.at, "function", a.name, schema)
			r.Message = fmt.Sprintf("x.%[1]s is the call %[1]s(x) where x has no such column, and %[1]s is a function made in this database (schema %[2]s) that may do anything", a.name, schema)
			r.Repair = "if a column is meant, name it AS " + a.name + " in the query that makes it instead of *; " + r.Repair
			return r
		default:
			u.types = append(u.types, a.named) // x.d is x::d
		}
	}
	return nil
}

func (h *homemade) domain(name string) bool {
	return slices.ContainsFunc(h.uses, func(c hiddenCall) bool { return c.kind == "domain" && c.name == name })
}

// isColumn reports that every relation under one alias has the column.
func (s *session) isColumn(ctx context.Context, from []source, column string) (bool, error) {
	for _, f := range from {
		has := slices.Contains(f.columns, column)
		for i := 0; i < len(f.tables) && !has; i++ {
			columns, err := s.columnNames(ctx, f.tables[i])
			if err != nil {
				return false, err
			}
			has = slices.Contains(columns, column)
		}
		if !has {
			return false, nil
		}
	}
	return len(from) > 0, nil
}

func (s *session) columnNames(ctx context.Context, table guard.Name) ([]string, error) {
	if known, ok := s.columnsOf[table]; ok {
		return known, nil
	}
	read, err := s.Own(ctx, own.ColumnNames, db.ListValue(db.TextValue(regclass(table))))
	if err != nil {
		return nil, err
	}
	names := []string{}
	for _, row := range read.Rows {
		names = append(names, row[0].Raw())
	}
	s.columnsOf[table] = names
	return names, nil
}

// hidden refuses operators under a built-in sign, casts and checks of domains
// that sql may use.
func (s *session) hidden(ctx context.Context, script *sqltext.Script, tables []guard.Name, u *usage, policy *guard.Policy) error {
	for i := range s.homemade.uses {
		c := &s.homemade.uses[i]
		if allowed(policy, c.name, c.schema) || c.function != "" && allowed(policy, c.function, c.schema) {
			continue
		}
		at, err := s.mayUse(ctx, c, script, tables, u)
		if err != nil {
			return err
		}
		if at < 0 {
			continue
		}
		r := madeHere(script.SQL, at, c.kind, c.name, c.schema)
		switch c.kind {
		case "domain":
			if s.calmCheck(ctx, c.check, policy) {
				continue
			}
			r.Message = fmt.Sprintf("a value of the domain %s (schema %s) is checked by a function that may do anything", c.name, c.schema)
			r.Repair = fmt.Sprintf("use the domain's base type; if the check only computes, allow it in sqbyl.yaml: database.allow_functions: [%s]", c.name)
		default:
			r.Rule = map[string]string{"overload": "operator", "cast": "cast"}[c.kind]
			r.Message = fmt.Sprintf("the %s %s may call %s, a function made in this database (schema %s) that may do anything", r.Rule, c.name, c.function, c.schema)
			r.Repair = fmt.Sprintf("do without it; if the function only computes, allow it in sqbyl.yaml: database.allow_functions: [%s]", c.function)
			r.Names = []string{c.name, c.function}
		}
		return r
	}
	return nil
}

// calmCheck reports that a domain's check calls nothing that a statement may
// not call.
func (s *session) calmCheck(ctx context.Context, check string, policy *guard.Policy) bool {
	inner := *policy
	inner.Known, inner.Limit, inner.AsOf = nil, 0, nil
	if _, err := guard.Check(ctx, "SELECT "+check, &inner); err != nil {
		return false
	}
	return s.homemade.named(sqltext.Scan(check, &policy.Rules), policy) == nil
}

// mayUse is where in sql c may be used, -1 where it cannot be.
func (s *session) mayUse(ctx context.Context, c *hiddenCall, script *sqltext.Script, tables []guard.Name, u *usage) (int, error) {
	if c.kind == "overload" {
		at := signAt(script, c.name)
		if at < 0 || len(c.roots) == 0 {
			return at, nil
		}
		touched, err := s.touches(ctx, c, tables, u, false)
		if err != nil || touched < 0 {
			return -1, err
		}
		return at, nil
	}
	at := 0
	if len(c.targets) > 0 {
		if at = u.typed(func(name string) bool { return slices.Contains(c.targets, name) }); at < 0 {
			return -1, nil
		}
	}
	if len(c.roots) == 0 {
		return at, nil
	}
	return s.touches(ctx, c, tables, u, c.kind == "domain" && !u.calls("populate_record"))
}

// touches is where sql may hold a value of one of the types that c takes, -1
// where it cannot. Rows that are only read do not check their domains again:
// typedOnly leaves relations out, but those whose arrays an element may be
// added to.
func (s *session) touches(ctx context.Context, c *hiddenCall, tables []guard.Name, u *usage, typedOnly bool) (int, error) {
	if err := s.readHolders(ctx); err != nil {
		return -1, err
	}
	for _, root := range c.roots {
		holders := s.homemade.holders[root]
		if at := u.typed(func(name string) bool { _, ok := holders[name]; return ok }); at >= 0 {
			return at, nil
		}
		for _, table := range tables {
			if listed, ok := holders[table.Table]; ok && (listed || !typedOnly) {
				return 0, nil
			}
		}
	}
	return -1, nil
}

func (s *session) readHolders(ctx context.Context) error {
	if s.homemade.holders != nil {
		return nil
	}
	var roots []db.Value
	for _, c := range s.homemade.uses {
		for _, root := range c.roots {
			if oid, err := strconv.ParseInt(root, 10, 64); err == nil {
				roots = append(roots, db.IntValue(oid))
			}
		}
	}
	read, err := s.Own(ctx, own.TypeHolders, db.ListValue(roots...))
	if err != nil {
		return err
	}
	s.homemade.holders = map[string]map[string]bool{}
	for _, row := range read.Rows {
		root := row[0].String()
		if s.homemade.holders[root] == nil {
			s.homemade.holders[root] = map[string]bool{}
		}
		s.homemade.holders[root][row[1].Raw()] = row[2].Bool()
	}
	return nil
}

// The words that use operators without a sign: comparisons and likenesses.
var (
	comparing = strings.Fields("= <> < <= > >= ~~ ~~* !~~ !~~* ~ !~")
	compares  = strings.Fields("in between nullif case distinct like ilike similar using natural any some all")
)

// signAt is where an operator or a word that uses it stands.
func signAt(script *sqltext.Script, sign string) int {
	words := slices.Contains(comparing, sign)
	for i, token := range script.Tokens {
		text := script.Text(i)
		if text == sign || sign == "<>" && text == "!=" || words && token.Kind == sqltext.Word && slices.Contains(compares, strings.ToLower(text)) {
			return int(token.Start)
		}
	}
	return -1
}

func allowed(policy *guard.Policy, name, schema string) bool {
	return slices.ContainsFunc(policy.Allowed, func(a string) bool {
		return strings.EqualFold(a, name) || strings.EqualFold(a, schema+"."+name)
	})
}
