package guard

import (
	"fmt"
	"path"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
)

// syntaxFunctions are spelled like calls and are the grammar's own: no
// catalogue lists them and nobody can replace them. Names of types stand
// here too, for casts.
var syntaxFunctions = set(`cast try_cast extract substring trim overlay position coalesce nullif greatest least
	grouping row array normalize interval convert
	decimal numeric dec varchar character varying char nchar nvarchar varbinary binary float double real bit
	time timestamp timestamptz datetime date integer int bigint smallint tinyint text precision signed unsigned
	current_timestamp current_time localtime localtimestamp
	bernoulli system reservoir repeatable`)

// xmlFunctions are more of these where the rules have XMLSyntax; the tables
// among them stand in FROM.
var (
	xmlFunctions = set(`xmlattributes xmlconcat xmlelement xmlexists xmlforest xmlnamespaces xmlparse xmlpi xmlroot xmlserialize
		json_array json_arrayagg json_exists json_object json_objectagg json_query json_scalar json_serialize json_value`)
	xmlTables = set(`xmltable json_table`)
)

// syntax reports a call at token i that is the grammar's own.
func (c *checker) syntax(i int, name string) bool {
	if c.Tokens[i].Kind != sqltext.Word {
		return false
	}
	return c.policy.syntax(name) || name == "of" && c.IsKind(i-1, sqltext.Word) && strings.EqualFold(c.Text(i-1), "member")
}

func (p *Policy) syntax(name string) bool {
	return syntaxFunctions[name] || p.Rules.XMLSyntax && xmlFunctions[name]
}

// keywordCalls are the functions that are keywords only directly before their
// bracket, where Rules.SpaceUnbuilds holds.
var keywordCalls = set(`adddate bit_and bit_or bit_xor cast count curdate curtime date_add date_sub extract group_concat
	json_arrayagg json_objectagg max mid min now position session_user std stddev stddev_pop stddev_samp st_collect
	subdate substr substring sum sysdate system_user trim variance var_pop var_samp`)

