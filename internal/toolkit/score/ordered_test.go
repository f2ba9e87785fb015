package score

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/ncruces/go-sqlite3"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/compare"
	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// makeSQLite makes a database outside the product.
func makeSQLite(t *testing.T, path, script string) {
	t.Helper()
	native, err := sqlite3.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(native.Exec(script), native.Close()); err != nil {
		t.Fatal(err)
	}
}

// shop is a database whose order keys tie.
func shop(t *testing.T) *Runner {
	t.Helper()
	dir := t.TempDir()
	makeSQLite(t, filepath.Join(dir, "shop.sqlite"), `CREATE TABLE item (name TEXT, kind TEXT, price REAL, sold INTEGER);
		INSERT INTO item VALUES ('ant','a',3,10),('bee','a',2,10),('cat','b',2,10),('dog','b',2,7),('Eel','c',1,7),('eel','c',1,3),('fox','c',NULL,1)`)
	databases := InFolder(dir, driver.Options{})
	t.Cleanup(func() { _ = databases.Close() })
	return &Runner{Open: databases.Open}
}

func TestOrderCountsUpToTies(t *testing.T) {
	r := shop(t)
	rows := func(names string) string {
		sql := ""
		for i, name := range filepath.SplitList(names) {
			if i > 0 {
				sql += " UNION ALL "
			}
			sql += "SELECT '" + name + "' AS name"
		}
		return sql
	}
	for _, c := range []struct {
		name, gold, pred string
		strict, ordered  bool
		verdict          compare.Verdict
	}{
		{"no order asked", "SELECT name FROM item", "SELECT name FROM item ORDER BY name DESC", true, true, compare.Exact},
		{"order inside only", "SELECT name FROM (SELECT name FROM item ORDER BY price)", "SELECT name FROM item ORDER BY name DESC", true, true, compare.Exact},
		{"key not selected, within ties", "SELECT name FROM item WHERE price = 2 OR price = 3 ORDER BY price", rows("dog:cat:bee:ant"), true, true, compare.Exact},
		{"key not selected, across ties", "SELECT name FROM item WHERE price = 2 OR price = 3 ORDER BY price", rows("ant:dog:cat:bee"), true, false, compare.RowOrder},
		{"key descending", "SELECT name FROM item WHERE price = 2 OR price = 3 ORDER BY price DESC", rows("ant:dog:cat:bee"), true, true, compare.Exact},
		{"key by alias", "SELECT name, price AS p FROM item WHERE price IN (2, 3) ORDER BY p", "SELECT name, price FROM item WHERE price IN (2, 3) ORDER BY price, name DESC", true, true, compare.Exact},
		{"key by place", "SELECT name, price FROM item WHERE price IN (2, 3) ORDER BY 2", "SELECT name, price FROM item WHERE price IN (2, 3) ORDER BY price, name DESC", true, true, compare.Exact},
		{"key of an aggregate", "SELECT kind FROM item GROUP BY kind ORDER BY count(*)", rows("b:a:c"), true, true, compare.Exact},
		{"key of an aggregate, wrong", "SELECT kind FROM item GROUP BY kind ORDER BY count(*) DESC", rows("b:a:c"), true, false, compare.RowOrder},
		{"expression of an alias", "SELECT name, price AS p FROM item WHERE price IN (2, 3) ORDER BY p + 1", "SELECT name, price FROM item WHERE price IN (2, 3) ORDER BY price, name DESC", true, true, compare.Exact},
		{"two keys", "SELECT name FROM item ORDER BY sold DESC, price", rows("cat:bee:ant:Eel:dog:eel:fox"), true, true, compare.Exact},
		{"two keys, second broken", "SELECT name FROM item ORDER BY sold DESC, price", rows("ant:cat:bee:Eel:dog:eel:fox"), true, false, compare.RowOrder},
		{"collation ties", "SELECT name FROM item WHERE kind = 'c' ORDER BY name COLLATE NOCASE", rows("eel:Eel:fox"), true, true, compare.Exact},
		{"collation ties of a column", "SELECT name FROM item WHERE kind = 'c' ORDER BY lower(name)", rows("eel:Eel:fox"), true, true, compare.Exact},
		{"NULL keys", "SELECT name FROM item WHERE kind = 'c' ORDER BY price", rows("fox:eel:Eel"), true, true, compare.Exact},
		{"set operation", "SELECT name, sold FROM item WHERE kind = 'a' UNION ALL SELECT name, sold FROM item WHERE kind = 'b' ORDER BY sold", "SELECT name, sold FROM item WHERE kind IN ('a', 'b') ORDER BY sold, name DESC", true, true, compare.Exact},
		{"CTE", "WITH x AS (SELECT name, price FROM item) SELECT name FROM x WHERE price IN (2, 3) ORDER BY price", rows("dog:cat:bee:ant"), true, true, compare.Exact},
		{"limit cuts a tie", "SELECT name FROM item WHERE price IS NOT NULL ORDER BY price DESC LIMIT 2", rows("ant:dog"), false, true, compare.Ties},
		{"limit cuts a tie, not selected rows", "SELECT name FROM item WHERE price IS NOT NULL ORDER BY price DESC LIMIT 2", rows("ant:eel"), false, false, compare.Overlap},
		{"limit cuts a tie, same row twice", "SELECT name FROM item WHERE price IS NOT NULL ORDER BY price DESC LIMIT 3", rows("ant:dog:dog"), false, false, compare.Overlap},
		{"limit cuts a tie, too many", "SELECT name FROM item WHERE price IS NOT NULL ORDER BY price DESC LIMIT 2", rows("ant:dog:cat"), false, false, compare.Overlap},
		{"limit with offset", "SELECT name FROM item WHERE price IS NOT NULL ORDER BY price DESC LIMIT 2 OFFSET 1", rows("dog:cat"), false, true, compare.Ties},
		{"limit after comma", "SELECT name FROM item WHERE price IS NOT NULL ORDER BY price DESC LIMIT 1, 2", rows("dog:bee"), false, true, compare.Ties},
		{"limit cuts no tie", "SELECT name FROM item WHERE price IS NOT NULL ORDER BY price DESC LIMIT 4", rows("ant:dog:cat:bee"), true, true, compare.Exact},
		{"limit and a key that is selected", "SELECT name, sold FROM item ORDER BY sold DESC LIMIT 1", "SELECT 'cat', 10", false, true, compare.Ties},
		{"limit without order", "SELECT name FROM item LIMIT 1", "SELECT name FROM item ORDER BY name DESC LIMIT 1", false, false, compare.Disjoint},
		{"distinct with a key that is selected", "SELECT DISTINCT kind, sold FROM item WHERE kind < 'c' ORDER BY sold LIMIT 2", "SELECT 'b', 7 UNION ALL SELECT 'b', 10", false, true, compare.Ties},
		{"distinct with a collation", "SELECT DISTINCT name FROM item WHERE kind = 'c' ORDER BY name COLLATE NOCASE", rows("eel:Eel:fox"), true, true, compare.Exact},
		{"distinct with a collation, across ties", "SELECT DISTINCT name FROM item WHERE kind = 'c' ORDER BY name COLLATE NOCASE", rows("eel:fox:Eel"), true, false, compare.RowOrder},
		{"distinct with a function of a column", "SELECT DISTINCT name FROM item WHERE kind = 'c' ORDER BY lower(name) DESC LIMIT 2", rows("fox:eel"), false, true, compare.Ties},
		{"set operation with a collation", "SELECT name FROM item WHERE kind = 'c' UNION SELECT name FROM item WHERE kind = 'x' ORDER BY 1 COLLATE NOCASE LIMIT 1", rows("eel"), false, true, compare.Ties},
		{"set operation with a collation, another tie", "SELECT name FROM item WHERE kind = 'c' UNION SELECT name FROM item WHERE kind = 'x' ORDER BY name COLLATE NOCASE LIMIT 2", rows("eel:fox"), false, false, compare.Overlap},
		{"key with a star", "SELECT * FROM item WHERE kind < 'c' ORDER BY sold DESC LIMIT 1", "SELECT * FROM item WHERE name = 'cat'", false, true, compare.Ties},
	} {
		if c.pred == rows("dog:cat:bee:ant") && filepath.ListSeparator != ':' {
			t.Skip("lists are written with colons")
		}
		out := r.Score(context.Background(), Case{DB: "shop", Golds: []string{c.gold}}, c.pred)[0]
		if out.Rules.Strict != c.strict || out.Rules.Ordered != c.ordered || out.Verdict != c.verdict {
			t.Errorf("%s: strict %v, ordered %v, %s (%s); want %v, %v, %s", c.name, out.Rules.Strict, out.Rules.Ordered, out.Verdict, out.Difference, c.strict, c.ordered, c.verdict)
		}
		if out.Headline != (c.ordered) {
			t.Errorf("%s: headline %v, ordered %v", c.name, out.Headline, c.ordered)
		}
		if c.verdict == compare.Ties {
			t.Log(out.Difference)
		}
	}
}

