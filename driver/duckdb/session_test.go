//go:build cgo && !no_duckdb

package duckdb

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	dialect "github.com/sqbyl/sqbyl/internal/engine/dialect/duckdb"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
)

// slow runs for hours.
const slow = "SELECT count(*) FROM range(100000000000) a, range(1000000) b"

func TestErrorsAreToldApart(t *testing.T) {
	d := openTest(t, makeFile(t, shop+"CREATE SCHEMA s2; CREATE TABLE s2.z (x INTEGER);"), driver.Options{})
	s := newSession(t, d)
	for _, c := range []struct {
		sql       string
		kind      db.ErrorKind
		name      string
		candidate string
		offset    int
	}{
		{"SELECT amount FROM orders", db.ErrUnknownColumn, "amount", "amount_cents", 7},
		{"SELECT o.amount FROM orders o", db.ErrUnknownColumn, "amount", "amount_cents", 7},
		{"SELECT x.order_id FROM orders o", db.ErrUnknownTable, "x", "o", 7},
		{"SELECT * FROM order_s", db.ErrUnknownTable, "order_s", "orders", 14},
		{"SELECT * FROM zzz", db.ErrUnknownTable, "zzz", "", 14},
		{"SELECT * FROM s3.z", db.ErrUnknownTable, "s3.z", "", -1},
		{"SELECT customer_id FROM orders, customers", db.ErrAmbiguous, "customer_id", "orders.customer_id", 7},
		{"SELECT sum(status) FROM orders", db.ErrType, "sum", "", 7},
		{"SELECT status::INTEGER FROM orders", db.ErrType, "", "", -1},
		{"SELECT CAST(1 AS nosuchtype)", db.ErrType, "nosuchtype", "", -1},
		{"SELECT lower(1, 2)", db.ErrType, "lower", "", 7},
	} {
		st := mustCheck(t, d, c.sql)
		_, err := s.Prepare(context.Background(), st)
		if err == nil {
			_, err = s.Query(context.Background(), st, db.AnswerCaps)
		}
		var e *db.Error
		if !errors.As(err, &e) {
			t.Errorf("%s: %v", c.sql, err)
			continue
		}
		if e.Kind != c.kind || !strings.EqualFold(e.Name, c.name) || c.candidate != "" && !slices.Contains(e.Candidates, c.candidate) || c.offset >= 0 && e.Offset != c.offset {
			t.Errorf("%s: %s %q %q at %d: %s; want %s %q %q at %d", c.sql, e.Kind, e.Name, e.Candidates, e.Offset, e.Message, c.kind, c.name, c.candidate, c.offset)
		}
		if strings.Contains(e.Message, "pg_") || strings.Contains(e.Message, "{") {
			t.Errorf("%s: the message speaks of the engine's own: %s", c.sql, e.Message)
		}
	}
	if _, err := s.Query(context.Background(), mustCheck(t, d, "SELECT 1"), db.AnswerCaps); err != nil {
		t.Errorf("the session does not work after errors: %v", err)
	}
}

func TestPrepareRefusesWhatTheGuardDidNotSee(t *testing.T) {
	d := openTest(t, makeFile(t, shop), driver.Options{})
	s := newSession(t, d)
	var refusal *guard.Refusal
	if _, err := s.Prepare(context.Background(), guard.Statement{}); !errors.As(err, &refusal) {
		t.Errorf("an unchecked statement: %v", err)
	}
	if _, err := s.Query(context.Background(), guard.Statement{}, db.AnswerCaps); !errors.As(err, &refusal) {
		t.Errorf("an unchecked statement: %v", err)
	}
	c := s.(*session).conn
	if _, err := c.prepare("SELECT 1; SELECT 2"); !errors.Is(err, errStatements) {
		t.Errorf("two statements: %v", err)
	}
	if _, err := c.prepare(""); err == nil {
		t.Error("no statement at all is prepared")
	}
}

func TestCapsCutTheResult(t *testing.T) {
	d := openTest(t, makeFile(t, shop), driver.Options{})
	s := newSession(t, d)
	for _, c := range []struct {
		sql  string
		caps db.Caps
		rows int
		cut  db.Truncation
	}{
		{"SELECT * FROM range(5)", db.Caps{Rows: 5}, 5, db.Whole},
		{"SELECT * FROM range(6)", db.Caps{Rows: 5}, 5, db.ByRows},
		{"SELECT * FROM range(100000)", db.Caps{Rows: 5000}, 5000, db.ByRows},
		{"SELECT repeat('x', 100) FROM range(100)", db.Caps{Bytes: 1000}, 9, db.ByBytes},
		{"SELECT repeat('x', 5000000)", db.Caps{Bytes: 1000}, 0, db.ByBytes},
		{"SELECT range(1000000)", db.Caps{Bytes: 1000}, 0, db.ByBytes},
		{"SELECT * FROM range(0)", db.AnswerCaps, 0, db.Whole},
	} {
		result, err := s.Query(context.Background(), mustCheck(t, d, c.sql), c.caps)
		if err != nil {
			t.Errorf("%s: %v", c.sql, err)
			continue
		}
		if len(result.Rows) != c.rows || result.Truncated != c.cut {
			t.Errorf("%s: %d rows, cut by %q; want %d, %q", c.sql, len(result.Rows), result.Truncated, c.rows, c.cut)
		}
	}
}

