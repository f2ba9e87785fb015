//go:build cgo && !no_duckdb

package duckdb

import (
	"context"
	"testing"
	"unicode/utf8"

	duck "github.com/duckdb/duckdb-go-bindings"

	"github.com/sqbyl/sqbyl/internal/engine/guard"
	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
)

// FuzzLexerSeesWhatTheEngineSees holds the guard's own reading of a text
// against the engine's: never fewer statements, and in one that passes no
// table and no function that the guard did not see.
func FuzzLexerSeesWhatTheEngineSees(f *testing.F) {
	for _, sql := range attacks {
		if len(sql) < 400 {
			f.Add(sql)
		}
	}
	for _, sql := range []string{
		"SELECT 'it''s' || E'a\\'b' || $t$x;y$t$ FROM \"a;b\" -- c;\n; SELECT 2",
		"WITH a AS (SELECT 1), b AS MATERIALIZED (FROM a) SELECT * FROM b, c, LATERAL (SELECT * FROM d) x",
		"FROM t SELECT n: a, * EXCLUDE (b) REPLACE (c AS d) WHERE [x FOR x IN l IF x > 1] = {'k': 1}.k",
		"SELECT 1_000, 0x1F, #1, x[1:2], a.b.c, x::t, @y, 5!, /* a /* b */ c */ 1 --\r;SELECT 2",
		"PIVOT t ON c IN (1, 2) USING sum(x) GROUP BY y", "SUMMARIZE (FROM t)", "DESCRIBE t", "(SELECT 1) UNION (FROM t)",
		"SELECT sum(x) FILTER (WHERE y) OVER (PARTITION BY z) FROM t QUALIFY f(x) TABLESAMPLE 10%", "VALUES (f(1)), (2)",
		"SELECT U&'\\0041', X'00', B'01', e'\\\\', ''''", "SELECT \"f\"(1), g (2), h/**/(3), \"i\" (4)", "SELECT x.f(1), s.f(2)",
	} {
		f.Add(sql)
	}
	all, err := private()
	if err != nil {
		f.Fatal(err)
	}
	c, err := connect(all.instance.handle, nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { c.close(nil) })
	policy := newPolicy()
	lexer := policy
	lexer.Grammar = nil
	f.Fuzz(func(t *testing.T, sql string) {
		if len(sql) > 2000 || !utf8.ValidString(sql) {
			return
		}
		script := sqltext.Scan(sql, &policy.Rules)
		outline := script.Outline()
		// A PIVOT without values is several statements to the engine; a rule of
		// its own refuses it.
		sound := len(script.Faulty) == 0 && outline.Unbalanced < 0 && len(outline.Pivots) == 0
		if count := engineStatements(c, sql); sound && count > outline.Statements {
			t.Errorf("the engine reads %d statements, the lexer %d", count, outline.Statements)
		}
		st, err := guard.Check(context.Background(), sql, &lexer)
		if err != nil {
			return
		}
		found, err := Grammar().Examine(context.Background(), sql, &policy)
		if err != nil {
			return
		}
		for _, table := range found.Tables {
			// FROM (SHOW t) describes t; the lexer reads a table called show.
			if !hasTable(st.Facts().Tables, table.Table) && !hasTable(st.Facts().Tables, "show") {
				t.Errorf("the engine reads the table %v, the lexer only %v", table, st.Facts().Tables)
			}
		}
		for _, name := range found.Functions {
			if !has(st.Facts().Functions, name) && !sugar[name] {
				t.Errorf("the engine calls %s, the lexer sees only %v", name, st.Facts().Functions)
			}
		}
	})
}

// sugar are functions that the parser makes of operators, literals and
// keywords.
var sugar = words(`contains list_value struct_pack row map list_apply list_filter struct_extract date_part quantile_cont quantile_disc
	timezone regexp_full_match ltrim rtrim trim substring position overlay array_agg first count exclude subset unnest
	like_escape not_like_escape ilike_escape not_ilike_escape to_years to_months to_days to_hours to_minutes to_seconds
	to_milliseconds to_microseconds to_weeks to_decades to_centuries to_millennia to_quarters to_nanoseconds mode list array_slice`)

func engineStatements(c *conn, sql string) int {
	for i := range len(sql) {
		if sql[i] == 0 {
			return 0
		}
	}
	var extracted duck.ExtractedStatements
	count := duck.ExtractStatements(c.handle, sql, &extracted)
	duck.DestroyExtracted(&extracted)
	return int(count)
}

func has(list []string, s string) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return false
}

func hasTable(list []guard.Name, table string) bool {
	for _, l := range list {
		if l.Table == table {
			return true
		}
	}
	return false
}
