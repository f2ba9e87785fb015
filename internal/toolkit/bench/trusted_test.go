package bench_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sqbyl/sqbyl/internal/toolkit/bench"
	"github.com/sqbyl/sqbyl/semantic"
)

var shopAssets = []semantic.Asset{
	{Name: "net_revenue", Params: []semantic.Param{{Name: "from_day", Type: "date"}, {Name: "to_day", Type: "date"}}},
	{Name: "all_orders"},
}

const asked = `- {id: q1, question: secret a, gold_asset: net_revenue, params: {fom_day: "2025-01-01", to_day: "2026-01-01"}}
- {id: q2, question: secret b, gold_asset: net_revenue, params: {to_day: "2026-01-01"}}
- {id: q3, question: secret c, gold_asset: net_revenue}
- {id: q4, question: secret d, gold_asset: net_revenue, params: {from_day: "2025-01-01", to_day: secret}}
- {id: q5, question: secret e, gold_asset: net_revenue, params: {from_day: "2025-01-01", to_day: ~, secret: 1}}
- {id: q6, question: secret f, gold_asset: net_revenu}
- {id: q7, question: secret g, gold_asset: secret, params: {secret: 2}}
- {id: q8, question: secret h, gold_asset: all_orders, params: {secret: 1}}
- {id: q9, question: secret i, gold_asset: net_revenue, parms: {from_day: "2025-01-01", to_day: "2026-01-01"}}
- {id: q10, question: secret j, gold_asset: net_revenue, params: {from_day: "2025-01-01", to_day: [secret]}}
- {id: q11, question: secret k, gold_asset: net_revenue, params: {from_day: "2025-01-01", to_day: "2026-01-01", to_dy: secret}}
- {id: q12, question: secret l, gold_asset: net_revenue, params: 2025}
- {id: q13, question: secret m, gold_asset: net_revenue, params: {from_day: 20250101, to_day: "2026-01-01"}}
- {id: q14, question: secret n, gold_asset: net_revenue, params: {from_day: "2025-01-01", to_day: "2026-01-01"}}
- {id: q15, question: secret o, gold_asset: all_orders}
`

func TestTrustedGolds(t *testing.T) {
	_, err := bench.ParseOwn(strings.NewReader(asked), "dev.yaml", shopAssets)
	var mistakes bench.Mistakes
	if !errors.As(err, &mistakes) {
		t.Fatal(err)
	}
	want := `dev.yaml:1:66  unknown parameter "fom_day" (did you mean from_day?)
dev.yaml:2:65  q2.params lacks from_day (it is of type date)
dev.yaml:3:44  q3.params lacks from_day (it is of type date)
dev.yaml:3:44  q3.params lacks to_day (it is of type date)
dev.yaml:4:98  q4.params.to_day is "secret", a value of type date is wanted (write it as 2006-01-02)
dev.yaml:5:98  q5.params.to_day is empty (it is of type date)
dev.yaml:5:101  unknown parameter "secret" (known here: from_day, to_day)
dev.yaml:6:44  q6.gold_asset is "net_revenu", which is no trusted query (did you mean net_revenue?)
dev.yaml:7:44  q7.gold_asset is "secret", which is no trusted query (known here: net_revenue, all_orders)
dev.yaml:8:65  unknown parameter "secret" (the trusted query takes none)
dev.yaml:9:57  unknown key "parms" (did you mean params?)
dev.yaml:10:99  params.to_day holds a list, one value is wanted
dev.yaml:11:113  unknown parameter "to_dy" (did you mean to_day? it stands here already)
dev.yaml:12:66  params holds a single value, keys with values are wanted
dev.yaml:13:77  q13.params.from_day is "20250101", a value of type date is wanted (write it as 2006-01-02)
`
	if diff := cmp.Diff(want, lines(mistakes)); diff != "" {
		t.Error(diff)
	}
	_, err = bench.ParseHidden(strings.NewReader(asked), "dev.yaml", shopAssets)
	var hidden bench.Mistakes
	if !errors.As(err, &hidden) || len(hidden) != len(mistakes) {
		t.Fatal(err)
	}
	for i := range hidden {
		if hidden[i].Place() != mistakes[i].Place() {
			t.Errorf("%v, without hiding %v", hidden[i], mistakes[i])
		}
	}
	for _, secret := range []string{"secret", "20250101", "fom_day", "net_revenu\"", "did you mean net_revenue"} {
		if strings.Contains(err.Error(), secret) {
			t.Errorf("shows %s: %v", secret, err)
		}
	}
	if !strings.Contains(hidden[0].Suggestion, "from_day") || hidden[7].Suggestion != "known here: net_revenue, all_orders" {
		t.Error(hidden)
	}
	if _, err := bench.ParseOwn(strings.NewReader(asked), "dev.yaml", nil); !strings.Contains(err.Error(), "there is none in trusted/") {
		t.Error(err)
	}
	set, err := bench.ParseOwn(strings.NewReader("- {id: a, question: b, gold_asset: all_orders}\n"), "dev.yaml", shopAssets)
	if err != nil || len(set.Questions) != 1 {
		t.Error(err)
	}
}
