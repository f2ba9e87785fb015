package postgres_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
	"github.com/sqbyl/sqbyl/internal/testkit/servers"
)

const homemadeSetup = `CREATE FUNCTION total(int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'total ran'; END $$;
CREATE FUNCTION later(int, int DEFAULT 1) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'later ran'; END $$;
CREATE TYPE mood AS ENUM ('sad', 'happy');
CREATE FUNCTION mood_int(mood) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'cast ran'; END $$;
CREATE CAST (mood AS int) WITH FUNCTION mood_int(mood);
CREATE FUNCTION mood_plus(mood, int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'operator ran'; END $$;
CREATE OPERATOR + (FUNCTION = mood_plus, LEFTARG = mood, RIGHTARG = int);
CREATE OPERATOR >= (FUNCTION = mood_ge, LEFTARG = mood, RIGHTARG = int);
CREATE FUNCTION fits(int) RETURNS bool STRICT LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'check ran'; END $$;
CREATE DOMAIN domw AS int CHECK (fits(VALUE)); CREATE DOMAIN outer_domw AS domw; CREATE DOMAIN slow AS int CHECK (pg_sleep(0) IS NULL);
CREATE DOMAIN positive AS int CHECK (VALUE > 0 AND abs(VALUE) < 1000);
CREATE TABLE orders (id int, total int, mood mood, weight domw); INSERT INTO orders VALUES (1, 10, 'happy', NULL);
CREATE TABLE lists (items domw[]); CREATE TABLE plain (id int);
CREATE VIEW v_cast AS SELECT mood::int AS m FROM orders; CREATE VIEW v_domain AS SELECT id::domw AS w FROM orders;
CREATE VIEW v_operator AS SELECT mood + 1 AS m FROM orders; CREATE VIEW v_attribute AS SELECT (id).total FROM plain;`

