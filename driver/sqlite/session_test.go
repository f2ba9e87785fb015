package sqlite_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ncruces/go-sqlite3"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/driver/sqlite"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
)

// file makes a database outside the product.
func file(t testing.TB, statements ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "shop.db")
	write(t, path, statements...)
	return path
}

func write(t testing.TB, path string, statements ...string) {
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
	for _, s := range statements {
		if err := native.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

func open(t testing.TB, path string, o driver.Options) db.Database {
	t.Helper()
	d, err := sqlite.Open(context.Background(), "sqlite:"+path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

func session(t testing.TB, d db.Database, p db.Profile) db.Session {
	t.Helper()
	s, err := d.Session(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func checked(t testing.TB, d db.Database, sql string) guard.Statement {
	t.Helper()
	policy := d.Dialect().Policy
	st, err := guard.Check(context.Background(), sql, &policy)
	if err != nil {
		t.Fatalf("guard on %s: %v", sql, err)
	}
	return st
}

// ask runs one statement in a session of its own.
func ask(t testing.TB, d db.Database, sql string) (*db.Result, error) {
	t.Helper()
	s := session(t, d, db.Answer)
	defer func() { _ = s.Close() }()
	return s.Query(context.Background(), checked(t, d, sql), db.Caps{})
}

func kindOf(err error) db.ErrorKind {
	var e *db.Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return 0
}

func TestValuesComeBackAsStored(t *testing.T) {
	path := file(t, `CREATE TABLE t (d DATE, ts TIMESTAMP, n NUMERIC, b BOOLEAN, x)`,
		`INSERT INTO t VALUES ('2026-02-30', '2026-11-30T08:00:00Z', 9007199254740993, 1, x'00ff'),
			(20260101, 1.5, '12.30', 'yes', CAST(x'ff41' AS TEXT)), (NULL, '', 1e400, 0, 'a' || char(0) || 'b')`)
	res, err := ask(t, open(t, path, driver.Options{}), "SELECT d, ts, n, b, x FROM t")
	if err != nil {
		t.Fatal(err)
	}
	want := [][]db.Value{
		{db.TextValue("2026-02-30"), db.TextValue("2026-11-30T08:00:00Z"), db.IntValue(9007199254740993), db.IntValue(1), db.BlobValue([]byte{0, 255})},
		{db.IntValue(20260101), db.FloatValue(1.5), db.FloatValue(12.3), db.TextValue("yes"), db.TextValue("\xffA")},
		{{}, db.TextValue(""), db.FloatValue(inf()), db.IntValue(0), db.TextValue("a\x00b")},
	}
	for i := range want {
		for j := range want[i] {
			if got := res.Rows[i][j]; got.Kind() != want[i][j].Kind() || got.String() != want[i][j].String() || got.Raw() != want[i][j].Raw() {
				t.Errorf("row %d column %d: %v, want %v", i, j, got, want[i][j])
			}
		}
	}
	for i, want := range []string{"DATE", "TIMESTAMP", "NUMERIC", "BOOLEAN", ""} {
		if got := res.Columns[i].Type; got != want {
			t.Errorf("column %d has type %q, want %q", i, got, want)
		}
	}
}

func inf() float64 {
	f := 1e308
	return f * 10
}

func TestAnUnknownColumnInDoubleQuotesIsAnError(t *testing.T) {
	d := open(t, file(t, `CREATE TABLE customers (region TEXT)`, `INSERT INTO customers VALUES ('emea')`), driver.Options{})
	st := checked(t, d, `SELECT "regoin" FROM customers`)
	s := session(t, d, db.Answer)
	_, err := s.Query(context.Background(), st, db.Caps{})
	var e *db.Error
	if !errors.As(err, &e) || e.Kind != db.ErrUnknownColumn || e.Name != "regoin" || len(e.Candidates) == 0 || e.Candidates[0] != "customers.region" {
		t.Fatalf("answer: %#v", err)
	}
	_ = s.Close()
	score := session(t, d, db.Score)
	res, err := score.Query(context.Background(), st, db.Caps{})
	if err != nil || res.Rows[0][0].Raw() != "regoin" {
		t.Fatalf("score: %v, %v", res, err)
	}
	_ = score.Close()
	// The pooled connection must not carry the other profile over.
	if _, err := session(t, d, db.Answer).Prepare(context.Background(), st); kindOf(err) != db.ErrUnknownColumn {
		t.Fatalf("answer after score: %v", err)
	}
}

func TestReadsAreResolvedThroughViewsAndAliases(t *testing.T) {
	d := open(t, file(t, `CREATE TABLE orders (id, amount_cents, status)`, `CREATE VIEW paid AS SELECT id, amount_cents AS a FROM orders WHERE status = 'paid'`), driver.Options{})
	s := session(t, d, db.Answer)
	reads, err := s.(db.Resolver).Reads(context.Background(), checked(t, d, "WITH w AS (SELECT amount_cents AS z FROM orders) SELECT sum(z), (SELECT max(a) FROM paid) FROM w"))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, r := range reads {
		got[r.Table.Table+"."+r.Column] = true
	}
	for _, want := range []string{"orders.amount_cents", "orders.status", "paid.a"} {
		if !got[want] {
			t.Errorf("%s is missing in %v", want, reads)
		}
	}
	if got["orders.z"] || got["w.z"] {
		t.Errorf("an alias is taken for a column: %v", reads)
	}
}

func TestAViewWithTextInDoubleQuotesIsNamed(t *testing.T) {
	path := file(t, `CREATE TABLE orders (id, status)`)
	native, err := sqlite3.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, op := range []sqlite3.DBConfig{sqlite3.DBCONFIG_DQS_DDL, sqlite3.DBCONFIG_DQS_DML} {
		if _, err := native.Config(op, true); err != nil {
			t.Fatal(err)
		}
	}
	if err := native.Exec(`CREATE VIEW paid AS SELECT id FROM orders WHERE status = "paid"`); err != nil {
		t.Fatal(err)
	}
	_ = native.Close()
	d := open(t, path, driver.Options{})
	_, err = ask(t, d, "SELECT count(*) FROM paid")
	var e *db.Error
	if !errors.As(err, &e) || e.Name != "paid" {
		t.Fatalf("got %v", err)
	}
	schema, err := d.Dialect().Catalog(context.Background(), session(t, d, db.Answer))
	if err != nil || len(schema.Tables) == 0 {
		t.Fatalf("catalogue: %+v, %v", schema, err)
	}
}

// Scoring sorts in memory what answers sort with a file, on a connection that
// both use in turn.
func TestScoringHasRoomToSort(t *testing.T) {
	d := open(t, file(t, "CREATE TABLE t (n INTEGER)"), driver.Options{Connections: 1})
	for _, p := range []struct {
		profile db.Profile
		pages   string
	}{{db.Answer, "-2000"}, {db.Score, "-32768"}, {db.Answer, "-2000"}} {
		s, err := d.Session(context.Background(), p.profile)
		if err != nil {
			t.Fatal(err)
		}
		res, err := s.Own(context.Background(), db.OwnSQL("SELECT cache_size FROM pragma_cache_size"))
		if err != nil {
			t.Fatal(err)
		}
		if got := res.Rows[0][0].String(); got != p.pages {
			t.Errorf("profile %v: cache_size %s, want %s", p.profile, got, p.pages)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestASyntaxErrorSpeaksOfTheTextAsWritten(t *testing.T) {
	d := open(t, file(t, "CREATE TABLE t (a)"), driver.Options{})
	for sql, says := range map[string]string{
		"SELECT * FROM t WHERE": "incomplete", "SELECT * FROM t ORDER BY": "incomplete", "SELECT a FROM t WHERE a = AND": `near "AND"`, "SELECT a a a FROM t": `near "a"`,
	} {
		policy := d.Dialect().Policy
		policy.Limit = 11
		st, err := guard.Check(t.Context(), sql, &policy)
		if err != nil {
			t.Errorf("%s: %v", sql, err)
			continue
		}
		var e *db.Error
		_, err = session(t, d, db.Answer).Prepare(t.Context(), st)
		if !errors.As(err, &e) || e.Kind != db.ErrSyntax || !strings.Contains(e.Message, says) || strings.Contains(e.Message, "LIMIT") {
			t.Errorf("%s: %v", sql, err)
		}
	}
}
