package ledger

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sqbyl/sqbyl/driver/sqlite/state"
	"github.com/sqbyl/sqbyl/internal/engine/meter"
	"github.com/sqbyl/sqbyl/llm"
)

// client answers in this process.
type client func(llm.Request) (llm.Response, error)

func (c client) Complete(_ context.Context, req llm.Request) (llm.Response, error) { return c(req) }

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func open(t *testing.T, path string) *Ledger {
	t.Helper()
	l, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func config(run string) Config {
	return Config{Command: "eval", Run: run, Provider: "anthropic", Prices: meter.Builtin(), Now: func() time.Time { return noon }}
}

func ask(q string) llm.Request {
	return llm.Request{Model: "claude-opus-4-8", MaxTokens: 100, Role: "agent", Messages: []llm.Message{{Role: llm.User, Text: q}}}
}

func rows(t *testing.T, l *Ledger, f Filter) (out []Row) {
	t.Helper()
	if err := l.Rows(t.Context(), f, func(r Row) error { out = append(out, r); return nil }); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestARowPerAttempt(t *testing.T) {
	l := open(t, filepath.Join(t.TempDir(), "usage.db"))
	answer := llm.Response{Model: "claude-opus-4-8-20270101", Stop: llm.StopEnd, RequestID: "req_1", Latency: 1500 * time.Microsecond, FirstByte: 700 * time.Microsecond,
		Usage: llm.Usage{Input: 1000, Output: 100, CacheWrite5m: 1, CacheWrite1h: 2, CacheRead: 3}}
	price, err := meter.Builtin().Price("anthropic", "claude-opus-4-8", noon)
	if err != nil {
		t.Fatal(err)
	}
	worst := price.Worst(ask("q"))
	base := Row{At: noon, Command: "eval", Run: "7", Role: "agent", Provider: "anthropic", Model: "claude-opus-4-8", Prompt: llm.Hash(ask("q")), Reserved: worst}
	for _, c := range []struct {
		resp llm.Response
		err  error
		want func(*Row)
	}{
		{answer, nil, func(r *Row) {
			r.Answered, r.Outcome, r.Cost, r.Usage, r.Latency, r.FirstByte, r.Stop, r.RequestID = answer.Model, "settled", 7528, answer.Usage, answer.Latency, answer.FirstByte, answer.Stop, "req_1"
		}},
		{llm.Response{}, &llm.Error{Kind: llm.KindTruncated, Usage: &llm.Usage{Input: 10, Output: 100}, Stop: llm.StopTokens, RequestID: "req_2"}, func(r *Row) {
			r.Outcome, r.Error, r.Cost, r.Usage, r.Stop, r.RequestID = "settled", "truncated", 2550, llm.Usage{Input: 10, Output: 100}, llm.StopTokens, "req_2"
		}},
		{llm.Response{}, &llm.Error{Kind: llm.KindRateLimited}, func(r *Row) { r.Outcome, r.Error = "failed", "rate_limited" }},
		{llm.Response{}, &llm.Error{Kind: llm.KindCut, Usage: &llm.Usage{Input: 10, Estimated: true}}, func(r *Row) {
			r.Outcome, r.Error, r.Cost, r.Usage = "unknown", "cut", 50, llm.Usage{Input: 10, Estimated: true}
		}},
		{llm.Response{}, errors.New("?"), func(r *Row) { r.Outcome, r.Error = "unknown", "unknown" }},
	} {
		seen := 0
		wrapped := l.Wrap(client(func(llm.Request) (llm.Response, error) {
			during := rows(t, l, Filter{})
			last := during[len(during)-1]
			if last.Outcome != "unknown" || last.Reserved != worst {
				t.Errorf("while the call is out, its row is %+v", last)
			}
			seen++
			return c.resp, c.err
		}), config("7"))
		resp, err := wrapped.Complete(t.Context(), ask("q"))
		if !errors.Is(err, c.err) || resp.RequestID != c.resp.RequestID || seen != 1 {
			t.Errorf("the answer was changed: %+v, %v", resp, err)
		}
		all := rows(t, l, Filter{Run: "7"})
		want := base
		want.ID = int64(len(all))
		c.want(&want)
		if d := cmp.Diff(want, all[len(all)-1]); d != "" {
			t.Error(d)
		}
	}
	for by, group := range map[By]string{All: "", ByModel: "anthropic:claude-opus-4-8", ByRole: "agent", ByCommand: "eval", ByRun: "7", ByDay: "2026-11-30"} {
		sums, err := l.Sums(t.Context(), Filter{Command: "eval", Role: "agent", Model: "claude-opus-4-8", Since: noon}, by)
		want := []Sum{{Group: group, Attempts: 5, Answers: 1, Spent: meter.Spent{Settled: 7528 + 2550, Unknown: 2 * worst},
			Usage: llm.Usage{Input: 1020, Output: 200, CacheWrite5m: 1, CacheWrite1h: 2, CacheRead: 3, Estimated: true}}}
		if d := cmp.Diff(want, sums); d != "" || err != nil {
			t.Error(by, err, d)
		}
	}
	if none, err := l.Sums(t.Context(), Filter{Since: noon.Add(time.Second)}, ByModel); len(none) != 0 || err != nil {
		t.Errorf("%v %v", none, err)
	}
}

func TestAModelWithoutAPriceIsNotAsked(t *testing.T) {
	l := open(t, filepath.Join(t.TempDir(), "usage.db"))
	req := ask("q")
	req.Model = "unknown"
	_, err := l.Wrap(client(func(llm.Request) (llm.Response, error) { t.Error("asked"); return llm.Response{}, nil }), config("")).Complete(t.Context(), req)
	if llm.KindOf(err) != llm.KindBudget || len(rows(t, l, Filter{})) != 0 {
		t.Errorf("got %v", err)
	}
}

// TestAFullDisk fills the file: what cannot be written down is not sent, and
// what was sent is counted in full.
func TestAFullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "usage.db")
	l := open(t, path)
	limit := func(pages int) {
		if err := l.db.Query(t.Context(), fmt.Sprintf("PRAGMA max_page_count=%d", pages), nil, func(state.Row) error { return nil }); err != nil {
			t.Fatal(err)
		}
	}
	sent := 0
	wrapped := l.Wrap(client(func(llm.Request) (llm.Response, error) {
		sent++
		limit(1) // from now on the file cannot grow
		return llm.Response{Model: "claude-opus-4-8", RequestID: strings.Repeat("x", 100_000), Usage: llm.Usage{Input: 100, Output: 10}}, nil
	}), config("1"))
	if _, err := wrapped.Complete(t.Context(), ask("q")); err != nil {
		t.Fatalf("an answer that came was lost: %v", err)
	}
	if r := rows(t, l, Filter{}); len(r) != 1 || r[0].Outcome != "unknown" || r[0].Reserved == 0 {
		t.Errorf("the row of a call whose end could not be written: %+v", r)
	}
	_, err := wrapped.Complete(t.Context(), ask("q"))
	var e *llm.Error
	if !errors.As(err, &e) || !e.Unsent || !state.IsFull(err) || llm.BillingOf(err) != llm.NotBilled || sent != 1 {
		t.Errorf("on a full disk: %v, sent %d", err, sent)
	}
	limit(10_000)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if r := rows(t, open(t, path), Filter{}); len(r) != 1 || r[0].Outcome != "settled" || r[0].Cost != 750 {
		t.Errorf("once there is room again: %+v", r)
	}
}

