package postgres_test

import (
	"errors"
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
	"SELECT now(), transaction_timestamp(), statement_timestamp(), clock_timestamp()",
	"SELECT CURRENT_TIMESTAMP, current_timestamp(0), LOCALTIMESTAMP, localtimestamp(3)",
	"SELECT current_date, CURRENT_TIME, LOCALTIME, current_time(2), localtime(0)",
	"SELECT current_date - 30, now() - interval '1 month', date_trunc('quarter', now())::date",
	"SELECT NOW ( ), now/* a */(), count(*) FROM n WHERE at >= now() - interval '2 months'",
	"SELECT EXTRACT(year FROM now()), to_char(current_date, 'YYYY-MM'), now() AT TIME ZONE 'Asia/Tokyo'",
	"SELECT date 'today', 'yesterday'::date, CAST('tomorrow' AS date), timestamptz 'now'",
	"SELECT d FROM generate_series(date_trunc('month', now()), now(), interval '1 day') AS d",
	"SELECT 'now() and current_date' AS current_date -- now()",
	"WITH today AS (SELECT current_date AS d) SELECT count(*) FROM n, today WHERE n.at < today.d",
	"SELECT now() < current_timestamp, now() = now(), age(now(), at) FROM n ORDER BY 3 LIMIT 3",
	"SELECT timeofday() ~ '^Mon'",
}

const nowTable = `CREATE TABLE n (at timestamptz); INSERT INTO n SELECT '2026-06-01 00:00+00'::timestamptz + i * interval '1 day' FROM generate_series(0, 200) i;`

func TestAsOfGivesTheSameRowsAMonthLater(t *testing.T) {
	at := time.Date(2026, 9, 14, 22, 30, 15, 123456000, time.UTC)
	var first []string
	for _, clock := range []time.Time{time.Date(2026, 10, 3, 9, 0, 0, 0, time.UTC), time.Date(2026, 11, 4, 17, 0, 0, 0, time.UTC)} {
		s := servers.PrivatePostgres(t, servers.Options{Clock: clock, Args: []string{"-c", "timezone=Europe/Berlin"}})
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
			wantInside(t, got[0], "[{now timestamp with time zone} {transaction_timestamp ")
			wantInside(t, got[2], "[{current_date date} {current_time ")
			wantInside(t, got[0], "2026-09-14 22:30:15.123456+00:00")
			wantInside(t, got[2], "[[2026-09-15 ") // in Berlin it is past midnight
			wantInside(t, got[8], "now() and current_date")
			// Without an as-of the server's own clock is read.
			live, err := query(t, database, "SELECT current_date")
			if err != nil || live.Rows[0][0].Raw() != "2026-10-03" {
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

func TestAsOfRefusesAgeFromToday(t *testing.T) {
	s := servers.Postgres(t)
	s.Exec(t, nowTable)
	for sql, refused := range map[string]bool{"SELECT age(at) FROM n": true, "SELECT AGE ((at)) FROM n": true, "SELECT age(now(), at), 'age(1)' FROM n": false} {
		_, err := query(t, open(t, s.ReaderURL, driver.Options{AsOf: time.Now()}), sql)
		var refusal *guard.Refusal
		if errors.As(err, &refusal) != refused || refused && !strings.Contains(refusal.Repair, "age(current_date, ") {
			t.Errorf("%s: %v", sql, err)
		}
		if _, err := query(t, open(t, s.ReaderURL, driver.Options{}), sql); err != nil {
			t.Errorf("without an as-of: %s: %v", sql, err)
		}
	}
}

func wantInside(t testing.TB, text, part string) {
	t.Helper()
	if !strings.Contains(text, part) {
		t.Errorf("%s lacks %q", text, part)
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
		if prepared[i].Name != column.Name {
			t.Errorf("%s: column %q, prepared as %q", statement.SQL(), column.Name, prepared[i].Name)
		}
	}
	return fmt.Sprint(result.Columns, result.Rows)
}
