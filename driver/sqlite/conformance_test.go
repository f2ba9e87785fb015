package sqlite_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/ncruces/go-sqlite3"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/testkit/conformance"
)

func TestConformance(t *testing.T) {
	t.Run("journal", func(t *testing.T) { conformance.Run(t, target("DELETE")) })
	t.Run("log", func(t *testing.T) { conformance.Run(t, target("WAL")) })
}

func target(journal string) conformance.Target {
	return conformance.Target{
		New:        func(t testing.TB) conformance.Instance { return instance(t, journal) },
		Types:      conformance.Types{JSON: "TEXT", Timestamp: "TIMESTAMP", Blob: "BLOB", Generated: "STORED"},
		MaxQueries: 4,
		Values: []conformance.ValueCase{
			{SQL: "SELECT 1.5", JSON: "1.5", Kind: db.Float},
			{SQL: "SELECT 1e3", JSON: "1000.0", Kind: db.Float},
			{SQL: "SELECT 9e999", JSON: `{"$float":"inf"}`, Kind: db.Float},
			{SQL: "SELECT 9223372036854775808", JSON: "9.223372036854776e+18", Kind: db.Float},
			{SQL: "SELECT x'00ff41'", JSON: `{"$blob":"00ff41"}`, Kind: db.Blob},
			{SQL: "SELECT CAST(x'ff41' AS TEXT)", JSON: `{"$text":"ff41"}`, Kind: db.Text},
			{SQL: "SELECT created_at FROM orders WHERE order_id = 1", JSON: `"2026-01-02 03:04:05"`, Kind: db.Text},
			{SQL: "SELECT '" + strings.Repeat("7", 300) + "'", JSON: `"` + strings.Repeat("7", 300) + `"`, Kind: db.Text},
		},
		Errors: []conformance.ErrorCase{
			{SQL: "SELECT abs(1, 2)", Kind: db.ErrType, Name: "abs"},
			{SQL: "SELECT json_extract('{', '$.a')", Kind: db.ErrType},
			{SQL: "SELECT customer_id FROM orders UNION SELECT customer_id, region FROM customers", Kind: db.ErrType},
			{SQL: "SELECT max(max(customer_id)) FROM orders", Kind: db.ErrType},
			{SQL: "SELECT length(replace(hex(printf('%.*c', 9000000, 'x')), '7', '" + strings.Repeat("y", 200) + "'))", Kind: db.ErrResource},
		},
		Series: func(n int) string {
			return "WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < " + strconv.Itoa(n) + ") SELECT n FROM s"
		},
		Slow:     "WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s) SELECT count(*) FROM s",
		Snapshot: journal == "WAL",
		Dirty: []conformance.DirtyCase{
			{SQL: "SELECT zeroblob(40000000), zeroblob(40000000), zeroblob(40000000), zeroblob(40000000), zeroblob(40000000), zeroblob(40000000), zeroblob(40000000)",
				Allow: []string{"zeroblob"}, Check: "SELECT 7", Want: "7"},
		},
		Attacks:     "sqlite.sql",
		AttackSetup: "CREATE TABLE t (id INTEGER PRIMARY KEY, x); INSERT INTO t VALUES (1, 'a'), (2, 'b'); CREATE TABLE t2 (y); INSERT INTO t2 VALUES (1); CREATE VIEW v_blob AS SELECT zeroblob(1000000000) AS z; CREATE VIEW v_sys AS SELECT * FROM sqlite_master; CREATE TRIGGER tr AFTER INSERT ON t BEGIN DELETE FROM t2; END;",
		More:        attacks,
		Ordinary:    "lite",
	}
}

