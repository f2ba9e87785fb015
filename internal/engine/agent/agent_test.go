package agent_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sqbyl/sqbyl/internal/engine/agent"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/meter"
	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
	"github.com/sqbyl/sqbyl/semantic"
)

func TestTheDocumentHasEveryFieldAndNoNullList(t *testing.T) {
	raw, err := json.Marshal(agent.Answer{Question: "q", Rows: [][]db.Value{nil}})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"question":"q","answered":false,"reason":"","nearest":[],"plan":"","sql":"","columns":[],"rows":[[]],"truncated":false,` +
		`"used_assets":[],"confidence":"","attempts":[],"model":"","calls":0,"usage":{"input_tokens":0,"output_tokens":0},"cost_usd":null,"latency_ms":{},"trace_id":""}`
	if diff := cmp.Diff(want, string(raw)); diff != "" {
		t.Error(diff)
	}
}

func TestValuesOfEveryKindStayExactInTheDocument(t *testing.T) {
	cost := meter.USD(4_100)
	raw, err := json.Marshal(agent.Answer{
		Columns: []db.Column{{Name: "a", Type: "INTEGER"}, {Name: ""}},
		Rows: [][]db.Value{{db.IntValue(1 << 62), db.LiteralValue(db.Decimal, strings.Repeat("9", 300))}, {db.Value{}, db.BlobValue([]byte{0xff})},
			{db.TextValue("\xff"), db.FloatValue(2)}},
		Truncated: db.ByRows, Cost: &cost, Latency: agent.Latency{agent.Model: 1500 * time.Microsecond},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`4611686018427387904,` + strings.Repeat("9", 300), `[null,{"$blob":"ff"}]`, `[{"$text":"ff"},2.0]`, `"truncated":true`, `"cost_usd":0.0041,`, `"model":1.5}`, `"columns":["a",""]`} {
		if !strings.Contains(string(raw), want) {
			t.Errorf("no %s in %s", want, raw)
		}
	}
}

func TestAQuestionIsCheckedBeforeItCosts(t *testing.T) {
	for text, ok := range map[string]bool{
		"": false, " \n\t": false, strings.Repeat("x", 100<<10): false, "\xff": false,
		"先月の売上は？": true, "SELECT 1; DROP TABLE x": true,
	} {
		if err := (agent.Question{Text: text}).Check(); (err == nil) != ok {
			t.Errorf("%.20q: %v", text, err)
		}
	}
}

func TestACitationIsWhatTheSQLContains(t *testing.T) {
	assets := []semantic.Asset{
		{Name: "mrr", SQL: "SELECT SUM(amount) AS mrr\nFROM subs -- official\nWHERE month = :month;"},
		{Name: "active", SQL: "SELECT id FROM customers WHERE is_active = 1"},
		{Name: "empty", SQL: ";"},
	}
	for sql, want := range map[string][]string{
		"SELECT SUM(amount) AS mrr FROM subs WHERE month = '2026-11-01'":                                                                           {"mrr"},
		"select sum(amount) as mrr from subs where month = DATE '2026-11-01'":                                                                      {"mrr"},
		"WITH a AS (SELECT id FROM customers WHERE is_active = 1), m AS (SELECT SUM(amount) AS mrr FROM subs WHERE month = -1) SELECT * FROM a, m": {"mrr", "active"},
		"SELECT SUM(amount) AS mrr FROM subs WHERE month = other_column":                                                                           nil,
		"SELECT SUM(amount) AS mrr FROM subs":                                                                                                      nil,
		"SELECT 'SELECT id FROM customers WHERE is_active = 1'":                                                                                    nil,
		"": nil,
	} {
		rules := sqltext.SQLiteRules
		if diff := cmp.Diff(want, agent.Cited(&rules, sql, assets)); diff != "" {
			t.Errorf("%s:\n%s", sql, diff)
		}
	}
}
