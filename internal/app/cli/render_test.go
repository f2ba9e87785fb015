package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/app/workbench"
	"github.com/sqbyl/sqbyl/internal/engine/agent"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/meter"
	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
	"github.com/sqbyl/sqbyl/internal/testkit/golden"
	"github.com/sqbyl/sqbyl/internal/toolkit/project"
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
			text := renderAnswer(s, sqltext.SQLiteRules, a)
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

func TestEveryKindOfErrorHasItsExitCode(t *testing.T) {
	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		err  error
		code int
	}{
		{nil, exitDone}, {fmt.Errorf("write: %w", syscall.EPIPE), exitDone}, {errShown, exitFailed}, {errors.New("oops"), exitFailed},
		{usage("bad"), exitUsage}, {project.Mistakes{{File: "f"}}, exitUsage}, {fmt.Errorf("x: %w", project.ErrNoProject), exitUsage},
		{&project.UnsetError{}, exitUsage}, {&project.ForeignKeyError{}, exitUsage}, {agent.Question{}.Check(), exitUsage},
		{&llm.Error{Kind: llm.KindBudget}, exitBudget}, {&llm.Error{Kind: llm.KindKey}, exitKey}, {&workbench.NoModelError{}, exitKey},
		{&db.Error{Kind: db.ErrUnreachable}, exitDatabase}, {&db.Error{Kind: db.ErrAuth}, exitDatabase}, {&llm.Error{Kind: llm.KindQuota}, exitQuota},
		{&llm.Error{Kind: llm.KindCanceled}, exitInterrupted}, {context.Canceled, exitInterrupted}, {&llm.Error{Kind: llm.KindOverloaded}, exitFailed},
	} {
		p := Program{Streams: term.Plain(nil, io.Discard, io.Discard)}
		if got := p.finish(t.Context(), c.err); got != c.code {
			t.Errorf("%T %v: %d, want %d", c.err, c.err, got, c.code)
		}
	}
	p := Program{Streams: term.Plain(nil, io.Discard, io.Discard)}
	if got := p.finish(interrupted, errors.New("a query broke off")); got != exitInterrupted {
		t.Errorf("after an interrupt: %d", got)
	}
}

func TestAPanicIsAMessage(t *testing.T) {
	var out, errOut strings.Builder
	p := Program{Streams: term.Plain(nil, &out, &errOut), Host: workbench.Host{Dir: ".", Env: func(string) (string, bool) { panic("in the middle") }}}
	if code := Main(t.Context(), []string{"ask", "q", "--db", "sqlite:"}, p); code == exitDone {
		t.Errorf("code %d", code)
	}
	p.Host.Env = func(string) (string, bool) { panic("in the middle") }
	code := Main(t.Context(), []string{"doctor"}, p)
	if code != exitFailed || !strings.Contains(errOut.String(), "in the middle") || strings.Contains(errOut.String(), "goroutine") {
		t.Errorf("code %d: %s", code, errOut.String())
	}
}

func TestColoursDoNotChangeTheText(t *testing.T) {
	s := term.System([]string{"CLICOLOR_FORCE=1", "TERM=xterm-256color", "LANG=C.UTF-8"})
	sql := "SELECT 'it''s' AS x, \"select\" -- why\nFROM t WHERE a = 'b' \x1b[0m"
	marked := highlight(sqltext.SQLiteRules, sql, 80, s.Style)
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

func TestSections(t *testing.T) {
	for text, want := range map[string]string{
		"SELECT 1":                          "f=SELECT 1",
		"### a\nSELECT 1\n### b c \nX\nY\n": "a=SELECT 1|b c=X\nY",
		"\n### a\n":                         "a=",
		"SELECT 0\n### a\nSELECT 1":         "f=SELECT 0|a=SELECT 1",
		"":                                  "f=",
		"### a\r\nSELECT 1\r\n":             "a=SELECT 1",
	} {
		var got []string
		for _, s := range sections(text, "f") {
			got = append(got, s.name+"="+s.sql)
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q: %q, want %q", text, strings.Join(got, "|"), want)
		}
	}
}
