//go:build cgo && !no_duckdb

package duckdb

import (
	"context"
	"testing"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// exact is a value as SQL, as JSON and by kind.
var exact = []struct {
	sql, json string
	kind      db.ValueKind
}{
	{"SELECT NULL", `null`, db.Null},
	{"SELECT NULL::INTEGER", `null`, db.Null},
	{"SELECT true", `true`, db.Bool},
	{"SELECT 127::TINYINT", `127`, db.Int},
	{"SELECT (-32768)::SMALLINT", `-32768`, db.Int},
	{"SELECT 9007199254740993", `9007199254740993`, db.Int},
	{"SELECT 18446744073709551615::UBIGINT", `18446744073709551615`, db.Decimal},
	{"SELECT 4294967295::UINTEGER", `4294967295`, db.Int},
	{"SELECT 170141183460469231731687303715884105727::HUGEINT", `170141183460469231731687303715884105727`, db.Decimal},
	{"SELECT '-170141183460469231731687303715884105728'::HUGEINT", `-170141183460469231731687303715884105728`, db.Decimal},
	{"SELECT -3::HUGEINT", `-3`, db.Int},
	{"SELECT 340282366920938463463374607431768211455::UHUGEINT", `340282366920938463463374607431768211455`, db.Decimal},
	{"SELECT '123456789012345678901234567890123456789012'::BIGNUM", `123456789012345678901234567890123456789012`, db.Decimal},
	{"SELECT '-123456789012345678901234567890123456789012'::BIGNUM", `-123456789012345678901234567890123456789012`, db.Decimal},
	{"SELECT sum(x) FROM range(3) r(x)", `3`, db.Int},
	{"SELECT 1.50", `1.50`, db.Decimal},
	{"SELECT -0.05::DECIMAL(4,2)", `-0.05`, db.Decimal},
	{"SELECT 99999.9::DECIMAL(9,1)", `99999.9`, db.Decimal},
	{"SELECT 1234567890123456.78::DECIMAL(18,2)", `1234567890123456.78`, db.Decimal},
	{"SELECT 12345678901234567890123456789012345.678::DECIMAL(38,3)", `12345678901234567890123456789012345.678`, db.Decimal},
	{"SELECT 0.1::DOUBLE", `0.1`, db.Float},
	{"SELECT 2::DOUBLE", `2.0`, db.Float},
	{"SELECT 0.5::FLOAT", `0.5`, db.Float},
	{"SELECT 'nan'::DOUBLE", `{"$float":"nan"}`, db.Float},
	{"SELECT '-inf'::FLOAT", `{"$float":"-inf"}`, db.Float},
	{"SELECT 'short'", `"short"`, db.Text},
	{"SELECT 'twelve bytes'", `"twelve bytes"`, db.Text},
	{"SELECT 'more than twelve bytes: ä€'", `"more than twelve bytes: ä€"`, db.Text},
	{"SELECT ''", `""`, db.Text},
	{`SELECT '\x00\xFF'::BLOB`, `{"$blob":"00ff"}`, db.Blob},
	{"SELECT '10101'::BIT", `"10101"`, db.Text},
	{"SELECT '1010111100001'::BIT", `"1010111100001"`, db.Text},
	{"SELECT 'b'::ENUM('a', 'b')", `"b"`, db.Text},
	{"SELECT '4ac7a9e9-607c-4c8a-84f3-843f0191e3fd'::UUID", `"4ac7a9e9-607c-4c8a-84f3-843f0191e3fd"`, db.Text},
	{"SELECT '00000000-0000-0000-0000-000000000001'::UUID", `"00000000-0000-0000-0000-000000000001"`, db.Text},
	{"SELECT DATE '2026-11-30'", `"2026-11-30"`, db.Date},
	{"SELECT DATE '0044-03-15 (BC)'", `"0044-03-15 (BC)"`, db.Date},
	{"SELECT DATE '12026-01-01'", `"12026-01-01"`, db.Date},
	{"SELECT 'infinity'::DATE", `"infinity"`, db.Date},
	{"SELECT '-infinity'::DATE", `"-infinity"`, db.Date},
	{"SELECT TIME '09:05:00.25'", `"09:05:00.25"`, db.Clock},
	{"SELECT TIME '24:00:00'", `"24:00:00"`, db.Clock},
	{"SELECT '09:05:00.123456789'::TIME_NS", `"09:05:00.123456789"`, db.Clock},
	{"SELECT TIMETZ '09:05:00+05:30'", `"09:05:00+05:30"`, db.Clock},
	{"SELECT TIMETZ '09:05:00-11'", `"09:05:00-11:00"`, db.Clock},
	{"SELECT TIMESTAMP '2026-11-30 09:05:00.5'", `"2026-11-30 09:05:00.5"`, db.Timestamp},
	{"SELECT TIMESTAMP '1969-12-31 23:59:59.999999'", `"1969-12-31 23:59:59.999999"`, db.Timestamp},
	{"SELECT '2026-11-30 09:05:01'::TIMESTAMP_S", `"2026-11-30 09:05:01"`, db.Timestamp},
	{"SELECT '2026-11-30 09:05:01.025'::TIMESTAMP_MS", `"2026-11-30 09:05:01.025"`, db.Timestamp},
	{"SELECT '2026-11-30 09:05:01.000000001'::TIMESTAMP_NS", `"2026-11-30 09:05:01.000000001"`, db.Timestamp},
	{"SELECT 'infinity'::TIMESTAMP", `"infinity"`, db.Timestamp},
	{"SELECT TIMESTAMPTZ '2026-11-30 09:05:00+01:00'", `"2026-11-30 08:05:00+00:00"`, db.TimestampTZ},
	{"SELECT '-infinity'::TIMESTAMPTZ", `"-infinity"`, db.TimestampTZ},
	{"SELECT INTERVAL '14 months 3 days 4 hours 5 minutes 6.5 seconds'", `"1 year 2 months 3 days 04:05:06.5"`, db.Interval},
	{"SELECT INTERVAL '-1 days -90 minutes'", `"-1 day -01:30:00"`, db.Interval},
	{"SELECT INTERVAL '0 days'", `"00:00:00"`, db.Interval},
	{`SELECT '{"n": 12345678901234567890, "f": 1.10}'::JSON`, `{"n":12345678901234567890,"f":1.10}`, db.JSON},
	{"SELECT [1, NULL, 3]", `[1,null,3]`, db.List},
	{"SELECT []::INTEGER[]", `[]`, db.List},
	{"SELECT [[1], [], NULL]", `[[1],[],null]`, db.List},
	{"SELECT array_value(1.5, 2.5)", `[1.5,2.5]`, db.List},
	{`SELECT ['{"n": 12345678901234567890}'::JSON]`, `[{"n":12345678901234567890}]`, db.List},
	{"SELECT {'a': 1, 'b': {'c': DATE '2026-01-01'}}", `{"a":1,"b":{"c":"2026-01-01"}}`, db.Struct},
	{"SELECT row(1, 'x')", `[1,"x"]`, db.List},
	{"SELECT MAP {'k': 1, 'l': 2}", `{"k":1,"l":2}`, db.Struct},
	{"SELECT MAP {1: [1.5]}", `{"1":[1.5]}`, db.Struct},
	{"SELECT MAP {}", `{}`, db.Struct},
	{"SELECT union_value(num := 2)", `{"num":2}`, db.Struct},
}

// The engine's own text is the reference for everything that has one.
func TestValuesReadAsTheEnginePrintsThem(t *testing.T) {
	d := openTest(t, makeFile(t, `
CREATE TABLE t AS SELECT i, interval (i * 977) hour + interval (i % 31 - 15) month + interval (i % 7 - 3) day AS iv,
  TIMESTAMP '0001-01-01' + interval (i * 1000003) minute + interval (i * 7919) microsecond AS ts,
  DATE '0044-03-15 (BC)' + (i * 9973)::INTEGER AS d, (i * 86399999 % 86400000000)::BIGINT::VARCHAR AS us,
  md5(i::VARCHAR)::VARCHAR AS m, (hash(i) % 100000)::DECIMAL(18,6) / 1000 AS x, hash(i)::BIT AS b,
  TIME '00:00:00' + interval (i * 86399) microsecond AS tm
FROM range(5000) r(i)`), driver.Options{})
	s := newSession(t, d)
	for _, column := range []string{"iv", "ts", "d", "b", "tm", "x::DECIMAL(20,7)", "gen_random_uuid()"} {
		sql := "WITH q AS MATERIALIZED (SELECT " + column + " AS v FROM t) SELECT v, v::VARCHAR FROM q"
		result, err := s.Query(context.Background(), mustCheck(t, d, sql), db.ScoreCaps)
		if err != nil {
			t.Fatal(err)
		}
		if len(result.Rows) != 5000 {
			t.Fatalf("%s: %d rows", column, len(result.Rows))
		}
		for i, row := range result.Rows {
			if row[0].String() != row[1].String() {
				t.Errorf("%s of row %d: %s, the engine prints %s", column, i, row[0], row[1])
				break
			}
		}
	}
}

func TestColumnsHaveTheEnginesTypes(t *testing.T) {
	d := openTest(t, makeFile(t, shop), driver.Options{})
	s := newSession(t, d)
	sql := `SELECT order_id, meta, 1.5 AS d, [1] AS l, {'a': 1, 'B c': 'x'} AS st, MAP {'k': 1} AS m, 'a'::ENUM('a', 'it''s') AS e FROM orders`
	want := []db.Column{
		{Name: "order_id", Type: "INTEGER"}, {Name: "meta", Type: "JSON"}, {Name: "d", Type: "DECIMAL(2,1)"}, {Name: "l", Type: "INTEGER[]"},
		{Name: "st", Type: `STRUCT(a INTEGER, "B c" VARCHAR)`}, {Name: "m", Type: "MAP(VARCHAR, INTEGER)"}, {Name: "e", Type: "ENUM('a', 'it''s')"},
	}
	columns, err := s.Prepare(context.Background(), mustCheck(t, d, sql))
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range want {
		if columns[i] != c {
			t.Errorf("column %d is %v, want %v", i, columns[i], c)
		}
	}
}
