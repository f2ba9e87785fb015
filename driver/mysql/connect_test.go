package mysql_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
	"github.com/sqbyl/sqbyl/internal/testkit/servers"
)

func TestStoredValuesComeBackExactly(t *testing.T) {
	s := servers.MariaDB(t)
	s.Exec(t, `SET sql_mode = '';
CREATE TABLE v (a BIT(12), b BIGINT UNSIGNED, c DECIMAL(30, 10), d DATE, e DATETIME(3), f TIME(2), g YEAR, h ENUM('x', 'it''s'), i SET('p', 'q'),
  j JSON, k BLOB, l LONGTEXT, m FLOAT, n DOUBLE, o VARBINARY(4), p CHAR(4), q TINYINT(1), r MEDIUMTEXT CHARACTER SET latin1, s BIT(64), u DATE, w TIMESTAMP NULL);
INSERT INTO v VALUES (b'101000000001', 18446744073709551615, 12345678901234567890.0123456789, '2024-00-00', '2024-02-29 23:59:59.123', '-838:59:58.5', 2026, 'it''s', 'p,q',
  '{"a": 12345678901234567890}', x'00ff', 'é', 0.1, 0.1, x'01', 'ab', 2, 'é', b'1111111111111111111111111111111111111111111111111111111111111111', '0000-00-00', '2026-11-30 01:02:03');`)
	database := open(t, s.ReaderURL, driver.Options{})
	for column, want := range map[string]struct {
		json string
		kind db.ValueKind
	}{
		"a": {`2561`, db.Int}, "b": {`18446744073709551615`, db.Decimal}, "c": {`12345678901234567890.0123456789`, db.Decimal},
		"d": {`"2024-00-00"`, db.Date}, "e": {`"2024-02-29 23:59:59.123"`, db.Timestamp}, "f": {`"-838:59:58.50"`, db.Clock}, "g": {`2026`, db.Int},
		"h": {`"it's"`, db.Text}, "i": {`"p,q"`, db.Text}, "j": {`"{\"a\": 12345678901234567890}"`, db.Text}, "k": {`{"$blob":"00ff"}`, db.Blob},
		"l": {`"é"`, db.Text}, "m": {`0.1`, db.Float}, "n": {`0.1`, db.Float}, "o": {`{"$blob":"01"}`, db.Blob}, "p": {`"ab"`, db.Text}, "q": {`2`, db.Int},
		"r": {`"é"`, db.Text}, "s": {`18446744073709551615`, db.Decimal}, "u": {`"0000-00-00"`, db.Date}, "w": {`"2026-11-30 01:02:03"`, db.Timestamp},
	} {
		result, err := query(t, database, "SELECT "+column+" FROM v")
		if err != nil {
			t.Errorf("%s: %v", column, err)
			continue
		}
		v := result.Rows[0][0]
		if got, err := json.Marshal(v); err != nil || string(got) != want.json || v.Kind() != want.kind {
			t.Errorf("%s (%s) = %s, kind %d (%v); want %s, %d", column, result.Columns[0].Type, got, v.Kind(), err, want.json, want.kind)
		}
	}
}

