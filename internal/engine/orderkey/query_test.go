package orderkey

import (
	"strings"
	"testing"

	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
)

func TestKeyQueryKeepsTheGoldAndAddsItsKey(t *testing.T) {
	for _, c := range []struct {
		gold, columns string
		first, last   string // of the ways to write it; "" for an error
		offset, limit int    // the gold returned 3 rows
	}{
		{
			"SELECT name FROM t ORDER BY price DESC LIMIT 3;", "name",
			"SELECT name, price, DENSE_RANK() OVER (ORDER BY price DESC) AS order_rank_ FROM t ORDER BY price DESC",
			"SELECT name, price FROM t ORDER BY price DESC", 0, 3,
		},
		{
			"SELECT name n, sum(x) AS s FROM t GROUP BY 1 ORDER BY s DESC NULLS LAST, 1 LIMIT 3 OFFSET 2 -- end", "n s",
			"SELECT name n, sum(x) AS s, DENSE_RANK() OVER (ORDER BY sum(x) DESC NULLS LAST, name) AS order_rank_ FROM t GROUP BY 1 ORDER BY s DESC NULLS LAST, 1",
			"SELECT name n, sum(x) AS s FROM t GROUP BY 1 ORDER BY s DESC NULLS LAST, 1", 2, 3,
		},
		{
			"SELECT a AS p, b FROM t ORDER BY p / 2 FETCH FIRST 2 ROWS ONLY", "p b",
			"SELECT a AS p, b, p / 2, DENSE_RANK() OVER (ORDER BY p / 2) AS order_rank_ FROM t ORDER BY p / 2",
			"SELECT a AS p, b, (a) / 2 FROM t ORDER BY p / 2", 0, 3,
		},
		{
			"SELECT a FROM t UNION SELECT a FROM u ORDER BY a LIMIT 1, 4", "a",
			"WITH gold_(c1_) AS (SELECT a FROM t UNION SELECT a FROM u ORDER BY a) SELECT c1_, DENSE_RANK() OVER (ORDER BY c1_) AS order_rank_ FROM gold_ ORDER BY c1_",
			"SELECT a FROM t UNION SELECT a FROM u ORDER BY a", 1, 3,
		},
		{
			"SELECT DISTINCT a, b FROM t ORDER BY b", "a b",
			"WITH gold_(c1_, c2_) AS (SELECT DISTINCT a, b FROM t ORDER BY b) SELECT c1_, c2_, DENSE_RANK() OVER (ORDER BY c2_) AS order_rank_ FROM gold_ ORDER BY c2_",
			"SELECT DISTINCT a, b FROM t ORDER BY b", 0, -1,
		},
		{
			"SELECT a, b FROM t UNION SELECT a, b FROM u ORDER BY b COLLATE x DESC NULLS LAST, 1 COLLATE b, a LIMIT 2", "a b",
			"WITH gold_(c1_, c2_) AS (SELECT a, b FROM t UNION SELECT a, b FROM u ORDER BY b COLLATE x DESC NULLS LAST, 1 COLLATE b, a) SELECT c1_, c2_, c2_ COLLATE x, c1_ COLLATE b, " +
				"DENSE_RANK() OVER (ORDER BY c2_ COLLATE x DESC NULLS LAST, c1_ COLLATE b, c1_) AS order_rank_ FROM gold_ ORDER BY c2_ COLLATE x DESC NULLS LAST, c1_ COLLATE b, c1_",
			"", 0, 3,
		},
		{
			"SELECT DISTINCT t.a AS n, lower(b) FROM t ORDER BY length(t.a) + n", "n lower",
			"WITH gold_(c1_, c2_) AS (SELECT DISTINCT t.a AS n, lower(b) FROM t ORDER BY length(t.a) + n) SELECT c1_, c2_, length(c1_) + c1_, " +
				"DENSE_RANK() OVER (ORDER BY length(c1_) + c1_) AS order_rank_ FROM gold_ ORDER BY length(c1_) + c1_",
			"", 0, -1,
		},
		{"SELECT DISTINCT b AS a FROM t ORDER BY length(t.a)", "a", "", "", 0, 0},
		{"SELECT DISTINCT a FROM t ORDER BY a || \"b\"", "a", "", "", 0, 0},
		{"SELECT DISTINCT a FROM t ORDER BY (SELECT count(*) FROM u WHERE u.a = a)", "a", "", "", 0, 0},
		{"SELECT DISTINCT a FROM t ORDER BY random()", "a", "", "", 0, 0},
		{
			"WITH x AS (SELECT 1 AS a ORDER BY 1 LIMIT 1) SELECT *, a + 1 FROM x ORDER BY lower(b), a LIMIT ALL", "a b ?",
			"WITH x AS (SELECT 1 AS a ORDER BY 1 LIMIT 1) SELECT *, a + 1, lower(b) FROM x ORDER BY lower(b), a",
			"WITH x AS (SELECT 1 AS a ORDER BY 1 LIMIT 1) SELECT *, a + 1, lower(b) FROM x ORDER BY lower(b), a", 0, -1,
		},
		{
			"SELECT CASE WHEN a THEN 1 ELSE 2 END, t.b FROM t ORDER BY t . B OFFSET 3 ROWS", "case b",
			"SELECT CASE WHEN a THEN 1 ELSE 2 END, t.b, DENSE_RANK() OVER (ORDER BY t . B) AS order_rank_ FROM t ORDER BY t . B",
			"SELECT CASE WHEN a THEN 1 ELSE 2 END, t.b FROM t ORDER BY t . B", 3, -1,
		},
		{"SELECT DISTINCT a FROM t ORDER BY b", "a", "", "", 0, 0},
		{"SELECT a FROM t", "a", "", "", 0, 0},
		{"SELECT a FROM (SELECT a FROM t ORDER BY b) x", "a", "", "", 0, 0},
	} {
		var columns []db.Column
		for _, name := range strings.Fields(c.columns) {
			columns = append(columns, db.Column{Name: name})
		}
		q, err := New(c.gold, &sqltext.PostgresRules, &db.Result{Columns: columns, Rows: make([][]db.Value, 3)})
		if err != nil || c.first == "" {
			if (err == nil) != (c.first != "") {
				t.Errorf("%s: %v, %v", c.gold, q, err)
			}
			continue
		}
		if c.last == "" {
			c.last = c.first
		}
		if q.SQL[0] != c.first || q.SQL[len(q.SQL)-1] != c.last || q.offset != c.offset || q.limit != c.limit {
			t.Errorf("%s: offset %d, limit %d\n  %s\nwant %d, %d\n  %s\n  …\n  %s", c.gold, q.offset, q.limit, strings.Join(q.SQL, "\n  "), c.offset, c.limit, c.first, c.last)
		}
	}
}

