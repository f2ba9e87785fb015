package postgres_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
	"github.com/sqbyl/sqbyl/internal/testkit/servers"
)

func TestValuesComeBackExactly(t *testing.T) {
	s := servers.Postgres(t)
	s.Exec(t, `CREATE TYPE mood AS ENUM ('sad', 'happy'); CREATE DOMAIN cents AS numeric(12, 2) CHECK (VALUE >= 0);
ALTER DATABASE `+s.Database+` SET timezone = 'Europe/Berlin';`)
	database := open(t, s.ReaderURL, driver.Options{})
	for _, c := range []struct {
		sql, json string
		kind      db.ValueKind
		typ       string
	}{
		{`9007199254740993::bigint`, `9007199254740993`, db.Int, "bigint"},
		{`0.1::numeric(20,10)`, `0.1000000000`, db.Decimal, "numeric"},
		{`12345678901234567890.000000000000000001`, `12345678901234567890.000000000000000001`, db.Decimal, "numeric"},
		{`'NaN'::numeric`, `{"$float":"nan"}`, db.Decimal, "numeric"},
		{`'-Infinity'::numeric`, `{"$float":"-inf"}`, db.Decimal, "numeric"},
		{`'NaN'::float8`, `{"$float":"nan"}`, db.Float, "double precision"},
		{`'-Infinity'::float8`, `{"$float":"-inf"}`, db.Float, "double precision"},
		{`0.1::float8 + 0.2::float8`, `0.30000000000000004`, db.Float, "double precision"},
		{`0.1::real`, `0.1`, db.Float, "real"},
		{`true`, `true`, db.Bool, "boolean"},
		{`NULL::int`, `null`, db.Null, "integer"},
		{`''`, `""`, db.Text, "text"},
		{`'happy'::mood`, `"happy"`, db.Text, "mood"},
		{`12.5::cents`, `12.50`, db.Decimal, "numeric"},
		{`'\xdeadbeef'::bytea`, `{"$blob":"deadbeef"}`, db.Blob, "bytea"},
		{`''::bytea`, `{"$blob":""}`, db.Blob, "bytea"},
		{`'2026-11-30'::date`, `"2026-11-30"`, db.Date, "date"},
		{`'infinity'::date`, `"infinity"`, db.Date, "date"},
		{`'0044-03-15 BC'::date`, `"0044-03-15 BC"`, db.Date, "date"},
		{`'24:00:00'::time`, `"24:00:00"`, db.Clock, "time without time zone"},
		{`'2026-11-30 09:05:00.25'::timestamp`, `"2026-11-30 09:05:00.25"`, db.Timestamp, "timestamp without time zone"},
		{`'2026-07-01 09:05:00.25+05:30'::timestamptz`, `"2026-07-01 03:35:00.25+00:00"`, db.TimestampTZ, "timestamp with time zone"},
		{`'2024-02-29 00:30:00+01'::timestamptz`, `"2024-02-28 23:30:00+00:00"`, db.TimestampTZ, "timestamp with time zone"},
		{`'12026-07-01 00:00:00+00'::timestamptz`, `"12026-07-01 00:00:00+00:00"`, db.TimestampTZ, "timestamp with time zone"},
		{`'1850-01-01 00:00:00'::timestamptz`, `"1849-12-31 23:06:32+00:00"`, db.TimestampTZ, "timestamp with time zone"},
		{`'infinity'::timestamptz`, `"infinity"`, db.TimestampTZ, "timestamp with time zone"},
		{`'1 year 2 days 03:04:05.6'::interval`, `"1 year 2 days 03:04:05.6"`, db.Interval, "interval"},
		{`'{"b": 12345678901234567890, "a": null}'::json`, `{"b":12345678901234567890,"a":null}`, db.JSON, "json"},
		{`'{"a":1.50}'::jsonb`, `{"a":1.50}`, db.JSON, "jsonb"},
		{`'00000000-0000-0000-0000-00000000000a'::uuid`, `"00000000-0000-0000-0000-00000000000a"`, db.Text, "uuid"},
		{`ARRAY[1, NULL, 3]`, `[1,null,3]`, db.List, "integer[]"},
		{`ARRAY[[1,2],[3,4]]`, `[[1,2],[3,4]]`, db.List, "integer[]"},
		{`ARRAY['a,b', 'c"d\', NULL, '', 'NULL', '{}']`, `["a,b","c\"d\\",null,"","NULL","{}"]`, db.List, "text[]"},
		{`'{}'::text[]`, `[]`, db.List, "text[]"},
		{`'[0:1]={5,6}'::int[]`, `[5,6]`, db.List, "integer[]"},
		{`ARRAY['happy'::mood]`, `["happy"]`, db.List, "mood[]"},
		{`ARRAY[1.5::cents]`, `[1.50]`, db.List, "cents[]"},
		{`ARRAY['\x01'::bytea]`, `[{"$blob":"01"}]`, db.List, "bytea[]"},
		{`numrange(1.5, 2.5)`, `"[1.5,2.5)"`, db.Text, "numrange"},
		{`ROW(1, 'x')`, `"(1,x)"`, db.Text, "record"},
		{`'10.0.0.1/8'::inet`, `"10.0.0.1/8"`, db.Text, "inet"},
		{`1234.5::money`, `"$1,234.50"`, db.Text, "money"},
		{`B'0101'`, `"0101"`, db.Text, "bit"},
		{`E'\u00e9\n'`, `"é\n"`, db.Text, "text"},
	} {
		result, err := query(t, database, "SELECT "+c.sql)
		if err != nil {
			t.Errorf("%s: %v", c.sql, err)
			continue
		}
		v := result.Rows[0][0]
		if got, err := json.Marshal(v); err != nil || string(got) != c.json {
			t.Errorf("%s = %s (%v), want %s", c.sql, got, err, c.json)
		}
		if v.Kind() != c.kind || result.Columns[0].Type != c.typ {
			t.Errorf("%s is %v of type %q, want %v of %q", c.sql, v.Kind(), result.Columns[0].Type, c.kind, c.typ)
		}
	}
}