func TestWarningsSayWhatTheUserMayDoAndHowToStopIt(t *testing.T) {
	s := servers.MariaDB(t)
	s.Exec(t, "CREATE TABLE orders (id int, note text); CREATE ROLE "+s.Reader+"_role;")
	who := s.Reader + "@'127.0.0.1'"
	shown := s.Reader + "@127.0.0.1"
	for _, c := range []struct{ give, message string }{
		{"", ""},
		{"GRANT INSERT, UPDATE (note) ON orders TO " + who, fmt.Sprintf("%s has INSERT, UPDATE (`note`) on %s.orders", shown, s.Database)},
		{"GRANT DELETE, DROP ON *.* TO " + who, shown + " has DELETE, DROP on *.*"},
		{"GRANT FILE ON *.* TO " + who, shown + " has FILE on *.*"},
		{"GRANT ALTER ON " + s.Database + ".* TO " + s.Reader + "_role; GRANT " + s.Reader + "_role TO " + who, fmt.Sprintf("%s_role has ALTER on %s.*", s.Reader, s.Database)},
	} {
		if c.give != "" {
			s.Exec(t, c.give+";")
		}
		info := open(t, s.ReaderURL, driver.Options{Connections: 1}).Info()
		if c.message == "" {
			if len(info.Warnings) > 0 || info.Superuser {
				t.Errorf("a plain reader is warned of: %v", info.Warnings)
			}
			continue
		}
		i := slices.IndexFunc(info.Warnings, func(w db.Warning) bool { return w.Message == c.message })
		if i < 0 {
			t.Errorf("%s: warnings %v lack %q", c.give, info.Warnings, c.message)
			continue
		}
		s.Exec(t, strings.Join(info.Warnings[i].Remedy, ";\n")+";")
		if after := open(t, s.ReaderURL, driver.Options{Connections: 1}).Info(); len(after.Warnings) > 0 {
			t.Errorf("after %q there is still %v", info.Warnings[i].Remedy, after.Warnings)
		}
	}
	info := open(t, s.URL, driver.Options{Connections: 1}).Info()
	if !info.Superuser || len(info.Warnings) == 0 || !strings.HasPrefix(info.Warnings[0].Remedy[0], "CREATE USER") {
		t.Errorf("superuser: %+v", info)
	}
	if info.Product != "MariaDB" || info.Version == "" || strings.Contains(info.Location, servers.SuperPassword) {
		t.Errorf("%+v", info)
	}
	// The scheme may say MySQL: the server is asked.
	if other := open(t, strings.Replace(s.ReaderURL, "mariadb:", "mysql:", 1), driver.Options{}); other.Dialect().Title != "MariaDB" {
		t.Errorf("dialect %s", other.Dialect().Title)
	}
}

func TestConnectionsThatFailSayWhyWithoutThePassword(t *testing.T) {
	s := servers.MariaDB(t)
	s.Exec(t, "CREATE USER "+s.Reader+"_tls@'127.0.0.1' IDENTIFIED BY 'sesame' REQUIRE SSL;")
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	for _, c := range []struct {
		url  string
		kind db.ErrorKind
		says string
	}{
		{s.URLFor(s.Reader, "sesame", s.Database), db.ErrAuth, "check user and password"},
		{s.URLFor("nobody_here", "sesame", s.Database), db.ErrAuth, "check user and password"},
		{s.URLFor("root", servers.SuperPassword, "no_such_db"), db.ErrAuth, "check the database's name"},
		{s.URLFor(s.Reader, servers.ReaderPassword, "hidden_db"), db.ErrAuth, "check the database's name"},
		{s.URLFor(s.Reader+"_tls", "sesame", ""), db.ErrAuth, "tls=true"},
		{s.URL + "?tls=true", db.ErrUnreachable, "does not speak TLS"},
		{s.URL + "?multiStatements=true", db.ErrAuth, "unknown option"},
		{"mysql://u:sesame@127.0.0.1:1/x", db.ErrUnreachable, "refused"},
		{"mysql://u:sesame@" + listener.Addr().String() + "/x", db.ErrUnreachable, "no answer in time"},
		{"mysql://u:se%zzsame@h/x", db.ErrAuth, "percent-encoded"},
	} {
		database, err := driver.Open(t.Context(), c.url, driver.Options{ConnectTimeout: 700 * time.Millisecond})
		if err == nil {
			_ = database.Close()
			t.Errorf("%s opened", driver.Mask(c.url))
			continue
		}
		var e *db.Error
		if !errors.As(err, &e) || e.Kind != c.kind || !strings.Contains(e.Message, c.says) {
			t.Errorf("%s: %v (%+v)", driver.Mask(c.url), err, e)
		}
		if strings.Contains(err.Error(), "sesame") || strings.Contains(err.Error(), servers.SuperPassword) || !strings.Contains(err.Error(), "connect to m") {
			t.Errorf("%s: %v", driver.Mask(c.url), err)
		}
	}
}

const endless = "SELECT count(*) FROM seq_1_to_1000000000 a, seq_1_to_1000000 b WHERE a.seq + b.seq = -1"

