package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ncruces/go-sqlite3"

	"github.com/sqbyl/sqbyl/internal/app/cli"
	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/app/workbench"
	"github.com/sqbyl/sqbyl/internal/testkit/fakemodel"
	"github.com/sqbyl/sqbyl/llm"
)

// shop is a project with many questions, asked of a fake.
type shop struct {
	dir  string
	fake *fakemodel.Server
}

func newShop(tb testing.TB, questions int, manifest string) *shop {
	tb.Helper()
	s := &shop{dir: tb.TempDir(), fake: fakemodel.New(tb)}
	conn, err := sqlite3.Open(filepath.Join(s.dir, "shop.db"))
	if err != nil {
		tb.Fatal(err)
	}
	defer conn.Close()
	if err := conn.Exec(enginesSQL); err != nil {
		tb.Fatal(err)
	}
	var list strings.Builder
	for i := range questions {
		fmt.Fprintf(&list, "question %d?\n", i)
	}
	for name, text := range map[string]string{"sqbyl.yaml": "name: shop\ndatabase: { url: \"sqlite:shop.db\" }\n" + manifest, "q.txt": list.String()} {
		if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o600); err != nil {
			tb.Fatal(err)
		}
	}
	s.fake.Answer(func(fakemodel.Call) fakemodel.Reply { return counted() })
	return s
}

func counted() fakemodel.Reply {
	return fakemodel.JSON(map[string]any{"plan": "count", "answerable": true, "sql": "SELECT COUNT(*) AS n FROM orders", "missing": "", "nearest": []string{}, "used_assets": []string{}, "confidence": "high"})
}

// run runs sqbyl in the project; onTerminal tells whether messages go to one.
func (s *shop) run(tb testing.TB, onTerminal bool, args ...string) (code int, out, errOut string) {
	tb.Helper()
	var stdout, stderr bytes.Buffer
	streams := term.Plain(strings.NewReader(""), &stdout, &stderr)
	streams.ErrTTY = onTerminal
	vars := map[string]string{"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": s.fake.URL()}
	code = cli.Main(tb.Context(), args, cli.Program{Streams: streams, Host: workbench.Host{Dir: s.dir, Version: "test", Env: func(name string) (string, bool) {
		v, ok := vars[name]
		return v, ok
	}}})
	return code, stdout.String(), stderr.String()
}

func (s *shop) batch(tb testing.TB, args ...string) (code int, out, errOut string) {
	tb.Helper()
	return s.run(tb, false, append([]string{"ask", "--questions", filepath.Join(s.dir, "q.txt")}, args...)...)
}

type batchDocument struct {
	Run    int
	Counts map[string]int
	Spent  struct {
		Settled float64 `json:"settled_usd"`
	}
	Estimate struct {
		High float64 `json:"high_usd"`
		Cap  float64 `json:"cap_usd"`
	}
	Saved float64 `json:"cache_saved_usd"`
	Usage struct {
		Read int `json:"cache_read_tokens"`
	}
}

func read(tb testing.TB, out string) (d batchDocument) {
	tb.Helper()
	if err := json.Unmarshal([]byte(out), &d); err != nil {
		tb.Fatalf("%v\n%s", err, out)
	}
	return d
}

// The stable part of the prompt is the same bytes in every call; one call
// writes it to the cache, and the others, let go at its first byte, read it.
func TestABatchSharesItsPrompt(t *testing.T) {
	const n = 40
	s := newShop(t, n, "")
	code, out, errOut := s.batch(t, "--budget", "20", "--json")
	d := read(t, out)
	if code != 0 || d.Counts["answered"] != n {
		t.Fatalf("code %d\n%s%s", code, out, errOut)
	}
	prefixes, lives := map[string]bool{}, map[string]bool{}
	for _, c := range s.fake.Calls() {
		prefixes[c.Prefix], lives[string(c.Life)] = true, true
	}
	wrote, billed := 0, 0.0
	for _, c := range s.fake.Bill() {
		if c.Usage.CacheWrite5m > 0 {
			wrote++
		}
		u := c.Usage
		billed += float64(int64(float64(5*u.Input+25*u.Output)+6.25*float64(u.CacheWrite5m)+0.5*float64(u.CacheRead)+0.5)) / 1e6
	}
	if len(prefixes) != 1 || !lives["5m"] || len(lives) != 1 || wrote != 1 {
		t.Errorf("%d prefixes, lives %v, written %d times", len(prefixes), lives, wrote)
	}
	if diff := d.Spent.Settled - billed; diff > 1e-9 || diff < -1e-9 {
		t.Errorf("it says %v, the bill %v", d.Spent.Settled, billed)
	}
	// Without the cache each token read would have cost ten times as much.
	if d.Usage.Read == 0 || d.Saved <= 0 || d.Saved > float64(d.Usage.Read)*4.5/1e6 {
		t.Errorf("%d tokens read, %v saved", d.Usage.Read, d.Saved)
	}
}

