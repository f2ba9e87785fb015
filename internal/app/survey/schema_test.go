package survey

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/testkit/golden"
	"github.com/sqbyl/sqbyl/internal/toolkit/joins"
)

func TestSchemaOnATerminal(t *testing.T) {
	schema := catalog.Schema{DefaultSchema: "main", Unreadable: []string{"secret"}, Tables: []catalog.Table{
		{Schema: "main", Name: "orders", Kind: catalog.BaseTable, Rows: 124903, RowsExact: true, PrimaryKey: []string{"order_id"},
			Columns:     []catalog.Column{{Name: "order_id"}, {Name: "customer_id"}, {Name: "a"}, {Name: "b\nc"}, {Name: strings.Repeat("long", 10)}},
			ForeignKeys: []catalog.ForeignKey{{Columns: []string{"customer_id"}, RefSchema: "crm", RefTable: "customers"}}},
		{Schema: "audit", Name: "顧客", Kind: catalog.View, Rows: -1, Columns: []catalog.Column{{Name: "x"}}},
		{Schema: "main", Name: "loose", Kind: catalog.BaseTable, Rows: 1},
	}}
	found := []joins.Candidate{
		{From: joins.Side{Schema: "main", Table: "orders"}, On: "orders.currency = fx_rates.code", Confidence: 0.8, Measured: joins.Measured{Checked: 12, Found: 12}},
		{From: joins.Side{Schema: "main", Table: "orders"}, On: "orders.a = x.a", Confidence: 0.4},
		{From: joins.Side{Schema: "main", Table: "loose"}, On: "loose.x = orders.a", Confidence: 0.66, Decide: true},
	}
	for _, width := range []int{0, 60} {
		s := term.Plain(nil, io.Discard, io.Discard)
		s.Width = width
		text := Schema(s, schema, joins.Found{Candidates: found})
		for _, line := range strings.Split(text, "\n") {
			if width > 0 && term.Width(line) > width {
				t.Errorf("width %d: %q", width, line)
			}
		}
		golden.Check(t, fmt.Sprintf("schema_%d.golden", width), text)
	}
}