func TestCancelReachesTheServer(t *testing.T) {
	s := servers.MariaDB(t)
	database := open(t, s.ReaderURL, driver.Options{})
	statement, err := check(t, database, endless)
	if err != nil {
		t.Fatal(err)
	}
	session := begin(t, database)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		_, err := session.Query(ctx, statement, db.Caps{Time: time.Minute})
		done <- err
	}()
	running := "SELECT count(*) FROM information_schema.processlist WHERE user = '" + s.Reader + "' AND command = 'Query';"
	waitFor(t, func() bool { return strings.TrimSpace(s.Query(t, running)) == "1" })
	cancel()
	wantKind(t, <-done, db.ErrCanceled)
	waitFor(t, func() bool { return strings.TrimSpace(s.Query(t, running)) == "0" })
}

func TestCapWithAnExplicitLimitKeepsTheSession(t *testing.T) {
	s := servers.MariaDB(t)
	database := open(t, s.ReaderURL, driver.Options{})
	session := begin(t, database)
	for range 20 {
		statement, err := check(t, database, "SELECT seq FROM seq_1_to_50000000 LIMIT 40000000")
		if err != nil {
			t.Fatal(err)
		}
		result, err := session.Query(t.Context(), statement, db.Caps{Rows: 10})
		if err != nil || len(result.Rows) != 10 || result.Truncated != db.ByRows {
			t.Fatalf("%v, %v", result, err)
		}
	}
}

func TestServerGoneMidQuery(t *testing.T) {
	s := servers.PrivateMariaDB(t, servers.Options{})
	database := open(t, s.ReaderURL, driver.Options{Connections: 2})
	statement, err := check(t, database, endless)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	run := func(session db.Session) {
		_, err := session.Query(context.WithoutCancel(t.Context()), statement, db.Caps{Time: time.Minute})
		done <- err
	}
	running := "SELECT id FROM information_schema.processlist WHERE user = '" + s.Reader + "' AND info LIKE 'SELECT count%';"
	session := begin(t, database)
	go run(session)
	waitFor(t, func() bool { return s.Query(t, running) != "" })
	s.Exec(t, "KILL "+strings.TrimSpace(s.Query(t, running))+";")
	wantLost(t, <-done)
	_ = session.Close()
	if _, err := query(t, database, "SELECT 1"); err != nil {
		t.Errorf("after a lost session: %v", err)
	}
	session = begin(t, database)
	go run(session)
	waitFor(t, func() bool { return s.Query(t, running) != "" })
	s.Kill()
	wantLost(t, <-done)
	if _, err := database.Session(t.Context(), db.Answer); err == nil || !strings.Contains(err.Error(), "mariadb://"+s.Reader+":***@") {
		t.Errorf("with the server gone: %v", err)
	}
}

func wantLost(t testing.TB, err error) {
	t.Helper()
	wantKind(t, err, db.ErrUnreachable)
	if err != nil && (!strings.Contains(err.Error(), ":***@") || strings.Contains(err.Error(), servers.ReaderPassword)) {
		t.Errorf("%v", err)
	}
}

func waitFor(t testing.TB, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !ok(); {
		if time.Now().After(deadline) {
			t.Fatal("waited in vain")
		}
	}
}

