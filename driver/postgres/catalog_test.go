package postgres_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/testkit/servers"
)

func TestCatalogTellsWhatPostgreSQLHas(t *testing.T) {
	s := servers.Postgres(t)
	s.Exec(t, `CREATE SCHEMA sales; CREATE SCHEMA closed; REVOKE ALL ON SCHEMA closed FROM `+s.Reader+`;
CREATE TABLE closed.hidden (id int);
CREATE TYPE sales.mood AS ENUM ('sad', 'so-so', 'it''s fine');
CREATE DOMAIN sales.country AS char(2) CHECK (VALUE IN ('de', 'dk'));
CREATE TABLE sales.events (id bigint GENERATED ALWAYS AS IDENTITY, at date NOT NULL, mood sales.mood DEFAULT 'sad', moods sales.mood[],
  country sales.country, total numeric(12,2), tax numeric GENERATED ALWAYS AS (total / 5) STORED, code text, PRIMARY KEY (id, at), UNIQUE (code, at)) PARTITION BY RANGE (at);
CREATE TABLE sales.events_2025 PARTITION OF sales.events FOR VALUES FROM ('2025-01-01') TO ('2026-01-01');
CREATE TABLE sales.events_2026 PARTITION OF sales.events FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');
INSERT INTO sales.events (at, total) SELECT '2025-06-01'::date + i % 300, i FROM generate_series(1, 500) i;
ANALYZE sales.events_2025; ANALYZE sales.events_2026;
COMMENT ON TABLE sales.events IS 'what happened'; COMMENT ON COLUMN sales.events.mood IS 'of the buyer';
CREATE TABLE sales.notes (event_id bigint, event_at date, body text, secret text, FOREIGN KEY (event_id, event_at) REFERENCES sales.events (id, at));
CREATE UNIQUE INDEX ON sales.notes (body); CREATE UNIQUE INDEX ON sales.notes (secret) WHERE secret <> '';
ALTER TABLE sales.notes ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON sales.notes FROM `+s.Reader+`; GRANT SELECT (event_id, event_at, body) ON sales.notes TO `+s.Reader+`;
CREATE MATERIALIZED VIEW sales.by_day AS SELECT at, count(*) AS n FROM sales.events GROUP BY at; ANALYZE sales.by_day;
CREATE VIEW recent AS SELECT id FROM sales.events WHERE at > '2026-01-01';
CREATE TABLE private (id int); REVOKE ALL ON private FROM `+s.Reader+`;
`)
	database := open(t, s.ReaderURL, driver.Options{})
	session := begin(t, database)
	got, err := database.Dialect().Catalog(t.Context(), session)
	if err != nil {
		t.Fatal(err)
	}
	for i := range got.Tables {
		got.Tables[i].Definition = strings.ReplaceAll(strings.Join(strings.Fields(got.Tables[i].Definition), " "), "events.", "")
	}
	want := catalog.Schema{
		DefaultSchema: "public",
		Unreadable:    []string{"closed.hidden", "private", "sales.notes.secret"},
		Tables: []catalog.Table{
			{Schema: "public", Name: "recent", Kind: catalog.View, Rows: -1, Definition: "SELECT id FROM sales.events WHERE at > '2026-01-01'::date;",
				Columns: []catalog.Column{{Name: "id", Type: "bigint", Nullable: true}}},
			{Schema: "sales", Name: "by_day", Kind: catalog.MaterializedView, Rows: 300, Definition: "SELECT at, count(*) AS n FROM sales.events GROUP BY at;",
				Columns: []catalog.Column{{Name: "at", Type: "date", Nullable: true}, {Name: "n", Type: "bigint", Nullable: true}}},
			{Schema: "sales", Name: "events", Kind: catalog.BaseTable, Rows: 500, Comment: "what happened", Partitioned: "RANGE (at)",
				Columns: []catalog.Column{
					{Name: "id", Type: "bigint", Identity: true},
					{Name: "at", Type: "date"},
					{Name: "mood", Type: "sales.mood", Nullable: true, Default: "'sad'::sales.mood", Comment: "of the buyer", Enum: []string{"sad", "so-so", "it's fine"}},
					{Name: "moods", Type: "sales.mood[]", Nullable: true, Enum: []string{"sad", "so-so", "it's fine"}},
					{Name: "country", Type: "sales.country (character(2))", Nullable: true, Checks: []string{"de", "dk"}},
					{Name: "total", Type: "numeric(12,2)", Nullable: true},
					{Name: "tax", Type: "numeric", Nullable: true, Generated: true, Default: "(total / (5)::numeric)"},
					{Name: "code", Type: "text", Nullable: true},
				},
				PrimaryKey: []string{"id", "at"}, Unique: [][]string{{"code", "at"}}},
			{Schema: "sales", Name: "notes", Kind: catalog.BaseTable, Rows: -1, RowSecurity: true,
				Columns: []catalog.Column{
					{Name: "event_id", Type: "bigint", Nullable: true},
					{Name: "event_at", Type: "date", Nullable: true},
					{Name: "body", Type: "text", Nullable: true},
				},
				Unique:      [][]string{{"body"}},
				ForeignKeys: []catalog.ForeignKey{{Columns: []string{"event_id", "event_at"}, RefSchema: "sales", RefTable: "events", RefColumns: []string{"id", "at"}}}},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for _, table := range got.Tables {
		if table.Name == "notes" {
			continue
		}
		sample, err := database.Dialect().Sample(t.Context(), session, table, []string{table.Columns[0].Name}, 50)
		if err != nil || len(sample.Rows) == 0 || len(sample.Rows) > 50 {
			t.Errorf("sample of %s: %v, %v", table.Name, sample, err)
		}
		again, err := database.Dialect().Sample(t.Context(), session, table, []string{table.Columns[0].Name}, 50)
		if err != nil || !slices.EqualFunc(sample.Rows, again.Rows, func(a, b []db.Value) bool { return a[0].String() == b[0].String() }) {
			t.Errorf("sample of %s is another one the second time", table.Name)
		}
	}
}

// BenchmarkCatalogOf1000Tables is introspection of 1,000 tables of 20 columns, with keys.
func BenchmarkCatalogOf1000Tables(b *testing.B) {
	s := servers.Postgres(b)
	s.Exec(b, manyTables(1000))
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

func manyTables(n int) string {
	var sql strings.Builder
	for i := range n {
		fmt.Fprintf(&sql, "CREATE TABLE t%d (id int PRIMARY KEY, parent int", i)
		for c := range 18 {
			fmt.Fprintf(&sql, ", c%d varchar(20)", c)
		}
		if i > 0 {
			fmt.Fprintf(&sql, ", FOREIGN KEY (parent) REFERENCES t%d (id)", i-1)
		}
		sql.WriteString(");\n")
	}
	return sql.String()
}

// BenchmarkCapOn50MillionRows reads the first 1,000 of 50 million.
func BenchmarkCapOn50MillionRows(b *testing.B) {
	s := servers.Postgres(b)
	s.Exec(b, "CREATE VIEW big AS SELECT generate_series(1, 50000000) AS n;")
	database := open(b, s.ReaderURL, driver.Options{})
	for b.Loop() {
		result, err := query(b, database, "SELECT n, n * 2, 'row ' || n FROM big")
		if err != nil || len(result.Rows) != 1000 || result.Truncated == "" {
			b.Fatal(err)
		}
	}
}
