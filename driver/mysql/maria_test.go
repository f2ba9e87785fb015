package mysql_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
	"github.com/sqbyl/sqbyl/internal/testkit/servers"
)

func TestNothingIsCutInSilence(t *testing.T) {
	s := servers.MariaDB(t)
	s.Exec(t, "CREATE TABLE words (w VARCHAR(2000)); INSERT INTO words SELECT REPEAT('x', 2000) FROM seq_1_to_1000;")
	database := open(t, s.ReaderURL, driver.Options{})
	for _, c := range []struct {
		sql, want string
		kind      db.ErrorKind
	}{
		{"WITH RECURSIVE d AS (SELECT DATE'2020-01-01' AS d UNION ALL SELECT d + INTERVAL 1 DAY FROM d WHERE d < '2024-12-31') SELECT COUNT(*) FROM d", "1827", 0},
		{"WITH RECURSIVE n AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM n WHERE n < 50000) SELECT MAX(n) FROM n", "50000", 0},
		{"SELECT LENGTH(GROUP_CONCAT(w SEPARATOR '')) FROM words", "2000000", 0},
		{"SELECT LENGTH(GROUP_CONCAT(w SEPARATOR '')) FROM words, seq_1_to_100", "", db.ErrTooBig},
		{"SELECT LENGTH(REPEAT(w, 100000)) FROM words LIMIT 1", "", db.ErrTooBig},
		{"SELECT CAST(12345.6 AS DECIMAL(5, 2))", "", db.ErrType},
		{"SELECT CAST('12 apples' AS SIGNED)", "12", 0},
		{"SELECT 1 / 0 IS NULL", "1", 0},
	} {
		result, err := query(t, database, c.sql)
		switch {
		case c.want == "":
			wantKind(t, err, c.kind)
		case err != nil || len(result.Rows) != 1 || result.Rows[0][0].String() != c.want:
			t.Errorf("%s: %v, %v, want %s", c.sql, result, err, c.want)
		}
	}
}

func TestAViewReadsWhatTheStatementMayName(t *testing.T) {
	s := servers.MariaDB(t)
	other := s.Database + "_other"
	s.Exec(t, "CREATE DATABASE "+other+"; CREATE TABLE "+other+".h (x INT); INSERT INTO "+other+".h VALUES (7); CREATE TABLE own (x INT); INSERT INTO own VALUES (8);"+
		"CREATE VIEW v_other AS SELECT x FROM "+other+".h; CREATE VIEW v_own AS SELECT x FROM own; CREATE VIEW "+other+".v_lock AS SELECT GET_LOCK('a', 0) AS x;"+
		"GRANT SELECT, SHOW VIEW ON "+other+".* TO "+s.Reader+"@'127.0.0.1';")
	t.Cleanup(func() { s.Exec(t, "DROP DATABASE "+other+";") })
	database := open(t, s.ReaderURL, driver.Options{})
	session := begin(t, database)
	for _, c := range []struct {
		sql     string
		schemas []string
		refused string
	}{
		{"SELECT x FROM v_own", nil, ""},
		{"SELECT x FROM v_other", nil, "allow_schemas: [" + other + "]"},
		{"SELECT x FROM v_other", []string{s.Database}, "allow_schemas: [" + other + "]"},
		{"SELECT x FROM v_other", []string{s.Database, other}, ""},
		{"SELECT x FROM v_other", []string{other}, ""},
		{"SELECT x FROM v_own", []string{other}, ""},
		{"SELECT x FROM " + other + ".v_lock", nil, "get_lock"},
		{"SELECT x FROM v_own", nil, ""},
	} {
		policy := database.Dialect().Policy
		policy.Grammar, policy.Schemas = database.Grammar(), c.schemas
		statement, err := guard.Check(t.Context(), c.sql, &policy)
		if err == nil {
			_, err = session.Query(t.Context(), statement, db.Caps{})
		}
		var refusal *guard.Refusal
		if c.refused == "" && err != nil || c.refused != "" && (!errors.As(err, &refusal) || !strings.Contains(refusal.Repair, c.refused)) {
			t.Errorf("%s with %q: %v", c.sql, c.schemas, err)
		}
	}
}

