package profile_test

import (
	"strings"
	"testing"

	"github.com/sqbyl/sqbyl/internal/testkit/servers"
	"github.com/sqbyl/sqbyl/internal/toolkit/profile"
	"github.com/sqbyl/sqbyl/semantic"
)

// TestPostgresTypes has a column of each kind, and of those whose type only
// sounds like another: an interval is no integer, a point no number.
func TestPostgresTypes(t *testing.T) {
	s := servers.Postgres(t)
	s.Exec(t, `CREATE TYPE mood AS ENUM ('sad', 'ok'); CREATE DOMAIN cents AS bigint; CREATE DOMAIN grade AS numeric(4,2) CHECK (VALUE >= 0);
CREATE TABLE kinds (id serial PRIMARY KEY, span interval, place point, range4 int4range, ints integer[], doc jsonb, old json, price money, fee cents, mark grade, how mood, hows mood[],
  code char(8), key uuid, address inet, day date, at timestamptz, plain timestamp(3), clock time, yes boolean, raw bytea, search tsvector, ratio double precision, amount numeric(12,2), "Odd ""name" text, generated int GENERATED ALWAYS AS (7) STORED);
INSERT INTO kinds (span, place, range4, ints, doc, old, price, fee, mark, how, hows, code, key, address, day, at, plain, clock, yes, raw, search, ratio, amount, "Odd ""name")
  SELECT i * interval '1 day', point(i, i), int4range(i, i + 1), ARRAY[i, 2], '{"a": 1}', '{"a": 1}', (i * 1.5)::numeric::money, i, 1.25, 'ok', '{sad}', 'AB' || lpad(i::text, 6, '0'), gen_random_uuid(), '10.0.0.1',
  DATE '2024-01-01' + i, '2024-01-01 10:00+02'::timestamptz + i * interval '1 day', '2024-01-01 10:00', '09:05', i % 2 = 0, '\x00', to_tsvector('a'), 'NaN', i / 4.0, CASE WHEN i > 5 THEN E'line\nend' END FROM generate_series(1, 20) i;
CREATE VIEW v AS SELECT how, count(*) AS n FROM kinds GROUP BY how; CREATE VIEW failing AS SELECT id, 1 / (id - 7) AS bad, how FROM kinds;
CREATE MATERIALIZED VIEW mv AS SELECT id, day FROM kinds; CREATE TABLE parts (id int, day date) PARTITION BY RANGE (day);
CREATE TABLE parts_24 PARTITION OF parts FOR VALUES FROM ('2024-01-01') TO ('2025-01-01'); INSERT INTO parts SELECT i, DATE '2024-01-01' + i FROM generate_series(1, 30) i; CREATE TABLE nothing (a int, b text);
GRANT SELECT ON ALL TABLES IN SCHEMA public TO `+s.Reader+";\n")
	r := run(t, s.ReaderURL, semantic.Model{}, profile.Options{})
	for name, want := range map[string]string{
		"kinds.id":   `{"nulls":0,"distinct":20,"min":1,"max":20}`,
		"kinds.span": `{"nulls":0}`, "kinds.place": `{"nulls":0}`, "kinds.range4": `{"nulls":0}`, "kinds.ints": `{"nulls":0}`, "kinds.doc": `{"nulls":0}`, "kinds.old": `{"nulls":0}`, "kinds.hows": `{"nulls":0}`, "kinds.raw": `{"nulls":0}`, "kinds.search": `{"nulls":0}`,
		"kinds.price":     `{"nulls":0,"distinct":20,"min":1.50,"max":30.00,"p05":1.5,"p25":7.5,"p50":15,"p75":22.5,"p95":28.5}`,
		"kinds.fee":       `{"nulls":0,"distinct":20,"min":1,"max":20,"p05":1,"p25":5,"p50":10,"p75":15,"p95":19}`,
		"kinds.mark":      `{"nulls":0,"distinct":1,"min":1.25,"max":1.25,"top":[{"value":1.25,"share":1}]}`,
		"kinds.how":       `{"nulls":0,"distinct":1,"top":[{"value":"ok","share":1}]}`,
		"kinds.code":      `{"nulls":0,"distinct":20,"top":null,"shape":"code AA999999"}`,
		"kinds.day":       `{"nulls":0,"distinct":20,"min":"2024-01-02","max":"2024-01-21","p05":"2024-01-02","p95":"2024-01-20"}`,
		"kinds.at":        `{"nulls":0,"distinct":20,"min":"2024-01-02 08:00:00+00:00","max":"2024-01-21 08:00:00+00:00","p05":"2024-01-02 08:00:00+00:00","p95":"2024-01-20 08:00:00+00:00"}`,
		"kinds.yes":       `{"nulls":0,"distinct":2,"top":[{"value":false,"share":0.5},{"value":true,"share":0.5}]}`,
		"kinds.ratio":     `{"nulls":0,"distinct":1,"min":{"$float":"nan"},"max":{"$float":"nan"},"top":[{"value":{"$float":"nan"},"share":1}]}`,
		`kinds.Odd "name`: `{"nulls":0.25,"distinct":1}`,
		"v.n":             `{"nulls":0,"distinct":1,"min":20,"max":20}`,
		"failing.how":     `{"nulls":0,"distinct":1,"top":[{"value":"ok","share":1}]}`,
		"mv.id":           `{"nulls":0,"distinct":20,"min":1,"max":20,"p05":1,"p25":5,"p50":10,"p75":15,"p95":19}`,
		"parts.day":       `{"nulls":0,"distinct":30,"min":"2024-01-02","max":"2024-01-31","p05":"2024-01-03","p95":"2024-01-30"}`,
		"nothing.a":       `{"distinct":0}`,
	} {
		table, c, _ := strings.Cut(name, ".")
		p := column(t, r, table, c).Profile
		if p != nil && strings.Contains(want, `"top":null,`) {
			p.Top = nil
		}
		if got := asJSON(t, p); got != strings.Replace(want, `"top":null,`, "", 1) {
			t.Errorf("%s\n got %s\nwant %s", name, got, want)
		}
	}
	if c := column(t, r, "failing", "bad"); !strings.Contains(c.Failed, "division by zero") {
		t.Errorf("the column that cannot be read: %+v", c)
	}
}

