//go:build cgo && !no_duckdb

package duckdb

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
	"github.com/sqbyl/sqbyl/internal/testkit/conformance"
)

func TestConformance(t *testing.T) { conformance.Run(t, target()) }

func target() conformance.Target {
	target := conformance.Target{
		New:        newInstance,
		Types:      conformance.Types{JSON: "JSON", Timestamp: "TIMESTAMP", Blob: "BLOB", Generated: "VIRTUAL"},
		Comments:   "COMMENT ON TABLE customers IS 'people who buy';\nCOMMENT ON COLUMN customers.region IS 'sales region';\n",
		MaxQueries: 4,
		Errors: []conformance.ErrorCase{
			{SQL: "SELECT lower(1, 2)", Kind: db.ErrType, Name: "lower"},
			{SQL: "SELECT * FROM orders, no_schema.t", Kind: db.ErrUnknownTable, Name: "t"},
			{SQL: "SELECT status::INTEGER FROM orders", Kind: db.ErrType},
			{SQL: "SELECT order_id FROM orders GROUP BY status", Kind: db.ErrUnknown},
		},
		Series:   func(n int) string { return fmt.Sprintf("SELECT * FROM generate_series(1, %d)", n) },
		Slow:     slow,
		Dirty:    []conformance.DirtyCase{{SQL: "SELECT setseed(0.5)", Allow: []string{"setseed"}, Check: "SELECT count(*) FROM wide", Want: "1"}},
		Attacks:  "duckdb.sql",
		Ordinary: "duck",
		AttackSetup: `CREATE TABLE t (id INTEGER); INSERT INTO t VALUES (1), (2); CREATE TABLE t2 (x INTEGER); INSERT INTO t2 VALUES (1);
CREATE TABLE secret (x INTEGER); CREATE SEQUENCE s;
CREATE VIEW v_file AS SELECT * FROM read_text('@DIR@/other.db');
CREATE VIEW v_settings AS SELECT * FROM duckdb_settings();
CREATE VIEW v_next AS SELECT nextval('s') AS n;
CREATE VIEW v_deep AS SELECT * FROM (SELECT * FROM v_file) x, t;
CREATE MACRO m_file(x) AS (SELECT content FROM read_text('@DIR@/other.db'));
CREATE MACRO m_table(x) AS TABLE SELECT * FROM read_text('@DIR@/other.db');
CREATE MACRO upper(x) AS (SELECT content FROM read_text('@DIR@/other.db'));
CREATE MACRO "||"(a, b) AS (SELECT nextval('s'));
CREATE MACRO m_loop(x) AS x + 1;
`,
		More: attacks,
	}
	for _, c := range exact {
		target.Values = append(target.Values, conformance.ValueCase{SQL: c.sql, JSON: c.json, Kind: c.kind})
	}
	return target
}

// newInstance is a file. The product opens it read-only, so that an
// administrator's statement needs it closed for a moment.
func newInstance(t testing.TB) conformance.Instance {
	path := makeFile(t, "SELECT 1")
	r := &reopening{path: path}
	return conformance.Instance{
		Open: func(t testing.TB, o driver.Options) db.Database {
			r.options = o
			r.open(t)
			return r
		},
		Exec: func(t testing.TB, sql string) {
			t.Helper()
			if r.Database != nil {
				_ = r.Close()
				defer r.open(t)
			}
			write(t, path, sql)
		},
		State: func(t testing.TB) string { return r.state(t) },
	}
}

type reopening struct {
	db.Database
	path    string
	options driver.Options
}

func (r *reopening) open(t testing.TB) {
	t.Helper()
	d, err := driver.Open(context.Background(), "duckdb:"+r.path, r.options)
	if err != nil {
		t.Fatal(err)
	}
	r.Database = d
}

