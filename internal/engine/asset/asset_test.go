package asset_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/sqbyl/sqbyl/internal/engine/asset"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
	"github.com/sqbyl/sqbyl/semantic"
)

var policy = &guard.Policy{Rules: sqltext.PostgresRules, Functions: map[string]bool{"sum": true}}

func quoted(s string) semantic.Scalar { return semantic.Scalar{Text: s} }
func number(s string) semantic.Scalar {
	return semantic.Scalar{Text: s, Kind: semantic.NumberScalar}
}

func TestValues(t *testing.T) {
	yes := semantic.Scalar{Text: "true", Kind: semantic.BoolScalar}
	for _, c := range []struct {
		typ  string
		in   semantic.Scalar
		want string // the value, or "!" and a part of the problem
		kind db.ValueKind
	}{
		{"date", quoted("2026-11-30"), "2026-11-30", db.Date},
		{"DATE", quoted("2026-02-30"), "!2006-01-02", 0},
		{"date", number("20261130"), "!2006-01-02", 0},
		{"date", quoted("2026-11-30'; DROP TABLE t --"), "!2006-01-02", 0},
		{"time", quoted("09:05"), "09:05:00", db.Clock},
		{"timestamp", quoted("2026-11-30T09:05:00.25"), "2026-11-30 09:05:00.25", db.Timestamp},
		{"datetime", quoted("2026-11-30"), "2026-11-30 00:00:00", db.Timestamp},
		{"timestamp with time zone", quoted("2026-11-30 09:05:00+02:00"), "2026-11-30 07:05:00+00:00", db.TimestampTZ},
		{"timestamp(3) with time zone", quoted("2026-11-30T09:05:00Z"), "2026-11-30 09:05:00+00:00", db.TimestampTZ},
		{"timestamptz", quoted("2026-11-30 09:05:00"), "!Z07:00", 0},
		{"integer", number("2147483647"), "2147483647", db.Int},
		{"integer", number("2147483648"), "!32 bits", 0},
		{"bigint", quoted("9223372036854775807"), "9223372036854775807", db.Int},
		{"int", number("1.5"), "!no whole number", 0},
		{"int", yes, "!no whole number", 0},
		{"decimal(10,2)", number("12345678.90"), "12345678.9", db.Decimal},
		{"decimal(10, 2)", number("123456789"), "!more than 10 digits", 0},
		{"decimal(10,2)", number("0.005"), "!2 of them", 0},
		{"numeric(3)", number("999"), "999", db.Decimal},
		{"numeric", number("1e3"), "1000", db.Decimal},
		{"numeric", number("1.25e-2"), "0.0125", db.Decimal},
		{"numeric", number("1e99999999"), "!no decimal", 0},
		{"numeric", number(".inf"), "!no decimal", 0},
		{"double precision", number("2.5"), "2.5", db.Float},
		{"double", number("-.inf"), "-Inf", db.Float},
		{"varchar(3)", quoted("über"), "!more than 3 characters", 0},
		{"varchar(4)", quoted("über"), "über", db.Text},
		{"text", number("007"), "007", db.Text},
		{"boolean", yes, "true", db.Bool},
		{"boolean", number("1"), "!true or false", 0},
		{"jsonb", quoted("{}"), "{}", db.Text},
		{"geometry", quoted("{}"), "!a type that no value", 0},
		{"decimal(x)", number("1"), "!a type that no value", 0},
	} {
		if asset.KnownType(c.typ) == strings.Contains(c.want, "a type that no value") {
			t.Errorf("KnownType(%s) is %t", c.typ, asset.KnownType(c.typ))
		}
		wanted := asset.Wanted(semantic.Param{Name: "p", Type: c.typ}, c.in)
		if (wanted != "") != strings.HasPrefix(c.want, "!") || wanted != "" && len(c.in.Text) > 8 && strings.Contains(wanted, c.in.Text) {
			t.Errorf("Wanted(%s, %q) is %q", c.typ, c.in, wanted)
		}
		a := semantic.Asset{Name: "q", Params: []semantic.Param{{Name: "p", Type: c.typ}}, SQL: "SELECT sum(x) FROM t WHERE x = :p"}
		st, args, err := asset.Bind(context.Background(), a, map[string]semantic.Scalar{"p": c.in}, policy)
		if problem, bad := strings.CutPrefix(c.want, "!"); bad {
			var pe *asset.ParamError
			if !errors.As(err, &pe) || pe.Param != "p" || !strings.Contains(err.Error(), problem) || !strings.Contains(err.Error(), c.typ) {
				t.Errorf("%s %q: %v, want %q", c.typ, c.in, err, problem)
			}
			continue
		}
		if err != nil || args[0].String() != c.want || args[0].Kind() != c.kind {
			t.Errorf("%s %q: %v, %v; want %s", c.typ, c.in, args, err, c.want)
			continue
		}
		if st.SQL() != "SELECT sum(x) FROM t WHERE x = $1" {
			t.Error(st.SQL())
		}
	}
}

func TestBindNames(t *testing.T) {
	a := semantic.Asset{Name: "revenue", Params: []semantic.Param{{Name: "a", Type: "date"}, {Name: "b", Type: "int"}}, SQL: "SELECT :b, :a, :b;"}
	given := map[string]semantic.Scalar{"a": quoted("2026-01-01"), "b": number("2")}
	st, args, err := asset.Bind(context.Background(), a, given, policy)
	if err != nil || st.SQL() != "SELECT $1, $2, $1" || len(args) != 2 || args[0].Int() != 2 {
		t.Errorf("%s %v %v", st.SQL(), args, err)
	}
	delete(given, "b")
	if _, _, err := asset.Bind(context.Background(), a, given, policy); err == nil || err.Error() != "revenue: the parameter b (int) has no value" {
		t.Error(err)
	}
	given["b"], given["c"] = number("2"), number("3")
	if _, _, err := asset.Bind(context.Background(), a, given, policy); err == nil || !strings.Contains(err.Error(), "no parameter c; it takes a, b") {
		t.Error(err)
	}
	delete(given, "c")
	a.SQL = "DELETE FROM t WHERE x = :b"
	var refused *guard.Refusal
	if _, _, err := asset.Bind(context.Background(), a, given, policy); !errors.As(err, &refused) {
		t.Error(err)
	}
}
