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
		offset, limit int
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
			"SELECT a AS p, b, (a) / 2 FROM t ORDER BY p / 2", 0, 2,
		},
		{
			"SELECT a FROM t UNION SELECT a FROM u ORDER BY a LIMIT 1, 4", "a",
			"SELECT a FROM t UNION SELECT a FROM u ORDER BY a", "SELECT a FROM t UNION SELECT a FROM u ORDER BY a", 1, 4,
		},
		{
			"SELECT DISTINCT a, b FROM t ORDER BY b", "a b",
			"SELECT DISTINCT a, b FROM t ORDER BY b", "SELECT DISTINCT a, b FROM t ORDER BY b", 0, -1,
		},
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
		{"SELECT a FROM t UNION SELECT a FROM u ORDER BY lower(a)", "a", "", "", 0, 0},
		{"SELECT a FROM t ORDER BY b LIMIT (SELECT 1)", "a", "", "", 0, 0},
		{"SELECT a FROM t ORDER BY b FETCH FIRST 2 ROWS WITH TIES", "a", "", "", 0, 0},
		{"SELECT a FROM t", "a", "", "", 0, 0},
		{"SELECT a FROM (SELECT a FROM t ORDER BY b) x", "a", "", "", 0, 0},
	} {
		var columns []db.Column
		for _, name := range strings.Fields(c.columns) {
			columns = append(columns, db.Column{Name: name})
		}
		q, err := New(c.gold, &sqltext.PostgresRules, columns)
		if err != nil || c.first == "" {
			if (err == nil) != (c.first != "") {
				t.Errorf("%s: %v, %v", c.gold, q, err)
			}
			continue
		}
		if q.SQL[0] != c.first || q.SQL[len(q.SQL)-1] != c.last || q.offset != c.offset || q.limit != c.limit {
			t.Errorf("%s: offset %d, limit %d\n  %s\nwant %d, %d\n  %s\n  …\n  %s", c.gold, q.offset, q.limit, strings.Join(q.SQL, "\n  "), c.offset, c.limit, c.first, c.last)
		}
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
