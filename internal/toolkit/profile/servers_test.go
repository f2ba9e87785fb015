package profile_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/sqbyl/sqbyl/driver"
	_ "github.com/sqbyl/sqbyl/driver/mysql"
	_ "github.com/sqbyl/sqbyl/driver/postgres"
	"github.com/sqbyl/sqbyl/internal/testkit/handed"
	"github.com/sqbyl/sqbyl/internal/testkit/servers"
	"github.com/sqbyl/sqbyl/internal/toolkit/profile"
	"github.com/sqbyl/sqbyl/semantic"
)

// people is a table of 100,000 rows in the SQL of every engine.
var people = []string{
	"CREATE TABLE numerals (n INTEGER)",
	"INSERT INTO numerals VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)",
	`CREATE TABLE people (id INTEGER PRIMARY KEY, region VARCHAR(20), hushed VARCHAR(20), muted VARCHAR(20), mail VARCHAR(40), amount INTEGER, price DECIMAL(10,2), note VARCHAR(20))`,
	`INSERT INTO people SELECT i, CASE WHEN i % 10 < 8 THEN 'EMEA' WHEN i % 10 = 8 THEN 'APAC' ELSE 'Latin America' END,
		CASE WHEN i % 2 = 0 THEN 'hush-one' ELSE 'hush-two' END, CASE WHEN i % 2 = 0 THEN 'mute-one' ELSE 'mute-two' END,
		CASE WHEN i % 2 = 0 THEN 'ada@example.com' ELSE 'bob@example.com' END, i * 7 % 42001, (i % 1000) / 4.0, CASE WHEN i % 4 = 0 THEN 'x' END
		FROM (SELECT a.n + 10 * b.n + 100 * c.n + 1000 * d.n + 10000 * e.n AS i FROM numerals a, numerals b, numerals c, numerals d, numerals e) x`,
}

// views over people, of which the last one only may be read with its values.
var views = []string{
	"CREATE VIEW v_all AS SELECT * FROM people", "CREATE VIEW v_alias AS SELECT id, hushed AS h FROM people", "CREATE VIEW v_nested AS SELECT h FROM v_alias",
	"CREATE VIEW v_muted AS SELECT muted AS m FROM people", "CREATE VIEW v_open AS SELECT region FROM people",
}

// engines are those under test, each with a fresh database of some statements.
var engines = map[string]func(t testing.TB, statements ...string) string{
	"sqlite": lite, "duckdb": duckEngine,
	"postgres": func(t testing.TB, statements ...string) string {
		s := servers.Postgres(t)
		s.Exec(t, strings.Join(statements, ";\n")+";\nGRANT SELECT ON ALL TABLES IN SCHEMA public TO "+s.Reader+";\n")
		return s.ReaderURL
	},
	"mariadb": func(t testing.TB, statements ...string) string {
		s := servers.MariaDB(t)
		s.Exec(t, strings.Join(statements, ";\n")+";\n")
		return s.ReaderURL
	},
}

// quiet is a model that keeps two columns of people to themselves.
func quiet() semantic.Model {
	table := semantic.Table{Name: "people"}
	for _, name := range []string{"id", "region", "hushed", "muted", "mail", "amount", "price", "note"} {
		table.Columns = append(table.Columns, semantic.Column{Name: name, NoProfile: name == "hushed", NoSamples: name == "muted"})
	}
	model := semantic.Model{Tables: []semantic.Table{table, {Name: "numerals", NoProfile: true}}}
	for _, name := range []string{"v_all", "v_alias", "v_nested", "v_muted", "v_open"} {
		model.Tables = append(model.Tables, semantic.Table{Name: name})
	}
	return model
}

// TestWhatIsOptedOutIsNeverRead captures every statement that is sent: none
// names a column or table with profile: false, and no value of it or of one
// without sample values is in the report, the files or the value index.
func TestWhatIsOptedOutIsNeverRead(t *testing.T) {
	for name, fresh := range engines {
		t.Run(name, func(t *testing.T) {
			var mu sync.Mutex
			var sent []string
			log := func(sql string) { mu.Lock(); defer mu.Unlock(); sent = append(sent, sql) }
			url := fresh(t, append(append([]string{}, people...), views...)...)
			database, schema := open(t, url, driver.Options{Log: log})
			for _, o := range []profile.Options{{}, {MaxRows: 30_000}} {
				sent = nil
				model := quiet()
				r, err := profile.Run(context.Background(), database, schema, model, o)
				if err != nil {
					t.Fatal(err)
				}
				for i := range model.Tables {
					for j := range r.Tables {
						if r.Tables[j].Name == model.Tables[i].Name {
							model.Tables[i] = r.Tables[j].Fill(model.Tables[i])
						}
					}
				}
				for what, text := range map[string]string{"report": asJSON(t, r), "files": asJSON(t, model), "values": asJSON(t, r.Entries())} {
					for _, raw := range []string{"hush-", "mute-", "@example"} {
						if strings.Contains(text, raw) {
							t.Errorf("%s hold %s…: %s", what, raw, text)
						}
					}
				}
				if !strings.Contains(asJSON(t, r.Entries()), "Latin America") {
					t.Errorf("no values were kept: %s", asJSON(t, r.Entries()))
				}
				if c := column(t, r, "people", "hushed"); !c.OptedOut || c.Profile != nil {
					t.Errorf("hushed: %+v", c)
				}
				if c := column(t, r, "people", "muted"); c.Profile == nil || c.Profile.Distinct == nil || c.Profile.Distinct.N != 2 || c.Profile.Min != nil || c.Profile.Top != nil {
					t.Errorf("muted: %s", asJSON(t, c))
				}
				for _, x := range r.Tables {
					readable := x.Name == "people" || o.MaxRows == 0 && (x.Name == "v_open" || x.Name == "v_muted")
					if (x.Skipped == "") != readable {
						t.Errorf("%s: %q", x.Name, x.Skipped)
					}
				}
				named := 0
				for _, sql := range sent {
					if strings.Contains(sql, "muted") {
						named++
					}
					if strings.Contains(sql, "hushed") || strings.Contains(sql, "numerals") || strings.Contains(sql, "people") && strings.Contains(strings.ReplaceAll(sql, "count(*)", ""), "*") {
						t.Errorf("a statement reads what it must not: %s", sql)
					}
				}
				if named == 0 {
					t.Error("no statement was captured")
				}
			}
		})
	}
}