func TestAProjectCanDoWithoutTheCache(t *testing.T) {
	s := newShop(t, 5, "defaults: { prompt_caching: false }\n")
	code, out, errOut := s.batch(t, "--budget", "20", "--json")
	if d := read(t, out); code != 0 || d.Usage.Read != 0 || d.Saved != 0 {
		t.Errorf("code %d, %+v\n%s", code, d, errOut)
	}
	for _, c := range s.fake.Calls() {
		if c.Life != "" || c.Prefix != "" {
			t.Errorf("%s asks for the cache", c)
		}
	}
}

// After ten answers, what a batch costs is within 30 % of its estimate.
func TestABatchCostsWhatItsEstimateSays(t *testing.T) {
	for _, tokens := range []float64{0.6, 1, 1.6} {
		s := newShop(t, 40, "")
		s.fake.TokensPer4 = tokens
		estimate := func() (low, high float64) {
			_, out, errOut := s.batch(t, "--dry-run", "--json")
			var d struct {
				Estimate struct {
					Low  float64 `json:"low_usd"`
					High float64 `json:"high_usd"`
				}
			}
			if err := json.Unmarshal([]byte(out), &d); err != nil {
				t.Fatalf("%v\n%s%s", err, out, errOut)
			}
			return d.Estimate.Low, d.Estimate.High
		}
		low, high := estimate()
		_, out, _ := s.batch(t, "--yes", "--json")
		if cost := read(t, out).Spent.Settled; cost < low || cost > high {
			t.Errorf("%v tokens: the cold estimate %v – %v does not hold %v", tokens, low, high, cost)
		}
		low, high = estimate()
		code, out, errOut := s.batch(t, "--yes", "--json")
		d := read(t, out)
		if off := (low + high) / 2 / d.Spent.Settled; off < 0.7 || off > 1.3 || code != 0 || d.Counts["answered"] != 40 {
			t.Errorf("%v tokens: code %d, %v – %v for %v\n%s", tokens, code, low, high, d.Spent.Settled, errOut)
		}
	}
}

// The cap of an approved estimate holds the calls of all workers: with a
// history, whose estimates are tight, 16 are in flight.
func TestAnApprovedEstimateLetsAllWorkersWork(t *testing.T) {
	const inFlight = 16
	s := newShop(t, 40, "")
	if code, _, errOut := s.batch(t, "--budget", "20", "--json"); code != 0 {
		t.Fatal(errOut)
	}
	var mu sync.Mutex
	began, together := 0, make(chan struct{})
	open := sync.OnceFunc(func() { close(together) })
	s.fake.Answer(func(fakemodel.Call) fakemodel.Reply {
		mu.Lock()
		// The first goes ahead alone.
		if began++; began == 1+inFlight {
			open()
		}
		first := began == 1
		mu.Unlock()
		if !first {
			select {
			case <-together:
			case <-time.After(30 * time.Second):
				t.Error("fewer calls are in flight than there are workers")
				open()
			}
		}
		return counted()
	})
	code, out, errOut := s.batch(t, "--yes", "--json")
	if d := read(t, out); code != 0 || d.Counts["answered"] != 40 || d.Spent.Settled > d.Estimate.High*1.3 || d.Spent.Settled > d.Estimate.Cap {
		t.Errorf("code %d, %+v\n%s", code, d, errOut)
	}
	if !strings.Contains(errOut, "of the cap is room for calls in flight") || strings.Contains(errOut, "under this cap") {
		t.Errorf("the plan does not say what is in the cap:\n%s", errOut)
	}
}