func TestErrorsSayWhatAndWhere(t *testing.T) {
	s := servers.Postgres(t)
	s.Exec(t, `CREATE TABLE orders (order_id int PRIMARY KEY, status text, amount_cents int); CREATE SCHEMA other; CREATE TABLE other.invoices (id int);
CREATE TABLE secret (id int); REVOKE ALL ON secret FROM `+s.Reader+`;`)
	database := open(t, s.ReaderURL, driver.Options{})
	for _, c := range []struct {
		sql       string
		kind      db.ErrorKind
		name      string
		candidate string
		at        string // the text at the error's offset
	}{
		{`SELECT statu FROM orders`, db.ErrUnknownColumn, "statu", "status", "statu"},
		{`SELECT 'é', o.amount FROM orders o`, db.ErrUnknownColumn, "o.amount", "amount_cents", "o.amount"},
		{`SELECT * FROM order`, db.ErrUnknown, "", "", ""},
		{`SELECT * FROM orderz`, db.ErrUnknownTable, "orderz", "orders", "orderz"},
		{`SELECT * FROM invoices`, db.ErrUnknownTable, "invoices", "other.invoices", "invoices"},
		{`SELECT x.id FROM orders`, db.ErrUnknownTable, "x", "", "x.id"},
		{`SELECT lower(order_id) FROM orders`, db.ErrUnknownFunction, "lower", "", "lower"},
		{`SELECT status FROM orders a, orders b`, db.ErrAmbiguous, "status", "", "status"},
		{`SELECT 1 WHERE 'x'`, db.ErrType, "", "", "'x'"},
		{`SELECT status, count(*) FROM orders`, db.ErrType, "", "", "status"},
		{`SELECT 1/0`, db.ErrType, "", "", ""},
		{`SELECT * FROM secret`, db.ErrPermission, "secret", "", ""},
		{`SELECT 'a'::nope`, db.ErrType, "nope", "", "nope"},
	} {
		_, err := query(t, database, c.sql)
		var e *db.Error
		var refusal *guard.Refusal
		if c.kind == db.ErrUnknown {
			if !errors.As(err, &refusal) {
				t.Errorf("%s: %v, want a refusal", c.sql, err)
			}
			continue
		}
		if !errors.As(err, &e) {
			t.Errorf("%s: %v", c.sql, err)
			continue
		}
		if e.Kind != c.kind || e.Name != c.name || c.candidate != "" && !slices.Contains(e.Candidates, c.candidate) {
			t.Errorf("%s: %v %q %q %q (%s)", c.sql, e.Kind, e.Name, e.Candidates, e.Code, e.Message)
		}
		if c.at != "" && (e.Offset < 0 || !strings.HasPrefix(c.sql[e.Offset:], c.at)) {
			t.Errorf("%s: offset %d, want at %q", c.sql, e.Offset, c.at)
		}
	}
}

