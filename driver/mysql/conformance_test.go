package mysql_test

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
		Types:      conformance.Types{JSON: "JSON", Timestamp: "DATETIME", Blob: "BLOB", Generated: "STORED"},
		Comments:   "ALTER TABLE customers COMMENT 'people who buy', MODIFY region VARCHAR(10) NOT NULL COMMENT 'sales region';",
		MaxQueries: 4,
		Values: []conformance.ValueCase{
			{SQL: "SELECT CAST('0.1' AS DECIMAL(20, 10))", JSON: "0.1000000000", Kind: db.Decimal},
			{SQL: "SELECT 12345678901234567890.0000000000000001", JSON: "12345678901234567890.0000000000000001", Kind: db.Decimal},
			{SQL: "SELECT 18446744073709551615", JSON: "18446744073709551615", Kind: db.Decimal},
			{SQL: "SELECT 0.1e0 + 0.2e0", JSON: "0.30000000000000004", Kind: db.Float},
			{SQL: "SELECT CAST('838:59:59' AS TIME)", JSON: `"838:59:59"`, Kind: db.Clock},
			{SQL: "SELECT CAST('-12:30:00.250' AS TIME(3))", JSON: `"-12:30:00.250"`, Kind: db.Clock},
			{SQL: "SELECT DATE'2026-11-30'", JSON: `"2026-11-30"`, Kind: db.Date},
			{SQL: "SELECT TIMESTAMP'2026-11-30 09:05:00.25'", JSON: `"2026-11-30 09:05:00.25"`, Kind: db.Timestamp},
			{SQL: "SELECT created_at FROM orders WHERE order_id = 1", JSON: `"2026-01-02 03:04:05"`, Kind: db.Timestamp},
			{SQL: "SELECT x'00ff41'", JSON: `{"$blob":"00ff41"}`, Kind: db.Blob},
			{SQL: "SELECT 1 = 1", JSON: "1", Kind: db.Int},
		},
		Errors: []conformance.ErrorCase{
			{SQL: "SELECT abs(1, 2)", Kind: db.ErrType, Name: "abs"},
			{SQL: "SELECT customer_id FROM orders UNION SELECT customer_id, region FROM customers", Kind: db.ErrType},
			{SQL: "SELECT max(max(customer_id)) FROM orders", Kind: db.ErrType},
			{SQL: "SELECT (SELECT order_id FROM orders)", Kind: db.ErrType},
			{SQL: "SELECT 9223372036854775807 + order_id FROM orders", Kind: db.ErrType},
		},
		Series:   func(n int) string { return fmt.Sprintf("SELECT seq FROM seq_1_to_%d ORDER BY seq", n) },
		Slow:     "SELECT count(*) FROM seq_1_to_1000000000 a, seq_1_to_1000000 b WHERE a.seq + b.seq = -1",
		Snapshot: true, BasicNames: true,
		Dirty: []conformance.DirtyCase{
			{SQL: "SELECT GET_LOCK('a', 0)", Allow: []string{"get_lock", "is_free_lock"}, Check: "SELECT IS_FREE_LOCK('a')", Want: "1"},
			{SQL: "SELECT LAST_INSERT_ID(42)", Allow: []string{"last_insert_id"}, Check: "SELECT LAST_INSERT_ID()", Want: "0"},
		},
		Attacks:     "mariadb.sql",
		AttackSetup: attackSetup,
		More:        attacks,
		Ordinary:    "my",
	}
}