// Answers that turn out far dearer than ever before do not get past the cap;
// the command that goes on names a budget that is enough for the rest.
func TestAnApprovedEstimateIsTheCap(t *testing.T) {
	const n = 40
	s := newShop(t, n, "")
	if code, _, errOut := s.batch(t, "--budget", "20", "--json"); code != 0 {
		t.Fatal(errOut)
	}
	s.fake.Answer(func(fakemodel.Call) fakemodel.Reply {
		r := counted()
		r.Usage = &llm.Usage{Input: 100, Output: 4000}
		return r
	})
	before := len(s.fake.Bill())
	code, out, errOut := s.batch(t, "--yes", "--json")
	d := read(t, out)
	billed := 0.0
	for _, c := range s.fake.Bill()[before:] {
		billed += float64(5*c.Usage.Input+25*c.Usage.Output) / 1e6
	}
	answered := d.Counts["answered"]
	if code != 3 || billed > d.Estimate.Cap || d.Estimate.Cap-billed > 0.12 || answered < n/4 || answered+d.Counts["not_run"] != n {
		t.Errorf("code %d, billed %v of %v, %v\n%s", code, billed, d.Estimate.Cap, d.Counts, errOut)
	}
	if !strings.Contains(errOut, "is left, and the next call may cost up to $0.1") {
		t.Errorf("it does not say why:\n%s", errOut)
	}
	for _, line := range strings.Split(errOut, "\n") {
		var done, total int
		if _, err := fmt.Sscanf(line, "  %d/%d", &done, &total); err == nil && done > answered {
			t.Errorf("%d answered, and progress said %q", answered, line)
		}
	}
	_, command, found := strings.Cut(errOut, "Go on with  sqbyl ")
	if !found || !strings.Contains(command, "--budget ") {
		t.Fatalf("no way to go on is named:\n%s", errOut)
	}
	code, out, errOut = s.run(t, false, append(strings.Fields(command), "--json")...)
	if d := read(t, out); code != 0 || d.Counts["answered"] != n {
		t.Errorf("the budget that was named is not enough: code %d, %v\n%s", code, d.Counts, errOut)
	}
}

// A terminal gets one line that is gone at the end, a pipe some plain lines,
// and --quiet nothing.
func TestProgressIsShownWhereItCanBe(t *testing.T) {
	s := newShop(t, 20, "")
	questions := filepath.Join(s.dir, "q.txt")
	_, _, errOut := s.run(t, true, "ask", "--questions", questions, "--budget", "9")
	if !strings.Contains(errOut, "/20 · ") || !strings.Contains(errOut, " of $9.00") || !strings.Contains(errOut, "\r\x1b[K") {
		t.Errorf("on a terminal:\n%q", errOut)
	}
	if last := errOut[strings.LastIndex(errOut, "\r\x1b[K")+len("\r\x1b[K"):]; last != "" {
		t.Errorf("something is left on the line: %q", last)
	}
	_, _, errOut = s.run(t, false, "ask", "--questions", questions, "--budget", "9")
	if !strings.Contains(errOut, "\n  2/20 · ") || strings.Contains(errOut, "\x1b") {
		t.Errorf("without one:\n%q", errOut)
	}
	for _, onTerminal := range []bool{true, false} {
		if _, _, errOut = s.run(t, onTerminal, "ask", "--questions", questions, "--budget", "9", "--quiet"); strings.Trim(errOut, "\r\x1b[K") != "" {
			t.Errorf("although quiet: %q", errOut)
		}
	}
}

// A database that goes away ends the run instead of the money.
func TestARunEndsWithItsDatabase(t *testing.T) {
	s := newShop(t, 200, "")
	s.fake.Answer(func(c fakemodel.Call) fakemodel.Reply {
		if c.N == 20 {
			if err := os.WriteFile(filepath.Join(s.dir, "shop.db"), []byte("this is no database any more, but some text in its place"), 0o600); err != nil {
				t.Error(err)
			}
		}
		return counted()
	})
	code, out, errOut := s.batch(t, "--budget", "20", "--json", "--workers", "2")
	if d := read(t, out); code == 0 || d.Counts["not_run"]+d.Counts["failed"] == 0 || len(s.fake.Calls()) > 60 {
		t.Errorf("code %d, %v after %d calls\n%s", code, d.Counts, len(s.fake.Calls()), errOut)
	}
}

// BenchmarkBatch asks 200 questions of 1 s, 16 at once, from the command line
// to the answers, with a roomy budget and under the estimate that a history
// gives; ideal is 12.5 s.
func BenchmarkBatch(b *testing.B) {
	s := newShop(b, 200, "")
	if code, _, errOut := s.batch(b, "--budget", "100", "--json"); code != 0 {
		b.Fatal(errOut)
	}
	s.fake.Answer(func(fakemodel.Call) fakemodel.Reply {
		r := counted()
		r.FirstByte, r.Rest = 100*time.Millisecond, 900*time.Millisecond
		return r
	})
	for name, consent := range map[string][]string{"budget": {"--budget", "100"}, "estimate": {"--yes"}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				began := time.Now()
				code, out, errOut := s.batch(b, append(consent, "--json")...)
				if d := read(b, out); code != 0 || d.Spent.Settled > d.Estimate.Cap {
					b.Fatalf("code %d, %+v\n%s", code, d, errOut)
				}
				b.ReportMetric(time.Since(began).Seconds()/12.5, "of-ideal")
			}
		})
	}
}