func TestSessionKeepsItsSnapshotThroughErrors(t *testing.T) {
	s := servers.Postgres(t)
	s.Exec(t, `CREATE TABLE n (i int); INSERT INTO n SELECT generate_series(1, 3000);`)
	database := open(t, s.ReaderURL, driver.Options{Connections: 1})
	session := begin(t, database)
	count := func(want string) {
		t.Helper()
		statement, err := check(t, database, "SELECT count(*) FROM n")
		if err != nil {
			t.Fatal(err)
		}
		result, err := session.Query(t.Context(), statement, db.Caps{})
		if err != nil || result.Rows[0][0].String() != want {
			t.Fatalf("count: %v, %v", result, err)
		}
	}
	count("3000")
	s.Exec(t, `INSERT INTO n VALUES (0);`)
	for _, sql := range []string{"SELECT 1/0", "SELECT i/(i-7) FROM n", "SELECT nope FROM n"} {
		statement, err := check(t, database, sql)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := session.Query(t.Context(), statement, db.Caps{}); err == nil {
			t.Fatalf("%s passed", sql)
		}
		count("3000")
	}
	if err := session.Close(); err != nil {
		t.Fatal(err)
	}
	session = begin(t, database)
	count("3001")
}

func TestCaps(t *testing.T) {
	s := servers.Postgres(t)
	database := open(t, s.ReaderURL, driver.Options{Connections: 1})
	session := begin(t, database)
	run := func(sql string, caps db.Caps) (*db.Result, error) {
		statement, err := check(t, database, sql)
		if err != nil {
			t.Fatal(err)
		}
		return session.Query(t.Context(), statement, caps)
	}
	for _, rows := range []int{1, 127, 128, 129, 1000, 25_000} {
		for _, n := range []int{rows - 1, rows, rows + 1} {
			result, err := run(fmt.Sprintf("SELECT i, i FROM generate_series(1, %d) i ORDER BY i", n), db.Caps{Rows: rows})
			if err != nil {
				t.Fatal(err)
			}
			want := db.Whole
			if n > rows {
				want = db.ByRows
			}
			if len(result.Rows) != min(n, rows) || result.Truncated != want || len(result.Columns) != 2 {
				t.Errorf("%d rows under a cap of %d: %d rows, %q, %v", n, rows, len(result.Rows), result.Truncated, result.Columns)
			}
			if k := len(result.Rows); k > 0 && result.Rows[k-1][0].Int() != int64(k) {
				t.Errorf("row %d is %v", k, result.Rows[k-1])
			}
		}
	}
	result, err := run("SELECT repeat('x', 1000) FROM generate_series(1, 100000)", db.Caps{Rows: 100_000, Bytes: 1 << 20})
	if err != nil || result.Truncated != db.ByBytes || len(result.Rows) < 900 || len(result.Rows) > 1100 {
		t.Errorf("cap on bytes: %d rows, %q, %v", len(result.Rows), result.Truncated, err)
	}
	_, err = run("SELECT count(*) FROM generate_series(1, 1000000000) a, generate_series(1, 1000) b", db.Caps{Time: 200 * time.Millisecond})
	wantKind(t, err, db.ErrTimeout)
	if result, err := run("SELECT 1", db.Caps{}); err != nil || len(result.Rows) != 1 {
		t.Errorf("after the time limit: %v", err)
	}
	_, err = run("SELECT repeat('x', 200000000)", db.Caps{})
	wantKind(t, err, db.ErrTooBig)
	if err := session.Close(); err != nil {
		t.Error(err)
	}
	if _, err := query(t, database, "SELECT 1"); err != nil {
		t.Errorf("after the long row: %v", err)
	}
}

func wantKind(t testing.TB, err error, kind db.ErrorKind) {
	t.Helper()
	var e *db.Error
	if !errors.As(err, &e) || e.Kind != kind {
		t.Errorf("%v, want %v", err, kind)
	}
}

func TestCancelReachesTheServer(t *testing.T) {
	s := servers.Postgres(t)
	database := open(t, s.ReaderURL, driver.Options{})
	session := begin(t, database)
	statement, err := check(t, database, "SELECT count(*) FROM generate_series(1, 1000000000) a, generate_series(1, 1000) b")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		_, err := session.Query(ctx, statement, db.Caps{Time: time.Minute})
		done <- err
	}()
	const running = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'FETCH%' AND state = 'active'"
	waitFor(t, func() bool { return strings.TrimSpace(s.Query(t, running)) == "1" })
	cancel()
	wantKind(t, <-done, db.ErrCanceled)
	if err := session.Close(); err != nil {
		t.Error(err)
	}
	waitFor(t, func() bool { return strings.TrimSpace(s.Query(t, running)) == "0" })
}

func waitFor(t testing.TB, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !ok(); {
		if time.Now().After(deadline) {
			t.Fatal("waited in vain")
		}
	}
}