func TestWindow(t *testing.T) {
	for tail, want := range map[string]struct {
		start         string
		offset, limit int
	}{
		"":                                       {"", 0, -1},
		"LIMIT ALL":                              {"", 0, -1},
		"LIMIT NULL OFFSET 2":                    {"", 2, -1},
		"OFFSET 2":                               {"", 2, -1},
		"OFFSET 2 ROW":                           {"", 2, -1},
		"LIMIT -1":                               {"", 0, 3},
		"LIMIT 18446744073709551615":             {"", 0, 3},
		"LIMIT 2+1":                              {"", 0, 3},
		"LIMIT (SELECT max(n, 2) FROM x)":        {"", 0, 3},
		"LIMIT 4 OFFSET 2":                       {"", 2, 3},
		"LIMIT 1_0 OFFSET 1_1":                   {"", 11, 3},
		"OFFSET 2 LIMIT 4":                       {"", 2, 3},
		"LIMIT 2, 4":                             {"", 2, 3},
		"LIMIT (SELECT f(1, 2)), 4":              {"WITH x AS (SELECT 1) SELECT ((SELECT f(1, 2)))", 0, 3},
		"LIMIT 4 OFFSET (SELECT n / 2)":          {"WITH x AS (SELECT 1) SELECT ((SELECT n / 2))", 0, 3},
		"OFFSET 1 + 1 LIMIT 4":                   {"WITH x AS (SELECT 1) SELECT (1 + 1)", 0, 3},
		"OFFSET :n ROWS FETCH NEXT :m ROWS ONLY": {"WITH x AS (SELECT 1) SELECT (:n)", 0, 3},
		"LIMIT 4 OFFSET -1":                      {"WITH x AS (SELECT 1) SELECT (-1)", 0, 3},
		"FETCH FIRST ROW ONLY":                   {"", 0, 3},
		"FETCH FIRST 4 ROWS WITH TIES":           {"", 0, 3},
		"FETCH FIRST (2 + 1) ROWS ONLY OFFSET 2": {"", 2, 3},
	} {
		for _, form := range []string{"WITH x AS (SELECT 1) SELECT a FROM t ORDER BY b %;", "WITH x AS (SELECT 1) SELECT a FROM t UNION SELECT b FROM u ORDER BY a % -- end"} {
			gold := strings.Replace(form, "%", tail, 1)
			q, err := New(gold, &sqltext.PostgresRules, &db.Result{Columns: []db.Column{{Name: "a"}}, Rows: make([][]db.Value, 3)})
			if err != nil {
				t.Errorf("%s: %v", gold, err)
				continue
			}
			if q.Start != want.start || q.offset != want.offset || q.limit != want.limit || strings.Contains(q.SQL[0], tail) && tail != "" {
				t.Errorf("%s: %q, offset %d, limit %d, want %+v\n  %s", gold, q.Start, q.offset, q.limit, want, q.SQL[0])
			}
		}
	}
	q, err := New("((SELECT a FROM t ORDER BY b OFFSET 1 + 1));", &sqltext.PostgresRules, &db.Result{Columns: []db.Column{{Name: "a"}}})
	if err != nil || q.Start != "SELECT (1 + 1)" || q.SQL[len(q.SQL)-1] != "SELECT a, b FROM t ORDER BY b" {
		t.Errorf("in brackets: %+v, %v", q, err)
	}
}

func TestOrderedMeansTheOutermostQuery(t *testing.T) {
	for sql, want := range map[string]bool{
		"SELECT a FROM t ORDER BY a":                         true,
		"(SELECT a FROM t ORDER BY a)":                       true,
		"SELECT a FROM t UNION SELECT b FROM u ORDER BY 1":   true,
		"SELECT a FROM (SELECT a FROM t ORDER BY a) x":       false,
		"SELECT 'order by a' FROM t -- order by a":           false,
		"SELECT row_number() OVER (ORDER BY a) FROM t":       false,
		"WITH x AS (SELECT a FROM t ORDER BY a) TABLE x":     false,
		"SELECT string_agg(a, ',' ORDER BY a) FROM t":        false,
		"SELECT a FROM t WHERE b = \"order by\" AND c = ' x": false,
	} {
		if got := Ordered(sql, &sqltext.PostgresRules); got != want {
			t.Errorf("%s: %v", sql, got)
		}
	}
}