func TestWhatIsNoQueryIsNeverRight(t *testing.T) {
	r := shop(t)
	gold := "SELECT name FROM item WHERE 0"
	for sql, want := range map[string]compare.Verdict{
		"":                           compare.NoSQL,
		" ":                          compare.NoSQL,
		"-- nothing":                 compare.NoSQL,
		"/* a */ ;":                  compare.NoSQL,
		"CREATE TEMP TABLE q(a)":     compare.Refused,
		"PRAGMA table_info(item)":    compare.Refused,
		"PRAGMA user_version":        compare.Refused,
		"SELECT 1 WHERE 0; SELECT 1": compare.Refused,
		"DELETE FROM item":           compare.Refused,
		"I am sorry.":                compare.Refused,
		"SELECT nope FROM nowhere":   compare.DidNotRun,
		"SELECT 1, 2 WHERE 0":        compare.ExtraColumns,
		"SELECT 'a' WHERE 0":         compare.Exact,
	} {
		out := r.Score(context.Background(), Case{DB: "shop", Golds: []string{gold}}, sql)[0]
		if out.Verdict != want {
			t.Errorf("%q: %s (%s), want %s", sql, out.Verdict, out.Difference, want)
		}
		if right := want == compare.ExtraColumns || want == compare.Exact; out.Rules.Bird != right {
			t.Errorf("%q: bird %v", sql, out.Rules.Bird)
		}
	}
}

