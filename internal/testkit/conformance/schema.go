package conformance

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
)

// shop is the suite's schema, in SQL that the engines share.
const shop = `CREATE TABLE customers ( -- people who buy
  customer_id INTEGER PRIMARY KEY,
  region VARCHAR(10) NOT NULL, -- sales region
  email VARCHAR(60) UNIQUE
);
CREATE TABLE orders (
  order_id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL,
  amount_cents INTEGER,
  status VARCHAR(20) DEFAULT 'open' CHECK (status IN ('confirmed', 'refunded', 'open')),
  created_at {timestamp},
  meta {json},
  tax_cents INTEGER GENERATED ALWAYS AS (amount_cents / 5) {generated},
  FOREIGN KEY (customer_id) REFERENCES customers (customer_id)
);
CREATE TABLE order_lines (
  order_id INTEGER NOT NULL,
  line_no INTEGER NOT NULL,
  sku VARCHAR(12),
  PRIMARY KEY (order_id, line_no),
  FOREIGN KEY (order_id) REFERENCES orders (order_id)
);
CREATE TABLE shipments (
  shipment_id INTEGER PRIMARY KEY,
  order_id INTEGER,
  line_no INTEGER,
  UNIQUE (order_id, shipment_id),
  FOREIGN KEY (order_id, line_no) REFERENCES order_lines (order_id, line_no)
);
CREATE TABLE employees (
  employee_id INTEGER PRIMARY KEY,
  manager_id INTEGER,
  FOREIGN KEY (manager_id) REFERENCES employees (employee_id)
);
CREATE TABLE wide (a INTEGER, b INTEGER, c INTEGER);
CREATE VIEW confirmed AS SELECT order_id, amount_cents FROM orders WHERE status = 'confirmed';
INSERT INTO customers (customer_id, region, email) VALUES (1, 'emea', 'a@example.com'), (2, 'apac', NULL);
INSERT INTO orders (order_id, customer_id, amount_cents, status, created_at) VALUES
  (1, 1, 1000, 'confirmed', '2026-01-02 03:04:05'), (2, 1, 250, 'refunded', '2026-02-03 04:05:06'), (3, 2, NULL, 'open', NULL);
INSERT INTO order_lines (order_id, line_no, sku) VALUES (1, 1, 'A-1'), (1, 2, 'B-2');
INSERT INTO wide (a, b, c) VALUES (1, 2, 3);
`

// shopDDL is shop in the target's types.
func shopDDL(target Target) string {
	return strings.NewReplacer("{json}", target.Types.JSON, "{timestamp}", target.Types.Timestamp,
		"{generated}", target.Types.Generated, "{blob}", target.Types.Blob).Replace(shop)
}

func startShop(t testing.TB, target Target, o driver.Options) *bench {
	t.Helper()
	return start(t, target, o, shopDDL(target), target.Comments)
}

func testCatalog(t *testing.T, target Target) {
	b := startShop(t, target, driver.Options{})
	s := b.session()
	defer b.close(s)
	ctx, cancel := soon()
	defer cancel()
	before := len(b.sent)
	schema, err := b.dialect().Catalog(ctx, s)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(b.sent) - before; target.MaxQueries > 0 && n > target.MaxQueries {
		t.Errorf("the catalogue took %d statements, more than %d:\n%s", n, target.MaxQueries, strings.Join(b.sent[before:], "\n"))
	}
	if diff := cmp.Diff(wantCatalog, outline(schema)); diff != "" {
		t.Errorf("catalogue (-want +got):\n%s", diff)
	}
	for _, table := range schema.Tables {
		if table.Kind == catalog.View && !strings.Contains(strings.ToLower(table.Definition), "confirmed") {
			t.Errorf("view %s has no text: %q", table.Name, table.Definition)
		}
		for _, c := range table.Columns {
			if c.Type == "" {
				t.Errorf("%s.%s has no type", table.Name, c.Name)
			}
		}
	}
}

// wantCatalog is what every engine must say of shop, in the words of outline.
var wantCatalog = []string{
	"confirmed view: order_id amount_cents",
	"customers table (people who buy): customer_id! region! (sales region) email | key customer_id | unique email",
	"employees table: employee_id! manager_id | key employee_id | manager_id -> employees(employee_id)",
	"order_lines table: order_id! line_no! sku | key order_id,line_no | order_id -> orders(order_id)",
	"orders table: order_id! customer_id! amount_cents status=… [confirmed refunded open] created_at meta tax_cents generated | key order_id | customer_id -> customers(customer_id)",
	"shipments table: shipment_id! order_id line_no | key shipment_id | unique order_id,shipment_id | order_id,line_no -> order_lines(order_id,line_no)",
	"wide table: a b c",
}