func TestProcessesShareALedger(t *testing.T) {
	path := filepath.Join(t.TempDir(), "usage.db")
	var wg sync.WaitGroup
	for p := range 4 {
		wg.Go(func() {
			l, err := Open(path)
			if err != nil {
				t.Error(err)
				return
			}
			wrapped := l.Wrap(client(func(llm.Request) (llm.Response, error) { return llm.Response{Usage: llm.Usage{Output: 40}}, nil }), config(fmt.Sprint(p)))
			var calls sync.WaitGroup
			for range 25 {
				calls.Go(func() {
					if _, err := wrapped.Complete(context.Background(), ask("q")); err != nil {
						t.Error(err)
					}
				})
			}
			calls.Wait()
			if err := l.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	sums, err := open(t, path).Sums(t.Context(), Filter{}, All)
	if err != nil || sums[0].Answers != 100 || sums[0].Spent.Settled != 100_000 {
		t.Errorf("%+v, %v", sums, err)
	}
}

func TestHistoryIsWhatAnswersWereLike(t *testing.T) {
	l := open(t, filepath.Join(t.TempDir(), "usage.db"))
	if h, err := l.History(t.Context(), "anthropic", "claude-opus-4-8", "agent"); err != nil || h != (History{}) {
		t.Errorf("of nothing: %+v, %v", h, err)
	}
	req := ask(strings.Repeat("x", 936)) // 1,000 bytes with its form
	n := int64(0)
	wrapped := l.Wrap(client(func(llm.Request) (llm.Response, error) {
		n++
		if n == 1 {
			return llm.Response{}, &llm.Error{Kind: llm.KindTruncated, Usage: &llm.Usage{Output: 9999}}
		}
		return llm.Response{Usage: llm.Usage{Input: 200, CacheRead: 100, Output: 100 * (1 + n%2)}}, nil
	}), config("1"))
	for range 11 {
		_, _ = wrapped.Complete(t.Context(), req)
	}
	h, err := l.History(t.Context(), "anthropic", "claude-opus-4-8", "agent")
	if want := (History{Answers: 10, TokensPerByte: 0.3, Output: 150, OutputSpread: 50}); err != nil || h != want {
		t.Errorf("%+v, %v, want %+v", h, err, want)
	}
}

func TestSecretsStayOut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "usage.db")
	l := open(t, path)
	wrapped := l.Wrap(client(func(llm.Request) (llm.Response, error) {
		return llm.Response{}, &llm.Error{Kind: llm.KindKey, Message: "key sk-planted-secret is wrong"}
	}), config("1"))
	_, _ = wrapped.Complete(t.Context(), ask("a question with sk-planted-secret"))
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{path, path + "-wal"} {
		if b, err := os.ReadFile(name); err == nil && strings.Contains(string(b), "planted") {
			t.Errorf("a secret is in %s", filepath.Base(name))
		}
	}
}

// A ledger that an older program made is brought forward, and keeps its rows.
func TestAnOlderLedgerIsBroughtForward(t *testing.T) {
	path := filepath.Join(t.TempDir(), "usage.db")
	migrations, err := read()
	if err != nil {
		t.Fatal(err)
	}
	old, err := state.Open(path, migrations[:1])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := old.Exec(t.Context(), `INSERT INTO call (at, command, run, role, provider, model, prompt, bytes, outcome, reserved, cost)
VALUES (1, 'ask', '7', 'agent', 'anthropic', 'm', 'p', 1, 'settled', 9, 5)`); err != nil {
		t.Fatal(err)
	}
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	l, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	rows := 0
	if err := l.Rows(t.Context(), Filter{Run: "7"}, func(r Row) error {
		if rows++; r.Cost != 5 || r.Unit != "" {
			t.Errorf("%+v", r)
		}
		return nil
	}); err != nil || rows != 1 {
		t.Errorf("%d rows, %v", rows, err)
	}
}