func TestCatalogTellsWhatMariaDBHas(t *testing.T) {
	s := servers.MariaDB(t)
	s.Exec(t, `CREATE TABLE a (id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY, mood ENUM('sad', 'it''s') NOT NULL DEFAULT 'sad' COMMENT 'of the buyer',
  total DECIMAL(12,2), tax DECIMAL(12,2) AS (total / 5) VIRTUAL, kind CHAR(1) CHECK (kind IN ('x', 'y')), UNIQUE KEY (mood, total)) COMMENT 'what happened';
CREATE TABLE b (a_id BIGINT UNSIGNED, at DATETIME DEFAULT CURRENT_TIMESTAMP, FOREIGN KEY (a_id) REFERENCES a (id));
CREATE TABLE c (x INT) PARTITION BY HASH (x) PARTITIONS 4;
CREATE VIEW w AS SELECT id FROM a WHERE total > 0;
CREATE TABLE gone (x INT); CREATE VIEW lost AS SELECT x FROM gone; DROP TABLE gone;
INSERT INTO a (mood, total) SELECT 'sad', seq FROM seq_1_to_5000; ANALYZE TABLE a;`)
	database := open(t, s.ReaderURL, driver.Options{})
	session := begin(t, database)
	got, err := database.Dialect().Catalog(t.Context(), session)
	if err != nil {
		t.Fatal(err)
	}
	for i := range got.Tables {
		got.Tables[i].Rows, got.Tables[i].Definition = min(got.Tables[i].Rows, 0), strings.ReplaceAll(got.Tables[i].Definition, "`", "")
	}
	d := s.Database
	want := catalog.Schema{DefaultSchema: d, Unreadable: []string{"lost"}, Tables: []catalog.Table{
		{Schema: d, Name: "a", Kind: catalog.BaseTable, Comment: "what happened", Columns: []catalog.Column{
			{Name: "id", Type: "bigint(20) unsigned", Identity: true},
			{Name: "mood", Type: "enum('sad','it''s')", Default: "'sad'", Enum: []string{"sad", "it's"}, Comment: "of the buyer"},
			{Name: "total", Type: "decimal(12,2)", Nullable: true},
			{Name: "tax", Type: "decimal(12,2)", Nullable: true, Generated: true},
			{Name: "kind", Type: "char(1)", Nullable: true, Checks: []string{"x", "y"}},
		}, PrimaryKey: []string{"id"}, Unique: [][]string{{"mood", "total"}}},
		{Schema: d, Name: "b", Kind: catalog.BaseTable, Columns: []catalog.Column{
			{Name: "a_id", Type: "bigint(20) unsigned", Nullable: true},
			{Name: "at", Type: "datetime", Nullable: true, Default: "current_timestamp()"},
		}, ForeignKeys: []catalog.ForeignKey{{Columns: []string{"a_id"}, RefSchema: d, RefTable: "a", RefColumns: []string{"id"}}}},
		{Schema: d, Name: "c", Kind: catalog.BaseTable, Columns: []catalog.Column{{Name: "x", Type: "int(11)", Nullable: true}}},
		{Schema: d, Name: "w", Kind: catalog.View, Rows: -1, Definition: "select " + d + ".a.id AS id from " + d + ".a where " + d + ".a.total > 0",
			Columns: []catalog.Column{{Name: "id", Type: "bigint(20) unsigned"}}},
	}}
	want.Tables[3].Columns[0].Default = "0"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	got.Tables[0].Rows = 5000
	var first string
	for range 2 {
		sample, err := database.Dialect().Sample(t.Context(), session, got.Tables[0], []string{"id", "mood"}, 500)
		if err != nil || len(sample.Rows) < 400 || len(sample.Rows) > 500 || sample.Rows[len(sample.Rows)-1][0].Int() < 4000 {
			t.Fatalf("sample: %v, %v", len(sample.Rows), err)
		}
		if text := fmt.Sprint(sample.Rows); first == "" {
			first = text
		} else if text != first {
			t.Error("the second sample is another one")
		}
	}
}

// BenchmarkCatalogOf1000Tables is introspection of 1,000 tables of 20 columns.
func BenchmarkCatalogOf1000Tables(b *testing.B) {
	s := servers.MariaDB(b)
	var sql strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&sql, "CREATE TABLE t%d (id int PRIMARY KEY", i)
		for c := range 19 {
			fmt.Fprintf(&sql, ", c%d varchar(20)", c)
		}
		sql.WriteString(") ENGINE=Aria;\n")
	}
	s.Exec(b, sql.String())
	database := open(b, s.ReaderURL, driver.Options{})
	for b.Loop() {
		session := begin(b, database)
		got, err := database.Dialect().Catalog(b.Context(), session)
		if err != nil || len(got.Tables) != 1000 || len(got.Tables[7].Columns) != 20 {
			b.Fatal(len(got.Tables), err)
		}
		_ = session.Close()
	}
}

