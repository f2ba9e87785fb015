//go:build cgo && !no_duckdb

package duckdb

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	dialect "github.com/sqbyl/sqbyl/internal/engine/dialect/duckdb"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
	"github.com/sqbyl/sqbyl/internal/testkit/conformance"
)

func TestFactsNameWhatAStatementUses(t *testing.T) {
	policy := newPolicy()
	for sql, want := range map[string]string{
		"SELECT Count(*), lower(a) FROM Main.Orders":                                      "main.orders; count lower",
		"WITH c AS (SELECT * FROM orders) SELECT * FROM c":                                "orders;",
		"WITH orders AS (SELECT * FROM orders) SELECT * FROM orders":                      "orders;",
		"WITH a AS (SELECT 1), b AS (SELECT * FROM a, later), later AS (SELECT 2) FROM b": "later;",
		"WITH RECURSIVE r AS (SELECT 1 UNION ALL SELECT * FROM r) SELECT * FROM r":        ";",
		"SELECT * FROM (WITH x AS (SELECT 1) SELECT * FROM x) y, x":                       "x;",
		"SELECT (WITH x AS (FROM t1) SELECT count(*) FROM x, s.x)":                        "t1 s.x; count",
		"DESCRIBE orders":                                                       "orders;",
		"SUMMARIZE SELECT upper(a) FROM orders":                                 "orders; upper",
		"SELECT * FROM range(3) r, t":                                           "t; range",
		"FROM a.b.c SELECT x::INTEGER + 1":                                      "a.b.c;",
		"PIVOT t ON c IN ('x', 'y') USING sum(v)":                               "t; sum",
		"SELECT a FROM t1 UNION ALL BY NAME (SELECT b FROM t2 ORDER BY abs(b))": "t1 t2; abs",
		"SELECT sum(x) OVER (PARTITION BY date_trunc('month', d)) FROM t QUALIFY rank() OVER (ORDER BY x) = 1": "t; sum date_trunc rank",
	} {
		facts, err := Grammar().Examine(context.Background(), sql, &policy)
		if err != nil {
			t.Errorf("%s: %v", sql, err)
			continue
		}
		var tables []string
		for _, n := range facts.Tables {
			tables = append(tables, n.String())
		}
		got := strings.TrimSpace(strings.Join(tables, " ") + "; " + strings.Join(facts.Functions, " "))
		if got != strings.TrimSpace(want) {
			t.Errorf("%s: %s, want %s", sql, got, want)
		}
	}
}

func TestRefusalsSayWhereAndWhatToDo(t *testing.T) {
	policy := newPolicy()
	for _, c := range []struct {
		sql, rule    string
		line, column int
		word         string
	}{
		{"SELECT 1,\n  read_text('x')", "function", 2, 3, "allow_functions: [read_text]"},
		{"PIVOT t ON c USING count(*)", "pivot_without_in", 1, 1, "IN ("},
		{"SELECT 1; SELECT 2", "second_statement", 1, 1, "one SELECT"},
		{"INSERT INTO t VALUES (1)", "not_a_query", 1, 1, "SELECT"},
		{"SELECT 1 +\n+ FROM", "syntax", 2, 3, ""},
		{"SELECT a.f(1)", "function", 1, 8, "a.f"},
		{"SELECT * FROM (SHOW TABLES)", "show", 1, 1, "DESCRIBE"},
	} {
		_, err := Grammar().Examine(context.Background(), c.sql, &policy)
		var r *guard.Refusal
		if !errors.As(err, &r) || r.Rule != c.rule || r.Position.Line != c.line || r.Position.Column != c.column || !strings.Contains(r.Repair, c.word) || r.Message == "" {
			t.Errorf("%q: %+v (%v)", c.sql, r, err)
		}
	}
}

