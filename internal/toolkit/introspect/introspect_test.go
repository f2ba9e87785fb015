package introspect_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/dialect"
	"github.com/sqbyl/sqbyl/internal/toolkit/edit"
	"github.com/sqbyl/sqbyl/internal/toolkit/introspect"
	"github.com/sqbyl/sqbyl/internal/toolkit/joins"
	"github.com/sqbyl/sqbyl/internal/toolkit/project"
	"github.com/sqbyl/sqbyl/semantic"
)

func postgres(t testing.TB) *db.Dialect {
	t.Helper()
	d, err := dialect.Lookup("postgresql")
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func shop() catalog.Schema {
	return catalog.Schema{DefaultSchema: "public", Tables: []catalog.Table{
		{Schema: "public", Name: "orders", Kind: catalog.BaseTable, Rows: 1200, Comment: "One row per order.",
			PrimaryKey: []string{"order_id"}, Unique: [][]string{{"invoice_no"}, {"region", "number"}},
			Columns: []catalog.Column{
				{Name: "order_id", Type: "bigint"}, {Name: "customer_id", Type: "bigint"}, {Name: "invoice_no", Type: "text", Nullable: true},
				{Name: "status", Type: "order_status", Enum: []string{"open", "paid"}, Comment: "Where it stands."},
				{Name: "kind", Type: "text", Checks: []string{"web", "shop"}, Nullable: true}, {Name: "Ship To", Type: "bigint", Nullable: true},
			},
			ForeignKeys: []catalog.ForeignKey{
				{Columns: []string{"customer_id"}, RefSchema: "crm", RefTable: "customers", RefColumns: []string{"id"}},
				{Columns: []string{"Ship To"}, RefSchema: "public", RefTable: "addresses", RefColumns: []string{"id"}},
				{Columns: []string{"status"}, RefSchema: "secret", RefTable: "states", RefColumns: []string{"id"}},
			}},
		{Schema: "crm", Name: "customers", Kind: catalog.BaseTable, Rows: -1, PrimaryKey: []string{"id"},
			Columns:     []catalog.Column{{Name: "id", Type: "bigint"}, {Name: "referred_by", Type: "bigint", Nullable: true}},
			ForeignKeys: []catalog.ForeignKey{{Columns: []string{"referred_by"}, RefSchema: "crm", RefTable: "customers", RefColumns: []string{"id"}}}},
		{Schema: "public", Name: "addresses", Kind: catalog.BaseTable, Rows: 0, PrimaryKey: []string{"id"}, Columns: []catalog.Column{{Name: "id", Type: "bigint"}}},
		{Schema: "public", Name: "lines", Kind: catalog.BaseTable, Rows: 5, PrimaryKey: []string{"order_id", "pos"}, Columns: []catalog.Column{{Name: "order_id", Type: "bigint"}, {Name: "pos", Type: "integer"}}},
		{Schema: "public", Name: "partly", Kind: catalog.BaseTable, Rows: -1, PrimaryKey: []string{"hidden"}, Columns: []catalog.Column{{Name: "seen", Type: "text", Nullable: true}},
			ForeignKeys: []catalog.ForeignKey{{Columns: []string{"hidden"}, RefSchema: "public", RefTable: "addresses", RefColumns: []string{"id"}}}},
		{Schema: "public", Name: "order_daily", Kind: catalog.MaterializedView, Rows: -1, Columns: []catalog.Column{{Name: "day", Type: "date", Nullable: true}}},
		{Schema: "public", Name: "extras", Kind: catalog.BaseTable, Rows: 5, PrimaryKey: []string{"order_id", "pos"}, Columns: []catalog.Column{{Name: "order_id", Type: "bigint"}, {Name: "pos", Type: "integer"}},
			ForeignKeys: []catalog.ForeignKey{{Columns: []string{"order_id", "pos"}, RefSchema: "public", RefTable: "lines", RefColumns: []string{"order_id", "pos"}}}},
	}}
}

// drafted writes drafts into a new folder and loads it.
func drafted(t testing.TB, drafts []semantic.Table) *project.Project {
	t.Helper()
	dir := t.TempDir()
	m := project.NewManifest()
	m.Name, m.Database.URL, m.Defaults.MaxTablesWarn = "t", "env:DATABASE_URL", 2000
	if err := project.Create(dir, m); err != nil {
		t.Fatal(err)
	}
	for _, d := range drafts {
		if _, err := project.CreateTable(dir, d); err != nil {
			t.Fatal(err)
		}
	}
	return load(t, dir)
}

func load(t testing.TB, dir string) *project.Project {
	t.Helper()
	p, err := project.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func text(t testing.TB, p *project.Project, table string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(p.Dir, p.TableFile(table)))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestDraftsHoldWhatTheDatabaseSays(t *testing.T) {
	found := []joins.Candidate{
		{From: joins.Side{Schema: "public", Table: "lines", Columns: []string{"order_id"}}, To: joins.Side{Schema: "public", Table: "orders", Columns: []string{"order_id"}},
			Type: semantic.ManyToOne, On: "lines.order_id = orders.order_id", Confidence: 0.97},
		{From: joins.Side{Schema: "public", Table: "lines", Columns: []string{"pos"}}, To: joins.Side{Schema: "public", Table: "addresses", Columns: []string{"id"}}, Confidence: 0.6},
		{From: joins.Side{Schema: "public", Table: "lines", Columns: []string{"pos"}}, To: joins.Side{Schema: "public", Table: "orders", Columns: []string{"order_id"}}, Confidence: 0.9, Decide: true},
	}
	p := drafted(t, introspect.Draft(shop(), postgres(t), found))
	if p.TableFile("crm.customers") != "semantics/crm.customers.yaml" || p.TableFile("orders") != "semantics/orders.yaml" {
		t.Errorf("files %q, %q", p.TableFile("crm.customers"), p.TableFile("orders"))
	}
	for table, want := range map[string]string{
		"orders": `table: orders
comment: One row per order.
rows: 1200
primary_key: [order_id]
columns:
  - name: order_id
    type: bigint
    nullable: false
    primary_key: true
  - name: customer_id
    type: bigint
    nullable: false
  - name: invoice_no
    type: text
    unique: true
  - name: status
    type: order_status
    comment: Where it stands.
    nullable: false
    enum: [open, paid]
  - name: kind
    type: text
    enum: [web, shop]
  - name: Ship To
    type: bigint
joins:
  - to: crm.customers
    type: many_to_one
    on: orders.customer_id = customers.id
  - to: addresses
    type: many_to_one
    on: orders."Ship To" = addresses.id
`,
		"crm.customers": `table: crm.customers
primary_key: [id]
columns:
  - name: id
    type: bigint
    nullable: false
    primary_key: true
  - name: referred_by
    type: bigint
joins:
  - to: crm.customers
    type: many_to_one
    on: customers.referred_by = referred_by.id
`,
		"lines": `table: lines
rows: 5
primary_key: [order_id, pos]
columns:
  - name: order_id
    type: bigint
    nullable: false
  - name: pos
    type: integer
    nullable: false
joins:
  - to: orders
    type: many_to_one
    on: lines.order_id = orders.order_id
    confidence: 0.97
`,
		"partly":      "table: partly\ncolumns:\n  - name: seen\n    type: text\n", // what the role may not read is not told
		"order_daily": "table: order_daily\nkind: materialized_view\ncolumns:\n  - name: day\n    type: date\n",
		"extras": `table: extras
rows: 5
primary_key: [order_id, pos]
columns:
  - name: order_id
    type: bigint
    nullable: false
  - name: pos
    type: integer
    nullable: false
joins:
  - to: lines
    type: one_to_one
    on: extras.order_id = lines.order_id AND extras.pos = lines.pos
`,
	} {
		if diff := cmp.Diff(project.SchemaLine("semantics")+want, text(t, p, table)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", table, diff)
		}
	}
}

const written = `# Orders, by hand.
table: public.orders   # as the finance team writes it
description: |
  One row per order.
synonyms: [purchases]
columns:
  - name: order_id
    type: int8          # a key
  - name: customer_id   # who
    description: The buyer.
    type: integer   # was small once
    nullable: false

  - name: gone
    type: text
  - name: status
    enum: [open, paid, lost]
joins:
  - to: crm.customers
    on: orders.customer_id = customers.id AND customers.id > 0   # ours
measures:
  - name: n
    sql: COUNT(*)
`

func syncFixture(t *testing.T) *project.Project {
	t.Helper()
	dir := t.TempDir()
	for name, body := range map[string]string{
		"sqbyl.yaml":                   "name: t\ndatabase: { url: 'env:DATABASE_URL', dialect: postgresql }\n",
		"semantics/orders.yaml":        written,
		"semantics/crm.customers.yaml": "table: crm.customers\n# no columns: all of them\n",
		"semantics/addresses.yaml":     "table: addresses\ncolumns:\n- {name: id, type: bigint}\n",
		"semantics/old.yaml":           "table: old\n",
		"semantics/lines.yaml":         "table: lines\ncolumns:\n  - &a { name: order_id, type: integer }\n",
		"semantics/order_daily.yaml":   "table: order_daily\ncolumns: [{ name: day, type: date }]\r\n",
	} {
		full := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return load(t, dir)
}

func summary(changes []introspect.Change) []string {
	var out []string
	for _, c := range changes {
		line := fmt.Sprintf("%s %s", c.Kind, c.Table)
		if c.Column != "" {
			line += "." + c.Column
		}
		if c.What != "" && c.Kind != introspect.NotChanged {
			line += " " + c.What
		}
		if c.From != "" || c.To != "" {
			line += fmt.Sprintf(": %s → %s", c.From, c.To)
		}
		out = append(out, line)
	}
	return out
}

func TestSyncMergesAChangedDatabase(t *testing.T) {
	p := syncFixture(t)
	found := []joins.Candidate{
		{From: joins.Side{Schema: "public", Table: "orders", Columns: []string{"customer_id"}}, To: joins.Side{Schema: "public", Table: "addresses", Columns: []string{"id"}},
			On: "orders.customer_id = addresses.id", Confidence: 0.9}, // taken out by hand once
		{From: joins.Side{Schema: "public", Table: "orders", Columns: []string{"invoice_no"}}, To: joins.Side{Schema: "public", Table: "addresses", Columns: []string{"id"}},
			On: "orders.invoice_no = addresses.id", Confidence: 0.9, Type: semantic.ManyToOne}, // of a new column
	}
	m, err := introspect.Sync(p, introspect.Draft(shop(), postgres(t), found), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"fact_changed public.orders.customer_id type: integer → bigint",
		"column_added public.orders.invoice_no: → text",
		"fact_changed public.orders.status enum: open, paid, lost → open, paid",
		"column_added public.orders.kind: → text",
		"column_added public.orders.Ship To: → bigint",
		"column_dropped public.orders.gone",
		"join_added public.orders orders.\"Ship To\" = addresses.id: → addresses",
		"join_added public.orders orders.invoice_no = addresses.id: → addresses",
		"join_added crm.customers customers.referred_by = referred_by.id: → crm.customers",
		"not_changed lines",
		"table_added partly",
		"table_added extras",
		"table_dropped old",
	}
	for i := range want {
		want[i] = strings.ReplaceAll(want[i], ": →", ":  →")
	}
	if diff := cmp.Diff(want, summary(m.Changes)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	before := map[string]string{}
	for _, table := range []string{"public.orders", "crm.customers", "addresses", "old", "lines", "order_daily"} {
		before[table] = text(t, p, table)
	}
	if err := m.Plan.Apply(time.Unix(0, 0)); err != nil {
		t.Fatal(err)
	}
	after := load(t, p.Dir)
	for _, table := range []string{"addresses", "old", "lines", "order_daily"} {
		if text(t, after, table) != before[table] {
			t.Errorf("%s was touched:\n%s", table, text(t, after, table))
		}
	}
	wantOrders := strings.NewReplacer(
		"type: integer   # was small once", "type: bigint   # was small once",
		"enum: [open, paid, lost]", "enum: [open, paid]\n  - name: kind\n    type: text\n    enum: [web, shop]\n  - name: Ship To\n    type: bigint",
		"nullable: false\n", "nullable: false\n\n  - name: invoice_no\n    type: text\n    unique: true\n",
		"# ours\n", "# ours\n  - to: addresses\n    type: many_to_one\n    on: orders.\"Ship To\" = addresses.id\n"+
			"  - to: addresses\n    type: many_to_one\n    on: orders.invoice_no = addresses.id\n    confidence: 0.9\n",
	).Replace(written)
	got := text(t, after, "public.orders")
	if !kept(written, got) {
		t.Errorf("a line of a person's is gone:\n%s", cmp.Diff(written, got))
	}
	if squeeze(got) != squeeze(wantOrders) {
		t.Errorf("(-want +got)\n%s", cmp.Diff(wantOrders, got))
	}

	again, err := introspect.Sync(after, introspect.Draft(shop(), postgres(t), found), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range again.Changes {
		if !slices.Contains([]introspect.ChangeKind{introspect.ColumnDropped, introspect.TableDropped, introspect.NotChanged}, c.Kind) {
			t.Errorf("a second sync changes %+v", c)
		}
	}
	if len(again.Plan.Changes) != 0 {
		t.Errorf("a second sync writes %v", again.Plan.Changes)
	}

	if _, err := edit.Undo(p.Dir); err != nil {
		t.Fatal(err)
	}
	if got := text(t, load(t, p.Dir), "public.orders"); got != written {
		t.Errorf("undo:\n%s", cmp.Diff(written, got))
	}
}

// squeeze leaves blank lines out.
func squeeze(s string) string {
	var lines []string
	for line := range strings.Lines(s) {
		if strings.TrimSpace(line) != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}

// kept reports whether all lines but those of changed facts stand in the new
// text, in their order.
func kept(before, after string) bool {
	rest := after
	for line := range strings.Lines(before) {
		if strings.Contains(line, "type: integer") || strings.Contains(line, "enum:") {
			continue
		}
		at := strings.Index(rest, line)
		if at < 0 {
			return false
		}
		rest = rest[at+len(line):]
	}
	return true
}

func TestNewDraftsOnlyWhatIsMissing(t *testing.T) {
	p := syncFixture(t)
	m, err := introspect.New(p, introspect.Draft(shop(), postgres(t), nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"table_added partly", "table_added extras"}, summary(m.Changes)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if len(m.Plan.Changes) != 2 || m.Plan.Changes[0].File != "semantics/extras.yaml" {
		t.Errorf("%+v", m.Plan.Changes)
	}
}

// What somebody takes out of the files stays out; what the database adds later
// comes in.
func TestWhatWasTakenOutStaysOut(t *testing.T) {
	drafts := introspect.Draft(shop(), postgres(t), nil)
	p := drafted(t, drafts)
	if err := introspect.Remember(drafts).Save(p.Dir); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(p.Dir, p.TableFile("extras"))); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(p.Dir, p.TableFile("orders"))
	if err := os.WriteFile(file, []byte(strings.Replace(text(t, p, "orders"), "  - name: kind\n    type: text\n    enum: [web, shop]\n", "", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	p = load(t, p.Dir)
	later := shop()
	later.Tables[0].Columns = append(later.Tables[0].Columns, catalog.Column{Name: "fresh", Type: "text"})
	later.Tables = append(later.Tables, catalog.Table{Schema: "public", Name: "fresh", Kind: catalog.BaseTable, Rows: -1, Columns: []catalog.Column{{Name: "a", Type: "text"}}})
	drafts = introspect.Draft(later, postgres(t), nil)
	seen, err := introspect.LoadSeen(p.Dir)
	if err != nil {
		t.Fatal(err)
	}
	m, err := introspect.Sync(p, drafts, seen)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"column_added orders.fresh:  → text", "table_added fresh"}, summary(m.Changes)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]string{"extras"}, m.LeftOut); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	delete(seen, "extras")
	delete(seen, "orders")
	if m, err = introspect.Sync(p, drafts, seen); err != nil || len(m.Changes) != 4 || len(m.LeftOut) != 0 {
		t.Errorf("what is asked for by name: %v %v %v", summary(m.Changes), m.LeftOut, err)
	}
}

func TestSpellingsOfATypeAreNoChange(t *testing.T) {
	for _, c := range []struct {
		file, live string
		change     bool
	}{
		{"bigint", "int8", false}, {"BIGINT", "bigint", false}, {"timestamptz", "timestamp with time zone", false},
		{"timestamptz(3)", "timestamp(3) with time zone", false}, {"varchar(20)", "character varying(20)", false},
		{"decimal(10, 2)", "numeric(10,2)", false}, {"int[]", "integer[]", false}, {"datetime", "timestamp without time zone", false},
		{"varchar(20)", "character varying(30)", true}, {"bigint", "integer", true}, {"text", "jsonb", true}, {"int[]", "integer", true},
	} {
		p := drafted(t, []semantic.Table{{Name: "t", Columns: []semantic.Column{{Name: "a", Type: c.file}}}})
		m, err := introspect.Sync(p, []semantic.Table{{Name: "t", Columns: []semantic.Column{{Name: "a", Type: c.live}}}}, nil)
		if err != nil || (len(m.Changes) == 1) != c.change {
			t.Errorf("%s, %s: %v %v", c.file, c.live, m.Changes, err)
		}
	}
}

func columns(names ...string) []catalog.Column {
	out := make([]catalog.Column, len(names))
	for i, name := range names {
		out[i] = catalog.Column{Name: name, Type: "text", Nullable: true}
	}
	return out
}

// Engines hold orders beside Orders, and id beside ID.
func TestNamesThatDifferInCaseAlone(t *testing.T) {
	schema := catalog.Schema{DefaultSchema: "public", Tables: []catalog.Table{
		{Schema: "public", Name: "Orders", Rows: -1, Columns: columns("ID", "other")},
		{Schema: "public", Name: "orders", Rows: -1, Columns: columns("id", "Id", "ID", "a")},
	}}
	schema.Tables[1].Columns[0].Nullable = false
	schema.Tables[1].Columns[1].Type = "bigint"
	p := drafted(t, introspect.Draft(schema, postgres(t), nil))
	m, err := introspect.Sync(p, introspect.Draft(schema, postgres(t), nil), nil)
	if err != nil || len(m.Changes) > 0 {
		t.Fatalf("%v, %v", err, summary(m.Changes))
	}

	// A file in another case than the database stands for it, unless another
	// table has its very name.
	one := catalog.Schema{DefaultSchema: "public", Tables: []catalog.Table{{Schema: "public", Name: "ORDERS", Rows: -1, Columns: columns("ID", "A")}}}
	p = drafted(t, []semantic.Table{{Name: "orders", Columns: []semantic.Column{{Name: "id", Type: "text"}, {Name: "a", Type: "text"}}}})
	if m, err = introspect.Sync(p, introspect.Draft(one, postgres(t), nil), nil); err != nil || len(m.Changes) > 0 {
		t.Errorf("%v, %v", err, summary(m.Changes))
	}
	one.Tables = append(one.Tables, catalog.Table{Schema: "public", Name: "orders", Rows: -1, Columns: columns("id", "a", "ID")})
	if m, err = introspect.Sync(p, introspect.Draft(one, postgres(t), nil), nil); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"table_added ORDERS", "column_added orders.ID:  → text"}, summary(m.Changes)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestWhatFilesCannotNameIsLeftOut(t *testing.T) {
	schema := catalog.Schema{DefaultSchema: "public", Tables: []catalog.Table{
		{Schema: "public", Name: "", Rows: -1, Columns: columns("a")},
		{Schema: "public", Name: "sales.items", Rows: -1, Columns: columns("b")},
		{Schema: "sales", Name: "items", Rows: -1, Columns: columns("", "c")},
	}}
	drafts := introspect.Draft(schema, postgres(t), nil)
	p := drafted(t, drafts)
	if len(drafts) != 1 || len(p.Semantic.Tables) != 1 || len(p.Semantic.Tables[0].Columns) != 1 || p.Semantic.Tables[0].Columns[0].Name != "c" {
		t.Errorf("%+v", p.Semantic.Tables)
	}
	want := []string{"a table without a name", `table "sales.items" of schema "public": a project's files write another one as sales.items, too`, "a column without a name, of sales.items"}
	if diff := cmp.Diff(want, introspect.Unnamed(schema)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
