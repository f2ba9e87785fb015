package postgres_test

import (
	"fmt"
	"testing"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/testkit/conformance"
	"github.com/sqbyl/sqbyl/internal/testkit/servers"
)

func TestConformance(t *testing.T) {
	t.Run("reader", func(t *testing.T) { conformance.Run(t, target(false)) })
	// The layers in front of the credential's rights hold on their own.
	t.Run("superuser", func(t *testing.T) { conformance.Run(t, target(true)) })
}

func target(super bool) conformance.Target {
	return conformance.Target{
		New:        func(t testing.TB) conformance.Instance { return instance(t, super) },
		Types:      conformance.Types{JSON: "JSONB", Timestamp: "TIMESTAMP", Blob: "BYTEA", Generated: "STORED"},
		Comments:   "COMMENT ON TABLE customers IS 'people who buy'; COMMENT ON COLUMN customers.region IS 'sales region';",
		MaxQueries: 4,
		Errors: []conformance.ErrorCase{
			{SQL: "SELECT region + 1 FROM customers", Kind: db.ErrUnknownFunction},
			{SQL: "SELECT lower(customer_id) FROM customers", Kind: db.ErrUnknownFunction, Name: "lower"},
			{SQL: "SELECT CAST('x' AS integer)", Kind: db.ErrType},
			{SQL: "SELECT region, count(*) FROM customers", Kind: db.ErrType},
			{SQL: "SELECT length(repeat('x', 2000000000))", Kind: db.ErrResource},
		},
		Series:   func(n int) string { return fmt.Sprintf("SELECT i FROM generate_series(1, %d) AS s(i) ORDER BY i", n) },
		Slow:     "SELECT count(*) FROM generate_series(1, 1000000000) a, generate_series(1, 1000) b",
		Snapshot: true,
		Dirty: []conformance.DirtyCase{
			{SQL: "SELECT set_config('statement_timeout', '1', false)", Allow: []string{"set_config", "current_setting"}, Check: "SELECT current_setting('statement_timeout')", Want: "30s"},
			{SQL: "SELECT set_config('transaction_read_only', 'off', false)", Allow: []string{"set_config", "current_setting"}, Check: "SELECT current_setting('transaction_read_only')", Want: "on"},
			{SQL: "SELECT set_config('search_path', 'pg_catalog', false)", Allow: []string{"set_config", "current_setting"}, Check: "SELECT current_setting('search_path')", Want: "public, pg_temp"},
			{SQL: "SELECT pg_advisory_lock(7)", Allow: []string{"pg_advisory_lock", "pg_advisory_unlock"}, Check: "SELECT pg_advisory_unlock(7)", Want: "false"},
		},
		Attacks:     "postgres.sql",
		AttackSetup: attackSetup,
		More:        attacks,
		Ordinary:    "pg",
	}
}

func instance(t testing.TB, super bool) conformance.Instance {
	s := servers.Postgres(t)
	url := s.ReaderURL
	if super {
		url = s.URL
	}
	return conformance.Instance{
		Open:  func(t testing.TB, o driver.Options) db.Database { return open(t, url, o) },
		Exec:  func(t testing.TB, sql string) { s.Exec(t, sql) },
		State: func(t testing.TB) string { return s.Query(t, state) },
	}
}

// state is what a statement might change: rows, objects, sequences, roles,
// settings, locks, files of the server's own, other sessions.
const state = `SELECT c.oid::regclass, md5(query_to_xml(format('SELECT * FROM %s', c.oid::regclass), true, false, '')::text)
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'S') AND n.nspname !~ '^(pg_|information)' ORDER BY 1;
SELECT 'relations', count(*), md5(string_agg(relname || relkind::text || coalesce(relacl::text, ''), ',' ORDER BY oid)) FROM pg_class;
SELECT 'functions', count(*) FROM pg_proc; SELECT 'types', count(*) FROM pg_type;
SELECT 'roles', md5(string_agg(r::text, ',' ORDER BY rolname)) FROM pg_roles r;
SELECT 'databases', md5(string_agg(datname || coalesce(datacl::text, ''), ',' ORDER BY datname)) FROM pg_database;
SELECT 'settings', md5(string_agg(name || setting, ',' ORDER BY name)) FROM pg_settings WHERE name !~ 'application_name|transaction_|in_hot_standby';
SELECT 'role settings', md5(string_agg(s::text, ',' ORDER BY setdatabase, setrole)) FROM pg_db_role_setting s;
SELECT 'loaded', pg_conf_load_time(), pg_postmaster_start_time();
SELECT 'large objects', count(*) FROM pg_largeobject_metadata; SELECT 'slots', count(*) FROM pg_replication_slots;
SELECT 'locks', count(*) FROM pg_locks WHERE locktype IN ('advisory', 'object') AND mode <> 'AccessShareLock';
SELECT 'prepared', count(*) FROM pg_prepared_xacts; SELECT 'files', count(*) FROM pg_ls_dir('.');
SELECT 'log files', count(*) FROM pg_ls_dir('log', true, false);
`

