package mysql_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
	"github.com/sqbyl/sqbyl/internal/testkit/servers"
)

// nowStatements mean something else every day.
var nowStatements = []string{
	"SELECT NOW(), CURRENT_TIMESTAMP, SYSDATE(), LOCALTIME, LOCALTIMESTAMP(), NOW(3), SYSDATE(6)",
	"SELECT CURDATE(), CURRENT_DATE, CURRENT_DATE(), CURTIME(), CURRENT_TIME, UTC_DATE(), UTC_TIME(), UTC_TIMESTAMP",
	"SELECT UNIX_TIMESTAMP(), FROM_UNIXTIME(UNIX_TIMESTAMP()), UNIX_TIMESTAMP(NOW())",
	"SELECT DATE_SUB(CURDATE(), INTERVAL 1 QUARTER), NOW() - INTERVAL 1 MONTH, LAST_DAY(NOW()), YEARWEEK(NOW())",
	"SELECT COUNT(*) FROM n WHERE at >= CURRENT_DATE - INTERVAL 2 MONTH AND at < NOW()",
	"SELECT DATE_FORMAT(NOW(), '%Y-%m'), TIMESTAMPDIFF(DAY, at, NOW()) FROM n ORDER BY 2 LIMIT 3",
	"SELECT 'NOW() and CURDATE()' AS `now` -- NOW()",
	"WITH today AS (SELECT CURDATE() AS d) SELECT COUNT(*) FROM n, today WHERE n.at < today.d",
	"SELECT NOW() = SYSDATE(), NOW() + 0, CAST(NOW() AS DATE)",
}

const nowTable = "CREATE TABLE n (at datetime); INSERT INTO n SELECT '2026-06-01' + INTERVAL seq DAY FROM seq_0_to_200;"

func TestAsOfGivesTheSameRowsAMonthLater(t *testing.T) {
	at := time.Date(2026, 9, 14, 22, 30, 15, 123456000, time.UTC)
	var first []string
	for _, clock := range []time.Time{time.Date(2026, 10, 3, 9, 0, 0, 0, time.UTC), time.Date(2026, 11, 4, 17, 0, 0, 0, time.UTC)} {
		s := servers.PrivateMariaDB(t, servers.Options{Clock: clock})
		s.Exec(t, nowTable)
		database := open(t, s.ReaderURL, driver.Options{AsOf: at})
		policy := database.Dialect().Policy
		policy.Grammar = database.Grammar()
		policy.AsOf = &guard.AsOf{Time: at, Literal: database.Dialect().Now}
		var got []string
		for _, sql := range nowStatements {
			statement, err := guard.Check(t.Context(), sql, &policy)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, fmt.Sprint(sql, " ", rowsOf(t, database, statement)))
		}
		if first == nil {
			first = got
			for i, part := range map[int]string{0: "2026-09-14 22:30:15.123456", 1: "2026-09-14", 3: "2026-08-14", 6: "NOW() and CURDATE()"} {
				if !strings.Contains(got[i], part) {
					t.Errorf("%s lacks %q", got[i], part)
				}
			}
			// The session's clock alone freezes all but SYSDATE.
			live, err := query(t, database, "SELECT CURDATE(), DATE(SYSDATE())")
			if err != nil || live.Rows[0][0].Raw() != "2026-09-14" || live.Rows[0][1].Raw() != "2026-10-03" {
				t.Errorf("the clocks say %v, %v", live, err)
			}
			plain := open(t, s.ReaderURL, driver.Options{})
			if live, err = query(t, plain, "SELECT CURDATE()"); err != nil || live.Rows[0][0].Raw() != "2026-10-03" {
				t.Errorf("the live day is %v, %v", live, err)
			}
			continue
		}
		for i := range got {
			if got[i] != first[i] {
				t.Errorf("a month later\n%s\nwas\n%s", got[i], first[i])
			}
		}
	}
}

func rowsOf(t testing.TB, database db.Database, statement guard.Statement) string {
	t.Helper()
	session := begin(t, database)
	defer func() { _ = session.Close() }()
	prepared, err := session.Prepare(t.Context(), statement)
	if err != nil {
		t.Fatalf("%s: %v", statement.SQL(), err)
	}
	result, err := session.Query(t.Context(), statement, db.Caps{})
	if err != nil {
		t.Fatalf("%s: %v", statement.SQL(), err)
	}
	for i, column := range result.Columns {
		if prepared[i].Name != column.Name || strings.Contains(column.Name, "/*") {
			t.Errorf("%s: column %q, prepared as %q", statement.SQL(), column.Name, prepared[i].Name)
		}
	}
	return fmt.Sprint(result.Columns, result.Rows)
}
