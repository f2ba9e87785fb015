package selection

import (
	"slices"
	"testing"

	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/semantic"
)

func TestNamesThatDifferInCaseAlone(t *testing.T) {
	schema := catalog.Schema{DefaultSchema: "public", Tables: []catalog.Table{
		{Schema: "public", Name: "orders", Columns: []catalog.Column{{Name: "id", Type: "int"}, {Name: "Id", Type: "text"}, {Name: "ID", Type: "date"}}},
		{Schema: "public", Name: "Orders", Columns: []catalog.Column{{Name: "Total", Type: "int"}}},
	}}
	k := Combine(schema, semantic.Model{Tables: []semantic.Table{
		{Name: "orders", Columns: []semantic.Column{{Name: "id"}, {Name: "Id"}, {Name: "iD"}}},
		{Name: "Orders", Columns: []semantic.Column{{Name: "total"}}},
		{Name: "ORDERS"},
	}})
	var got []string
	for _, table := range k.Tables {
		for _, c := range table.Columns {
			got = append(got, table.Relation+"."+c.Name+" "+c.Type)
		}
	}
	want := []string{"Orders.Total int", "orders.id int", "orders.Id text"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if len(k.Notes) != 2 { // iD and ORDERS mean nothing certain
		t.Errorf("notes: %q", k.Notes)
	}
}