// BenchmarkCapOn50MillionRows reads the first 1,000 of 50 million.
func BenchmarkCapOn50MillionRows(b *testing.B) {
	database := open(b, servers.MariaDB(b).ReaderURL, driver.Options{})
	for b.Loop() {
		result, err := query(b, database, "SELECT seq, seq * 2, CONCAT('row ', seq) FROM seq_1_to_50000000")
		if err != nil || len(result.Rows) != 1000 || result.Truncated == "" {
			b.Fatal(err)
		}
	}
}

func TestBoundParameters(t *testing.T) {
	s := servers.MariaDB(t)
	database := open(t, s.ReaderURL, driver.Options{})
	policy := database.Dialect().Policy
	policy.Grammar = database.Grammar()
	statement, err := guard.CheckBound(t.Context(), "SELECT CAST(:day AS DATE) + INTERVAL 1 DAY, :name, CAST(0.10 AS DECIMAL(5,2)), :day FROM seq_1_to_300 WHERE :n > 2 LIMIT 250", []string{"day", "name", "n"}, &policy)
	if err != nil {
		t.Fatal(err)
	}
	session := begin(t, database)
	if columns, err := session.Prepare(t.Context(), statement); err != nil || len(columns) != 4 {
		t.Fatalf("%v, %v", columns, err)
	}
	values := map[string]db.Value{"day": db.LiteralValue(db.Date, "2026-11-30"), "name": db.TextValue("x'; DROP TABLE t; --"), "n": db.IntValue(3)}
	var args []db.Value
	for _, name := range statement.Params() {
		args = append(args, values[name])
	}
	result, err := session.Query(t.Context(), statement, db.Caps{}, args...)
	if err != nil || len(result.Rows) != 250 || result.Rows[249][0].Raw() != "2026-12-01" || result.Rows[0][1].Raw() != "x'; DROP TABLE t; --" || result.Rows[0][2].String() != "0.10" {
		t.Fatalf("%v, %v", result, err)
	}
	_, err = session.Query(t.Context(), statement, db.Caps{})
	wantKind(t, err, db.ErrType)
	if result, err = session.Query(t.Context(), statement, db.Caps{Rows: 5}, args...); err != nil || len(result.Rows) != 5 || result.Truncated != db.ByRows {
		t.Fatalf("%v, %v", result, err)
	}
}

func TestAllowedFunctionsAndBlindViews(t *testing.T) {
	s := servers.MariaDB(t)
	s.Exec(t, "CREATE FUNCTION net(x INT) RETURNS INT DETERMINISTIC RETURN x * 4 DIV 5; CREATE VIEW v AS SELECT net(10) AS n; GRANT EXECUTE ON FUNCTION net TO "+s.Reader+"@'127.0.0.1';")
	run := func(database db.Database, sql string, allowed ...string) error {
		policy := database.Dialect().Policy
		policy.Grammar, policy.Allowed = database.Grammar(), allowed
		statement, err := guard.Check(t.Context(), sql, &policy)
		if err != nil {
			return err
		}
		session := begin(t, database)
		defer func() { _ = session.Close() }()
		_, err = session.Query(t.Context(), statement, db.Caps{})
		return err
	}
	database := open(t, s.ReaderURL, driver.Options{})
	for _, sql := range []string{"SELECT net(10)", "SELECT n FROM v"} {
		var refusal *guard.Refusal
		if err := run(database, sql); !errors.As(err, &refusal) || !slices.Contains(refusal.Names, "net") {
			t.Errorf("%s: %v", sql, err)
		}
		if err := run(database, sql, "net", s.Database+".net"); err != nil {
			t.Errorf("%s, allowed: %v", sql, err)
		}
	}
	s.Exec(t, "REVOKE SHOW VIEW ON "+s.Database+".* FROM "+s.Reader+"@'127.0.0.1';")
	var refusal *guard.Refusal
	if err := run(open(t, s.ReaderURL, driver.Options{}), "SELECT n FROM v", "net"); !errors.As(err, &refusal) || !strings.Contains(refusal.Repair, "GRANT SHOW VIEW") {
		t.Errorf("a view that cannot be looked into: %v", err)
	}
}
