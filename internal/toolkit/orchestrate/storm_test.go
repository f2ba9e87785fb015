package orchestrate_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sqbyl/sqbyl/internal/engine/meter"
	"github.com/sqbyl/sqbyl/internal/engine/throttle"
	"github.com/sqbyl/sqbyl/internal/testkit/fakemodel"
	"github.com/sqbyl/sqbyl/internal/toolkit/ledger"
	"github.com/sqbyl/sqbyl/internal/toolkit/orchestrate"
	"github.com/sqbyl/sqbyl/internal/toolkit/replay"
	"github.com/sqbyl/sqbyl/llm"
	"github.com/sqbyl/sqbyl/llm/anthropic"
)

const key = "sk-ant-planted-secret-0123456789"

func TestMain(m *testing.M) {
	if dir := os.Getenv("SQBYL_TEST_BATCH_DIR"); dir != "" {
		if err := child(dir, os.Getenv("SQBYL_TEST_BATCH_URL")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// batch is a run of questions over a real stack in a folder.
type batch struct {
	journal *replay.Journal
	ledger  *ledger.Ledger
	budget  *meter.Budget
	limiter *throttle.Limiter
	client  llm.Client
}

func open(dir, url string, cap meter.USD) (*batch, error) {
	b := &batch{budget: meter.NewBudget(cap), limiter: throttle.NewLimiter(16, nil)}
	var err error
	if b.journal, err = replay.Open(filepath.Join(dir, "runs", "1.jsonl")); err != nil {
		return nil, err
	}
	if b.ledger, err = ledger.Open(filepath.Join(dir, "usage.db")); err != nil {
		return nil, err
	}
	b.client = orchestrate.Stack{Command: "ask", Run: "1", Provider: "anthropic", Prices: meter.Builtin(), Journal: b.journal, Ledger: b.ledger,
		Budget: b.budget, Limiter: b.limiter}.Around(anthropic.New(anthropic.Config{Key: key, BaseURL: url}))
	return b, nil
}

func (b *batch) close() error { return errors.Join(b.ledger.Close(), b.journal.Close()) }

func (b *batch) run(ctx context.Context, n int) ([]orchestrate.Result[string], error) {
	return orchestrate.Run(ctx, units(n), orchestrate.Options[int]{Workers: 16, Group: func(int) string { return "" }},
		func(ctx context.Context, u int) (string, error) {
			resp, err := b.client.Complete(ctx, request("claude-opus-4-8", u))
			return resp.Text, err
		})
}

func request(model string, u int) llm.Request {
	return llm.Request{
		Model: model, MaxTokens: 200, Role: "agent",
		System:   []llm.Block{{Text: strings.Repeat("the schema of a database ", 100), Cache: llm.CacheShort}},
		Messages: []llm.Message{{Role: llm.User, Text: fmt.Sprintf("question %d", u)}},
	}
}

func answerOf(question string) string {
	return "answer to " + question + strings.Repeat(".", len(question)*7%50)
}

// storm fails one attempt in six, the same ones for the same seed: each
// question has its own list of failures, and then its answer.
func storm(seed uint64) func(fakemodel.Call) fakemodel.Reply {
	var mu sync.Mutex
	attempts := map[string]int{}
	return func(c fakemodel.Call) fakemodel.Reply {
		q := c.Last()
		mu.Lock()
		attempts[q]++
		n := attempts[q]
		mu.Unlock()
		h := seed
		for _, b := range []byte(q) {
			h = h*31 + uint64(b)
		}
		if n < 6 {
			switch p := rand.New(rand.NewPCG(h, uint64(n))).IntN(100); {
			case p < 10:
				return fakemodel.RateLimited(5 * time.Millisecond)
			case p < 13:
				return fakemodel.Overloaded()
			case p < 15:
				return fakemodel.Cut(answerOf(q), 2+n%3)
			case p < 17:
				return fakemodel.Malformed()
			}
		}
		return fakemodel.Text(answerOf(q))
	}
}

// billed adds up the fake's bill with prices of its own: dollars per million
// tokens are micro-dollars per token.
func billed(t *testing.T, fake *fakemodel.Server) (complete, all float64) {
	t.Helper()
	for _, c := range fake.Bill() {
		u := c.Usage
		exact := float64(5*u.Input+25*u.Output) + 6.25*float64(u.CacheWrite5m) + 0.5*float64(u.CacheRead)
		exact = float64(int64(exact + 0.5))
		all += exact
		if c.Complete {
			complete += exact
		}
	}
	return complete, all
}

func TestAStormLosesNothingAndCountsEverything(t *testing.T) {
	const n = 500
	fake := fakemodel.New(t).Answer(storm(1))
	fake.Key = key
	dir := t.TempDir()
	b, err := open(dir, fake.URL(), 100*meter.Dollar)
	if err != nil {
		t.Fatal(err)
	}
	results, err := b.run(t.Context(), n)
	if err != nil {
		t.Fatal(err)
	}
	for u, r := range results {
		if r.State != orchestrate.Done || r.Value != answerOf(fmt.Sprintf("question %d", u)) {
			t.Errorf("question %d: %+v", u, r)
		}
	}
	calls := fake.Calls()
	if len(calls) < n+n/10 {
		t.Errorf("only %d calls: there was no storm", len(calls))
	}
	if fake.Peak() > 16 {
		t.Errorf("%d calls in flight", fake.Peak())
	}
	answers := map[string]int{}
	rows := 0
	if err := b.ledger.Rows(t.Context(), ledger.Filter{Run: "1"}, func(r ledger.Row) error {
		rows++
		if r.Error == "" {
			answers[r.Prompt]++
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if rows != len(calls) {
		t.Errorf("%d rows for %d requests", rows, len(calls))
	}
	for u := range n {
		if got := answers[llm.Hash(request("claude-opus-4-8", u))]; got != 1 {
			t.Errorf("question %d has %d answers in the ledger", u, got)
		}
	}
	if got := len(b.journal.Entries()); got != n {
		t.Errorf("%d answers are recorded", got)
	}
	sums, err := b.ledger.Sums(t.Context(), ledger.Filter{Run: "1"}, ledger.All)
	if err != nil {
		t.Fatal(err)
	}
	spent := sums[0].Spent
	complete, all := billed(t, fake)
	if float64(spent.Settled) != complete {
		t.Errorf("settled %d micro-dollars, the provider's bill for complete answers says %.0f", spent.Settled, complete)
	}
	if all > float64(spent.Total()) || all == complete {
		t.Errorf("the whole bill is %.0f, of complete answers %.0f; the ledger's upper bound is %d", all, complete, spent.Total())
	}
	if got := b.budget.Spent(); got != spent {
		t.Errorf("the budget says %+v, the ledger %+v", got, spent)
	}
	if err := b.close(); err != nil {
		t.Fatal(err)
	}
	noSecrets(t, dir)
}

func noSecrets(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if strings.Contains(string(b), "planted") || strings.Contains(strings.ToLower(string(b)), "bearer ") {
			t.Errorf("a secret is in %s", filepath.Base(path))
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

const batchSize = 200

// child is the process that is killed.
func child(dir, url string) error {
	b, err := open(dir, url, 100*meter.Dollar)
	if err != nil {
		return err
	}
	results, err := b.run(context.Background(), batchSize)
	if err != nil {
		return err
	}
	out := make([]string, len(results))
	for u, r := range results {
		if r.Err != nil {
			return r.Err
		}
		out[u] = r.Value
	}
	raw, err := json.Marshal(out)
	if err != nil {
		return err
	}
	return errors.Join(os.WriteFile(filepath.Join(dir, "results.json"), raw, 0o600), b.close())
}

func TestAKilledRunResumesAndAsksNothingTwice(t *testing.T) {
	if testing.Short() {
		t.Skip("starts eleven processes")
	}
	r := rand.New(rand.NewPCG(5, 5))
	weather := storm(2)
	var mu sync.Mutex
	var kill func()
	var countdown int
	recorded := map[string]bool{}
	fake := fakemodel.New(t).Answer(func(c fakemodel.Call) fakemodel.Reply {
		mu.Lock()
		if recorded[c.Last()] {
			t.Errorf("%s was recorded and is asked again", c.Last())
		}
		if countdown--; countdown == 0 && kill != nil {
			kill()
		}
		mu.Unlock()
		reply := weather(c)
		reply.FirstByte, reply.Rest = time.Millisecond, 2*time.Millisecond
		return reply
	})
	dir := t.TempDir()
	start := func(after int) error {
		cmd := exec.CommandContext(t.Context(), os.Args[0])
		cmd.Env = append(os.Environ(), "SQBYL_TEST_BATCH_DIR="+dir, "SQBYL_TEST_BATCH_URL="+fake.URL())
		cmd.Stderr = os.Stderr
		mu.Lock()
		countdown, kill = after, func() { _ = cmd.Process.Kill() }
		if after == 0 {
			kill = nil
		}
		err := cmd.Start()
		mu.Unlock()
		if err != nil {
			t.Fatal(err)
		}
		err = cmd.Wait()
		j, openErr := replay.Open(filepath.Join(dir, "runs", "1.jsonl"))
		if openErr != nil {
			t.Fatal(openErr)
		}
		mu.Lock()
		for _, e := range j.Entries() {
			recorded[e.Request.Messages[0].Text] = true
		}
		mu.Unlock()
		return errors.Join(err, j.Close())
	}
	for range 10 {
		if err := start(1 + r.IntN(20)); err == nil {
			t.Fatal("the run ended before it was killed")
		}
	}
	before := len(recorded)
	if before == 0 || before == batchSize {
		t.Errorf("%d answers were recorded before the last start", before)
	}
	if err := start(0); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(filepath.Join(dir, "results.json"))
	if err != nil {
		t.Fatal(err)
	}
	var results []string
	if err := json.Unmarshal(raw, &results); err != nil {
		t.Fatal(err)
	}
	for u, got := range results {
		if got != answerOf(fmt.Sprintf("question %d", u)) {
			t.Errorf("question %d: %q", u, got)
		}
	}
	l, err := ledger.Open(filepath.Join(dir, "usage.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	sums, err := l.Sums(t.Context(), ledger.Filter{}, ledger.All)
	if err != nil {
		t.Fatal(err)
	}
	complete, all := billed(t, fake)
	if spent := sums[0].Spent; float64(spent.Settled) > complete || float64(spent.Total()) < all {
		t.Errorf("spent %+v, billed %.0f, of that for complete answers %.0f", spent, all, complete)
	}
	if int(sums[0].Attempts) < len(fake.Calls()) {
		t.Errorf("%d rows for %d requests", sums[0].Attempts, len(fake.Calls()))
	}
	noSecrets(t, dir)
}

func TestOneModelsDailyQuotaLeavesTheOtherGoingOn(t *testing.T) {
	fake := fakemodel.New(t)
	var mu sync.Mutex
	small, allowance := 0, 7
	fake.Answer(func(c fakemodel.Call) fakemodel.Reply {
		mu.Lock()
		defer mu.Unlock()
		if c.Model == "claude-haiku-4-5" {
			if small++; small > allowance {
				return fakemodel.DailyQuota()
			}
		}
		return fakemodel.Text(answerOf(c.Last()))
	})
	dir := t.TempDir()
	b, err := open(dir, fake.URL(), 100*meter.Dollar)
	if err != nil {
		t.Fatal(err)
	}
	run := func() ([]orchestrate.Result[string], error) {
		return orchestrate.Run(t.Context(), units(60), orchestrate.Options[int]{Workers: 4}, func(ctx context.Context, u int) (string, error) {
			model := []string{"claude-opus-4-8", "claude-haiku-4-5"}[u%2]
			resp, err := b.client.Complete(ctx, request(model, u))
			return resp.Text, err
		})
	}
	results, err := run()
	if err != nil {
		t.Fatalf("a model's quota ended the run: %v", err)
	}
	done := [2]int{}
	for u, r := range results {
		switch {
		case r.State == orchestrate.Done:
			done[u%2]++
		case r.State != orchestrate.NotRun || llm.KindOf(r.Err) != llm.KindQuota || !strings.Contains(r.Err.Error(), "tokens per day"):
			t.Errorf("question %d: %+v", u, r)
		}
	}
	if done != [2]int{30, 7} || b.limiter.Closed("anthropic", "claude-haiku-4-5") == nil {
		t.Errorf("done %v", done)
	}
	if n := len(fake.Calls()); n > 37+4 {
		t.Errorf("%d calls: a model whose day is over was asked on", n)
	}
	q, err := orchestrate.PlanQuota(t.Context(), b.ledger, "anthropic", "claude-haiku-4-5", b.limiter.Closed("anthropic", "claude-haiku-4-5"), 30-done[1], time.Now())
	if err != nil || q.PerDay != 7 || q.Left != 23 || q.Days != 4 {
		t.Errorf("the plan is %+v, %v", q, err)
	}

	// The next day the run goes on with what is left.
	if err := b.close(); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	allowance = 1000
	mu.Unlock()
	if b, err = open(dir, fake.URL(), 100*meter.Dollar); err != nil {
		t.Fatal(err)
	}
	defer b.close()
	before := len(fake.Calls())
	results, err = run()
	for u, r := range results {
		if r.State != orchestrate.Done || r.Value != answerOf(fmt.Sprintf("question %d", u)) {
			t.Errorf("question %d: %+v", u, r)
		}
	}
	if n := len(fake.Calls()) - before; err != nil || n != 23 {
		t.Errorf("%d calls for the 23 questions that were left, %v", n, err)
	}
}

func TestABatchStopsAtItsBudgetAndKeepsWhatIsDone(t *testing.T) {
	fake := fakemodel.New(t).Answer(func(c fakemodel.Call) fakemodel.Reply { return fakemodel.Text(answerOf(c.Last())) })
	price, err := meter.Builtin().Price("anthropic", "claude-opus-4-8", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	worst := price.Worst(request("claude-opus-4-8", 0))
	cap := 4 * worst
	b, err := open(t.TempDir(), fake.URL(), cap)
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	results, err := b.run(t.Context(), 100)
	if llm.KindOf(err) != llm.KindBudget {
		t.Errorf("the run ended with %v", err)
	}
	done := 0
	for _, r := range results {
		if r.State == orchestrate.Done {
			done++
		}
	}
	_, all := billed(t, fake)
	left := cap - b.budget.Spent().Total()
	if all > float64(cap) || left >= worst || done < 4 || len(fake.Calls()) != done {
		t.Errorf("%d done with %d calls, billed %.0f of %d, left %d, a call may cost %d", done, len(fake.Calls()), all, cap, left, worst)
	}
}

func TestAWaveReadsThePrefixThatItsFirstCallWrote(t *testing.T) {
	fake := fakemodel.New(t).Answer(func(c fakemodel.Call) fakemodel.Reply { return fakemodel.Text(answerOf(c.Last())) })
	b, err := open(t.TempDir(), fake.URL(), 100*meter.Dollar)
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	if _, err := b.run(t.Context(), 50); err != nil {
		t.Fatal(err)
	}
	wrote, read := 0, 0
	for _, c := range fake.Bill() {
		if c.Usage.CacheWrite5m > 0 {
			wrote++
		}
		if c.Usage.CacheRead > 0 {
			read++
		}
	}
	if wrote != 1 || read != 49 {
		t.Errorf("%d calls wrote the prefix, %d read it", wrote, read)
	}
}

// BenchmarkWave asks 200 questions of 1 s, 16 at once, through the whole
// stack; ideal is 12.5 s.
func BenchmarkWave(b *testing.B) {
	fake := fakemodel.New(b).Answer(func(c fakemodel.Call) fakemodel.Reply {
		r := fakemodel.Text(answerOf(c.Last()))
		r.FirstByte, r.Rest = 100*time.Millisecond, 900*time.Millisecond
		return r
	})
	for b.Loop() {
		stack, err := open(b.TempDir(), fake.URL(), 100*meter.Dollar)
		if err != nil {
			b.Fatal(err)
		}
		began := time.Now()
		if _, err := stack.run(b.Context(), 200); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(time.Since(began).Seconds()/12.5, "of-ideal")
		if err := stack.close(); err != nil {
			b.Fatal(err)
		}
	}
}

// instant answers in this process.
type instant struct{}

func (instant) Complete(context.Context, llm.Request) (llm.Response, error) {
	return llm.Response{Text: `{"sql":"SELECT 1"}`, Model: "claude-opus-4-8", Usage: llm.Usage{Input: 10, Output: 10}}, nil
}

// BenchmarkStack is what recording, booking, metering and rating add to one
// call with a prompt of 50 KB.
func BenchmarkStack(b *testing.B) {
	dir := b.TempDir()
	stack, err := open(dir, "", 1_000_000*meter.Dollar)
	if err != nil {
		b.Fatal(err)
	}
	defer stack.close()
	client := orchestrate.Stack{Provider: "anthropic", Prices: meter.Builtin(), Journal: stack.journal, Ledger: stack.ledger, Budget: stack.budget, Limiter: stack.limiter}.Around(instant{})
	u := 0
	for b.Loop() {
		r := request("claude-opus-4-8", u)
		r.System[0].Text = strings.Repeat("the schema of a database\n", 2000)
		if _, err := client.Complete(b.Context(), r); err != nil {
			b.Fatal(err)
		}
		u++
	}
}