// attackSetup makes what attacks aim at, also ways around a list of names:
// views, operators, functions by attribute, overloads of built-in names.
const attackSetup = `CREATE TABLE t (id int); INSERT INTO t VALUES (1), (2); CREATE TABLE t2 (id int); CREATE SEQUENCE s;
CREATE EXTENSION dblink; CREATE SCHEMA hidden; CREATE TABLE hidden.h (x int);
CREATE FUNCTION f_write() RETURNS int LANGUAGE sql SECURITY DEFINER AS 'INSERT INTO t2 VALUES (99) RETURNING id';
CREATE PROCEDURE p_write() LANGUAGE sql AS 'INSERT INTO t2 VALUES (98)';
CREATE FUNCTION sneaky(text) RETURNS text STABLE LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_lock(3); RETURN pg_read_file('/etc/hostname'); END $$;
CREATE FUNCTION lower(int) RETURNS int VOLATILE LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_lock(4); RETURN 1; END $$;
CREATE TYPE ct AS (name text);
CREATE FUNCTION slurp(ct) RETURNS text LANGUAGE sql AS $$ SELECT sneaky($1.name) $$;
CREATE OPERATOR @@@! (FUNCTION = sneaky, RIGHTARG = text);
CREATE OPERATOR === (FUNCTION = texteq, LEFTARG = text, RIGHTARG = text);
CREATE AGGREGATE bad_sum(int) (SFUNC = int4pl, STYPE = int);
CREATE VIEW v_lock AS SELECT pg_try_advisory_lock(5) AS x;
CREATE VIEW v_conf AS SELECT set_config('work_mem', '64kB', false) AS x;
CREATE VIEW v_activity AS SELECT usename FROM pg_stat_activity;
CREATE VIEW v_sneaky AS SELECT sneaky('a') AS x FROM t;
CREATE VIEW v_operator AS SELECT @@@! 'a' AS x FROM t;
CREATE VIEW v_over AS SELECT * FROM v_conf;
CREATE VIEW v_cte AS WITH RECURSIVE a AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM a WHERE n < 3) SELECT n, nextval('s') AS m FROM a;
`

