package guard

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
)

func checked(t *testing.T, sql string, p Policy) string {
	t.Helper()
	s, err := Check(context.Background(), sql, &p)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	if s.Written() != sql {
		t.Errorf("written %q became %q", sql, s.Written())
	}
	return s.SQL()
}

func TestLimitIsWritten(t *testing.T) {
	for _, c := range []struct{ dialect, sql, want string }{
		{"sqlite", "SELECT a FROM t", "SELECT a FROM t\nLIMIT 11"},
		{"sqlite", "SELECT a FROM t; ;", "SELECT a FROM t\nLIMIT 11"},
		{"sqlite", "SELECT a FROM t -- all of it", "SELECT a FROM t\nLIMIT 11"},
		{"sqlite", "SELECT a FROM t LIMIT 3", "SELECT a FROM t LIMIT 3"},
		{"sqlite", "SELECT a FROM t LIMIT 300 OFFSET 2", "SELECT a FROM t LIMIT 11 OFFSET 2"},
		{"sqlite", "SELECT a FROM t LIMIT 5, 10", "SELECT a FROM t LIMIT 5, 10"},
		{"sqlite", "SELECT a FROM t LIMIT 5, 1000", "SELECT a FROM t LIMIT 5, 11"},
		{"sqlite", "SELECT a FROM t LIMIT 2 * 500", "SELECT a FROM t LIMIT 2 * 500"},
		{"sqlite", "SELECT a FROM (SELECT b FROM t LIMIT 300)", "SELECT a FROM (SELECT b FROM t LIMIT 300)\nLIMIT 11"},
		{"sqlite", "SELECT 'LIMIT 5' FROM t /* LIMIT 5 */", "SELECT 'LIMIT 5' FROM t\nLIMIT 11"},
		{"sqlite", "SELECT a FROM t UNION SELECT b FROM u", "SELECT a FROM t UNION SELECT b FROM u\nLIMIT 11"},
		{"sqlite", "VALUES (1), (2)", "VALUES (1), (2)"},
		{"postgres", "VALUES (1), (2)", "VALUES (1), (2)\nLIMIT 11"},
		{"postgres", "SELECT a FROM t OFFSET 3", "SELECT a FROM t OFFSET 3\nLIMIT 11"},
		{"postgres", "SELECT a FROM t LIMIT ALL", "SELECT a FROM t LIMIT ALL"},
		{"postgres", "SELECT a FROM t FETCH FIRST 500 ROWS ONLY", "SELECT a FROM t FETCH FIRST 11 ROWS ONLY"},
		{"postgres", "SELECT t.limit FROM t", "SELECT t.limit FROM t\nLIMIT 11"},
		{"postgres", "(SELECT a FROM t LIMIT 300)", "(SELECT a FROM t LIMIT 300)\nLIMIT 11"},
		{"duckdb", "FROM t", "FROM t\nLIMIT 11"},
		{"duckdb", "SELECT a FROM t LIMIT 50%", "SELECT * FROM (\nSELECT a FROM t LIMIT 50%\n) LIMIT 11"},
		{"duckdb", "SELECT a FROM t LIMIT 10 * 1000000", "SELECT * FROM (\nSELECT a FROM t LIMIT 10 * 1000000\n) LIMIT 11"},
		{"duckdb", "SELECT a FROM t LIMIT 1_000", "SELECT a FROM t LIMIT 11"},
		{"duckdb", "DESCRIBE t", "DESCRIBE t"},
		{"mysql", "SELECT a FROM t LIMIT 99999999999999999999", "SELECT a FROM t LIMIT 11"},
		{"mysql", "SELECT a FROM t # it's", "SELECT a FROM t\nLIMIT 11"},
	} {
		p := *policies()[c.dialect]
		p.Limit = 11
		if got := checked(t, c.sql, p); got != c.want {
			t.Errorf("%s %q\n got %q\nwant %q", c.dialect, c.sql, got, c.want)
		}
	}
}

// places are the tokens that the test's clock takes for now.
var places = map[string]string{
	"now()": "T", "current_date": "D", "current_timestamp": "T", "current_timestamp(3)": "T3", "date()": "D",
	"datetime:'now'": "'N'", "date:'now'": "'N'", "strftime:'now'": "'N'", "date 'today'": "'D'", "timestamp 'now'": "'N'", "strftime('%Y')": "strftime('%Y', 'N')",
}