func TestViewsAndMacrosCount(t *testing.T) {
	d := openTest(t, makeFile(t, shop+`
CREATE VIEW paid AS SELECT order_id, round(amount_cents / 100, 2) AS amount FROM orders WHERE status = 'confirmed';
CREATE VIEW best (id, "odd AS name") AS SELECT order_id, amount FROM paid ORDER BY amount DESC LIMIT 3;
CREATE MACRO cents(x) AS (x * 100)::INTEGER;
CREATE MACRO top_orders(n) AS TABLE SELECT * FROM paid ORDER BY amount DESC LIMIT n;
CREATE MACRO leak() AS TABLE SELECT * FROM read_csv('/etc/passwd');
CREATE MACRO round(x, n) AS x;
CREATE SCHEMA other; CREATE VIEW other.paid AS SELECT 1 AS x;`), driver.Options{})
	facts := mustCheck(t, d, `SELECT "odd AS name" FROM best`).Facts()
	names := map[string]bool{}
	for _, n := range facts.Tables {
		names[n.String()] = true
	}
	for _, f := range facts.Functions {
		names[f] = true
	}
	for _, want := range []string{"best", "paid", "orders", "round"} {
		if !names[want] {
			t.Errorf("facts lack %s: %v", want, facts)
		}
	}

	policy := d.Dialect().Policy
	policy.Grammar = d.Grammar()
	try := func(sql string, allow ...string) error {
		policy.Allowed = allow
		_, err := guard.Check(context.Background(), sql, &policy)
		return err
	}
	var refusal *guard.Refusal
	if err := try("SELECT cents(1.5)"); !errors.As(err, &refusal) || !strings.Contains(refusal.Repair, "allow_functions: [cents]") {
		t.Errorf("a macro that nobody allowed: %v", err)
	}
	if err := try("SELECT cents(1.5)", "cents"); err != nil {
		t.Errorf("an allowed macro: %v", err)
	}
	if err := try("SELECT * FROM top_orders(2)", "top_orders"); err != nil {
		t.Errorf("an allowed table macro: %v", err)
	}
	if err := try("SELECT * FROM leak()", "leak"); !errors.As(err, &refusal) || refusal.Rule != "through_macro" {
		t.Errorf("an allowed macro that reads a file: %v", err)
	}
	policy.Allowed, policy.Schemas = nil, []string{"other"}
	if _, err := guard.Check(context.Background(), "SELECT * FROM main.orders", &policy); err == nil {
		t.Error("a schema that the project does not have")
	}
}

// The engine calls some functions without their name in the text.
func TestMacrosInPlaceOfImplicitFunctions(t *testing.T) {
	for macro, sql := range map[string]string{
		"array_extract(a, b)":  "SELECT [1, 2][1]",
		"struct_extract(a, b)": "SELECT {'a': 1}.a",
		"current_user()":       "SELECT current_user",
		"list_value(a)":        "SELECT [1]",
		`"->"(a, b)`:           "SELECT meta -> 'n' FROM orders",
	} {
		d := openTest(t, makeFile(t, shop+"CREATE SEQUENCE s; CREATE MACRO "+macro+" AS (SELECT nextval('s'));"), driver.Options{})
		var refusal *guard.Refusal
		if _, err := check(d, sql); !errors.As(err, &refusal) || refusal.Rule != "through_macro" {
			t.Errorf("%s under a macro %s: %v", sql, macro, err)
		}
		_ = d.Close()
	}
}

// asOfStatements tell the time in all ways that the engine has.
var asOfStatements = []string{
	"SELECT now(), current_timestamp, get_current_timestamp(), transaction_timestamp()",
	"SELECT current_date, today(), current_date - INTERVAL 3 MONTH",
	"SELECT localtimestamp, current_localtimestamp(), localtime, current_localtime()",
	"SELECT current_time, get_current_time()",
	"SELECT age(created_at), age(DATE '2020-01-01'), ago(INTERVAL 1 DAY) FROM orders LIMIT 3",
	"SELECT count(*) FROM orders WHERE created_at >= date_trunc('month', now())",
	"SELECT * FROM recent ORDER BY 1",
	"SELECT date_diff('day', created_at, NOW()) FROM orders LIMIT 2",
	"SELECT 'now() and current_date' AS s, \"now\" FROM (SELECT 7 AS \"now\") /* today() */",
	"SELECT age(TIMESTAMP '2026-03-01', TIMESTAMP '2026-01-01')",
}