// TestEveryEngineFindsTheSame compares what is exact, and holds estimates to
// within a tenth.
func TestEveryEngineFindsTheSame(t *testing.T) {
	for name, fresh := range engines {
		t.Run(name, func(t *testing.T) {
			url := fresh(t, people...)
			model := semantic.Model{Tables: []semantic.Table{{Name: "people"}}}
			r := run(t, url, model, profile.Options{})
			if again := run(t, url, model, profile.Options{Workers: 1}); asJSON(t, r) != asJSON(t, again) {
				t.Errorf("two profiles differ:\n%s\n%s", asJSON(t, r), asJSON(t, again))
			}
			if x := r.Tables[0]; x.Rows == nil || *x.Rows != 100_000 || !x.Exact {
				t.Errorf("rows: %s", asJSON(t, x))
			}
			get := func(c string) *semantic.Profile { return column(t, r, "people", c).Profile }
			if p := get("amount"); p.Min.Text != "0" || p.Max.Text != "42000" || *p.Nulls != 0 || !near(p.Distinct.N, 42_001) || !near(number(t, p.P50), 21_000) || !near(number(t, p.P95), 39_900) {
				t.Errorf("amount: %s", asJSON(t, p))
			}
			if p := get("id"); p.Distinct.N != 100_000 || p.Distinct.Estimate || p.Max.Text != "99999" {
				t.Errorf("id: %s", asJSON(t, p))
			}
			if p := get("region"); p.Distinct.N != 3 || len(p.Top) != 3 || p.Top[0].Value.Text != "EMEA" || p.Top[0].Share < 0.75 || p.Top[0].Share > 0.85 {
				t.Errorf("region: %s", asJSON(t, p))
			}
			if p := get("note"); *p.Nulls != 0.75 {
				t.Errorf("note: %s", asJSON(t, p))
			}
			if p := get("price"); !near(int64(number(t, p.Max)*4), 999) || !near(p.Distinct.N, 1000) {
				t.Errorf("price: %s", asJSON(t, p))
			}
			if c := column(t, r, "people", "mail"); c.Personal != "mail" && c.Personal != "email" || c.Profile.Shape != "email" {
				t.Errorf("mail: %s", asJSON(t, c))
			}
		})
	}
}

func near[N int64 | float64](got, want N) bool {
	return float64(got) > 0.9*float64(want) && float64(got) < 1.1*float64(want)
}

func number[N any](t testing.TB, s *N) float64 {
	t.Helper()
	var f float64
	if s == nil {
		t.Error("no value")
		return 0
	}
	if _, err := fmt.Sscan(fmt.Sprint(any(*s)), &f); err != nil {
		t.Error(err)
	}
	return f
}

// TestPostgresDatabases profiles the five handed databases.
func TestPostgresDatabases(t *testing.T) {
	dirs, err := filepath.Glob(filepath.Join(handed.Data(t, "postgres"), "*", "*.sql"))
	if err != nil || len(dirs) != 5 {
		t.Fatalf("%d databases: %v", len(dirs), err)
	}
	for _, file := range dirs {
		script, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s := servers.Postgres(t)
		s.Exec(t, string(script)+";\nGRANT SELECT ON ALL TABLES IN SCHEMA public TO "+s.Reader+";\n")
		healthy(t, filepath.Base(file), run(t, s.ReaderURL, semantic.Model{}, profile.Options{}))
	}
}

// TestTheServersLogNamesNothingOptedOut reads what arrived at the servers.
func TestTheServersLogNamesNothingOptedOut(t *testing.T) {
	for name, start := range map[string]func(testing.TB) *servers.Server{"postgres": servers.Postgres, "mariadb": servers.MariaDB} {
		t.Run(name, func(t *testing.T) {
			s := start(t)
			grant := ""
			if name == "postgres" {
				grant = ";\nGRANT SELECT ON ALL TABLES IN SCHEMA public TO " + s.Reader
			}
			s.Exec(t, strings.Join(append(append([]string{}, people...), views...), ";\n")+grant+";\n")
			log := s.Capture(t)
			run(t, s.ReaderURL, quiet(), profile.Options{})
			lines := strings.Join(log(s.Reader), "\n")
			if strings.Contains(lines, "hushed") || strings.Contains(lines, "numerals") || !strings.Contains(lines, "muted") {
				t.Errorf("the server was sent:\n%s", lines)
			}
		})
	}
}