// attacks are further statements that must not get through.
var attacks = map[string]string{
	"view over catalogue":        "SELECT * FROM v_sys",
	"view over zeroblob":         "SELECT z FROM v_blob",
	"catalogue":                  "SELECT sql FROM sqlite_master",
	"catalogue, new name":        "SELECT sql FROM main.sqlite_schema",
	"catalogue, quoted":          `SELECT sql FROM "sqlite_master"`,
	"catalogue, bracketed":       "SELECT sql FROM [sqlite_master]",
	"catalogue in subquery":      "SELECT (SELECT count(*) FROM sqlite_schema)",
	"temporary catalogue":        "SELECT * FROM sqlite_temp_schema",
	"temp schema":                "SELECT * FROM temp.sqlite_master",
	"pragma function":            "SELECT * FROM pragma_module_list()",
	"pragma quoted":              `SELECT * FROM "pragma_database_list"`,
	"pragma setting":             "SELECT * FROM pragma_journal_mode('wal')",
	"pragma writable":            "PRAGMA writable_schema = 1",
	"pragma journal":             "PRAGMA journal_mode = WAL",
	"pragma user_version":        "PRAGMA user_version = 7",
	"pragma in cte":              "WITH p AS (SELECT * FROM pragma_user_version) SELECT * FROM p",
	"dbpage":                     "SELECT data FROM sqlite_dbpage WHERE pgno = 1",
	"statement table":            "SELECT * FROM sqlite_stmt",
	"load_extension":             "SELECT load_extension('/tmp/x.so')",
	"load_extension quoted":      `SELECT "load_extension"('/tmp/x.so')`,
	"fts3_tokenizer":             "SELECT fts3_tokenizer('simple')",
	"readfile":                   "SELECT readfile('@DIR@/other.db')",
	"edit":                       "SELECT edit('x')",
	"sqlite_version":             "SELECT sqlite_version(), sqlite_source_id()",
	"create table":               "CREATE TABLE z (a)",
	"create as":                  "CREATE TABLE z AS SELECT * FROM t",
	"temp table":                 "CREATE TEMP TABLE z AS SELECT 1",
	"temp trigger":               "CREATE TEMP TRIGGER g AFTER INSERT ON t BEGIN DELETE FROM t2; END",
	"virtual table":              "CREATE VIRTUAL TABLE z USING generate_series",
	"drop":                       "DROP TABLE t",
	"alter":                      "ALTER TABLE t ADD COLUMN q",
	"upsert":                     "INSERT INTO t VALUES (1, 'z') ON CONFLICT DO UPDATE SET x = 'z'",
	"update from":                "UPDATE t SET x = y FROM t2",
	"cte insert":                 "WITH a AS (SELECT 9) INSERT INTO t SELECT *, 1 FROM a",
	"explain insert":             "EXPLAIN INSERT INTO t VALUES (9, 9)",
	"explain query plan":         "EXPLAIN QUERY PLAN DELETE FROM t",
	"reindex":                    "REINDEX",
	"analyze":                    "ANALYZE",
	"release":                    "RELEASE a",
	"commit":                     "COMMIT",
	"rollback":                   "ROLLBACK",
	"attach memory":              "ATTACH ':memory:' AS m",
	"attach uri":                 "ATTACH 'file:@DIR@/n.db?mode=rwc' AS n",
	"two, no blank":              "SELECT 1;DELETE FROM t",
	"two, comment between":       "SELECT 1;/**/DELETE FROM t",
	"two, newline comment":       "SELECT 1 -- ;\n; DELETE FROM t",
	"open comment":               "SELECT 1 /* DELETE",
	"nul byte":                   "SELECT 1\x00; DELETE FROM t",
	"zeroblob sum":               "SELECT sum(length(zeroblob(1000000000)))",
	"randomblob":                 "SELECT randomblob(1000000000)",
	"huge text":                  "SELECT replace(printf('%.*c', 40000000, 'a'), 'a', 'bbbbbbbbbbbbbbbb')",
	"many huge texts":            "SELECT printf('%.*c', 50000000, 'a'), printf('%.*c', 50000000, 'b'), printf('%.*c', 50000000, 'c'), printf('%.*c', 50000000, 'd'), printf('%.*c', 50000000, 'e'), printf('%.*c', 50000000, 'f'), printf('%.*c', 50000000, 'g')",
	"group_concat bomb":          "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT group_concat(n) FROM c",
	"doubling text":              "WITH RECURSIVE c(n, s) AS (SELECT 1, 'x' UNION ALL SELECT n + 1, s || s FROM c) SELECT max(length(s)) FROM c",
	"row bomb":                   "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n, printf('%.*c', 1000000, 'x') FROM c",
	"sort bomb":                  "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n FROM c ORDER BY -n",
	"distinct bomb":              "WITH RECURSIVE c(n) AS (SELECT 1 UNION SELECT n + 1 FROM c) SELECT count(DISTINCT printf('%.*c', 1000, n)) FROM c",
	"series bomb":                "SELECT count(*) FROM generate_series(1, 9223372036854775807)",
	"cross join bomb":            "SELECT count(*) FROM t a, t b, t c, t d, t e, t f, t g, t h, t i, t j, t k, t l, t m, t n, t o, t p, t q, t r, t s, t u, t v, t w, t x, t y, t z, t a1, t a2, t a3, t a4, t a5, t a6, t a7, t a8, t a9",
	"deep brackets":              "SELECT " + strings.Repeat("(", 5000) + "1" + strings.Repeat(")", 5000),
	"deep not":                   "SELECT " + strings.Repeat("NOT ", 20000) + "1",
	"deep subqueries":            strings.Repeat("SELECT (", 500) + "SELECT 1" + strings.Repeat(")", 500),
	"long or":                    "SELECT 1 WHERE 1 = 0" + strings.Repeat(" OR 1 = 0", 20000),
	"many unions":                "SELECT 1" + strings.Repeat(" UNION ALL SELECT 1", 3000),
	"view bomb by ctes":          cteBomb(30),
	"like bomb":                  "SELECT printf('%.*c', 1000000, 'a') LIKE '" + strings.Repeat("%a", 400) + "b'",
	"glob bomb":                  "SELECT printf('%.*c', 1000000, 'a') GLOB '" + strings.Repeat("*a", 400) + "b'",
	"regexp bomb":                "SELECT printf('%.*c', 100000, 'a') REGEXP '(a*)*(a*)*(a*)*b'",
	"trim bomb":                  "SELECT trim(printf('%.*c', 10000000, 'a'), printf('%.*c', 10000000, 'b') || 'a')",
	"instr bomb":                 "SELECT instr(printf('%.*c', 10000000, 'a'), printf('%.*c', 5000000, 'a') || 'b')",
	"replace bomb":               "SELECT replace(printf('%.*c', 10000000, 'a'), printf('%.*c', 5000000, 'a') || 'b', 'c')",
	"json_patch bomb":            "SELECT json_patch('{}', '{}')",
	"decimal bomb":               "SELECT decimal_mul(printf('%.*c', 1000000, '9'), printf('%.*c', 1000000, '9'))",
	"json depth":                 "SELECT json(printf('%.*c', 3000, '['))",
	"parameter":                  "SELECT ?1",
	"named parameter":            "SELECT :x, @y, $z",
	"values and more":            "VALUES (1); DELETE FROM t",
	"returning in cte":           "WITH a AS (DELETE FROM t RETURNING *) SELECT * FROM a",
	"select into":                "SELECT * INTO z FROM t",
	"indexed by hint":            "SELECT * FROM t INDEXED BY nothing",
	"writing through json table": "INSERT INTO t SELECT key, value FROM json_each('[1,2]')",
}