func TestClockIsFrozen(t *testing.T) {
	at := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	clock := func(token string, when time.Time) (string, bool) {
		if !when.Equal(at) {
			t.Errorf("asked for %v", when)
		}
		text, ok := places[token]
		return text, ok
	}
	for _, c := range []struct{ dialect, sql, want string }{
		{"postgres", "SELECT NOW(), now ( ) FROM t", "SELECT T, T FROM t"},
		{"postgres", "SELECT CURRENT_DATE - 1, Current_Timestamp(3), current_timestamp", "SELECT D - 1, T3, T"},
		{"postgres", "SELECT now, t.now, a.current_date, x AS current_date, \"current_date\" FROM t", "SELECT now, t.now, a.current_date, x AS current_date, \"current_date\" FROM t"},
		{"postgres", "SELECT 'now()', 'CURRENT_DATE' /* now() */ -- now()\n, now()", "SELECT 'now()', 'CURRENT_DATE' /* now() */ -- now()\n, T"},
		{"postgres", "SELECT date 'Today', 'today'::date, CAST('now' AS timestamp), 'today' FROM t", "SELECT date 'D', 'D'::date, CAST('N' AS timestamp), 'today' FROM t"},
		{"postgres", "SELECT date_trunc('month', now()) FROM t WHERE d = 'today'", "SELECT date_trunc('month', T) FROM t WHERE d = 'today'"},
		{"sqlite", "SELECT datetime('now', '-1 month'), date(), date('NOW'), lower('now'), 'now'", "SELECT datetime('N', '-1 month'), D, date('N'), lower('now'), 'now'"},
		{"sqlite", "SELECT strftime('%Y'), strftime('%Y', 'now') FROM t", "SELECT strftime('%Y', 'N'), strftime('%Y', 'N') FROM t"},
		{"sqlite", "SELECT (SELECT max(x) FROM t WHERE d < current_date) LIMIT 500", "SELECT (SELECT max(x) FROM t WHERE d < D) LIMIT 11"},
	} {
		p := *policies()[c.dialect]
		p.AsOf = &AsOf{Time: at, Literal: clock}
		want := c.want
		p.Limit = 11
		if !strings.Contains(c.sql, "LIMIT") {
			want += "\nLIMIT 11"
		}
		got := checked(t, c.sql, p)
		if got != want {
			t.Errorf("%s %q\n got %q\nwant %q", c.dialect, c.sql, got, want)
		}
		left, err := read(got, &p)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range left.now() {
			t.Errorf("%q: %q still means now", got, got[e.start:e.end])
		}
	}
}

func refusal(t *testing.T, sql string, p *Policy) *Refusal {
	t.Helper()
	_, err := Check(context.Background(), sql, p)
	var r *Refusal
	if !errors.As(err, &r) {
		t.Fatalf("%s: %v", sql, err)
	}
	return r
}

func TestUnknownTableNamesTheNearest(t *testing.T) {
	p := *policies()["postgres"]
	p.Known = NewKnown([]Name{{Schema: "public", Table: "orders"}, {Schema: "sales", Table: "customers"}}, nil)
	for sql, want := range map[string]string{
		"SELECT * FROM order":                         "the nearest table is orders",
		"SELECT * FROM orders o, sales.custmers":      "the nearest table is customers",
		"SELECT * FROM other.orders":                  "the nearest table is orders",
		"SELECT * FROM suppliers":                     "use the tables that the schema lists",
		"WITH a AS (SELECT 1) SELECT * FROM a, b_c_d": "use the tables that the schema lists",
	} {
		if r := refusal(t, sql, &p); r.Rule != "unknown_table" || r.Repair != want {
			t.Errorf("%s: %s: %s", sql, r.Rule, r.Repair)
		}
	}
	for _, sql := range []string{"SELECT * FROM ORDERS", "SELECT * FROM db.sales.customers", `SELECT * FROM "orders"`} {
		checked(t, sql, p)
	}
}