func TestWhatOnlyMariaDBSaysIsReadToo(t *testing.T) {
	s := servers.MariaDB(t)
	s.Exec(t, "CREATE TABLE o (region VARCHAR(9), x INT); INSERT INTO o VALUES ('n', 1), ('n', 3), ('n', 9), ('s', 4);"+
		"CREATE TABLE h (x INT) WITH SYSTEM VERSIONING; INSERT INTO h VALUES (5); UPDATE h SET x = 6; CREATE FUNCTION f_write() RETURNS INT DETERMINISTIC RETURN 1;")
	database := open(t, s.ReaderURL, driver.Options{})
	for sql, want := range map[string]string{
		"SELECT DISTINCT MEDIAN(x) OVER (PARTITION BY region) FROM o WHERE region = 'n'":                                        "3.0",
		"SELECT DISTINCT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY x DESC) OVER (PARTITION BY region) AS m FROM o ORDER BY m": "3.0",
		"SELECT PERCENTILE_DISC(0.9) WITHIN GROUP (ORDER BY x + 1) OVER () FROM o LIMIT 1":                                      "10",
		"SELECT GROUP_CONCAT(x ORDER BY x DESC SEPARATOR '-' LIMIT 2) FROM o":                                                   "9-4",
		"SELECT GROUP_CONCAT(x ORDER BY x LIMIT 1, 2) FROM o":                                                                   "3,4",
		"VALUES (1, 2), (3, 4)":                                                          "1",
		"SELECT a FROM (VALUES (7, 2)) AS v(a, b)":                                       "",
		"WITH v(a, b) AS (VALUES (7, 2), (8, 2)) SELECT MAX(a) FROM v":                   "8",
		"SELECT MIN(x) FROM h FOR SYSTEM_TIME ALL":                                       "5",
		"SELECT x FROM h FOR SYSTEM_TIME AS OF TIMESTAMP'2037-01-01 00:00:00' AS y":      "6",
		"SELECT MIN(y.x) FROM h FOR SYSTEM_TIME BETWEEN '2000-01-01' AND '2037-01-01' y": "5",
		"SELECT CAST('7' AS INT) + CAST('1' AS INTEGER)":                                 "8",
	} {
		result, err := query(t, database, sql)
		if want != "" && (err != nil || len(result.Rows) == 0 || result.Rows[0][0].String() != want) {
			t.Errorf("%s: %v, %v, want %s", sql, result, err, want)
		}
	}
	policy := database.Dialect().Policy
	policy.Grammar, policy.Limit = database.Grammar(), 3
	policy.Known = guard.NewKnown([]guard.Name{{Schema: s.Database, Table: "o"}, {Schema: s.Database, Table: "h"}}, nil)
	for sql, want := range map[string]int{
		"VALUES (1), (2), (3), (4)": 3, "SELECT seq FROM seq_1_to_10": 3, "SELECT seq FROM seq_1_to_10_step_9 s JOIN o ON x = seq": 1, "SELECT x FROM seq_1_to_10x": -1,
		"SELECT seq FROM other.seq_1_to_10": -1, "SELECT x, MEDIAN(x) OVER () FROM o": 3, "SELECT GROUP_CONCAT(x LIMIT 2) FROM o": 1, "SELECT x FROM h FOR SYSTEM_TIME ALL": 2,
	} {
		statement, err := guard.Check(t.Context(), sql, &policy)
		var result *db.Result
		if err == nil {
			session := begin(t, database)
			result, err = session.Query(t.Context(), statement, db.Caps{})
			_ = session.Close()
		}
		if want < 0 && err == nil || want >= 0 && (err != nil || len(result.Rows) != want) {
			t.Errorf("%s: %v, %v, want %d rows", sql, result, err, want)
		}
	}
	for _, sql := range []string{
		"SELECT MEDIAN(f_write()) OVER () FROM o", "SELECT MEDIAN(SLEEP(9)) OVER () FROM o", "SELECT MEDIAN(x) OVER () INTO @a FROM o", "SELECT MEDIAN(x) OVER () FROM o FOR UPDATE",
		"SELECT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY SLEEP(9)) OVER () FROM o", "SELECT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY @a := 1) OVER () FROM o",
		"SELECT GROUP_CONCAT(x LIMIT 1 PROCEDURE) FROM o", "VALUES (SLEEP(9))", "VALUES (1) INTO OUTFILE 'x'", "SELECT x FROM mysql.user FOR SYSTEM_TIME ALL",
		"SELECT x FROM h FOR SYSTEM_TIME AS OF f_write()", "SELECT x FROM h FOR SYSTEM_TIME ALL FOR UPDATE", "SELECT MEDIAN((SELECT 1 FROM mysql.user)) OVER () FROM o",
		"SELECT x FROM o LIMIT ROWS EXAMINED 5",
	} {
		if _, err := query(t, database, sql); err == nil {
			t.Errorf("%s passes", sql)
		}
	}
}
