package project_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sqbyl/sqbyl/internal/toolkit/project"
	"github.com/sqbyl/sqbyl/semantic"
)

const smallest = "name: t\ndatabase: { url: \"sqlite:t.db\" }\n"

// folder writes files, and the smallest manifest when none is given.
func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	if _, ok := files[project.ManifestFile]; !ok {
		write(t, dir, project.ManifestFile, smallest)
	}
	for name, text := range files {
		write(t, dir, name, text)
	}
	return dir
}

func write(t testing.TB, dir, name, text string) {
	t.Helper()
	full := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func load(t *testing.T, files map[string]string) *project.Project {
	t.Helper()
	p, err := project.Load(folder(t, files))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func lookup(vars map[string]string) project.Lookup {
	return func(name string) (string, bool) { v, ok := vars[name]; return v, ok }
}

func lines(mistakes []project.Mistake) string {
	var b strings.Builder
	for _, m := range mistakes {
		b.WriteString(m.String() + "\n")
	}
	return b.String()
}

func TestSpecification(t *testing.T) {
	p, err := project.Load("testdata/specification")
	if err != nil {
		t.Fatal(err)
	}
	m := p.Manifest
	if m.Name != "revenue-analytics" || m.Description != "Answers revenue, churn, and pipeline questions for the GTM team.\n" ||
		m.Model.JudgeModel != "claude-opus-4-8" || !m.Automation.AutoJudge || m.Defaults.MaxTablesWarn != 7 {
		t.Errorf("%+v", m)
	}
	if p.Dialect == nil || p.Dialect.Title != "PostgreSQL" {
		t.Errorf("dialect %v", p.Dialect)
	}
	orders := p.Semantic.Tables[0]
	if len(orders.Columns) != 5 || orders.Columns[2].Profile.P95.Text != "28900" || orders.Columns[0].Profile.Distinct.N != 4216890 ||
		orders.Columns[4].Profile.Min.Text != "2019-02-01" || orders.Joins[0].On != "orders.customer_id = customers.customer_id" {
		t.Errorf("%+v", orders)
	}
	want := semantic.Asset{
		Name: "monthly_recurring_revenue", Description: "Official MRR definition. Prefer this over ad-hoc revenue math.",
		Params: []semantic.Param{{Name: "month", Type: "date"}}, SQL: "SELECT ...;",
	}
	if diff := cmp.Diff([]semantic.Asset{want}, p.Semantic.Assets); diff != "" {
		t.Error(diff)
	}
	if got := p.Semantic.Examples[0].Tags; !cmp.Equal(got, []string{"revenue", "time-window"}) {
		t.Error(got)
	}
}

func TestAllMistakesAtOnce(t *testing.T) {
	_, err := project.Load(folder(t, map[string]string{
		"sqbyl.yaml":               "name: t\ndatabase:\n  dialect: postgresq\n  url: env:DB\n  read_only: false\nmdel: {}\ndefaults: { ask_budget: lots, timeout: 0s }\n",
		"semantics/orders.yaml":    "table: orders\nsynonims: [a]\nprimary_key: [order_di]\ncolumns:\n  - name: order_id\n  - name: order_id\njoins:\n  - to: customer\n    on: a = b\n",
		"semantics/customers.yaml": "table: customers\nmeasures:\n  - { name: n, sql: COUNT(*) }\n  - { name: N, sql: COUNT(*) }\n",
		"semantics/other.yaml":     "table: orders\n",
		"semantics/empty.yaml":     "# nothing\n",
		"semantics/broken.yaml":    "table: [\n",
		"examples/a.yaml":          "question: x\n",
		"examples/b.yaml":          "- question: x\n  sqll: SELECT 1\n- sql: SELECT 2\n",
		"trusted/a.sql":            "-- @name: a\n-- @parms: x (date)\nSELECT :x",
		"trusted/b.sql":            "-- @name: A\n-- @params: from (date), lim (decimal(10,2))\nSELECT ':no', :form /* :no */, x::date, a[1:n], :lim",
		"trusted/c.sql":            "SELECT 1",
		".env":                     "A=1\nexport B='2'\nnonsense\n",
	}))
	var mistakes project.Mistakes
	if !errors.As(err, &mistakes) {
		t.Fatal(err)
	}
	want := `.env:3:1  this line is not NAME=value
examples/a.yaml:1:1  the file holds keys with values, a list is wanted (begin each item with "- ")
examples/b.yaml:2:3  unknown key "sqll" (did you mean sql?)
examples/b.yaml:3:3  this entry lacks the key question
semantics/broken.yaml:2:1  not valid YAML: did not find expected node content
semantics/customers.yaml:4:13  measure "N" stands twice (rename one of the two)
semantics/empty.yaml:1:1  the file is empty (it needs at least table:)
semantics/orders.yaml:2:1  unknown key "synonims" (did you mean synonyms?)
semantics/orders.yaml:3:15  primary key "order_di": no such column (nearest: order_id)
semantics/orders.yaml:6:11  column "order_id" stands twice (merge the two)
semantics/orders.yaml:8:9  join to "customer": no such table (nearest: customers)
semantics/other.yaml:1:8  table "orders" is described in semantics/orders.yaml already (keep one of the two)
sqbyl.yaml:3:12  unknown dialect "postgresq" (known: duckdb, mariadb, mysql, postgresql, sqlite) (did you mean postgresql?)
sqbyl.yaml:5:14  read_only cannot be false: nothing is ever written to your database (remove the line; write with the database's own tools)
sqbyl.yaml:6:1  unknown key "mdel" (did you mean model?)
sqbyl.yaml:7:25  defaults.ask_budget: "lots" is not an amount in dollars, such as 0.25
sqbyl.yaml:7:40  defaults.timeout: "0s" is not a time span, such as 30s
trusted/a.sql:2:4  unknown key "parms" (did you mean params?)
trusted/b.sql:1:1  the name A is taken by trusted/a.sql
trusted/b.sql:2:13  @params declares from, but the SQL uses :form in line 3 (did you mean form?)
trusted/c.sql:1:1  a trusted query needs a name (write -- @name: monthly_revenue in its first line)
`
	if diff := cmp.Diff(want, lines(mistakes)); diff != "" {
		t.Error(diff)
	}
	if !strings.HasPrefix(err.Error(), "21 mistakes in this project:\n  .env:3:1") {
		t.Error(err)
	}
}

func TestWarnings(t *testing.T) {
	p := load(t, map[string]string{
		"sqbyl.yaml":           "name: t\ndatabase: { url: 'postgres://u:p@ss@h/d' }\nmodel: { api_key: sk-1 }\ndefaults: { max_tables_warn: 1 }\n",
		"semantics/a.yaml":     "table: a\njoins: [{ to: elsewhere.shipments, on: x = y }]\nfilters: [{ name: f, sql: 'x' }]\n",
		"semantics/b.yaml":     "table: b\nfilters: [{ name: f, sql: 'x' }]\n",
		"semantics/old/c.yaml": "nonsense: [\n",
		"examples/a.yaml":      "- { question: How  many?, sql: SELECT 1 }\n- { question: how many?, sql: SELECT 2 }\n",
		"trusted/a.sql":        "-- @name: a\n-- @params: month (date), day (date)\nSELECT :day;\n",
	})
	want := `examples/a.yaml:2:3  the same question stands at examples/a.yaml:1:3 too (keep one of the two)
semantics  the project has 2 tables; agents answer best over 1 or fewer (defaults.max_tables_warn moves this limit)
semantics/a.yaml:2:15  join to "elsewhere.shipments": no such table in this project (describe it in semantics/)
semantics/b.yaml:2:19  filter "f" stands in semantics/a.yaml too (give each its own name)
semantics/old  a folder inside semantics is not read (move its files up)
sqbyl.yaml:2:18  the url holds a password (put the url into .env and write env:DATABASE_URL)
sqbyl.yaml:3:19  the api_key is written in the file (put it into .env and write env:NAME)
trusted/a.sql:2:13  the SQL does not use the parameter month (it stands as :month)
`
	if diff := cmp.Diff(want, lines(p.Warnings)); diff != "" {
		t.Error(diff)
	}
}

func TestNoLinks(t *testing.T) {
	dir := folder(t, map[string]string{"benchmarks/test.yaml": "- id: planted\n"})
	if err := os.MkdirAll(filepath.Join(dir, "semantics"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../benchmarks/test.yaml", filepath.Join(dir, "semantics", "t.yaml")); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	if err := os.Symlink("benchmarks", filepath.Join(dir, "examples")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "instructions.md"), 0o755); err != nil {
		t.Fatal(err)
	}
	_, err := project.Load(dir)
	var mistakes project.Mistakes
	if !errors.As(err, &mistakes) {
		t.Fatal(err)
	}
	want := `examples  this is a symbolic link; a project's files are read only where they are (move the folder here)
instructions.md  this is not a file
semantics/t.yaml  this is a symbolic link; a project's files are read only where they are (copy the file here)
`
	if diff := cmp.Diff(want, lines(mistakes)); diff != "" {
		t.Error(diff)
	}
}

func TestBadFiles(t *testing.T) {
	for _, c := range []struct{ name, file, text, want string }{
		{"empty manifest", "sqbyl.yaml", "", "sqbyl.yaml:1:1  the file is empty (it needs at least name: and database: with its url:)"},
		{"binary manifest", "sqbyl.yaml", "SQLite format 3\x00", "sqbyl.yaml  this is not a text file: it holds a zero byte"},
		{"no url", "sqbyl.yaml", "name: t\ndatabase: {}\n", "sqbyl.yaml:2:11  database lacks the key url"},
		{"another engine's url", "sqbyl.yaml", "name: t\ndatabase: { dialect: pg, url: 'duckdb:a' }\n", "sqbyl.yaml:2:22  the dialect is pg, but the url is one of DuckDB (write dialect: duckdb, or a url that begins with postgresql:)"},
		{"no variable", "sqbyl.yaml", "name: t\ndatabase: { url: 'env:' }\n", "sqbyl.yaml:2:18  database.url names no variable (write env:NAME)"},
		{"binary table", "semantics/a.yaml", "table: \xff", "semantics/a.yaml:1:8  a byte here is not UTF-8 (save the file as UTF-8)"},
		{"huge table", "semantics/a.yaml", "#" + strings.Repeat(" ", 8<<20), "semantics/a.yaml  the file has more than 8 MB; project files are small texts"},
		{"binary query", "trusted/a.sql", "\x00", "trusted/a.sql  this is not a text file: it holds a zero byte"},
		{"empty query", "trusted/a.sql", "-- @name: a\n", "trusted/a.sql:2:1  a trusted query needs SQL below its head"},
		{"binary instructions", "instructions.md", "\xff\xfe", "instructions.md  the file is UTF-16 (save it as UTF-8)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := project.Load(folder(t, map[string]string{c.file: c.text}))
			var mistakes project.Mistakes
			if !errors.As(err, &mistakes) {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want+"\n", lines(mistakes)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFind(t *testing.T) {
	dir := folder(t, map[string]string{"semantics/a.yaml": "table: a\n"})
	for _, from := range []string{dir, filepath.Join(dir, "semantics"), filepath.Join(dir, "semantics", "a.yaml")} {
		if got, err := project.Find(from); got != dir || err != nil {
			t.Errorf("from %s: %s, %v", from, got, err)
		}
	}
	if _, err := project.Find(t.TempDir()); !errors.Is(err, project.ErrNoProject) {
		t.Error(err)
	}
	if _, err := project.Load(t.TempDir()); !errors.Is(err, project.ErrNoProject) {
		t.Error(err)
	}
}

func TestDatabaseURL(t *testing.T) {
	for _, c := range []struct{ url, env, dotenv, want string }{
		{"sqlite:shop.db", "", "", "sqlite:DIR/shop.db"},
		{"shop.db", "", "", "DIR/shop.db"},
		{"sqlite:///srv/shop.db", "", "", "sqlite:///srv/shop.db"},
		{"'sqlite::memory:'", "", "", "sqlite::memory:"},
		{"env:DB", "duckdb:a/b.duckdb", "DB=other", "duckdb:DIR/a/b.duckdb"},
		{"env:DB", "", "DB='postgres://u@h/d'", "postgres://u@h/d"},
		{"env:DB", "", "", "ERR sqbyl.yaml:2:18  database.url is env:DB, and DB is not set; set it in the environment or in .env beside sqbyl.yaml"},
	} {
		p := load(t, map[string]string{"sqbyl.yaml": "name: t\ndatabase: { url: " + c.url + " }\n", ".env": c.dotenv})
		got, err := p.DatabaseURL(lookup(map[string]string{"DB": c.env}))
		if err != nil {
			got = "ERR " + err.Error()
		}
		if got = strings.ReplaceAll(filepath.ToSlash(got), filepath.ToSlash(p.Dir), "DIR"); got != c.want {
			t.Errorf("%+v: got %s", c, got)
		}
	}
}

func TestMisnamed(t *testing.T) {
	for _, c := range []struct{ name, manifest, dotenv, env, want string }{
		{"nothing wrong", "", "KEY=k\nOTHER=x\n", "", ""},
		{"a known one", "", "# c\n  export  ANTHROPIC_API_KY=k\n", "", ".env:2:11  nothing reads the variable ANTHROPIC_API_KY (did you mean ANTHROPIC_API_KEY?)\n"},
		{"in another case", "", "anthropic_api_key=k\n", "", ".env:1:1  nothing reads the variable anthropic_api_key (did you mean ANTHROPIC_API_KEY?)\n"},
		{"set elsewhere", "", "ANTHROPIC_API_KY=k\n", "ANTHROPIC_API_KEY=k", ""},
		{"empty beside", "", "ANTHROPIC_API_KY=k\nANTHROPIC_API_KEY=\n", "", ""},
		{"with a number", "", "ANTHROPIC_API_KEY2=k\n", "", ""},
		{"the manifest's", "database: { url: 'env:SHOP_URL' }\n", "SHOP_ULR=x\n", "", ".env:1:1  nothing reads the variable SHOP_ULR (did you mean SHOP_URL?; sqbyl.yaml:2:18 reads it)\n"},
		{"in the manifest", "database: { url: 'sqlite:x' }\nmodel: { api_key: env:ANTHROPIC_API_KYE }\n", "ANTHROPIC_API_KEY=k\n", "", "sqbyl.yaml:3:19  no variable ANTHROPIC_API_KYE is set (did you mean env:ANTHROPIC_API_KEY?)\n"},
		{"so in both", "database: { url: 'sqlite:x' }\nmodel: { api_key: env:ANTHROPIC_API_KYE }\n", "ANTHROPIC_API_KYE=k\n", "", ""},
	} {
		manifest := smallest
		if c.manifest != "" {
			manifest = "name: t\n" + c.manifest
		}
		p := load(t, map[string]string{"sqbyl.yaml": manifest, ".env": c.dotenv})
		name, value, _ := strings.Cut(c.env, "=")
		got := p.Misnamed(lookup(map[string]string{name: value}), []string{"ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"})
		if diff := cmp.Diff(c.want, lines(got)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

func TestPrefixes(t *testing.T) {
	for text, want := range map[string]string{
		"database: { url: 'sqlte:x.db' }":                                   "sqbyl.yaml:2:18  database.url begins with \"sqlte:\" (did you mean sqlite:?)\n",
		"database: { url: 'postgrs://u:secret@h/d' }":                       "sqbyl.yaml:2:18  database.url begins with \"postgrs:\" (did you mean postgres:?)\n",
		"database: { url: 'evn:SHOP_URL' }":                                 "sqbyl.yaml:2:18  database.url begins with \"evn:\" (did you mean env:?)\n",
		"database: { url: 'x' }\nmodel: { api_key: 'en:KEY' }":              "sqbyl.yaml:3:19  model.api_key begins with \"en:\" (did you mean env:?)\n",
		"database: { url: 'x' }\nmodel: { base_url: 'htps://h/v1' }":        "sqbyl.yaml:3:20  model.base_url begins with \"htps:\" (did you mean https:?)\n",
		"database: { url: 'C:\\x.db' }":                                     "",
		"database: { url: 'SQLite:x.db' }":                                  "",
		"database: { url: 'x' }\nmodel: { api_key: 'sk-ant:x' }":            "",
		"database: { url: 'x' }\ntraces: { otlp: 'http://127.0.0.1:4318' }": "",
	} {
		_, err := project.Load(folder(t, map[string]string{"sqbyl.yaml": "name: t\n" + text + "\n"}))
		var mistakes project.Mistakes
		if err != nil && !errors.As(err, &mistakes) {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, lines(mistakes)); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

func TestModelAccess(t *testing.T) {
	for _, c := range []struct{ name, model, env, dotenv, key, base string }{
		{"both from the environment", "", "KEY=k URL=u", "", "k", "u"},
		{"the project's key to the project's address", "base_url: http://a", "", "KEY=k", "k", "http://a"},
		{"no key to the project's address", "base_url: http://a", "", "", "", "http://a"},
		{"the environment's key stays away from the project's address", "base_url: http://a", "KEY=k", "", "refused", ""},
		{"also when the address is in .env", "", "KEY=k", "URL=http://a", "refused", ""},
		{"also when the key is named", "base_url: http://a, api_key: env:MINE", "MINE=k", "", "refused", ""},
		{"address named in the environment", "base_url: env:WHERE, api_key: env:MINE", "MINE=k WHERE=w", "", "k", "w"},
		{"the environment goes first", "", "KEY=k", "KEY=other", "k", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			vars := map[string]string{}
			for _, pair := range strings.Fields(c.env) {
				name, value, _ := strings.Cut(pair, "=")
				vars[name] = value
			}
			p := load(t, map[string]string{"sqbyl.yaml": smallest + "model: { " + c.model + " }\n", ".env": c.dotenv})
			got, err := p.ModelAccess(lookup(vars), "KEY", "URL")
			var foreign *project.ForeignKeyError
			if errors.As(err, &foreign) {
				got.Key = "refused"
			} else if err != nil {
				t.Fatal(err)
			}
			if got.Key != c.key || got.BaseURL != c.base {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestHash(t *testing.T) {
	hash := func(files map[string]string) string {
		h, err := load(t, files).Hash()
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	base := hash(map[string]string{"semantics/a.yaml": "table: a\nsynonyms: [x]\n", "semantics/b.yaml": "table: b\n"})
	for name, files := range map[string]map[string]string{
		"layout":     {"semantics/1.yaml": "# c\ntable: b\n", "semantics/2.yaml": "synonyms:\n  - 'x'\ntable: \"a\"\n"},
		"benchmarks": {"semantics/a.yaml": "table: a\nsynonyms: [x]\n", "semantics/b.yaml": "table: b\n", "benchmarks/test.yaml": "x", ".sqbyl/usage.db": "x"},
		"address":    {"sqbyl.yaml": "name: t\ndatabase: { url: 'sqlite:other.db', dialect: lite }\n", "semantics/a.yaml": "table: a\nsynonyms: [x]\n", "semantics/b.yaml": "table: b\n"},
	} {
		if hash(files) != base {
			t.Errorf("%s changes the hash", name)
		}
	}
	for name, files := range map[string]map[string]string{
		"synonym":      {"semantics/a.yaml": "table: a\nsynonyms: [y]\n", "semantics/b.yaml": "table: b\n"},
		"off":          {"semantics/a.yaml": "table: a\nsynonyms: [x]\nprofile: false\n", "semantics/b.yaml": "table: b\n"},
		"instructions": {"semantics/a.yaml": "table: a\nsynonyms: [x]\n", "semantics/b.yaml": "table: b\n", "instructions.md": "x"},
		"setting":      {"sqbyl.yaml": smallest + "defaults: { self_repair_attempts: 0 }\n", "semantics/a.yaml": "table: a\nsynonyms: [x]\n", "semantics/b.yaml": "table: b\n"},
	} {
		if hash(files) == base {
			t.Errorf("%s does not change the hash", name)
		}
	}
}

func TestSamples(t *testing.T) {
	for _, name := range []string{"shop", "shop-duckdb"} {
		p, err := project.Load("../../../examples/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Warnings) > 0 {
			t.Error(lines(p.Warnings))
		}
	}
}