func TestSchemasAndFunctionsAreAllowedByTheProject(t *testing.T) {
	p := *policies()["postgres"]
	p.Schemas = []string{"public"}
	r := refusal(t, "SELECT a,\n  x FROM other.t", &p)
	if r.Rule != "schema" || !strings.Contains(r.Repair, "database.allow_schemas: [other]") || r.Position.Line != 2 || r.Position.Column != 10 || r.Position.Offset != 19 {
		t.Errorf("%+v", r)
	}
	r = refusal(t, "SELECT geo.area(x) FROM t", &p)
	if r.Rule != "qualified_function" || !strings.Contains(r.Repair, "database.allow_functions: [geo.area]") {
		t.Errorf("%+v", r)
	}
	p.Allowed, p.Schemas = []string{"geo.area", "cube_root", "series"}, []string{"public", "other"}
	checked(t, "SELECT Geo.Area(x), cube_root(y) FROM other.t, series(1) AS s", p)
	if r := refusal(t, "SELECT area(x) FROM t", &p); r.Rule != "function" {
		t.Errorf("%+v", r)
	}
	if r := refusal(t, "SELECT lowr(x) FROM t", &p); !strings.Contains(r.Repair, "lower()") {
		t.Errorf("%+v", r)
	}
}

func TestViewsCountAsWhatTheyRead(t *testing.T) {
	p := *policies()["sqlite"]
	bodies := map[Name]string{
		{Table: "good"}:    "CREATE VIEW good (a, b) AS SELECT x, y FROM t",
		{Table: "bad"}:     "CREATE TEMP VIEW \"bad\" AS SELECT load_extension(x) FROM t",
		{Table: "over"}:    "SELECT * FROM bad JOIN t",
		{Table: "above"}:   "CREATE VIEW above AS SELECT * FROM over",
		{Table: "hidden"}:  "SELECT sql FROM sqlite_schema",
		{Table: "broken"}:  "CREATE VIEW broken",
		{Table: "circle1"}: "SELECT * FROM circle2",
		{Table: "circle2"}: "SELECT * FROM circle1",
	}
	refused := CheckViews(context.Background(), bodies, &p)
	if len(refused) != 5 {
		t.Errorf("refused %v", refused)
	}
	var names []Name
	for n := range bodies {
		names = append(names, n)
	}
	p.Known = NewKnown(append(names, Name{Table: "t"}), refused)
	checked(t, "SELECT * FROM good, circle1, t", p)
	r := refusal(t, "SELECT * FROM good, Above", &p)
	if r.Rule != "view" || !strings.Contains(r.Message, "load_extension") || !strings.Contains(r.Repair, "allow_functions: [load_extension]") || r.Position.Column != 21 {
		t.Errorf("%+v", r)
	}
}

type fakeGrammar struct {
	facts Facts
	err   error
}

func (g fakeGrammar) Examine(context.Context, string, *Policy) (Facts, error) { return g.facts, g.err }

func TestGrammarIsAskedAndHeldToTheSameLists(t *testing.T) {
	p := *policies()["postgres"]
	for _, c := range []struct {
		g    fakeGrammar
		want string
	}{
		{fakeGrammar{facts: Facts{Tables: []Name{{Table: "t"}}, Functions: []string{"sum", "coalesce"}}}, ""},
		{fakeGrammar{facts: Facts{Tables: []Name{{Schema: "pg_catalog", Table: "x"}}}}, "grammar hidden_schema"},
		{fakeGrammar{facts: Facts{Functions: []string{"lo_put"}}}, "grammar function"},
		{fakeGrammar{err: &Refusal{Layer: LayerGrammar, Rule: "syntax"}}, "grammar syntax"},
		{fakeGrammar{err: errors.New("out of memory")}, "not a refusal"},
	} {
		p.Grammar = c.g
		_, err := Check(context.Background(), "SELECT sum(a) FROM t", &p)
		got := ""
		var r *Refusal
		switch {
		case errors.As(err, &r):
			got = fmt.Sprintf("%s %s", r.Layer, r.Rule)
		case err != nil:
			got = "not a refusal"
		}
		if got != c.want {
			t.Errorf("%+v: %q, want %q", c.g, got, c.want)
		}
	}
}

func TestNothingPassesWithoutAPolicy(t *testing.T) {
	for _, p := range []*Policy{nil, {}, {Rules: sqltext.SQLiteRules}} {
		if s, err := Check(context.Background(), "SELECT 1", p); err == nil || !s.IsZero() {
			t.Errorf("%+v: %v", p, err)
		}
	}
}