// outline puts a catalogue into lines that all engines can agree on: types
// and the nullability of a view's columns are left out.
func outline(s catalog.Schema) []string {
	lines := make([]string, 0, len(s.Tables))
	for _, t := range s.Tables {
		line := t.Name + " " + string(t.Kind)
		if t.Comment != "" {
			line += " (" + t.Comment + ")"
		}
		line += ":"
		for _, c := range t.Columns {
			line += " " + outlineColumn(c, t.Kind)
		}
		if len(t.PrimaryKey) > 0 {
			line += " | key " + strings.Join(t.PrimaryKey, ",")
		}
		for _, u := range t.Unique {
			line += " | unique " + strings.Join(u, ",")
		}
		for _, k := range t.ForeignKeys {
			line += " | " + strings.Join(k.Columns, ",") + " -> " + k.RefTable + "(" + strings.Join(k.RefColumns, ",") + ")"
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	return lines
}

func outlineColumn(c catalog.Column, kind catalog.Kind) string {
	text := c.Name
	if !c.Nullable && kind == catalog.BaseTable {
		text += "!"
	}
	if c.Default != "" && !c.Generated && !strings.EqualFold(c.Default, "NULL") {
		text += "=…"
	}
	if c.Comment != "" {
		text += " (" + c.Comment + ")"
	}
	if len(c.Checks) > 0 {
		text += " [" + strings.Join(c.Checks, " ") + "]"
	}
	if c.Generated {
		text += " generated"
	}
	return text
}

// oddNames are names that need quotes somewhere.
var oddNames = []string{
	"order", "select", "Mixed Case", `with "quotes"`, "back`tick", "a.b", "semi;colon", "it's", "[x]", "emoji 🛒",
	"naïve", "日本", "dash-ed", "1st", "100%", "a--b", "a/*b", "$x", "q?", "_", "user", "timestamp", "UPPER",
}

func testNames(t *testing.T, target Target) {
	b := start(t, target, driver.Options{})
	quote, ident := b.dialect().Quote, b.dialect().Ident
	names := oddNames
	if target.BasicNames {
		names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return strings.ContainsFunc(name, func(r rune) bool { return r > 0xffff }) })
	}
	for i, name := range names {
		b.instance.Exec(t, "CREATE TABLE "+quote(name)+" ("+quote(name)+" INTEGER);\nINSERT INTO "+quote(name)+" VALUES ("+string(rune('0'+i%10))+");\n")
	}
	// A name may look like a file; the guard is told that it is a table.
	policy := b.policy()
	tables := make([]guard.Name, len(names))
	for i, name := range names {
		tables[i].Table = name
	}
	policy.Known = guard.NewKnown(tables, nil)
	for i, name := range names {
		for _, spell := range []func(string) string{quote, ident} {
			sql := "SELECT " + spell(name) + " FROM " + spell(name) + " WHERE " + spell(name) + " >= 0"
			st, err := guard.Check(context.Background(), sql, policy)
			if err != nil {
				t.Errorf("the guard refuses %s: %v", sql, err)
				continue
			}
			s := b.session()
			ctx, cancel := soon()
			res, err := s.Query(ctx, st, db.Caps{})
			cancel()
			b.close(s)
			if err != nil {
				t.Errorf("%s: %v", sql, err)
				continue
			}
			if res.Columns[0].Name != name || len(res.Rows) != 1 || res.Rows[0][0].String() != string(rune('0'+i%10)) {
				t.Errorf("%s gives column %q and rows %v", sql, res.Columns[0].Name, res.Rows)
			}
		}
	}
	s := b.session()
	defer b.close(s)
	ctx, cancel := soon()
	defer cancel()
	schema, err := b.dialect().Catalog(ctx, s)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, table := range schema.Tables {
		seen[table.Name] = len(table.Columns) == 1 && table.Columns[0].Name == table.Name
	}
	for _, name := range names {
		if !seen[name] {
			t.Errorf("the catalogue does not know table %q with its column", name)
		}
	}
}
