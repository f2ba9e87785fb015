package yamldoc_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/sqbyl/sqbyl/internal/toolkit/project/yamldoc"
	"github.com/sqbyl/sqbyl/semantic"
)

// texts draws strings that YAML readers are known to trip over.
func texts() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.String(),
		rapid.StringMatching(`[ \t\n:#'"\-\[\]{},&*!|>%@\\a0~.<=]{0,12}`),
		rapid.SampledFrom([]string{
			"yes", "null", "~", "1_000", "01067", "2024-01-01", "0x1F", ".5", "12:30", "a: b", "a #b", "#", "-", "---", "- a", "? a", "<<",
			"SELECT 1\nFROM t\n", "a\n\n", "\n", " a\nb", "a\n  b\n", "a\n \nb", "a\tb", "\tb\nc", "=", "1e3", "2nd", "é", "\u2028", "\ufeff", "\x00", "a\r\nb", "1.5e", "0o17", "!x", "a,b", "a]", "trailing ",
		}),
	)
}

func scalars() *rapid.Generator[semantic.Scalar] {
	return rapid.OneOf(
		rapid.Map(texts(), func(s string) semantic.Scalar { return semantic.Scalar{Text: s} }),
		rapid.SampledFrom([]semantic.Scalar{
			{Text: "1", Kind: semantic.NumberScalar}, {Text: "-0.50", Kind: semantic.NumberScalar}, {Text: ".inf", Kind: semantic.NumberScalar},
			{Text: "true", Kind: semantic.BoolScalar}, {Text: "1e400", Kind: semantic.NumberScalar},
		}),
	)
}

func tables(t *rapid.T) semantic.Table {
	required := texts().Filter(func(s string) bool { return strings.TrimSpace(s) != "" })
	table := semantic.Table{
		Name: required.Draw(t, "name"), Description: texts().Draw(t, "description"), NoProfile: rapid.Bool().Draw(t, "off"),
		Synonyms: rapid.SliceOfN(texts(), 0, 4).Draw(t, "synonyms"),
	}
	for range rapid.IntRange(0, 3).Draw(t, "columns") {
		low, count := scalars().Draw(t, "min"), rapid.Int64Range(0, 1e9).Draw(t, "distinct")
		c := semantic.Column{Name: required.Draw(t, "column"), Comment: texts().Draw(t, "comment"), NoSamples: rapid.Bool().Draw(t, "no samples")}
		if !c.NoSamples {
			c.Samples = rapid.SliceOfN(scalars(), 0, 4).Draw(t, "samples")
		}
		if c.NoProfile = rapid.Bool().Draw(t, "no profile"); !c.NoProfile {
			share := rapid.Float64Range(0, 1).Draw(t, "share")
			c.Profile = &semantic.Profile{
				Nulls: &share, Min: &low, Distinct: &semantic.Count{N: count, Estimate: rapid.Bool().Draw(t, "estimate")},
				Top: []semantic.Share{{Value: low, Share: share}},
			}
		}
		table.Columns = append(table.Columns, c)
	}
	for range rapid.IntRange(0, 2).Draw(t, "measures") {
		table.Measures = append(table.Measures, semantic.Measure{Name: required.Draw(t, "measure"), SQL: required.Draw(t, "sql")})
	}
	return table
}

func TestWriteReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := tables(t)
		text, err := yamldoc.Write(want)
		if err != nil {
			t.Fatal(err)
		}
		doc, mistakes := yamldoc.Parse("f.yaml", text)
		if mistakes != nil {
			t.Fatalf("%v\n%s", mistakes, text)
		}
		var got semantic.Table
		var d yamldoc.Decoder
		d.Decode(doc, &got)
		if d.Mistakes != nil {
			t.Fatalf("%v\n%s", d.Mistakes, text)
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("%s\n%s", diff, text)
		}
	})
}

func TestWriteLayout(t *testing.T) {
	nulls, rows := 0.0, int64(4216890)
	num := func(s string) *semantic.Scalar { return &semantic.Scalar{Text: s, Kind: semantic.NumberScalar} }
	confidence := 0.8
	text, err := yamldoc.Write(semantic.Table{
		Name: "analytics.orders", Description: "One row per confirmed order: carts excluded.", Synonyms: []string{"purchases", "on"}, Rows: &rows,
		Columns: []semantic.Column{
			{Name: "order_id", Type: "bigint", PrimaryKey: true, Profile: &semantic.Profile{Nulls: &nulls, Distinct: &semantic.Count{N: 4216890, Estimate: true}, Min: num("1"), Max: num("4216890")}},
			{Name: "created_at", Type: "timestamp with time zone", Profile: &semantic.Profile{Min: &semantic.Scalar{Text: "2019-02-01"}, Top: []semantic.Share{{Value: semantic.Scalar{Text: "a"}, Share: 0.5}}}},
			{Name: "email", NoProfile: true, NoSamples: true},
			{Name: "status", Samples: []semantic.Scalar{{Text: "confirmed"}, {Text: "007"}}},
		},
		Joins:    []semantic.Join{{To: "analytics.customers", Type: semantic.ManyToOne, On: "orders.customer_id = customers.customer_id", Confidence: &confidence}},
		Measures: []semantic.Measure{{Name: "net_revenue", SQL: "SUM(amount_cents)/100.0"}, {Name: "long", SQL: "SELECT 1\nFROM t\n"}},
		Filters:  []semantic.Filter{{Name: "q", SQL: "\"x\" = 'y'"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := `table: analytics.orders
description: "One row per confirmed order: carts excluded."
synonyms: [purchases, "on"]
rows: 4216890
columns:
  - name: order_id
    type: bigint
    primary_key: true
    profile: { nulls: 0.0, distinct: ~4216890, min: 1, max: 4216890 }
  - name: created_at
    type: timestamp with time zone
    profile: { min: "2019-02-01", top: [{ value: a, share: 0.5 }] }
  - name: email
    sample_values: false
    profile: false
  - name: status
    sample_values: [confirmed, "007"]
joins:
  - to: analytics.customers
    type: many_to_one
    on: orders.customer_id = customers.customer_id
    confidence: 0.8
measures:
  - name: net_revenue
    sql: SUM(amount_cents)/100.0
  - name: long
    sql: |
      SELECT 1
      FROM t
filters:
  - name: q
    sql: "\"x\" = 'y'"
`
	if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Error(diff)
	}
}
