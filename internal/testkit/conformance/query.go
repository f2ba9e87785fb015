package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
)

// sharedValues are values that every engine must give exactly.
var sharedValues = []ValueCase{
	{"SELECT 9007199254740993", "9007199254740993", db.Int},
	{"SELECT 9223372036854775807", "9223372036854775807", db.Int},
	{"SELECT -9223372036854775807", "-9223372036854775807", db.Int},
	{"SELECT NULL", "null", db.Null},
	{"SELECT 'it''s'", `"it's"`, db.Text},
	{"SELECT ''", `""`, db.Text},
	{"SELECT '日本 🛒'", `"日本 🛒"`, db.Text},
}

func testValues(t *testing.T, target Target) {
	b := startShop(t, target, driver.Options{})
	for _, c := range slices.Concat(sharedValues, target.Values) {
		rows := b.rows(c.SQL)
		if len(rows) != 1 || len(rows[0]) != 1 {
			t.Errorf("%s gives %v, not one value", c.SQL, rows)
			continue
		}
		got, err := json.Marshal(rows[0][0])
		if err != nil {
			t.Errorf("%s: %v", c.SQL, err)
			continue
		}
		if string(got) != c.JSON || rows[0][0].Kind() != c.Kind {
			t.Errorf("%s gives %s (kind %d), want %s (kind %d)", c.SQL, got, rows[0][0].Kind(), c.JSON, c.Kind)
		}
	}
}

var sharedErrors = []ErrorCase{
	{SQL: "SELECT regoin FROM customers", Kind: db.ErrUnknownColumn, Name: "regoin", Candidate: "region"},
	{SQL: "SELECT c.regoin FROM customers c", Kind: db.ErrUnknownColumn, Name: "regoin", Candidate: "region"},
	{SQL: "SELECT order_id FROM orders WHERE amount > 5", Kind: db.ErrUnknownColumn, Name: "amount", Candidate: "amount_cents"},
	{SQL: "SELECT * FROM custmers", Kind: db.ErrUnknownTable, Name: "custmers", Candidate: "customers"},
	{SQL: "SELECT customer_id FROM orders JOIN customers ON orders.customer_id = customers.customer_id", Kind: db.ErrAmbiguous, Name: "customer_id"},
}

func testErrors(t *testing.T, target Target) {
	b := startShop(t, target, driver.Options{})
	for _, c := range slices.Concat(sharedErrors, target.Errors) {
		st, err := b.check(c.SQL)
		if err != nil {
			t.Errorf("the guard refuses %s: %v", c.SQL, err)
			continue
		}
		s := b.session()
		ctx, cancel := soon()
		_, err = s.Prepare(ctx, st)
		if err == nil {
			_, err = s.Query(ctx, st, db.Caps{})
		}
		cancel()
		b.close(s)
		var e *db.Error
		if !errors.As(err, &e) || e.Kind != c.Kind {
			t.Errorf("%s: %v (%s), want %s", c.SQL, err, kindOf(err), c.Kind)
			continue
		}
		if c.Name != "" && !strings.EqualFold(last(e.Name), c.Name) {
			t.Errorf("%s: the error is about %q, want %q (%s)", c.SQL, e.Name, c.Name, e.Message)
		}
		if c.Candidate != "" && !slices.ContainsFunc(e.Candidates, func(n string) bool { return last(n) == c.Candidate }) {
			t.Errorf("%s: the candidates %q lack %s", c.SQL, e.Candidates, c.Candidate)
		}
		if e.Message == "" {
			t.Errorf("%s: the error says nothing", c.SQL)
		}
	}
	testSyntax(t, b)
}

