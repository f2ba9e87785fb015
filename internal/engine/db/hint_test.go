package db_test

import (
	"slices"
	"testing"

	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
)

func TestNearestPutsTheLikeliestFirst(t *testing.T) {
	columns := []string{"order_id", "customer_id", "amount_cents", "status", "created_at", "Region"}
	for name, want := range map[string]string{
		"amout_cents": "amount_cents", "amount": "amount_cents", "REGION": "Region", "regoin": "Region",
		"creation_at": "created_at", "customerid": "customer_id", "total_cents": "amount_cents", "statuses": "status",
	} {
		if near := db.Nearest(name, columns, 3); len(near) == 0 || near[0] != want {
			t.Errorf("nearest to %s: %v, want %s first", name, near, want)
		}
	}
	for _, name := range []string{"supplier", "x", ""} {
		if near := db.Nearest(name, columns, 3); len(near) > 0 {
			t.Errorf("nearest to %q: %v, want none", name, near)
		}
	}
	if near := db.Nearest("order", []string{"orders", "orders", "order_lines", "reorder", "border", "orderly"}, 2); len(near) != 2 || near[0] != "orders" {
		t.Errorf("at most two: %v", near)
	}
}

func TestHintNamesColumnsOfTheStatementFirst(t *testing.T) {
	schema := catalog.Schema{DefaultSchema: "public", Tables: []catalog.Table{
		{Schema: "audit", Name: "log", Columns: []catalog.Column{{Name: "region"}}},
		{Schema: "public", Name: "customers", Columns: []catalog.Column{{Name: "regions"}, {Name: "id"}}},
	}}
	e := &db.Error{Kind: db.ErrUnknownColumn, Name: "c.region"}
	db.Hint(e, []guard.Name{{Table: "customers"}}, schema)
	if !slices.Equal(e.Candidates, []string{"customers.regions", "audit.log.region"}) {
		t.Errorf("got %v", e.Candidates)
	}
	e = &db.Error{Kind: db.ErrUnknownTable, Name: "public.custmers"}
	if db.Hint(e, nil, schema); !slices.Equal(e.Candidates, []string{"customers"}) {
		t.Errorf("got %v", e.Candidates)
	}
}