// TestPostgresStatisticsComeFirst has a table that ANALYZE has seen and is too
// large to be read whole.
func TestPostgresStatisticsComeFirst(t *testing.T) {
	s := servers.Postgres(t)
	s.Exec(t, strings.Join(people, ";\n")+";\nALTER TABLE people ALTER amount SET STATISTICS 1000;\nANALYZE people;\nGRANT SELECT ON ALL TABLES IN SCHEMA public TO "+s.Reader+";\n")
	model := semantic.Model{Tables: []semantic.Table{{Name: "people"}}}
	r := run(t, s.ReaderURL, model, profile.Options{MaxRows: 30_000})
	amount := column(t, r, "people", "amount").Profile
	if !amount.Distinct.Estimate || !near(amount.Distinct.N, 42_001) || !near(number(t, amount.P25), 10_500) || number(t, amount.Max) < 41_000 {
		t.Errorf("amount: %s", asJSON(t, amount))
	}
	region := column(t, r, "people", "region").Profile
	if region.Distinct.N != 3 || len(region.Top) != 3 || !near(region.Top[0].Share, 0.8) {
		t.Errorf("region: %s", asJSON(t, region))
	}
	if note := column(t, r, "people", "note").Profile; *note.Nulls < 0.7 || *note.Nulls > 0.8 {
		t.Errorf("note: %s", asJSON(t, note))
	}
	// What was changed a lot since is not believed.
	s.Exec(t, "UPDATE people SET region = 'Antarctica' WHERE id % 2 = 0; SELECT pg_stat_force_next_flush();\n")
	r = run(t, s.ReaderURL, model, profile.Options{})
	if top := column(t, r, "people", "region").Profile.Top; len(top) != 3 || top[0].Value.Text != "Antarctica" {
		t.Errorf("after the change: %s", asJSON(t, top))
	}
}