// attacks are further statements that must not get through.
var attacks = map[string]string{
	"view takes lock":            "SELECT * FROM v_lock",
	"view sets":                  "SELECT x FROM v_conf",
	"view of a view":             "SELECT 1 FROM v_over",
	"view in subquery":           "SELECT (SELECT count(*) FROM v_conf)",
	"view quoted":                `SELECT * FROM public."v_lock" AS v`,
	"view over catalogue":        "SELECT * FROM v_activity",
	"view over own function":     "SELECT * FROM v_sneaky",
	"view over operator":         "SELECT * FROM v_operator",
	"view over sequence":         "SELECT * FROM v_cte",
	"own function":               "SELECT sneaky('a')",
	"own function, schema":       "SELECT public.sneaky('a')",
	"own function, quoted":       `SELECT "sneaky"('a')`,
	"own function in FROM":       "SELECT * FROM sneaky('a')",
	"overload of lower":          "SELECT lower(5)",
	"overload, quoted":           `SELECT "lower"(id) FROM t`,
	"own operator":               "SELECT @@@! '/etc/hostname'",
	"own operator, schema":       "SELECT OPERATOR(public.@@@!) 'a'",
	"own operator, two sides":    "SELECT 'a' === 'a'",
	"attribute":                  "SELECT (ROW('/etc/hostname')::ct).slurp",
	"attribute, quoted":          `SELECT (ROW('/etc/hostname')::ct)."slurp"`,
	"attribute of alias":         "SELECT x.slurp FROM (SELECT (ROW('a')::ct).*) AS y, LATERAL (SELECT ROW(y.name)::ct) AS z(x)",
	"attribute builtin":          "SELECT ('a'::text).pg_read_file",
	"own aggregate":              "SELECT bad_sum(id) FROM t",
	"catalogue":                  "SELECT rolpassword FROM pg_authid",
	"catalogue, schema":          "SELECT * FROM pg_catalog.pg_shadow",
	"catalogue, database":        "SELECT * FROM postgres.pg_catalog.pg_class",
	"catalogue, quoted":          `SELECT * FROM "pg_catalog"."pg_roles"`,
	"catalogue, unicode":         `SELECT * FROM U&"\0070g_authid"`,
	"information schema":         "SELECT * FROM information_schema.tables",
	"toast":                      "SELECT * FROM pg_toast.pg_toast_1255",
	"settings view":              "SELECT * FROM pg_settings",
	"table command":              "TABLE pg_authid",
	"function quoted":            `SELECT "pg_read_file"('/etc/hostname')`,
	"function in upper case":     "SELECT PG_READ_FILE('/etc/hostname')",
	"function unicode":           `SELECT U&"pg\005Fread_file"('/etc/hostname')`,
	"function with comment":      "SELECT pg_read_file/**/('/etc/hostname')",
	"function in schema":         "SELECT pg_catalog.pg_sleep(30)",
	"function named arguments":   "SELECT set_config(setting_name => 'work_mem', new_value => '1MB', is_local => false)",
	"function in ORDER BY":       "SELECT 1 ORDER BY pg_sleep(30)",
	"function in window":         "SELECT pg_advisory_lock(9) OVER ()",
	"function in FILTER":         "SELECT count(*) FILTER (WHERE pg_sleep(30) IS NULL) FROM t",
	"function in JOIN":           "SELECT * FROM t JOIN t2 ON pg_try_advisory_lock(9)",
	"function in LIMIT":          "SELECT 1 LIMIT (SELECT pg_backend_pid())",
	"function in CASE":           "SELECT CASE WHEN true THEN pg_notify('a', 'b') END",
	"function in ROWS FROM":      "SELECT * FROM ROWS FROM (pg_ls_waldir())",
	"function in TABLESAMPLE":    "SELECT * FROM t TABLESAMPLE bernoulli (pg_backend_pid())",
	"function in VALUES":         "VALUES (pg_reload_conf())",
	"function in array":          "SELECT ARRAY[lo_creat(-1)]",
	"function in lateral":        "SELECT * FROM t, LATERAL pg_stat_get_activity(NULL) x",
	"xml reads tables":           "SELECT table_to_xml('pg_authid', true, false, '')",
	"database to xml":            "SELECT database_to_xml(true, false, '')",
	"cursor to xml":              "SELECT cursor_to_xml('sqbyl_result', 1, true, false, '')",
	"own cursor":                 "FETCH ALL FROM sqbyl_result",
	"close own cursor":           "CLOSE sqbyl_result",
	"to own savepoint":           "ROLLBACK TO SAVEPOINT sqbyl",
	"release":                    "RELEASE SAVEPOINT sqbyl",
	"commit":                     "COMMIT",
	"commit behind":              "SELECT 1; COMMIT; INSERT INTO t VALUES (5)",
	"commit, no blank":           "SELECT 1;COMMIT;DELETE FROM t",
	"two by dollar quote":        "SELECT $a$;$b$;$a$; DELETE FROM t",
	"two behind a nest":          "SELECT 1 /* /* */; DELETE FROM t; -- */ */; DELETE FROM t",
	"carriage return":            "SELECT 1 -- x\r; DELETE FROM t",
	"escape string":              `SELECT E'\'; DELETE FROM t; --'; DELETE FROM t; --'`,
	"plain string backslash":     `SELECT '\'; DELETE FROM t; --'`,
	"null byte":                  "SELECT 1\x00; DELETE FROM t",
	"vertical tab":               "SELECT\v1;\vDELETE FROM t",
	"select into":                "SELECT 1 AS a INTO z",
	"select into temp":           "SELECT 1 AS a INTO TEMP z FROM t",
	"into in union":              "SELECT 1 INTO z UNION SELECT 2",
	"for update":                 "SELECT * FROM t FOR UPDATE",
	"for no key update":          "SELECT * FROM t FOR NO KEY UPDATE OF t SKIP LOCKED",
	"insert in cte":              "WITH a AS (INSERT INTO t VALUES (7) RETURNING id) SELECT * FROM a",
	"insert in nested cte":       "SELECT * FROM (WITH a AS (UPDATE t SET id = 9 RETURNING id) SELECT * FROM a) b",
	"merge":                      "MERGE INTO t USING t2 ON true WHEN MATCHED THEN DELETE",
	"create":                     "CREATE TABLE z (a int)",
	"create as":                  "CREATE TABLE z AS SELECT 1",
	"view":                       "CREATE VIEW z AS SELECT 1",
	"function":                   "CREATE FUNCTION z() RETURNS int LANGUAGE sql AS 'SELECT 1'",
	"drop":                       "DROP TABLE t",
	"truncate":                   "TRUNCATE t",
	"alter role":                 "ALTER ROLE CURRENT_USER SET work_mem = '1GB'",
	"alter system":               "ALTER SYSTEM SET work_mem = '1GB'",
	"grant":                      "GRANT ALL ON t TO PUBLIC",
	"comment":                    "COMMENT ON TABLE t IS 'x'",
	"refresh":                    "REFRESH MATERIALIZED VIEW v_lock",
	"vacuum":                     "VACUUM t",
	"analyze":                    "ANALYZE t",
	"reindex":                    "REINDEX TABLE t",
	"cluster":                    "CLUSTER t",
	"copy program":               "COPY (SELECT 1) TO PROGRAM 'touch @DIR@/p'",
	"copy out":                   "COPY (SELECT 1) TO '@DIR@/copied'",
	"copy stdout":                "COPY t TO STDOUT",
	"lo_export":                  "SELECT lo_export(lo_from_bytea(0, 'a'), '@DIR@/lo')",
	"set local":                  "SET LOCAL statement_timeout = 0",
	"set role":                   "SET ROLE postgres",
	"set session":                "SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE",
	"reset":                      "RESET ALL",
	"discard":                    "DISCARD ALL",
	"show":                       "SHOW ALL",
	"listen":                     "LISTEN a",
	"prepare":                    "PREPARE TRANSACTION 'a'",
	"execute":                    "EXECUTE x",
	"deallocate":                 "DEALLOCATE ALL",
	"explain":                    "EXPLAIN SELECT 1",
	"explain analyze":            "EXPLAIN (ANALYZE) DELETE FROM t",
	"load":                       "LOAD 'auto_explain'",
	"checkpoint":                 "CHECKPOINT",
	"security label":             "SECURITY LABEL ON TABLE t IS 'x'",
	"import":                     "IMPORT FOREIGN SCHEMA a FROM SERVER b INTO public",
	"do":                         "DO 'BEGIN DELETE FROM t; END'",
	"dblink exec":                "SELECT dblink_exec('dbname=' || current_catalog, 'DELETE FROM t')",
	"nextval":                    "SELECT nextval('s')",
	"nextval by regclass":        "SELECT nextval('s'::regclass)",
	"cast to regclass":           "SELECT 'pg_authid'::regclass::oid",
	"current_setting":            "SELECT current_setting('data_directory')",
	"version":                    "SELECT version()",
	"large value":                "SELECT repeat('x', 1000000000)",
	"large array":                "SELECT array_fill(1, ARRAY[1000000, 100])",
	"large rows":                 "SELECT repeat('x', 100000000) FROM generate_series(1, 100)",
	"sort bomb":                  "SELECT i FROM generate_series(1, 1000000000) i ORDER BY -i",
	"recursion":                  "WITH RECURSIVE a AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM a) SELECT count(*) FROM a",
	"regex bomb":                 "SELECT repeat('a', 50000) ~ '(a*)*(a*)*(a*)*b'",
	"factorial":                  "SELECT factorial(100000)",
	"parameter":                  "SELECT $1",
	"parameter behind":           "SELECT 1 FROM t WHERE id = $2",
	"json path":                  "SELECT jsonb_path_query('[1]', '$[*] ? (@ like_regex \"(a*)*b\")')",
	"xml entity":                 "SELECT xmlparse(document '<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/hostname\">]><a>&x;</a>')",
	"database object size":       "SELECT pg_database_size(current_catalog)",
	"has privilege":              "SELECT has_table_privilege('pg_authid', 'SELECT')",
	"logical decoding":           "SELECT * FROM pg_logical_slot_get_changes('x', NULL, NULL)",
	"statistics reset":           "SELECT pg_stat_reset()",
	"role by function":           "SELECT set_config('role', 'postgres', true)",
	"write ahead":                "SELECT pg_logical_emit_message(true, 'a', 'b')",
	"import by large object":     "SELECT lo_from_bytea(0, 'x')",
	"cast to user type":          "SELECT '(a)'::ct",
	"hidden by quotes and nests": `SELECT * FROM ((((SELECT * FROM "pg_catalog" . "pg_proc"))))  AS x`,
}
