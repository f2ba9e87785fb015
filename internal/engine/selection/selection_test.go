package selection

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/semantic"
)

func shop() catalog.Schema {
	return catalog.Schema{
		DefaultSchema: "main",
		Tables: []catalog.Table{
			{Schema: "main", Name: "orders", Kind: catalog.BaseTable, Rows: 3, PrimaryKey: []string{"order_id"},
				Columns: []catalog.Column{
					{Name: "order_id", Type: "INTEGER"},
					{Name: "status", Type: "TEXT", Nullable: true, Checks: []string{"open", "shipped"}},
					{Name: "email", Type: "TEXT"},
				},
				ForeignKeys: []catalog.ForeignKey{{Columns: []string{"customer_id"}, RefTable: "customers", RefColumns: []string{"id"}}},
			},
			{Schema: "main", Name: "customers", Kind: catalog.BaseTable, Rows: -1, Columns: []catalog.Column{{Name: "id", Type: "INTEGER"}}},
			{Schema: "audit", Name: "log", Kind: catalog.View, Rows: -1, Columns: []catalog.Column{{Name: "at", Type: "TEXT"}}},
		},
	}
}

func names(tables []Table) []string {
	var out []string
	for _, t := range tables {
		out = append(out, t.Name)
	}
	return out
}

func TestCombineTakesTheWholeCatalogueWithoutAProject(t *testing.T) {
	k := Combine(shop(), semantic.Model{})
	if diff := cmp.Diff([]string{"customers", "orders", "audit.log"}, names(k.Tables)); diff != "" {
		t.Fatal(diff)
	}
	orders := k.Tables[1]
	if !orders.Columns[0].PrimaryKey || *orders.Columns[1].Nullable != true || orders.Columns[1].Enum[1] != "shipped" {
		t.Errorf("facts of the catalogue are missing: %+v", orders.Columns)
	}
	if k.Tables[0].Rows != nil || *orders.Rows != 3 {
		t.Errorf("rows: %v %v", k.Tables[0].Rows, orders.Rows)
	}
}

func TestCombineKeepsToTheTablesAndColumnsOfTheProject(t *testing.T) {
	model := semantic.Model{Tables: []semantic.Table{
		{Name: "Orders", Description: "one row per order", Columns: []semantic.Column{{Name: "STATUS", Description: "where it is"}, {Name: "gone"}}},
		{Name: "audit.log"},
		{Name: "suppliers"},
	}}
	k := Combine(shop(), model)
	if diff := cmp.Diff([]string{"Orders", "audit.log"}, names(k.Tables)); diff != "" {
		t.Fatal(diff)
	}
	orders := k.Tables[0]
	if orders.Relation != "orders" || len(orders.Columns) != 1 || orders.Columns[0].Name != "status" || orders.Columns[0].Type != "TEXT" {
		t.Errorf("orders: %+v", orders)
	}
	notes := strings.Join(k.Notes, "\n")
	if !strings.Contains(notes, "Orders.gone") || !strings.Contains(notes, "suppliers") {
		t.Errorf("notes say nothing of what is gone: %q", notes)
	}
}

func TestCombineWithoutACatalogueTakesTheModelAsWritten(t *testing.T) {
	k := Combine(catalog.Schema{}, semantic.Model{Tables: []semantic.Table{{Name: "analytics.orders"}}})
	if got := k.Tables[0]; got.Schema != "analytics" || got.Relation != "orders" {
		t.Errorf("got %q %q", got.Schema, got.Relation)
	}
}

func TestEverythingGivesAReasonPerItem(t *testing.T) {
	k := Combine(shop(), semantic.Model{
		Instructions: "Be brief.",
		Examples:     []semantic.Example{{Question: "how many?", SQL: "SELECT 1"}},
		Assets:       []semantic.Asset{{Name: "b"}, {Name: "a"}},
	})
	s := Everything(k)
	if len(s.Items) != 3+1+2+1 {
		t.Fatalf("%d items", len(s.Items))
	}
	for _, item := range s.Items {
		if item.Name == "" || item.Reason == "" {
			t.Errorf("item without name or reason: %+v", item)
		}
	}
	if s.Assets[0].Name != "a" {
		t.Errorf("assets are not sorted: %v", s.Assets)
	}
}
