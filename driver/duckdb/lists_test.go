//go:build cgo && !no_duckdb

package duckdb

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sqbyl/sqbyl/internal/engine/db"
	dialect "github.com/sqbyl/sqbyl/internal/engine/dialect/duckdb"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
)

var update = flag.Bool("update", false, "rewrite the lists generated from the engine")

// denied are functions that the engine calls harmless, or that are random
// only, but that do more than compute on the rows.
var denied = words(`current_setting getvariable json_serialize_plan json_serialize_sql json_deserialize_sql
	parse_duckdb_log_message txid_current in_search_path vector_type create_sort_key combine finalize
	pg_conf_load_time pg_postmaster_start_time`)

// volatile are the functions that differ from call to call and still only
// compute.
var volatile = words(`random uuid uuidv4 gen_random_uuid`)

// grammatical are calls that the parser turns into something else.
var grammatical = []string{"construct_array", "grouping_id", "if", "ifnull", "percentile_cont", "percentile_disc", "try", "unnest", "unpack"}

// inFrom are the table functions that read nothing.
var inFrom = []string{"generate_series", "json_each", "json_tree", "range", "unnest"}

func TestFunctionListIsTheEngines(t *testing.T) {
	allowed := map[string]bool{}
	for _, name := range grammatical {
		allowed[name] = true
	}
	for _, row := range query(t, `SELECT function_name, bool_or(stability = 'VOLATILE') FROM duckdb_functions()
		WHERE function_type IN ('scalar', 'aggregate') GROUP BY 1`) {
		name := row[0].Raw()
		if !denied[name] && !strings.HasPrefix(name, "__internal") && (!row[1].Bool() || volatile[name]) {
			allowed[name] = true
		}
	}
	allowMacros(t, allowed)

	var b strings.Builder
	b.WriteString("# Functions of DuckDB that only compute. Generated from the engine; see the driver's tests.\n")
	for _, name := range sorted(allowed) {
		b.WriteString(name + "\n")
	}
	known := map[string]bool{}
	for _, row := range query(t, "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type = 'table'") {
		known[row[0].Raw()] = true
	}
	for _, name := range inFrom {
		if !known[name] {
			t.Errorf("the engine has no table function %s", name)
		}
		b.WriteString("table " + name + "\n")
	}
	same(t, "functions.txt", b.String())
}

// allowMacros adds the engine's own macros whose bodies call what is allowed
// and read no table.
func allowMacros(t *testing.T, allowed map[string]bool) {
	t.Helper()
	bodies := map[string][]string{}
	for _, row := range query(t, `SELECT function_name, macro_definition FROM duckdb_functions()
		WHERE function_type = 'macro' AND internal AND macro_definition IS NOT NULL`) {
		bodies[row[0].Raw()] = append(bodies[row[0].Raw()], row[1].Raw())
	}
	// error() stops the query, which a macro may do with a wrong argument.
	inBody := map[string]bool{"error": true}
	for name := range allowed {
		inBody[name] = true
	}
	policy := &guard.Policy{Rules: dialect.Dialect().Policy.Rules, Functions: inBody}
	for grown := true; grown; {
		grown = false
		for name, list := range bodies {
			clean := !allowed[name] && !denied[name]
			for _, body := range list {
				facts, err := Grammar().Examine(context.Background(), "SELECT ("+body+")", policy)
				clean = clean && err == nil && len(facts.Tables) == 0
			}
			if clean {
				allowed[name], inBody[name], grown = true, true, true
			}
		}
	}
}

func TestHiddenListIsTheEngines(t *testing.T) {
	var names []string
	for _, row := range query(t, `SELECT DISTINCT view_name FROM duckdb_views()
		WHERE internal AND schema_name <> 'information_schema' ORDER BY 1`) {
		names = append(names, row[0].Raw())
	}
	same(t, "hidden.txt", strings.Join(names, "\n")+"\n")
}

func TestKeywordListIsTheEngines(t *testing.T) {
	var names []string
	for _, row := range query(t, `SELECT DISTINCT keyword_name FROM duckdb_keywords()
		WHERE keyword_category <> 'unreserved' ORDER BY 1`) {
		names = append(names, row[0].Raw())
	}
	same(t, "keywords.txt", strings.Join(names, "\n")+"\n")
}

// query asks an engine in memory.
func query(t *testing.T, sql string) [][]db.Value {
	t.Helper()
	i := &instance{users: 1}
	if err := i.start(context.Background(), "", nil); err != nil {
		t.Fatal(err)
	}
	defer i.release()
	c, err := connect(i.handle, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.close(nil)
	result, err := c.own(context.Background(), db.OwnSQL(sql))
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return result.Rows
}

func same(t *testing.T, file, want string) {
	t.Helper()
	path := filepath.Join("..", "..", "internal", "engine", "dialect", "duckdb", file)
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	have, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != want {
		t.Errorf("%s is not what the engine has; run the test with -update and read the difference", file)
	}
}

func sorted(set map[string]bool) []string {
	var names []string
	for name := range set {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