// state is the file, what lies beside it, the settings and what exists in
// memory.
func (r *reopening) state(t testing.TB) string {
	t.Helper()
	content, err := os.ReadFile(r.path)
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(filepath.Dir(r.path))
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("%x %v\n", sha256.Sum256(content), entries)
	s := newSession(t, r.Database)
	defer func() { _ = s.Close() }()
	for _, sql := range looks {
		result, err := s.Own(context.Background(), db.OwnSQL(sql))
		if err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		for _, row := range result.Rows {
			text += fmt.Sprintln(row)
		}
	}
	return text
}

// looks are statements that show what an attack may have changed.
var looks = []string{
	"SELECT name, value FROM duckdb_settings() ORDER BY 1",
	"SELECT database_name, path, readonly FROM duckdb_databases() ORDER BY 1",
	"SELECT schema_name, table_name, sql FROM duckdb_tables() ORDER BY 1, 2",
	"SELECT schema_name, sequence_name, last_value FROM duckdb_sequences() ORDER BY 1, 2",
	"SELECT count(*) FROM duckdb_logs", "SELECT count(*) FROM duckdb_variables()",
	"SELECT count(*) FROM t", "SELECT count(*) FROM t2",
}

// attacks are further statements that must not get through.
var attacks = map[string]string{
	"view in view over file":      "SELECT * FROM v_deep",
	"view over settings":          "SELECT * FROM v_settings",
	"view that advances":          "SELECT n FROM v_next",
	"view through cte":            "WITH a AS (SELECT * FROM v_file) SELECT count(*) FROM a",
	"view by schema":              "SELECT * FROM main.v_file",
	"view by database":            "SELECT * FROM test.main.v_file",
	"view quoted, other case":     `SELECT * FROM "V_FILE"`,
	"describe view":               "DESCRIBE v_file",
	"summarize view":              "SUMMARIZE v_file",
	"macro over file":             "SELECT m_file(1)",
	"table macro over file":       "SELECT * FROM m_table(1)",
	"macro named as a function":   "SELECT upper('x')",
	"macro named as an operator":  "SELECT 'a' || 'b'",
	"macro as method":             "SELECT 'x'.upper()",
	"macro in order by":           "SELECT id FROM t ORDER BY upper('x')",
	"macro in list comprehension": "SELECT [upper('x') FOR x IN [1]]",
	"read_text in lateral":        "SELECT * FROM t, LATERAL (SELECT * FROM read_text('@DIR@/other.db')) x",
	"read_csv in exists":          "SELECT 1 WHERE EXISTS (SELECT 1 FROM read_csv('@DIR@/other.db'))",
	"read_text mixed case":        `SELECT * FROM "Read_Text"('@DIR@/other.db')`,
	"read_blob by schema":         "SELECT * FROM main.read_blob('@DIR@/other.db')",
	"read_blob by catalog":        "SELECT * FROM system.main.read_blob('@DIR@/other.db')",
	"read_parquet":                "SELECT * FROM read_parquet('@DIR@/other.db')",
	"parquet_scan":                "SELECT * FROM parquet_scan('@DIR@/*')",
	"read_json":                   "SELECT * FROM read_json_auto('@DIR@/other.db')",
	"read_ndjson_objects":         "SELECT * FROM read_ndjson_objects('@DIR@/other.db')",
	"read_duckdb":                 "SELECT * FROM read_duckdb('@DIR@/other.db', table_name := 't')",
	"file in double quotes":       `SELECT * FROM "@DIR@/other.db"`,
	"file after comma":            "SELECT * FROM t, '@DIR@/other.db'",
	"file in join":                "SELECT * FROM t JOIN '@DIR@/in.csv' ON true",
	"file in cte":                 "WITH a AS (FROM '@DIR@/in.csv') SELECT * FROM a",
	"file list":                   "FROM ['@DIR@/other.db']",
	"url":                         "SELECT * FROM 'https://127.0.0.1:9/x.parquet'",
	"glob table":                  "SELECT * FROM '@DIR@/*.csv'",
	"which_secret":                "SELECT * FROM which_secret('s3://x', 's3')",
	"duckdb_secrets":              "SELECT * FROM duckdb_secrets()",
	"duckdb_tables":               "SELECT * FROM duckdb_tables()",
	"duckdb_tables view":          "SELECT * FROM duckdb_tables",
	"sqlite_master":               "SELECT sql FROM sqlite_master",
	"pg_catalog":                  "SELECT * FROM pg_catalog.pg_class",
	"pg_tables unqualified":       "SELECT * FROM pg_tables",
	"information_schema":          "SELECT * FROM information_schema.tables",
	"system views":                "SELECT * FROM system.main.duckdb_views",
	"show tables":                 "SHOW TABLES",
	"show all tables":             "SHOW ALL TABLES",
	"show databases":              "SELECT * FROM (SHOW DATABASES)",
	"pragma function":             "SELECT * FROM pragma_database_list",
	"pragma storage":              "SELECT * FROM pragma_storage_info('t')",
	"pragma":                      "PRAGMA database_list",
	"pragma profiling":            "PRAGMA enable_profiling",
	"checkpoint":                  "CHECKPOINT",
	"checkpoint function":         "SELECT * FROM checkpoint()",
	"enable_logging":              "SELECT * FROM enable_logging()",
	"write_log":                   "SELECT write_log('x')",
	"truncate logs":               "SELECT * FROM truncate_duckdb_logs()",
	"nextval":                     "SELECT nextval('s')",
	"nextval in window":           "SELECT nextval('s') OVER ()",
	"nextval in filter":           "SELECT count(*) FILTER (WHERE nextval('s') > 0) FROM t",
	"nextval in lambda":           "SELECT list_transform([1, 2], lambda x: nextval('s'))",
	"nextval in limit":            "SELECT * FROM t LIMIT nextval('s')",
	"nextval quoted":              `SELECT "nextval"('s')`,
	"nextval in values":           "VALUES (nextval('s'))",
	"nextval as argument":         "SELECT * FROM range(nextval('s'))",
	"currval":                     "SELECT currval('s')",
	"sleep":                       "SELECT sleep_ms(100000)",
	"pg_sleep":                    "SELECT pg_sleep(1000)",
	"setseed":                     "SELECT setseed(0.1)",
	"current_setting":             "SELECT current_setting('memory_limit')",
	"getvariable":                 "SELECT getvariable('x')",
	"getenv":                      "SELECT getenv('PATH')",
	"query":                       "SELECT * FROM query('SELECT 1')",
	"query_table list":            "SELECT * FROM query_table(['t', 't2'])",
	"serialize plan":              "SELECT json_serialize_plan('SELECT * FROM read_csv(''@DIR@/in.csv'')')",
	"execute serialized":          "PRAGMA json_execute_serialized_sql('x')",
	"sql auto complete":           "SELECT * FROM sql_auto_complete('SEL')",
	"histogram of a file":         "SELECT * FROM histogram('@DIR@/in.csv', a)",
	"test_all_types":              "SELECT * FROM test_all_types()",
	"set":                         "SET memory_limit = '100GB'",
	"set local":                   "SET LOCAL TimeZone = 'Asia/Tokyo'",
	"reset":                       "RESET memory_limit",
	"insert":                      "INSERT INTO t VALUES (3)",
	"insert or replace":           "INSERT OR REPLACE INTO t VALUES (3)",
	"update":                      "UPDATE t SET id = 9",
	"delete":                      "DELETE FROM t",
	"truncate":                    "TRUNCATE t",
	"drop view":                   "DROP VIEW v_file",
	"alter":                       "ALTER TABLE t ADD COLUMN z INTEGER",
	"comment on":                  "COMMENT ON TABLE t IS 'x'",
	"create view":                 "CREATE OR REPLACE VIEW v_file AS SELECT 1",
	"create macro":                "CREATE TEMP MACRO now() AS 1",
	"create type":                 "CREATE TYPE mood AS ENUM ('a')",
	"copy from":                   "COPY t FROM '@DIR@/other.db'",
	"copy in cte":                 "WITH a AS (COPY t TO '@DIR@/x') SELECT 1",
	"export":                      "EXPORT DATABASE '@DIR@/out'",
	"import":                      "IMPORT DATABASE '@DIR@/out'",
	"install":                     "INSTALL httpfs",
	"force install":               "FORCE INSTALL spatial FROM community",
	"detach":                      "DETACH test",
	"merge":                       "MERGE INTO t USING t2 ON t.id = t2.x WHEN MATCHED THEN DELETE",
	"vacuum":                      "VACUUM ANALYZE",
	"execute":                     "EXECUTE q",
	"deallocate":                  "DEALLOCATE q",
	"explain":                     "EXPLAIN SELECT 1",
	"explain analyze":             "EXPLAIN ANALYZE DELETE FROM t",
	"commit":                      "COMMIT",
	"rollback":                    "ROLLBACK; SELECT 1",
	"two, dollar quoted":          "SELECT $$a$$; DELETE FROM t",
	"two, nested comment":         "SELECT 1 /* a /* b */ */; DELETE FROM t",
	"two, carriage return":        "SELECT 1 --\r; DELETE FROM t",
	"parameter":                   "SELECT ?",
	"named parameter":             "SELECT $x",
	"pivot in cte":                "WITH p AS (PIVOT t ON id USING count(*)) SELECT * FROM p",
	"pivot in subquery":           "SELECT * FROM (PIVOT t ON id USING count(*))",
	"repeat bomb":                 "SELECT length(repeat('x', 20000000))",
	"list bomb":                   "SELECT len(range(20000000000))",
	"string_agg bomb":             "SELECT length(string_agg(repeat('x', 1000), '')) FROM range(10000000000)",
	"recursive bomb":              "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n FROM r) SELECT count(*) FROM r",
	"deep brackets":               "SELECT " + strings.Repeat("(", 5000) + "1" + strings.Repeat(")", 5000),
	"deep lists":                  "SELECT " + strings.Repeat("[", 3000) + strings.Repeat("]", 3000),
	"long chain":                  "SELECT 1" + strings.Repeat(" + 1", 60000),
	"many unions":                 "SELECT 1" + strings.Repeat(" UNION ALL SELECT 1", 5000),
	"nul byte":                    "SELECT 1\x00; DROP TABLE t",
	"into":                        "SELECT * INTO z FROM t",
	"for update":                  "SELECT * FROM t FOR UPDATE",
	"cast to a table's row":       "SELECT CAST('x' AS t)",
	"shadowed by a later cte":     "SELECT * FROM (WITH v_file AS (SELECT 1) SELECT * FROM v_file) a, v_file",
	"cte that reads its own name": "WITH v_file AS (SELECT * FROM v_file) SELECT * FROM v_file",
}

func TestGrammarAloneRefusesAttacks(t *testing.T) {
	policy := newPolicy()
	passed := map[string]bool{}
	for _, c := range conformance.Cases(t, "duckdb.sql") {
		var refusal *guard.Refusal
		if _, err := guard.Check(context.Background(), c.SQL, &policy); !asRefusal(err, &refusal) {
			passed[c.Name] = true
		}
	}
	// One needs the time cap, the other the view's body.
	for name := range passed {
		if name != "D40 range_bomb" && name != "D50 view_file" {
			t.Errorf("%s passes without a database", name)
		}
	}
}

func TestGrammarIsSafeForConcurrentUse(t *testing.T) {
	policy := newPolicy()
	var group sync.WaitGroup
	for i := range 16 {
		group.Go(func() {
			for range 20 {
				sql := fmt.Sprintf("SELECT a, sum(b) FROM t%d JOIN u USING (id) GROUP BY a", i)
				st, err := guard.Check(context.Background(), sql, &policy)
				if err != nil || len(st.Facts().Tables) != 2 || st.Facts().Tables[0].Table != fmt.Sprintf("t%d", i) {
					t.Errorf("%v %v", st.Facts(), err)
					return
				}
			}
		})
	}
	group.Wait()
}