func set(words string) map[string]bool {
	m := make(map[string]bool)
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// names is the layer of function and table lists.
func (c *checker) names() (Facts, error) {
	var f Facts
	for _, call := range c.outline.Calls {
		if r := c.call(call, &f); r != nil {
			return Facts{}, r
		}
	}
	if r := c.attributes(); r != nil {
		return Facts{}, r
	}
	for _, rel := range c.outline.Relations {
		if r := c.relation(rel, &f); r != nil {
			return Facts{}, r
		}
	}
	return f, nil
}

func (c *checker) call(call sqltext.Call, f *Facts) *Refusal {
	if call.First != call.At {
		return c.qualifiedCall(call, f)
	}
	name := c.functionName(call.At)
	if name == "operator" && c.builtInOperator(call.At) {
		return nil
	}
	if r := c.unbuilt(call.At, name); r != nil {
		return r
	}
	if !c.policy.allowsFunction(name) {
		if c.syntax(call.At, name) {
			return nil
		}
		return place(c.SQL, c.policy.unknownFunction(name, c.policy.Functions), c.offset(call.At))
	}
	c.addFunction(f, name)
	return nil
}

// builtInOperator reports OPERATOR(pg_catalog.+) at token i.
func (c *checker) builtInOperator(i int) bool {
	return c.policy.Rules.AttributeCalls && c.Tokens[i].Kind == sqltext.Word && c.IsKind(i+2, sqltext.Word) && c.functionName(i+2) == "pg_catalog" &&
		c.IsKind(i+3, sqltext.Dot) && c.IsKind(i+4, sqltext.Operator) && c.Is(i+5, ")") && c.operator(i+4) == nil
}

// unbuilt refuses a call that looks like the engine's function and is not.
func (c *checker) unbuilt(at int, name string) *Refusal {
	if !c.policy.Rules.SpaceUnbuilds || c.policy.listed(name) {
		return nil
	}
	quoted := c.Tokens[at].Kind == sqltext.Name
	if !quoted && (!keywordCalls[name] || c.Tokens[at].End == c.Tokens[at+1].Start) {
		return nil
	}
	r := c.refuse(LayerFunction, "function_spelling", at, fmt.Sprintf("%s written like this may call a function that somebody made", clip(c.Text(at))),
		fmt.Sprintf("write %s( without quotes and without a space", strings.ToUpper(name)))
	r.Names = []string{name}
	return r
}

// qualifiedCall lets through what the project allows by its full name, and
// x.f() where that is f(x).
func (c *checker) qualifiedCall(call sqltext.Call, f *Facts) *Refusal {
	full := c.qualified(call.First, call.At)
	if c.policy.listed(full) {
		c.addFunction(f, full)
		return nil
	}
	r := &Refusal{
		Layer: LayerFunction, Rule: "qualified_function", Names: []string{full},
		Message: fmt.Sprintf("%s() is a function with a schema, which may do anything", full),
		Repair:  fmt.Sprintf("call a function of the engine without a schema; if this one only computes, allow it in sqbyl.yaml: database.allow_functions: [%s]", full),
	}
	return place(c.SQL, r, c.offset(call.First))
}

func (c *checker) qualified(first, last int) string {
	parts := make([]string, 0, 3)
	for i := first; i <= last; i += 2 {
		parts = append(parts, c.functionName(i))
	}
	return strings.Join(parts, ".")
}

// functionName is the name as the lists spell it. A quoted name keeps its
// case where that tells names apart, so that "LOWER" is not lower.
func (c *checker) functionName(i int) string {
	if c.Tokens[i].Kind == sqltext.Name {
		name := sqltext.Unquote(c.Text(i))
		if c.policy.Rules.NamesFold {
			return strings.ToLower(name)
		}
		return name
	}
	return strings.ToLower(c.Text(i))
}

// allowsFunction reports a function that may be called anywhere but in FROM.
func (p *Policy) allowsFunction(name string) bool { return p.Functions[name] || p.listed(name) }

// listed reports a function that the project allows.
func (p *Policy) listed(name string) bool {
	for _, a := range p.Allowed {
		if strings.EqualFold(a, name) {
			return true
		}
	}
	return false
}

func (p *Policy) unknownFunction(name string, known map[string]bool) *Refusal {
	repair := fmt.Sprintf("if it only computes, allow it in sqbyl.yaml: database.allow_functions: [%s]", name)
	candidates := make([]string, 0, len(known))
	for k := range known {
		candidates = append(candidates, k)
	}
	if near := sqltext.Nearest(name, candidates); near != "" {
		repair = fmt.Sprintf("the nearest allowed function is %s(); %s", near, repair)
	}
	return &Refusal{
		Layer: LayerFunction, Rule: "function", Names: []string{name},
		Message: fmt.Sprintf("%s is not on the list of functions that only compute", clip(name)),
		Repair:  repair,
	}
}

func (c *checker) relation(rel sqltext.Relation, f *Facts) *Refusal {
	switch rel.Kind {
	case sqltext.TableText:
		if c.policy.Rules.TextTables && !c.IsKind(rel.First+1, sqltext.Dot) {
			break
		}
		return c.refuse(LayerTable, "file_table", rel.First, fmt.Sprintf("%s is a text where a table is expected: it would read a file", clip(c.Text(rel.First))),
			"name a table of the database")
	case sqltext.TableFunction:
		return c.tableFunction(rel, f)
	}
	if rel.Parts > 3 {
		return c.refuse(LayerTable, "name", rel.First, "a table's name has at most three parts", "write schema.table")
	}
	name := c.tableName(rel)
	if r := c.policy.checkTable(name); r != nil {
		return place(c.SQL, r, c.offset(rel.First))
	}
	c.addTable(f, name)
	return nil
}

func (c *checker) tableFunction(rel sqltext.Relation, f *Facts) *Refusal {
	last := rel.First + 2*(rel.Parts-1)
	name := c.qualified(rel.First, last)
	if rel.Parts == 1 && c.policy.Rules.XMLSyntax && xmlTables[name] && c.Tokens[last].Kind == sqltext.Word {
		return nil
	}
	if !c.policy.listed(name) && (rel.Parts > 1 || !c.policy.TableFunctions[name]) {
		r := c.policy.unknownFunction(name, c.policy.TableFunctions)
		r.Rule, r.Message = "table_function", fmt.Sprintf("%s() in FROM is not on the list of table functions that only compute", clip(name))
		return place(c.SQL, r, c.offset(rel.First))
	}
	c.addFunction(f, name)
	return nil
}

func (c *checker) tableName(rel sqltext.Relation) Name {
	last := rel.First + 2*(rel.Parts-1)
	n := Name{Table: c.Name(last)}
	if rel.Kind == sqltext.TableText {
		n.Table = c.policy.Rules.Fold(sqltext.Unquote(c.Text(last)), true)
	}
	if rel.Parts > 1 {
		n.Schema = c.Name(last - 2)
	}
	if rel.Parts > 2 {
		n.Catalog = c.Name(last - 4)
	}
	return n
}

// checkTable holds a table against the hidden and the allowed ones.
func (p *Policy) checkTable(n Name) *Refusal {
	for _, part := range []string{n.Catalog, n.Schema} {
		if part == "" {
			continue
		}
		for _, h := range p.HiddenSchemas {
			if strings.EqualFold(part, h) {
				return &Refusal{
					Layer: LayerTable, Rule: "hidden_schema", Names: []string{n.String()},
					Message: fmt.Sprintf("%s belongs to the engine's own catalogue, which model SQL may not read", n),
					Repair:  "use the tables that the schema lists",
				}
			}
		}
	}
	if p.hiddenName(n.Table) {
		return &Refusal{
			Layer: LayerTable, Rule: "hidden_table", Names: []string{n.String()},
			Message: fmt.Sprintf("%s belongs to the engine's own catalogue, which model SQL may not read", n),
			Repair:  "use the tables that the schema lists",
		}
	}
	if n.Schema != "" && p.Schemas != nil && !containsFold(p.Schemas, n.Schema) {
		return &Refusal{
			Layer: LayerTable, Rule: "schema", Names: []string{n.Schema},
			Message: fmt.Sprintf("the schema %s is not one of the project's", n.Schema),
			Repair:  fmt.Sprintf("use a table of %s, or allow it in sqbyl.yaml: database.allow_schemas: [%s]", strings.Join(p.Schemas, ", "), n.Schema),
		}
	}
	if p.Known != nil {
		if n.Schema == "" && p.Virtual != nil && p.Virtual(n.Table) {
			return nil
		}
		return p.Known.check(n)
	}
	if p.Rules.FileTables && looksLikeFile(n) {
		return &Refusal{
			Layer: LayerTable, Rule: "file_table", Names: []string{n.String()},
			Message: fmt.Sprintf("%s would read a file", n),
			Repair:  "name a table of the database",
		}
	}
	return nil
}

func looksLikeFile(n Name) bool {
	full := n.String()
	if strings.ContainsAny(full, `/\*?`) || strings.Contains(full, "://") {
		return true
	}
	switch strings.ToLower(path.Ext(full)) {
	case ".csv", ".tsv", ".txt", ".parquet", ".json", ".jsonl", ".ndjson", ".gz", ".zst", ".xlsx", ".arrow", ".arrows", ".avro", ".db", ".duckdb":
		return true
	}
	return false
}

func containsFold(list []string, s string) bool {
	for _, l := range list {
		if strings.EqualFold(l, s) {
			return true
		}
	}
	return false
}

// addFunction and addTable keep the order of appearance without repeats.
func (c *checker) addFunction(f *Facts, name string) {
	if c.functions == nil {
		c.functions = make(map[string]bool)
	}
	if !c.functions[name] {
		c.functions[name] = true
		f.Functions = append(f.Functions, name)
	}
}

func (c *checker) addTable(f *Facts, name Name) {
	if c.tables == nil {
		c.tables = make(map[Name]bool)
	}
	if !c.tables[name] {
		c.tables[name] = true
		f.Tables = append(f.Tables, name)
	}
}

// String is the name as it would be written, without quotes.
func (n Name) String() string {
	s := n.Table
	if n.Schema != "" {
		s = n.Schema + "." + s
	}
	if n.Catalog != "" {
		s = n.Catalog + "." + s
	}
	return s
}

// locate finds where a name the grammar told stands in the text.
func (c *checker) locate(r *Refusal, name string) *Refusal {
	for i, t := range c.Tokens {
		if t.Kind <= sqltext.Name && strings.EqualFold(sqltext.Unquote(c.Text(i)), name) {
			return place(c.SQL, r, int(t.Start))
		}
	}
	return place(c.SQL, r, 0)
}
