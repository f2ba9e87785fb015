package conformance

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
)

// paramCases are statements with values bound to their parameters, and the
// first row as text.
var paramCases = []struct {
	sql  string
	args map[string]db.Value
	want string
}{
	{"SELECT count(*) FROM orders WHERE amount_cents >= :least;", map[string]db.Value{"least": db.IntValue(250)}, "2"},
	{"SELECT count(*) FROM orders WHERE amount_cents > :least", map[string]db.Value{"least": db.LiteralValue(db.Decimal, "250.50")}, "1"},
	{"SELECT order_id FROM orders WHERE status = :status AND amount_cents < :most", map[string]db.Value{"status": db.TextValue("refunded"), "most": db.FloatValue(1e3)}, "2"},
	{"SELECT count(*) FROM orders WHERE created_at >= :from_day AND created_at < :to_day", map[string]db.Value{
		"from_day": db.LiteralValue(db.Date, "2026-01-01"), "to_day": db.LiteralValue(db.Date, "2026-02-03"),
	}, "1"},
	{"SELECT count(*) FROM orders WHERE created_at >= :at", map[string]db.Value{"at": db.LiteralValue(db.Timestamp, "2026-02-03 04:05:06")}, "1"},
	{"SELECT order_id FROM orders ORDER BY order_id LIMIT :how_many", map[string]db.Value{"how_many": db.IntValue(1)}, "1"},
	// One name stands twice, in another order than it is given.
	{"SELECT count(*) FROM orders WHERE status <> :b AND (order_id = :a OR amount_cents = :a) AND status <> :b",
		map[string]db.Value{"a": db.IntValue(1000), "b": db.TextValue("open")}, "1"},
	// A value is never SQL.
	{"SELECT count(*) FROM customers WHERE region = :r", map[string]db.Value{"r": db.TextValue("x' OR '1' = '1")}, "0"},
	{"SELECT count(*) FROM customers WHERE region = :r -- not :this\n AND region <> ':r'", map[string]db.Value{"r": db.TextValue("emea")}, "1"},
}

func testParameters(t *testing.T, target Target) {
	b := startShop(t, target, driver.Options{})
	for _, c := range paramCases {
		var names []string
		for name := range c.args {
			names = append(names, name)
		}
		st, err := guard.CheckBound(context.Background(), c.sql, names, b.policy())
		if err != nil {
			t.Errorf("the guard refuses %s: %v", c.sql, err)
			continue
		}
		args := make([]db.Value, len(st.Params()))
		for i, name := range st.Params() {
			args[i] = c.args[name]
		}
		if target.InferredParams && slices.ContainsFunc(args, func(v db.Value) bool { return v.Kind() == db.Decimal }) {
			continue
		}
		s := b.session()
		columns, err := s.Prepare(context.Background(), st)
		if err != nil || columns != nil && len(columns) != 1 {
			t.Errorf("prepare %s: %v, %v", st.SQL(), columns, err)
		}
		res, err := s.Query(context.Background(), st, db.Caps{}, args...)
		if err != nil || len(res.Rows) != 1 || res.Rows[0][0].String() != c.want {
			t.Errorf("%s with %v: %v, %v; want %s", st.SQL(), args, res, err, c.want)
		}
		var e *db.Error
		if _, err := s.Query(context.Background(), st, db.Caps{}); !errors.As(err, &e) || e.Kind != db.ErrType {
			t.Errorf("%s without its values: %v", st.SQL(), err)
		}
		b.close(s)
	}
	for _, sql := range []string{"SELECT :other FROM orders", "SELECT ?", "SELECT $1", "SELECT a[1:a] FROM wide"} {
		if st, err := guard.CheckBound(context.Background(), sql, []string{"a"}, b.policy()); err == nil && len(st.Params()) > 0 {
			t.Errorf("the guard passes %s as %s", sql, st.SQL())
		}
	}
}