func TestAsOfFreezesTheClock(t *testing.T) {
	path := makeFile(t, shop+"CREATE VIEW recent AS SELECT order_id, now() - created_at AS old, current_date AS d FROM orders WHERE created_at > today() - INTERVAL 9 DAY;")
	at := time.Date(2026, 2, 10, 11, 12, 13, 0, time.UTC)
	d := openTest(t, path, driver.Options{AsOf: at})
	s := newSession(t, d)
	for _, sql := range asOfStatements {
		st := mustCheck(t, d, sql)
		result, err := s.Query(context.Background(), st, db.AnswerCaps)
		if err != nil {
			t.Errorf("%s: %v", sql, err)
			continue
		}
		if len(result.Rows) == 0 {
			t.Errorf("%s gives no row", sql)
		}
		year := time.Now().UTC().Format("2006-01-02")
		for _, row := range result.Rows {
			for _, v := range row {
				if strings.Contains(v.String(), year) {
					t.Errorf("%s tells the real time: %s", sql, v)
				}
			}
		}
	}
	for sql, want := range map[string]string{
		asOfStatements[0]: strings.Repeat("|2026-02-10 11:12:13+00:00", 4)[1:],
		asOfStatements[1]: "2026-02-10|2026-02-10|2025-11-10 00:00:00",
		asOfStatements[2]: "2026-02-10 11:12:13|2026-02-10 11:12:13|11:12:13|11:12:13",
		asOfStatements[3]: "11:12:13+00:00|11:12:13+00:00",
		"SELECT age(DATE '2020-01-01'), ago(INTERVAL 1 DAY)": "6 years 1 month 9 days|2026-02-09 11:12:13+00:00",
		"SELECT order_id, old, d FROM recent LIMIT 1":        "32|8 days 11:12:13|2026-02-10",
		"SELECT 'now() and current_date'":                    "now() and current_date",
	} {
		if got := rows(t, d, sql); got[0] != want {
			t.Errorf("%s: %s, want %s", sql, got[0], want)
		}
	}
	// What reaches around the session's clock does not pass.
	for _, sql := range []string{"SELECT system.main.now()", "SELECT main.now()", "SELECT uuid_extract_timestamp(uuidv7())"} {
		if _, err := check(d, sql); err == nil {
			t.Errorf("%s passes", sql)
		}
	}
	// Every function that tells the time stands among the frozen ones.
	for _, row := range query(t, `SELECT DISTINCT function_name FROM duckdb_functions()
		WHERE stability = 'CONSISTENT_WITHIN_QUERY' OR function_name LIKE '%current%time%' OR function_name LIKE '%local%time%'`) {
		name := row[0].Raw()
		if _, frozen := dialect.Now(name+"()", at); !frozen && policyAllows(name) && !strings.Contains(name, "schema") && !strings.Contains(name, "database") {
			t.Errorf("%s is allowed and not frozen", name)
		}
	}
}

func policyAllows(name string) bool { return dialect.Dialect().Policy.Functions[name] }

// The guard's edits, a limit and literals for now, leave statements that the
// engine takes and that mean the same.
func TestGuardEditsHold(t *testing.T) {
	path := makeFile(t, shop)
	at := time.Date(2026, 2, 10, 11, 12, 13, 0, time.UTC)
	frozen, live := openTest(t, path, driver.Options{AsOf: at}), openTest(t, path, driver.Options{})
	ask := func(d db.Database, sql string, asOf *guard.AsOf) string {
		t.Helper()
		policy := d.Dialect().Policy
		policy.Grammar, policy.Limit, policy.AsOf = d.Grammar(), 1000, asOf
		st, err := guard.Check(context.Background(), sql, &policy)
		if err != nil {
			t.Errorf("%s: %v", sql, err)
			return ""
		}
		s := newSession(t, d)
		defer func() { _ = s.Close() }()
		result, err := s.Query(context.Background(), st, db.AnswerCaps)
		if err != nil {
			t.Errorf("%s, sent as %s: %v", sql, st.SQL(), err)
			return ""
		}
		// Without ORDER BY the engine's threads decide on the order.
		lines := make([]string, len(result.Rows))
		for i, row := range result.Rows {
			lines[i] = fmt.Sprint(row)
		}
		slices.Sort(lines)
		return strings.Join(lines, "\n")
	}
	short := frozen.Dialect().Policy
	short.Limit = 5
	st, err := guard.Check(context.Background(), "SELECT * FROM orders ORDER BY 1 -- all", &short)
	if err != nil {
		t.Fatal(err)
	}
	if result, err := newSession(t, frozen).Query(context.Background(), st, db.AnswerCaps); err != nil || len(result.Rows) < 5 || len(result.Rows) > 6 {
		t.Errorf("%s: %v", st.SQL(), err)
	}
	edits := &guard.AsOf{Time: at, Literal: dialect.Now}
	for _, sql := range asOfStatements {
		if strings.Contains(sql, "recent") || strings.Contains(sql, "ago(") {
			continue // inside a view or a macro of the engine only the session's clock counts
		}
		if a, b := ask(frozen, sql, nil), ask(live, sql, edits); a != b {
			t.Errorf("%s: %s by the session's clock, %s by literals", sql, a, b)
		}
	}
	for _, c := range conformance.Cases(t, "ordinary.sql") {
		if slices.Contains(c.Tags, "duck") && c.Name != "sample" {
			if a, b := ask(frozen, c.SQL, nil), ask(live, c.SQL, edits); a != b {
				t.Errorf("%s: %s by the session's clock, %s by literals", c.SQL, a, b)
			}
		}
	}
}