func TestBoundParameters(t *testing.T) {
	s := servers.Postgres(t)
	database := open(t, s.ReaderURL, driver.Options{})
	policy := database.Dialect().Policy
	policy.Grammar = database.Grammar()
	statement, err := guard.CheckBound(t.Context(), "SELECT :day::date + 1, :name, :day FROM generate_series(1, 300) WHERE :n::int > 2", []string{"day", "name", "n"}, &policy)
	if err != nil {
		t.Fatal(err)
	}
	session := begin(t, database)
	if columns, err := session.Prepare(t.Context(), statement); err != nil || len(columns) != 3 {
		t.Fatalf("%v, %v", columns, err)
	}
	values := map[string]db.Value{"day": db.LiteralValue(db.Date, "2026-11-30"), "name": db.TextValue("x'; DROP TABLE t; --"), "n": db.IntValue(3)}
	var args []db.Value
	for _, name := range statement.Params() {
		args = append(args, values[name])
	}
	result, err := session.Query(t.Context(), statement, db.Caps{}, args...)
	if err != nil || len(result.Rows) != 300 || result.Rows[299][0].Raw() != "2026-12-01" || result.Rows[0][1].Raw() != "x'; DROP TABLE t; --" {
		t.Fatalf("%v, %v", result, err)
	}
	_, err = session.Query(t.Context(), statement, db.Caps{})
	wantKind(t, err, db.ErrType)
}

func TestAllowedFunctionsOfTheDatabase(t *testing.T) {
	s := servers.Postgres(t)
	s.Exec(t, `CREATE FUNCTION net(int) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT $1 * 4 / 5'; CREATE VIEW v AS SELECT net(10) AS n;
CREATE TYPE pair AS (a int); CREATE FUNCTION twice(pair) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT 2 * $1.a';`)
	database := open(t, s.ReaderURL, driver.Options{})
	for _, sql := range []string{"SELECT net(10)", "SELECT n FROM v", "SELECT (ROW(4)::pair).twice"} {
		for _, allowed := range [][]string{nil, {"net", "public.twice"}} {
			policy := database.Dialect().Policy
			policy.Grammar, policy.Allowed = database.Grammar(), allowed
			statement, err := guard.Check(t.Context(), sql, &policy)
			var result *db.Result
			if err == nil {
				session := begin(t, database)
				result, err = session.Query(t.Context(), statement, db.Caps{})
				_ = session.Close()
			}
			var refusal *guard.Refusal
			if allowed == nil && (!errors.As(err, &refusal) || !strings.Contains(refusal.Repair, "allow_functions")) {
				t.Errorf("%s: %v", sql, err)
			}
			if allowed != nil && (err != nil || result.Rows[0][0].Int() != 8) {
				t.Errorf("%s, allowed: %v, %v", sql, result, err)
			}
		}
	}
}

func TestHarmlessSpellingsPass(t *testing.T) {
	database := open(t, servers.Postgres(t).ReaderURL, driver.Options{})
	for sql, want := range map[string]string{
		"SELECT pg_typeof(1.5)": "numeric", "SELECT pg_catalog.pg_typeof(1.5)": "", "SELECT 1 OPERATOR(pg_catalog.+) 2": "3",
		"SELECT 1 FROM (SELECT 1 AS a) x WHERE a OPERATOR(pg_catalog.=) ANY (ARRAY[1])": "1",
	} {
		result, err := query(t, database, sql)
		if want != "" && (err != nil || result.Rows[0][0].String() != want) {
			t.Errorf("%s: %v, %v", sql, result, err)
		}
	}
	for _, sql := range []string{"SELECT 1 OPERATOR(public.+) 2", "SELECT operator(1)", `SELECT 1 OPERATOR("pg_catalog".@@@@) 2`, "SELECT (1).pg_sleep"} {
		if _, err := query(t, database, sql); err == nil {
			t.Errorf("%s passes", sql)
		}
	}
}

func TestLocksAndLimitsOfTheServer(t *testing.T) {
	s := servers.Postgres(t)
	s.Exec(t, "CREATE TABLE n (i int); ALTER ROLE "+s.Reader+" SET temp_file_limit = '1MB'; ALTER ROLE "+s.Reader+" SET work_mem = '64kB';")
	database := open(t, s.ReaderURL, driver.Options{})
	_, err := query(t, database, "SELECT i FROM generate_series(1, 1000000) AS s(i) ORDER BY -i")
	wantKind(t, err, db.ErrResource)
	pool, err := sql.Open("pgx", s.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = pool.Close() }()
	holder, err := pool.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := holder.Exec("LOCK TABLE n IN ACCESS EXCLUSIVE MODE"); err != nil {
		t.Fatal(err)
	}
	_, err = query(t, database, "SELECT * FROM n")
	wantKind(t, err, db.ErrLocked)
	if err := holder.Rollback(); err != nil {
		t.Fatal(err)
	}
	if _, err := query(t, database, "SELECT * FROM n"); err != nil {
		t.Error(err)
	}
}