// testSyntax wants broken statements refused by whichever layer sees it
// first, and the connection as good as before.
func testSyntax(t *testing.T, b *bench) {
	for _, sql := range []string{"SELECT FROM WHERE", "SELECT (1", "SELECT 1 FROM customers GROUP", "SELECT 'open", "SELECT 1 +", "SELEC 1", ""} {
		st, err := b.check(sql)
		if err != nil {
			continue
		}
		s := b.session()
		_, err = s.Prepare(context.Background(), st)
		var e *db.Error
		var refused *guard.Refusal
		if !(errors.As(err, &e) && e.Kind == db.ErrSyntax) && !errors.As(err, &refused) {
			t.Errorf("%q: %v (%s), want a syntax error", sql, err, kindOf(err))
		}
		if _, err := s.Query(context.Background(), b.checked("SELECT 1"), db.Caps{}); err != nil {
			t.Errorf("after %q the session is spoilt: %v", sql, err)
		}
		b.close(s)
	}
}

func last(name string) string {
	return strings.Trim(name[strings.LastIndexByte(name, '.')+1:], "\"`[]")
}

func testCaps(t *testing.T, target Target) {
	b := start(t, target, driver.Options{})
	for _, c := range []struct {
		rows, cap, want int
		cut             db.Truncation
	}{{0, 5, 0, db.Whole}, {5, 5, 5, db.Whole}, {6, 5, 5, db.ByRows}, {1, 1, 1, db.Whole}, {5000, 4000, 4000, db.ByRows}} {
		sql := target.Series(max(c.rows, 1))
		if c.rows == 0 {
			sql = "SELECT 1 WHERE 1 = 0"
		}
		res, err := b.query(sql, db.Caps{Rows: c.cap})
		if err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		if len(res.Rows) != c.want || res.Truncated != c.cut {
			t.Errorf("%d rows under a cap of %d: got %d, cut %q; want %d, %q", c.rows, c.cap, len(res.Rows), res.Truncated, c.want, c.cut)
		}
		if len(res.Columns) != 1 {
			t.Errorf("%s has columns %v", sql, res.Columns)
		}
	}
	res, err := b.query(target.Series(5000), db.Caps{Bytes: 100})
	if err != nil || res.Truncated != db.ByBytes || len(res.Rows) == 0 || len(res.Rows) > 20 {
		t.Errorf("a cap of 100 bytes: %d rows, cut %q, %v", len(res.Rows), res.Truncated, err)
	}
	res, err = b.query(target.Series(db.AnswerCaps.Rows+1), db.Caps{})
	if err != nil || len(res.Rows) != db.AnswerCaps.Rows || res.Truncated != db.ByRows {
		t.Errorf("without caps the session's own hold: %d rows, cut %q, %v", len(res.Rows), res.Truncated, err)
	}
}

func testStopping(t *testing.T, target Target) {
	var during func()
	b := start(t, target, driver.Options{Connections: 1, Log: func(sql string) {
		if during != nil && strings.Contains(sql, strings.TrimSpace(target.Slow)) {
			during()
		}
	}})
	slow := b.checked(target.Slow)
	s := b.session()
	_, err := s.Query(context.Background(), slow, db.Caps{Time: 150 * time.Millisecond})
	if kindOf(err) != db.ErrTimeout.String() {
		t.Errorf("under a time cap: %v (%s)", err, kindOf(err))
	}
	b.close(s)
	s = b.session()
	ctx, cancel := context.WithTimeout(context.Background(), 150*time.Millisecond)
	_, err = s.Query(ctx, slow, db.Caps{Time: time.Hour})
	cancel()
	if kindOf(err) != db.ErrTimeout.String() {
		t.Errorf("under the caller's deadline: %v (%s)", err, kindOf(err))
	}
	b.close(s)
	s = b.session()
	ctx, cancel = context.WithCancel(context.Background())
	during = cancel
	_, err = s.Query(ctx, slow, db.Caps{Time: time.Hour})
	if kindOf(err) != db.ErrCanceled.String() {
		t.Errorf("canceled while it ran: %v (%s)", err, kindOf(err))
	}
	_, err = s.Query(ctx, slow, db.Caps{})
	if kindOf(err) != db.ErrCanceled.String() {
		t.Errorf("canceled before it ran: %v (%s)", err, kindOf(err))
	}
	b.close(s)
	during = nil
	if rows := b.rows("SELECT 1"); len(rows) != 1 {
		t.Errorf("the pool did not recover: %v", rows)
	}
	s = b.session()
	waiting, stop := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer stop()
	if _, err := b.database.Session(waiting, db.Answer); kindOf(err) != db.ErrTimeout.String() {
		t.Errorf("a second session of a pool of one: %v (%s)", err, kindOf(err))
	}
	b.close(s)
}