func instance(t testing.TB, super bool) conformance.Instance {
	s := servers.MariaDB(t)
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

// state is what a statement might change: rows, objects, sequences, users,
// settings, locks.
const state = `SELECT 't', id FROM t ORDER BY id; SELECT 't2', id FROM t2 ORDER BY id; SELECT 'l', x FROM written;
SELECT 's', next_not_cached_value FROM s; SELECT 'h', x FROM hidden.h;
SELECT table_schema, table_name, table_type FROM information_schema.tables WHERE table_schema NOT IN ('information_schema', 'performance_schema') ORDER BY 1, 2;
SELECT routine_schema, routine_name FROM information_schema.routines WHERE routine_schema <> 'sys' ORDER BY 1, 2;
SELECT 'users', MD5(GROUP_CONCAT(user, host, priv ORDER BY user, host)) FROM mysql.global_priv;
SELECT 'settings', MD5(GROUP_CONCAT(variable_name, global_value ORDER BY variable_name)) FROM information_schema.system_variables
  WHERE global_value IS NOT NULL AND variable_name NOT REGEXP 'GTID|TIMESTAMP|LAST_INSERT|DEBUG';
SELECT 'locks', IS_FREE_LOCK('a'), IS_FREE_LOCK('sq');
SELECT variable_name, variable_value FROM information_schema.global_status WHERE variable_name IN ('COM_FLUSH', 'COM_LOCK_TABLES', 'COM_HA_OPEN', 'COM_SHUTDOWN', 'PREPARED_STMT_COUNT');
SELECT 'databases', schema_name FROM information_schema.schemata ORDER BY 2;
`

// attackSetup makes what attacks aim at, also ways around a list of names.
const attackSetup = `SET GLOBAL group_concat_max_len = 1000000;
CREATE TABLE t (id int); INSERT INTO t VALUES (1), (2); CREATE TABLE t2 (id int); CREATE TABLE written (x int); CREATE SEQUENCE s;
CREATE DATABASE IF NOT EXISTS hidden; CREATE TABLE IF NOT EXISTS hidden.h (x int);
SET GLOBAL log_bin_trust_function_creators = 1;
DELIMITER //
CREATE FUNCTION f_write() RETURNS int DETERMINISTIC BEGIN INSERT INTO written VALUES (99); RETURN 1; END//
DELIMITER ;
` + "CREATE PROCEDURE p_write() INSERT INTO written VALUES (98);" + `
CREATE VIEW v_lock AS SELECT GET_LOCK('sq', 0) AS x;
CREATE VIEW v_file AS SELECT LOAD_FILE('/etc/hostname') AS x;
CREATE VIEW v_write AS SELECT f_write() AS x FROM t;
CREATE VIEW v_over AS SELECT x FROM v_lock;
CREATE VIEW v_system AS SELECT user FROM mysql.global_priv;
CREATE VIEW v_sleep AS SELECT id, SLEEP(30) AS x FROM t;
`

// attacks are further statements that must not get through.
var attacks = map[string]string{
	"view takes lock":        "SELECT * FROM v_lock",
	"view reads file":        "SELECT x FROM v_file",
	"view writes":            "SELECT * FROM v_write",
	"view of a view":         "SELECT 1 FROM v_over",
	"view over catalogue":    "SELECT * FROM v_system",
	"view sleeps":            "SELECT id FROM v_sleep",
	"view in subquery":       "SELECT (SELECT count(*) FROM v_lock)",
	"view quoted":            "SELECT * FROM `v_lock`",
	"own function":           "SELECT f_write() FROM t",
	"own function quoted":    "SELECT `f_write`()",
	"load_file in cte":       "WITH a AS (SELECT LOAD_FILE('/etc/hostname') AS x) SELECT x FROM a",
	"load_file comment":      "SELECT LOAD_FILE/**/('/etc/hostname')",
	"load_file upper":        "SELECT load_FILE(0x2f6574632f686f73746e616d65)",
	"outfile":                "SELECT 1 INTO OUTFILE '@DIR@/out'",
	"dumpfile":               "SELECT 'x' INTO DUMPFILE '@DIR@/dump'",
	"outfile in union":       "SELECT 1 UNION SELECT 2 INTO OUTFILE '@DIR@/union'",
	"outfile early":          "SELECT 1 INTO OUTFILE '@DIR@/early' FROM t",
	"outfile in brackets":    "(SELECT 1 INTO OUTFILE '@DIR@/brackets')",
	"maria comment":          "SELECT 1 /*M! INTO OUTFILE '@DIR@/maria' */",
	"maria comment version":  "SELECT 1 /*M!100000 INTO DUMPFILE '@DIR@/version' */",
	"mysql comment":          "SELECT 1 /*! INTO OUTFILE '@DIR@/mysql' */",
	"mysql comment low":      "SELECT 1 /*!50000 FROM mysql.user */",
	"hint":                   "SELECT /*+ SET_VAR(sql_mode = 'ANSI_QUOTES') */ 1",
	"comment in string":      `SELECT 'a\' /*! INTO OUTFILE "x" */ -- '`,
	"dash without blank":     "SELECT 1--1; DROP TABLE t",
	"hash comment":           "SELECT 1 # x\n; DROP TABLE t",
	"double quote":           `SELECT "a" " ; DROP TABLE t; -- "`,
	"backslash":              `SELECT '\'; DROP TABLE t; -- '`,
	"doubled quotes":         "SELECT 'a''; DROP TABLE t; -- '; DELETE FROM t",
	"dollar quote":           "SELECT $a$ FROM t; $a$; DELETE FROM t",
	"nul byte":               "SELECT 1\x00; DELETE FROM t",
	"two":                    "SELECT 1;DELETE FROM t",
	"two by delimiter":       "DELIMITER //\nSELECT 1//DELETE FROM t//",
	"into variable":          "SELECT id INTO @a FROM t",
	"variable":               "SELECT @a",
	"system variable":        "SELECT @@datadir",
	"assignment":             "SELECT @a := id FROM t",
	"assignment in where":    "SELECT id FROM t WHERE (@a := id) > 0",
	"set statement":          "SET STATEMENT max_statement_time = 0 FOR SELECT SLEEP(30)",
	"set":                    "SET SESSION tx_read_only = 0",
	"set global":             "SET GLOBAL general_log = 1",
	"set names":              "SET NAMES gbk",
	"set role":               "SET ROLE NONE",
	"set password":           "SET PASSWORD = PASSWORD('x')",
	"charset introducer":     "SELECT _gbk'\xbf\\'; DELETE FROM t; -- '",
	"for update":             "SELECT * FROM t FOR UPDATE",
	"share mode":             "SELECT * FROM t LOCK IN SHARE MODE",
	"for update in subquery": "SELECT * FROM (SELECT * FROM t FOR UPDATE SKIP LOCKED) x",
	"truncate":               "TRUNCATE TABLE t",
	"drop":                   "DROP TABLE t",
	"create as":              "CREATE TABLE z AS SELECT 1",
	"create or replace":      "CREATE OR REPLACE VIEW v_lock AS SELECT 1",
	"temporary":              "CREATE TEMPORARY TABLE z (a int)",
	"alter":                  "ALTER TABLE t ADD COLUMN z int",
	"rename":                 "RENAME TABLE t TO t9",
	"replace":                "REPLACE INTO t VALUES (9)",
	"update":                 "UPDATE t SET id = 9",
	"delete returning":       "DELETE FROM t RETURNING id",
	"insert select":          "INSERT INTO t SELECT id FROM t2",
	"with update":            "WITH a AS (SELECT 1) UPDATE t SET id = 9",
	"load data local":        "LOAD DATA LOCAL INFILE '/etc/hostname' INTO TABLE t",
	"load xml":               "LOAD XML INFILE '/etc/hostname' INTO TABLE t",
	"load index":             "LOAD INDEX INTO CACHE t",
	"optimize":               "OPTIMIZE TABLE t",
	"analyze table":          "ANALYZE TABLE t",
	"analyze":                "ANALYZE FORMAT=JSON SELECT SLEEP(30)",
	"check":                  "CHECK TABLE t",
	"explain":                "EXPLAIN SELECT 1",
	"describe":               "DESCRIBE t",
	"show":                   "SHOW GRANTS",
	"show variables":         "SHOW VARIABLES",
	"prepare":                "PREPARE x FROM 'DELETE FROM t'",
	"execute immediate":      "EXECUTE IMMEDIATE CONCAT('DELETE', ' FROM t')",
	"compound":               "BEGIN NOT ATOMIC DELETE FROM t; END",
	"call":                   "CALL p_write()",
	"savepoint":              "SAVEPOINT a",
	"xa":                     "XA START 'a'",
	"install":                "INSTALL SONAME 'x'",
	"create function":        "CREATE FUNCTION z RETURNS STRING SONAME 'x.so'",
	"create event":           "CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO DELETE FROM t",
	"grant":                  "GRANT ALL ON *.* TO CURRENT_USER",
	"shutdown":               "SHUTDOWN",
	"change master":          "CHANGE MASTER TO MASTER_HOST = 'x'",
	"purge":                  "PURGE BINARY LOGS TO 'x'",
	"reset":                  "RESET MASTER",
	"backup":                 "BACKUP STAGE START",
	"help":                   "HELP 'x'",
	"previous value":         "SELECT PREVIOUS VALUE FOR s",
	"nextval in from":        "SELECT x FROM (SELECT NEXTVAL(s) AS x) y",
	"lastval":                "SELECT LASTVAL(s)",
	"sequence as table":      "SELECT next_not_cached_value FROM hidden.s",
	"catalogue":              "SELECT * FROM mysql.global_priv",
	"catalogue quoted":       "SELECT * FROM `mysql`.`user`",
	"catalogue upper":        "SELECT * FROM INFORMATION_SCHEMA.PROCESSLIST",
	"performance schema":     "SELECT * FROM performance_schema.threads",
	"sys":                    "SELECT * FROM sys.sys_config",
	"catalogue by backslash": "SELECT * FROM mysql . user",
	"procedure analyse":      "SELECT * FROM t PROCEDURE ANALYSE(10, 20)",
	"sleep in order":         "SELECT id FROM t ORDER BY SLEEP(30)",
	"sleep in having":        "SELECT id FROM t GROUP BY id HAVING SLEEP(30)",
	"sleep in limit":         "SELECT 1 LIMIT 1 OFFSET SLEEP(30)",
	"benchmark quoted":       "SELECT `benchmark`(1000000000, MD5('x'))",
	"master_pos_wait":        "SELECT MASTER_POS_WAIT('x', 1, 30)",
	"master_gtid_wait":       "SELECT MASTER_GTID_WAIT('0-1-1', 30)",
	"release locks":          "SELECT RELEASE_ALL_LOCKS()",
	"uuid_short":             "SELECT UUID_SHORT()",
	"last_insert_id":         "SELECT LAST_INSERT_ID(5)",
	"extractvalue":           "SELECT EXTRACTVALUE('<a/>', '/a')",
	"updatexml":              "SELECT UPDATEXML('<a/>', '/a', 'b')",
	"user":                   "SELECT USER(), VERSION(), CONNECTION_ID()",
	"sys_exec":               "SELECT SYS_EXEC('touch @DIR@/udf')",
	"encode":                 "SELECT DES_ENCRYPT('x')",
	"values function":        "SELECT VALUES(id) FROM t",
	"large value":            "SELECT REPEAT('x', 1000000000)",
	"large space":            "SELECT LENGTH(SPACE(1000000000))",
	"large pad":              "SELECT RPAD('x', 1000000000, 'y')",
	"many large values":      "SELECT REPEAT('x', 16000000) FROM seq_1_to_1000",
	"group concat bomb":      "SELECT GROUP_CONCAT(REPEAT('x', 1000000)) FROM seq_1_to_100000",
	"sort bomb":              "SELECT seq FROM seq_1_to_1000000000 ORDER BY -seq",
	"cross join bomb":        "SELECT count(*) FROM seq_1_to_1000000 a, seq_1_to_1000000 b",
	"recursion":              "WITH RECURSIVE a AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM a) SELECT count(*) FROM a",
	"recursion doubling":     "WITH RECURSIVE a AS (SELECT 1 AS n UNION ALL SELECT a.n + 1 FROM a, seq_1_to_2 WHERE a.n < 40) SELECT count(*) FROM a",
	"regex bomb":             "SELECT REPEAT('a', 50000) REGEXP '(a*)*(a*)*(a*)*b'",
	"parameter":              "SELECT ?",
	"odbc escape":            "SELECT {fn SLEEP(30)}",
	"partition":              "SELECT * FROM t PARTITION (p0)",
	"as of":                  "SELECT * FROM t FOR SYSTEM_TIME ALL",
	"query cache":            "SELECT SQL_CALC_FOUND_ROWS id FROM t LIMIT 1",
	"high priority":          "SELECT HIGH_PRIORITY id FROM t",
	"handler":                "HANDLER t READ FIRST",
	"lock tables":            "LOCK TABLES t READ",
	"unlock":                 "UNLOCK TABLES",
	"do":                     "DO GET_LOCK('a', 0)",
	"signal":                 "SIGNAL SQLSTATE '45000'",
	"get diagnostics":        "GET DIAGNOSTICS @a = NUMBER",
	"binlog":                 "BINLOG 'x'",
	"use":                    "USE mysql",
	"table":                  "TABLE t",
	"values":                 "VALUES (SLEEP(30))",
}