func TestTimeCapAndCancel(t *testing.T) {
	during := func() {}
	d := openTest(t, makeFile(t, shop), driver.Options{Connections: 1, Log: func(sql string) {
		if strings.HasPrefix(sql, "SELECT") || strings.HasPrefix(sql, "WITH") {
			during()
		}
	}})
	for _, sql := range []string{slow, "SELECT * FROM range(100000000000) WHERE range < 0", "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n FROM r) SELECT count(*) FROM r"} {
		s := newSession(t, d)
		var e *db.Error
		_, err := s.Query(context.Background(), mustCheck(t, d, sql), db.Caps{Time: 50 * time.Millisecond})
		if !errors.As(err, &e) || e.Kind != db.ErrTimeout || !strings.Contains(e.Message, "50ms") {
			t.Errorf("%s: %v", sql, err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		during = cancel // while it is sent
		_, err = s.Query(ctx, mustCheck(t, d, sql), db.AnswerCaps)
		if !errors.As(err, &e) || e.Kind != db.ErrCanceled || !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", sql, err)
		}
		during = func() {}
		if _, err := s.Query(context.Background(), mustCheck(t, d, "SELECT 1"), db.AnswerCaps); err != nil {
			t.Errorf("the session does not work after a timeout: %v", err)
		}
		_ = s.Close()
	}
}

func TestMemoryLimitIsAnError(t *testing.T) {
	path := makeFile(t, shop)
	// The first to open a file bounds it, and the second joins.
	small := &instance{key: path, users: 1, memory: 32 << 20}
	if err := small.start(context.Background(), path, nil); err != nil {
		t.Fatal(err)
	}
	instances.Lock()
	instances.open[path] = small
	instances.Unlock()
	defer small.release()
	d := openTest(t, path, driver.Options{})
	s := newSession(t, d)
	_, err := s.Query(context.Background(), mustCheck(t, d, "SELECT list(repeat('x', 1000) || range) FROM range(10000000)"), db.Caps{Time: time.Minute})
	var e *db.Error
	if !errors.As(err, &e) || e.Kind != db.ErrResource || strings.Contains(e.Message, "SET ") || !strings.Contains(e.Message, "aggregate or filter earlier") {
		t.Errorf("%v", err)
	}
	if _, err := s.Query(context.Background(), mustCheck(t, d, "SELECT 1"), db.AnswerCaps); err != nil {
		t.Errorf("the session does not work after it ran out of memory: %v", err)
	}
}

func TestMemoryIsBounded(t *testing.T) {
	for _, open := range []string{makeFile(t, shop), makeFolder(t)} {
		found, err := newSession(t, openTest(t, open, driver.Options{})).Own(context.Background(), dialect.MemoryLimit)
		if err != nil {
			t.Fatal(err)
		}
		if n := bytesOf(found.Rows[0][0].Raw()); n < minMemory/2 || n > maxMemory {
			t.Errorf("%s: %s", open, found.Rows[0][0])
		}
	}
}

func TestPoolIsBounded(t *testing.T) {
	d := openTest(t, makeFile(t, shop), driver.Options{Connections: 2})
	a, b := newSession(t, d), newSession(t, d)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if _, err := d.Session(ctx, db.Answer); err == nil {
		t.Fatal("a third session of two")
	}
	_ = a.Close()
	if _, err := a.Own(context.Background(), db.OwnSQL("SELECT 1")); err == nil {
		t.Error("a closed session works")
	}
	c := newSession(t, d)
	_, _ = b.Close(), c.Close()
}

func TestConcurrentSessions(t *testing.T) {
	d := openTest(t, makeFile(t, shop), driver.Options{Connections: 3})
	var group sync.WaitGroup
	for range 12 {
		group.Go(func() {
			st, err := check(d, "SELECT sum(amount_cents) FROM orders")
			if err != nil {
				t.Error(err)
				return
			}
			s, err := d.Session(context.Background(), db.Answer)
			if err != nil {
				t.Error(err)
				return
			}
			defer func() { _ = s.Close() }()
			result, err := s.Query(context.Background(), st, db.AnswerCaps)
			if err != nil || result.Rows[0][0].Int() != 127500 {
				t.Errorf("%v %v", result, err)
			}
		})
	}
	group.Wait()
}

func TestTwoOpensShareTheFile(t *testing.T) {
	path := makeFile(t, shop)
	link := filepath.Join(t.TempDir(), "link.duckdb")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	a, b := openTest(t, path, driver.Options{}), openTest(t, link, driver.Options{AsOf: time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)})
	if a.(*database).instance != b.(*database).instance {
		t.Error("one file is open twice")
	}
	_ = a.Close()
	if got := rows(t, b, "SELECT count(*), today() FROM orders"); got[0] != "50|2020-01-02" {
		t.Error(got)
	}
	_ = b.Close()
	// With the last one gone another program can write.
	write(t, path, "CREATE TABLE later (x INTEGER)")
	c := openTest(t, path, driver.Options{})
	if got := rows(t, c, "SELECT count(*) FROM later"); got[0] != "0" {
		t.Error(got)
	}
}

func TestOpenSaysWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"empty.duckdb": "", "text.duckdb": strings.Repeat("not a database ", 1000)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	damaged := makeFile(t, shop)
	bytes, err := os.ReadFile(damaged)
	if err != nil {
		t.Fatal(err)
	}
	for i := 4096; i < len(bytes); i++ {
		bytes[i] ^= 0x5a
	}
	if err := os.WriteFile(filepath.Join(dir, "damaged.duckdb"), bytes, 0o600); err != nil {
		t.Fatal(err)
	}
	before := listing(t, dir)
	for name, kind := range map[string]db.ErrorKind{
		"missing.duckdb": db.ErrUnreachable,
		"empty.duckdb":   db.ErrNotADatabase,
		"text.duckdb":    db.ErrNotADatabase,
		"damaged.duckdb": db.ErrNotADatabase,
		"folder":         db.ErrNotADatabase,
	} {
		_, err := driver.Open(context.Background(), "duckdb:"+filepath.Join(dir, name), driver.Options{})
		var e *db.Error
		if !errors.As(err, &e) || e.Kind != kind || !strings.Contains(e.Message, name) {
			t.Errorf("%s: %v, want kind %s", name, err, kind)
		}
	}
	if after := listing(t, dir); after != before {
		t.Errorf("opening changed the folder:\n%s\n%s", before, after)
	}
}

// TestOpenLockedFile has another process write to the file meanwhile.
func TestOpenLockedFile(t *testing.T) {
	if path := os.Getenv("SQBYL_TEST_HOLD"); path != "" {
		hold(t, path)
		return
	}
	path := makeFile(t, shop)
	holder := exec.Command(os.Args[0], "-test.run=^TestOpenLockedFile$")
	holder.Env = append(os.Environ(), "SQBYL_TEST_HOLD="+path)
	out, err := holder.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	in, err := holder.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := holder.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = in.Close()
		_ = holder.Wait()
	}()
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	_, err = driver.Open(context.Background(), "duckdb:"+path, driver.Options{})
	var e *db.Error
	if !errors.As(err, &e) || e.Kind != db.ErrLocked || !strings.Contains(e.Message, "another program") {
		t.Errorf("%v", err)
	}
}

// A host that has the file open itself keeps its lock: closing a second
// instance of the file would drop it.
func TestOpenLeavesTheHostsDatabaseAlone(t *testing.T) {
	path := makeFile(t, shop)
	host, err := sql.Open("duckdb", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = host.Close() }()
	if _, err := host.Exec("CREATE TABLE own (x INTEGER)"); err != nil {
		t.Fatal(err)
	}
	_, err = driver.Open(context.Background(), path, driver.Options{})
	var e *db.Error
	if !errors.As(err, &e) || e.Kind != db.ErrLocked || !strings.Contains(e.Message, "this program has the file open") {
		t.Errorf("%v", err)
	}
	if _, err := host.Exec("INSERT INTO own VALUES (1)"); err != nil {
		t.Error(err)
	}
}

func TestLogIsToldEveryStatement(t *testing.T) {
	var log []string
	d := openTest(t, makeFile(t, shop), driver.Options{Log: func(sql string) { log = append(log, sql) }})
	rows(t, d, "SELECT 42")
	if all := strings.Join(log, "\n"); !strings.Contains(all, "SELECT 42") || !strings.Contains(all, "BEGIN TRANSACTION READ ONLY") {
		t.Errorf("the log: %s", all)
	}
}