// testUnchecked wants a statement that no guard has passed not to run.
func testUnchecked(t *testing.T, target Target) {
	b := start(t, target, driver.Options{})
	s := b.session()
	defer b.close(s)
	before := len(b.sent)
	_, prepared := s.Prepare(context.Background(), guard.Statement{})
	_, queried := s.Query(context.Background(), guard.Statement{}, db.Caps{})
	for _, err := range []error{prepared, queried} {
		var refused *guard.Refusal
		if !errors.As(err, &refused) {
			t.Errorf("the zero statement: %v, want a refusal", err)
		}
	}
	if len(b.sent) != before {
		t.Errorf("something was sent: %q", b.sent[before:])
	}
}

func testSnapshot(t *testing.T, target Target) {
	if !target.Snapshot {
		t.Skip("the target's sessions have no snapshot, or writers wait for them")
	}
	b := startShop(t, target, driver.Options{})
	count := b.checked("SELECT count(*) FROM wide")
	s := b.session()
	defer b.close(s)
	for i := range 2 {
		res, err := s.Query(context.Background(), count, db.Caps{})
		if err != nil || res.Rows[0][0].Int() != 1 {
			t.Fatalf("look %d: %v, %v", i, res, err)
		}
		b.instance.Exec(t, "INSERT INTO wide (a) VALUES (7);\n")
	}
	if got := b.rows("SELECT count(*) FROM wide")[0][0].Int(); got != 3 {
		t.Errorf("a new session counts %d, want 3", got)
	}
}

func testPool(t *testing.T, target Target) {
	b := startShop(t, target, driver.Options{Connections: 1})
	for _, c := range target.Dirty {
		if _, err := b.query(c.SQL, db.Caps{}, c.Allow...); err != nil {
			t.Logf("%s: %v", c.SQL, err)
		}
		if rows := b.rows(c.Check, c.Allow...); len(rows) != 1 || rows[0][0].String() != c.Want {
			t.Errorf("after %s: %s gives %v, want %s", c.SQL, c.Check, rows, c.Want)
		}
	}
	s := b.session()
	b.close(s)
	if _, err := s.Query(context.Background(), b.checked("SELECT 1"), db.Caps{}); err == nil {
		t.Error("a closed session runs a statement")
	}
	if err := s.Close(); err != nil {
		t.Errorf("closing twice: %v", err)
	}
	testParallel(t, target)
}

// testParallel runs more sessions than there are connections.
func testParallel(t *testing.T, target Target) {
	b := start(t, target, driver.Options{Connections: 2, Log: func(string) {}}, shopDDL(target))
	st := b.checked("SELECT count(*), sum(amount_cents) FROM orders")
	failed := make(chan error, 16)
	for range cap(failed) {
		go func() {
			failed <- func() error {
				ctx, cancel := soon()
				defer cancel()
				s, err := b.database.Session(ctx, db.Answer)
				if err != nil {
					return err
				}
				defer func() { _ = s.Close() }()
				res, err := s.Query(ctx, st, db.Caps{})
				if err == nil && res.Rows[0][0].Int() != 3 {
					err = fmt.Errorf("counted %v", res.Rows)
				}
				return err
			}()
		}()
	}
	for range cap(failed) {
		if err := <-failed; err != nil {
			t.Error(err)
		}
	}
}
