package joins

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/ncruces/go-sqlite3"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/dialect"
	"github.com/sqbyl/sqbyl/semantic"
)

// table makes a table of integer columns; "*" marks the key, ":text" a type.
func table(name string, columns ...string) catalog.Table {
	t := catalog.Table{Name: name, Kind: catalog.BaseTable, Rows: -1}
	for _, c := range columns {
		c, kind, _ := strings.Cut(c, ":")
		if kind == "" {
			kind = "bigint"
		}
		if strings.HasPrefix(c, "*") {
			c = c[1:]
			t.PrimaryKey = append(t.PrimaryKey, c)
		}
		t.Columns = append(t.Columns, catalog.Column{Name: c, Type: kind})
	}
	return t
}

func schemaOf(tables ...catalog.Table) catalog.Schema { return catalog.Schema{Tables: tables} }

func lite(t testing.TB) *db.Dialect {
	t.Helper()
	d, err := dialect.Lookup("sqlite")
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// shown are the candidates of a schema without data.
func shown(t testing.TB, s catalog.Schema, measured ...Measured) []string {
	t.Helper()
	var out []string
	for _, c := range Score(s, lite(t), Propose(s), measured) {
		mark := ""
		if c.Sure() {
			mark = " sure"
		}
		if c.Decide {
			mark = " decide"
		}
		out = append(out, fmt.Sprintf("%s [%s]%s", arrow(c.From, c.To), c.Rule, mark))
	}
	return out
}

func TestNamesLeadToKeys(t *testing.T) {
	for name, c := range map[string]struct {
		tables []catalog.Table
		want   []string
	}{
		"spelled alike":     {[]catalog.Table{table("customers", "*customer_id"), table("orders", "*order_id", "customer_id")}, []string{"orders.customer_id → customers.customer_id [spells the key] sure"}},
		"table and id":      {[]catalog.Table{table("customers", "*id"), table("orders", "*id", "customer_id")}, []string{"orders.customer_id → customers.id [names the key] sure"}},
		"camel case":        {[]catalog.Table{table("Customer", "*Id"), table("Invoice", "*Id", "CustomerID")}, []string{"Invoice.CustomerID → Customer.Id [names the key] sure"}},
		"table alone":       {[]catalog.Table{table("customers", "*id"), table("orders", "*id", "customer")}, []string{"orders.customer → customers.id [names the table] sure"}},
		"irregular plural":  {[]catalog.Table{table("people", "*id"), table("badges", "*id", "person_id")}, []string{"badges.person_id → people.id [names the key] sure"}},
		"plural in es":      {[]catalog.Table{table("analyses", "*id"), table("aliases", "*id"), table("lenses", "*id"), table("results", "*id", "analysis_id", "alias_id", "lens_id")}, []string{"results.analysis_id → analyses.id [names the key] sure", "results.alias_id → aliases.id [names the key] sure", "results.lens_id → lenses.id [names the key] sure"}},
		"plural in ies":     {[]catalog.Table{table("categories", "*id"), table("items", "*id", "category_id")}, []string{"items.category_id → categories.id [names the key] sure"}},
		"abbreviation":      {[]catalog.Table{table("departments", "*id"), table("badges", "*id", "dept_id")}, []string{"badges.dept_id → departments.id [names the key, abbreviated] sure"}},
		"initials":          {[]catalog.Table{table("purchase_orders", "*id"), table("receipts", "*id", "po_id")}, []string{"receipts.po_id → purchase_orders.id [names the key, abbreviated] sure"}},
		"last word":         {[]catalog.Table{table("tv_channels", "*id"), table("shows", "*id", "channel")}, []string{"shows.channel → tv_channels.id [names the table's last word] sure"}},
		"of its own table":  {[]catalog.Table{table("order_statuses", "*id"), table("payment_statuses", "*id"), table("orders", "*id", "status_id")}, []string{"orders.status_id → order_statuses.id [names the key] sure", "orders.status_id → payment_statuses.id [names the key's last word]"}},
		"role of a table":   {[]catalog.Table{table("addresses", "*id"), table("orders", "*id", "billing_address_id")}, []string{"orders.billing_address_id → addresses.id [names the key, with a role] sure"}},
		"numbered":          {[]catalog.Table{table("players", "*id"), table("matches", "*id", "home_player_1_id", "player_2")}, []string{"matches.home_player_1_id → players.id [names the key, with a role] sure", "matches.player_2 → players.id [names the table] sure"}},
		"longer key":        {[]catalog.Table{table("teams", "*id", "team_api_id"), table("matches", "*id", "home_team_api_id")}, []string{"matches.home_team_api_id → teams.team_api_id [names the key, with a role] sure"}},
		"parent":            {[]catalog.Table{table("categories", "*category_id", "parent_id")}, []string{"categories.parent_id → categories.category_id [names a row above] sure"}},
		"kin":               {[]catalog.Table{table("animals", "*id", "mother_id", "father_id")}, []string{"animals.mother_id → animals.id [names a row above] sure", "animals.father_id → animals.id [names a row above] sure"}},
		"letters of tables": {[]catalog.Table{table("Übung_Einheiten", "*id"), table("logs", "*id", "üe_id")}, []string{"logs.üe_id → Übung_Einheiten.id [names the key, abbreviated] sure"}},
		"own table, a role": {[]catalog.Table{table("categories", "*id", "parent_category_id")}, []string{"categories.parent_category_id → categories.id [names the key, with a role] sure"}},
		"manager":           {[]catalog.Table{table("employees", "*id", "manager_id"), table("shops", "*id", "manager_id")}, []string{"employees.manager_id → employees.id [names a row above] sure", "shops.manager_id → employees.id [names a role of people]"}},
		"prefixes":          {[]catalog.Table{table("app_users", "*id"), table("app_posts", "*id", "user_id"), table("app_tags", "*id", "post_id")}, []string{"app_posts.user_id → app_users.id [names the key] sure", "app_tags.post_id → app_posts.id [names the key] sure"}},
		"fillers":           {[]catalog.Table{table("dim_customer", "*customer_key"), table("fact_sales", "customer_key")}, []string{"fact_sales.customer_key → dim_customer.customer_key [spells the key] sure"}},
		"all of a key":      {[]catalog.Table{table("order_lines", "*order_ref", "*line_pos"), table("shipments", "*id", "order_ref", "line_pos")}, []string{"shipments.order_ref,line_pos → order_lines.order_ref,line_pos [has all columns of a key]"}},

		"two keys": {[]catalog.Table{table("users", "id", "user_id"), table("tips", "*id", "user_id")}, []string{"tips.user_id → users.user_id [spells the key] sure"}},

		"ids alone":          {[]catalog.Table{table("customers", "*id"), table("orders", "*id")}, nil},
		"everyday names":     {[]catalog.Table{table("customers", "*id", "name:text", "created_at"), table("orders", "*id", "name:text", "created_at")}, nil},
		"a date is no key":   {[]catalog.Table{table("customers", "*id"), table("orders", "*id", "customer_id:date")}, nil},
		"a view is not read": {[]catalog.Table{table("customers", "*id"), {Name: "v", Kind: catalog.View, Columns: []catalog.Column{{Name: "customer_id", Type: "bigint"}}}}, nil},
		"a letter":           {[]catalog.Table{table("x", "*id"), table("odd_x", "*id"), table("points", "*id", "x", "x1", "y")}, nil},
		"its own key":        {[]catalog.Table{table("orders", "*order_id"), table("sales_orders", "*sales_order_id"), table("order_notes", "*order_note_id")}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, shown(t, schemaOf(c.tables...))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// Names hold anything; proposing and scoring take it.
func FuzzPropose(f *testing.F) {
	for _, seed := range []string{"###|id|parent_id", "顧客|顧客_id|x", "customers|ID|reports_to;orders|customerId|_;a b|\"c\"|manager id", "|", "x|1|2;x2|x_2_id|x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var tables []catalog.Table
		for _, part := range strings.Split(text, ";") {
			words := strings.Split(part, "|")
			made := catalog.Table{Name: words[0], Kind: catalog.BaseTable}
			for i, c := range words[1:] {
				made.Columns = append(made.Columns, catalog.Column{Name: c, Type: []string{"bigint", "text", ""}[i%3]})
			}
			if len(words) > 2 {
				made.PrimaryKey = words[1 : 1+len(words)%3]
			}
			tables = append(tables, made)
		}
		s := schemaOf(tables...)
		pairs := Propose(s)
		if diff := cmp.Diff(pairs, Propose(s), cmp.AllowUnexported(Pair{})); diff != "" {
			t.Errorf("proposed otherwise the second time: %s", diff)
		}
		for _, c := range Score(s, lite(t), pairs, nil) {
			if c.Confidence < 0 || c.Confidence > 1 || len(c.From.Columns) != len(c.To.Columns) || c.On == "" {
				t.Errorf("%+v", c)
			}
		}
	})
}

func TestDeclaredReferencesAreNotProposed(t *testing.T) {
	orders := table("orders", "*id", "customer_id")
	orders.ForeignKeys = []catalog.ForeignKey{{Columns: []string{"customer_id"}, RefTable: "customers", RefColumns: []string{"id"}}}
	if got := Propose(schemaOf(table("customers", "*id"), orders)); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}

func TestKeysThatMayNotBeReadAreNoTargets(t *testing.T) {
	s := schemaOf(table("customers", "*customer_id", "*part", "name:text"), table("orders", "*order_id", "customer_id", "part"))
	s.Tables[0].Columns = s.Tables[0].Columns[2:]
	s.Tables = append(s.Tables, table("shops", "*shop_id", "shop"), table("visits", "shop"))
	s.Tables[2].Columns = s.Tables[2].Columns[1:]
	for _, p := range Propose(s) {
		if p.Declared {
			t.Errorf("%+v", p)
		}
	}
}

// Two tables are named as well as one another: somebody has to choose.
func TestTargetsThatAreAsLikelyWaitForADecision(t *testing.T) {
	s := schemaOf(table("web_users", "*id"), table("app_users", "*id"), table("logins", "*id", "user_id"))
	want := []string{"logins.user_id → web_users.id [names the key's last word] decide", "logins.user_id → app_users.id [names the key's last word] decide"}
	if diff := cmp.Diff(want, shown(t, s)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	// The data may decide.
	found := []Measured{{Checked: 50, Found: 50, Numbers: true}, {Checked: 50, Found: 3, Numbers: true}}
	if diff := cmp.Diff([]string{"logins.user_id → web_users.id [names the key's last word] sure"}, shown(t, s, found...)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// A target that is clearly likelier leaves no other one sure, whatever the data
// says: numbers of small tables are found everywhere.
func TestAColumnHasOneSureTarget(t *testing.T) {
	s := schemaOf(table("order_statuses", "*id"), table("payment_statuses", "*id"), table("orders", "*id", "status_id"))
	all := Measured{Checked: 5, Found: 5, Numbers: true}
	var sure []string
	for _, c := range shown(t, s, all, all, all, all, all) {
		if strings.HasSuffix(c, " sure") {
			sure = append(sure, c)
		}
	}
	if diff := cmp.Diff([]string{"orders.status_id → order_statuses.id [names the key] sure"}, sure); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestATableThatRefersToTheLikelierIsNoTarget(t *testing.T) {
	s := schemaOf(table("employees", "*employee_id"), table("hirings", "*employee_id"), table("awards", "employee_id"))
	want := []string{"hirings.employee_id → employees.employee_id [spells the key] sure", "awards.employee_id → employees.employee_id [spells the key] sure"}
	if diff := cmp.Diff(want, shown(t, s)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestEvidenceMovesConfidence(t *testing.T) {
	p := Pair{Rule: NamesTable, Declared: true}
	confidence := func(p Pair, m Measured) float64 {
		return candidate(schemaOf(table("a", "*id"), table("b", "*id")), lite(t), Pair{Rule: p.Rule, Declared: p.Declared, Converted: p.Converted, to: 1, From: Side{Columns: []string{"b"}}, To: Side{Columns: []string{"id"}}}, m, logit(p, m)).Confidence
	}
	none := confidence(p, Measured{})
	for _, c := range []struct {
		what string
		p    Pair
		m    Measured
		more bool
	}{
		{"all found", p, Measured{Checked: 40, Found: 40, Numbers: true}, true},
		{"all text found", p, Measured{Checked: 40, Found: 40}, true},
		{"half found", p, Measured{Checked: 40, Found: 20}, false},
		{"nothing found", p, Measured{Checked: 40}, false},
		{"the target repeats", Pair{Rule: NamesTable}, Measured{ToUnique: Repeated, Checked: 40, Found: 40}, false},
		{"types differ", Pair{Rule: NamesTable, Declared: true, Converted: true}, Measured{}, false},
	} {
		if got := confidence(c.p, c.m); c.more != (got > none) {
			t.Errorf("%s: %.2f, without %.2f", c.what, got, none)
		}
	}
	if got := confidence(p, Measured{Checked: 40, Found: 20, Partial: true}); got != none {
		t.Errorf("a part of the target says nothing of what it lacks: %.2f, without %.2f", got, none)
	}
	if one, many := confidence(p, Measured{Checked: 1, Found: 1}), confidence(p, Measured{Checked: 40, Found: 40}); one >= many {
		t.Errorf("one value found counts %.2f, forty %.2f", one, many)
	}
}

// build makes a SQLite file from SQL and opens it.
func build(t testing.TB, script string, o driver.Options) (db.Database, catalog.Schema) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.db")
	c, err := sqlite3.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Exec(script); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	database, err := driver.Open(t.Context(), "sqlite:"+path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = database.Close() })
	s, err := database.Session(t.Context(), db.Answer)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	schema, err := database.Dialect().Catalog(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return database, schema
}

const numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) "

func TestFindReadsTheData(t *testing.T) {
	database, schema := build(t, `
		CREATE TABLE airports (code TEXT PRIMARY KEY);
		CREATE TABLE flights (flight_id INTEGER PRIMARY KEY, source_airport TEXT);
		CREATE TABLE profiles (profile_id INTEGER PRIMARY KEY);
		CREATE TABLE settings (setting_id INTEGER PRIMARY KEY, profile_id INTEGER);
		CREATE TABLE badges (badge_id INTEGER PRIMARY KEY, profile_id INTEGER);
		CREATE TABLE lines (doc INTEGER, pos INTEGER, PRIMARY KEY (doc, pos));
		CREATE TABLE remarks (remark_id INTEGER PRIMARY KEY, doc INTEGER, pos INTEGER);
		CREATE TABLE nodes (node_id INTEGER PRIMARY KEY, parent_id INTEGER);
		INSERT INTO airports VALUES ('ABC'), ('DEF'), ('GHI'), ('JKL'), ('MNO');
		INSERT INTO flights (source_airport) VALUES (' ABC'), (' DEF'), (' GHI'), (' JKL'), (' MNO'), (' ABC');
		`+numbers+`INSERT INTO profiles SELECT i FROM n;
		`+numbers+`INSERT INTO settings SELECT i, i FROM n;
		`+numbers+`INSERT INTO badges SELECT i, i + 50000 FROM n;
		`+numbers+`INSERT INTO lines SELECT i / 5, i % 5 FROM n;
		`+numbers+`INSERT INTO remarks SELECT i, i / 7, i % 5 FROM n;
		`+numbers+`INSERT INTO nodes SELECT i, i / 2 FROM n;`, driver.Options{})
	// Small bounds: profiles and lines are looked up by their keys.
	for _, rows := range []int{10_000, 300} {
		found, err := Find(t.Context(), database, schema, Bounds{Rows: rows, Values: 50})
		if err != nil || len(found.Notes) > 0 {
			t.Fatal(err, found.Notes)
		}
		want := map[string]semantic.JoinType{
			"TRIM(flights.source_airport) = TRIM(airports.code)":  semantic.ManyToOne,
			"settings.profile_id = profiles.profile_id":           semantic.OneToOne,
			"remarks.doc = lines.doc AND remarks.pos = lines.pos": semantic.ManyToOne,
			"nodes.parent_id = parent.node_id":                    semantic.ManyToOne,
		}
		if rows == 300 { // that no value repeats is not known any more
			want["settings.profile_id = profiles.profile_id"] = semantic.ManyToOne
		}
		got := map[string]semantic.JoinType{}
		for _, c := range found.Candidates {
			if c.Sure() {
				got[c.On] = c.Type
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("rows %d (-want +got)\n%s", rows, diff)
		}
	}
}

func TestNothingReadsWhatMayNotBeRead(t *testing.T) {
	var sent []string
	database, schema := build(t, `CREATE TABLE people (person_id INTEGER PRIMARY KEY, tax_number TEXT UNIQUE);
		CREATE TABLE letters (letter_id INTEGER PRIMARY KEY, person_id INTEGER, tax_number TEXT);
		INSERT INTO people VALUES (1, 'x'); INSERT INTO letters VALUES (1, 1, 'x');`, driver.Options{Log: func(s string) { sent = append(sent, s) }})
	sent = nil
	found, err := Find(t.Context(), database, schema, Bounds{Workers: 1, Skip: func(_ catalog.Table, c string) bool { return c == "tax_number" }})
	if err != nil {
		t.Fatal(err)
	}
	named := false
	for _, s := range sent {
		named = named || strings.Contains(s, "person_id")
		if strings.Contains(s, "tax_number") {
			t.Errorf("%s", s)
		}
	}
	if !named || len(found.Candidates) == 0 {
		t.Errorf("nothing was read: %q, %+v", sent, found)
	}
	for _, c := range found.Candidates {
		if c.From.Columns[0] == "tax_number" && c.Measured.Checked != 0 {
			t.Errorf("%+v", c)
		}
	}
}

func TestStatementsReadABoundedNumberOfRows(t *testing.T) {
	var sent []string
	database, schema := build(t, `CREATE TABLE customers (customer_id INTEGER, name TEXT);
		CREATE TABLE orders (order_id INTEGER PRIMARY KEY, customer_id INTEGER);
		`+numbers+`INSERT INTO customers SELECT i, 'x' FROM n;
		`+numbers+`INSERT INTO orders SELECT i, i FROM n;`, driver.Options{Log: func(s string) { sent = append(sent, s) }})
	sent = nil
	found, err := Find(t.Context(), database, schema, Bounds{Workers: 1, Rows: 100, Values: 10})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sent {
		if strings.Contains(s, "FROM \"") && !strings.Contains(s, "LIMIT") && !strings.Contains(s, "json_each") && !strings.Contains(s, "max(") {
			t.Errorf("not bounded: %s", s)
		}
	}
	if len(found.Candidates) != 1 || !found.Candidates[0].Measured.Partial {
		t.Errorf("%+v", found.Candidates)
	}
}

func TestFindEndsWithItsContext(t *testing.T) {
	database, schema := build(t, `CREATE TABLE customers (customer_id INTEGER PRIMARY KEY); CREATE TABLE orders (order_id INTEGER PRIMARY KEY, customer_id INTEGER);`, driver.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Find(ctx, database, schema, Bounds{}); err == nil {
		t.Error("no error")
	}
}