func TestBrokenGoldAndMissingDatabaseChargeNobody(t *testing.T) {
	r := shop(t)
	r.Caps = db.Caps{Rows: 1000, Bytes: 1 << 20, Time: 30 * time.Second}
	for _, c := range []struct {
		db, gold string
		want     compare.Verdict
	}{
		{"shop", "SELECT nope FROM nowhere", compare.GoldBroken},
		{"shop", "DROP TABLE item", compare.GoldBroken},
		{"nowhere", "SELECT 1", compare.NotRun},
		{"../shop", "SELECT 1", compare.NotRun},
		{"shop", "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n LIMIT 1001) SELECT i FROM n", compare.NotRun},
		{"", "SELECT 1", compare.Exact},
	} {
		out := r.Score(context.Background(), Case{DB: c.db, Golds: []string{c.gold}}, "SELECT 1")[0]
		if out.Verdict != c.want || (out.Verdict == compare.Exact) != out.Headline {
			t.Errorf("%s: %s: %s (%s), want %s", c.db, c.gold, out.Verdict, out.Difference, c.want)
		}
	}
	out := r.Score(context.Background(), Case{DB: "shop", Golds: []string{"SELECT nope", "SELECT 2", "SELECT 1"}}, "SELECT 1")[0]
	if !out.Headline || out.Gold != 2 || out.Verdict != compare.Exact {
		t.Errorf("one of several golds: %+v", out)
	}
}

// The answer is to blame for a query that does not end; a gold that does not
// end is nobody's fault.
func TestTheTimeLimitIsTheAnswersFaultOnly(t *testing.T) {
	r := shop(t)
	r.Caps = db.Caps{Rows: 1000, Bytes: 1 << 20, Time: 2 * time.Second}
	endless := "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT COUNT(*) FROM n"
	for _, c := range []struct {
		gold, answer string
		want         compare.Verdict
	}{
		{"SELECT 1", endless, compare.DidNotRun},
		{endless, "SELECT 1", compare.NotRun},
	} {
		out := r.Score(context.Background(), Case{DB: "shop", Golds: []string{c.gold}}, c.answer)[0]
		if out.Verdict != c.want || out.Rules != (compare.Rules{}) || out.Headline {
			t.Errorf("%s, %s: %s (%s), want %s", c.gold, c.answer, out.Verdict, out.Difference, c.want)
		}
	}
}