// cteBomb doubles its rows with every level.
func cteBomb(levels int) string {
	sql := "WITH c0 AS (SELECT 1 AS n UNION ALL SELECT 2)"
	for i := 1; i <= levels; i++ {
		sql += fmt.Sprintf(", c%d AS (SELECT a.n FROM c%d a, c%d b)", i, i-1, i-1)
	}
	return sql + fmt.Sprintf(" SELECT count(*) FROM c%d", levels)
}

func instance(t testing.TB, journal string) conformance.Instance {
	folder := t.TempDir()
	path := filepath.Join(folder, "shop.db")
	exec := func(t testing.TB, sql string) {
		t.Helper()
		native, err := sqlite3.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := native.Close(); err != nil {
				t.Error(err)
			}
		}()
		if err := native.Exec(sql); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	exec(t, "PRAGMA journal_mode = "+journal+"; VACUUM")
	return conformance.Instance{
		Open:  func(t testing.TB, o driver.Options) db.Database { return open(t, path, o) },
		Exec:  exec,
		State: func(t testing.TB) string { return digest(t, folder) },
	}
}

// digest is every byte of a folder: no file may change, come or go.
func digest(t testing.TB, folder string) string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, entry := range entries {
		content, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, fmt.Sprintf("%s %d %x", entry.Name(), len(content), sha256.Sum256(content)))
	}
	return strings.Join(lines, "\n")
}
