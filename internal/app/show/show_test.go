package show

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/engine/agent"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/meter"
	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
	"github.com/sqbyl/sqbyl/internal/testkit/golden"
	"github.com/sqbyl/sqbyl/llm"
)

func answers() []agent.Answer {
	cost := meter.USD(4_100)
	trace := strings.Repeat("7f3a", 8)
	latency := agent.Latency{agent.Model: 1800 * time.Millisecond, agent.Execute: 4 * time.Millisecond}
	usage := llm.Usage{Input: 3000, Output: 412}
	var many [][]db.Value
	for i := range 25 {
		many = append(many, []db.Value{db.IntValue(int64(i) + 99_990), db.IntValue(int64(i) * 1000), db.TextValue("名前" + strings.Repeat("長", i))})
	}
	return []agent.Answer{
		{
			Answered: true, Plan: "last quarter = 2026-07-01 … 2026-09-30 (today 2026-11-30); measure net_revenue; country of the shipping address",
			SQL:     "SELECT a.country, SUM(CASE WHEN o.status = 'confirmed' THEN o.amount_cents ELSE 0 END) / 100.0 AS net_revenue FROM orders o JOIN addresses a ON a.address_id = o.shipping_address_id GROUP BY a.country ORDER BY net_revenue DESC LIMIT 1",
			Columns: []db.Column{{Name: "country"}, {Name: "net_revenue"}}, Rows: [][]db.Value{{db.TextValue("Denmark"), db.LiteralValue(db.Decimal, "182340.55")}},
			Confidence: agent.High, Attempts: []agent.Attempt{{SQL: "x", Error: "no"}, {SQL: "y"}}, Calls: 2, Usage: usage, Cost: &cost, Latency: latency, TraceID: trace, UsedAssets: []string{"net_revenue"},
		},
		{Answered: true, SQL: "SELECT id, n, name FROM t", Columns: []db.Column{{Name: "order_id"}, {Name: "n"}, {Name: "name"}}, Rows: many, Truncated: db.ByRows, Calls: 1, TraceID: trace, Cost: &cost, Replayed: true},
		{Answered: true, SQL: "SELECT 1 WHERE 0", Columns: []db.Column{{Name: "a\x1b[31m"}}, Calls: 1, Cost: &cost},
		{Reason: "no table records suppliers or delivery promises", Nearest: []string{"orders.shipped_at (when an order left)", "products.vendor_code (a code without a lookup)"}, Calls: 1, Usage: usage, Cost: &cost},
		{Reason: "none of 2 attempts worked, the last one: no such column: b", SQL: "SELECT b FROM t", Attempts: []agent.Attempt{{SQL: "SELECT a FROM t", Error: "no such column: a"}, {SQL: "SELECT b FROM t", Error: "no such column: b"}}, Calls: 2},
	}
}

func TestAnswersOnATerminal(t *testing.T) {
	for _, width := range []int{0, 48, 100} {
		s := term.Plain(nil, io.Discard, io.Discard)
		s.Width = width
		var b strings.Builder
		for _, a := range answers() {
			text := Answer(s, sqltext.SQLiteRules, a)
			for _, line := range strings.Split(text, "\n") {
				if width > 0 && term.Width(line) > width && !strings.Contains(line, "SUM(") && !strings.Contains(line, "ON a.") {
					t.Errorf("width %d: %d cells in %q", width, term.Width(line), line)
				}
			}
			b.WriteString(text + "\n")
		}
		golden.Check(t, fmt.Sprintf("answers_%d.golden", width), b.String())
	}
}

func TestColoursDoNotChangeTheText(t *testing.T) {
	s := term.System([]string{"CLICOLOR_FORCE=1", "TERM=xterm-256color", "LANG=C.UTF-8"})
	sql := "SELECT 'it''s' AS x, \"select\" -- why\nFROM t WHERE a = 'b' \x1b[0m"
	marked := Highlight(sqltext.SQLiteRules, sql, 80, s.Style)
	if !strings.Contains(marked, "\x1b[36mSELECT\x1b[0m") || !strings.Contains(marked, "\x1b[33m'it''s'\x1b[0m") {
		t.Errorf("no colours: %q", marked)
	}
	for _, code := range []string{"36", "33", "2", "0"} {
		marked = strings.ReplaceAll(marked, "\x1b["+code+"m", "")
	}
	if want := strings.ReplaceAll(sql, "\x1b", `\x1b`); marked != want {
		t.Errorf("%q, want %q", marked, want)
	}
}