func TestHomemadeCallsWithoutABracketAreRefused(t *testing.T) {
	s := servers.Postgres(t)
	s.Exec(t, strings.Replace(homemadeSetup, "CREATE OPERATOR >=", "CREATE FUNCTION mood_ge(mood, int) RETURNS bool LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'operator ran'; END $$; CREATE OPERATOR >=", 1))
	database := open(t, s.ReaderURL, driver.Options{})
	for _, sql := range []string{
		"SELECT (1).total", `SELECT (1)."total"`, "SELECT x.total FROM generate_series(1, 2) x", "SELECT x.later FROM generate_series(1, 2) x",
		"SELECT p.total FROM plain p, orders o", "SELECT orders.total FROM plain AS orders", "SELECT plain.total FROM plain, (WITH plain AS (SELECT 1 AS total) SELECT * FROM plain) y",
		"SELECT o.total FROM orders o(a, b)", "SELECT x.total FROM (SELECT * FROM plain) x",
		"SELECT x.total FROM (WITH orders AS (SELECT 1 AS y) SELECT * FROM orders) x", "WITH orders AS (SELECT 1 AS y), m AS (SELECT * FROM orders) SELECT m.total FROM m",
		"SELECT x.total FROM (SELECT * FROM orders o(a, b, c, d)) x", "SELECT x.total FROM (SELECT * FROM (orders JOIN plain USING (id)) AS j(a, b, c, d)) x", "SELECT x.total FROM orders o JOIN LATERAL (SELECT 1) x(y) ON true",
		"SELECT 'a'::mood::int", "SELECT CAST('sad'::mood AS integer)", "SELECT mood::int4 FROM orders", "SELECT ARRAY['sad'::mood]::int[]", "SELECT mood::positive FROM orders",
		"SELECT 1::domw", "SELECT '1'::domw", "SELECT domw '1'", "SELECT CAST(1 AS outer_domw)", "SELECT ARRAY[1]::domw[]", "SELECT (1).domw", "SELECT 1::slow",
		"SELECT * FROM jsonb_to_recordset('[{\"a\": 1}]') AS x(a domw)", "SELECT (jsonb_populate_record(NULL::orders, '{\"weight\": 1}')).weight",
		"SELECT jsonb_populate_record(o, '{\"weight\": 1}') FROM orders o", "SELECT ROW(1, 2, 'sad', 3)::orders", "SELECT items || '5' FROM lists",
		"SELECT 'sad'::mood + 1", "SELECT mood + 1 FROM orders", "SELECT m + 1 FROM (SELECT mood AS m FROM orders) x", "SELECT 1 FROM orders WHERE mood BETWEEN 1 AND 2",
		"SELECT * FROM v_cast", "SELECT * FROM v_domain", "SELECT * FROM v_operator", "SELECT * FROM v_attribute",
	} {
		_, err := query(t, database, sql)
		var refusal *guard.Refusal
		if !errors.As(err, &refusal) || !strings.Contains(refusal.Message+refusal.Repair, "allow_functions") {
			t.Errorf("%s: %v", sql, err)
		}
	}
	if database.Grammar() == nil {
		return // without it every x.f that may be a call is refused
	}
	for _, sql := range []string{
		"SELECT o.total, orders.total FROM orders o, orders", "SELECT public.orders.total FROM public.orders", "SELECT x.total FROM (SELECT total FROM orders) x",
		"WITH m AS (SELECT sum(id) AS total FROM orders) SELECT m.total FROM m", "SELECT x.total FROM plain x(total)", "WITH m AS (SELECT * FROM orders o JOIN plain p ON p.id = o.id) SELECT m.total FROM m",
		"SELECT x.total FROM (SELECT * FROM orders UNION SELECT * FROM orders) x", "SELECT x.total FROM (VALUES (1)) x(total)",
		"SELECT id::int + 1 FROM plain", "SELECT mood, weight FROM orders WHERE mood = 'happy'", "SELECT 1 + 1, '5'::int", "SELECT o.weight FROM orders o WHERE weight IS NULL",
		"SELECT 5::positive", "SELECT mood::text FROM orders", "SELECT count(*) AS orders FROM orders",
	} {
		if _, err := query(t, database, sql); err != nil {
			t.Errorf("%s: %v", sql, err)
		}
	}
}

func TestHomemadeCallsCanBeAllowed(t *testing.T) {
	s := servers.Postgres(t)
	s.Exec(t, `CREATE TYPE mood AS ENUM ('sad', 'happy');
CREATE FUNCTION mood_int(mood) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT CASE $1 WHEN ''sad'' THEN 1 ELSE 2 END'; CREATE CAST (mood AS int) WITH FUNCTION mood_int(mood);
CREATE FUNCTION twice(int) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT 2 * $1';
CREATE FUNCTION fits(int) RETURNS bool IMMUTABLE LANGUAGE sql AS 'SELECT $1 > 0'; CREATE DOMAIN fit AS int CHECK (fits(VALUE));
CREATE FUNCTION mood_plus(mood, int) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT $2 + 1'; CREATE OPERATOR + (FUNCTION = mood_plus, LEFTARG = mood, RIGHTARG = int);`)
	database := open(t, s.ReaderURL, driver.Options{})
	for sql, allow := range map[string]string{"SELECT 'happy'::mood::int": "mood_int", "SELECT (1).twice": "twice", "SELECT 2::fit": "fits", "SELECT 'happy'::mood + 1": "public.mood_plus"} {
		policy := database.Dialect().Policy
		policy.Grammar, policy.Allowed = database.Grammar(), []string{allow}
		statement, err := guard.Check(t.Context(), sql, &policy)
		if err != nil {
			t.Errorf("%s: %v", sql, err)
			continue
		}
		if result, err := begin(t, database).Query(t.Context(), statement, db.Caps{}); err != nil || result.Rows[0][0].Int() != 2 {
			t.Errorf("%s: %v, %v", sql, result, err)
		}
	}
}
