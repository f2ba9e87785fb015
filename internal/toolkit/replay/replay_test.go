package replay_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sqbyl/sqbyl/internal/testkit/fakemodel"
	"github.com/sqbyl/sqbyl/internal/toolkit/replay"
	"github.com/sqbyl/sqbyl/llm"
	"github.com/sqbyl/sqbyl/llm/anthropic"
)

const key = "sk-ant-planted-secret-0123456789"

func ask(question string) llm.Request {
	return llm.Request{
		Model: "claude-opus-4-8", MaxTokens: 100, Role: "agent",
		System:   []llm.Block{{Text: "You write SQL.\nToday is Monday."}, {Text: "table <orders> & more", Cache: llm.CacheShort}},
		Answer:   &llm.Schema{Name: "draft", Schema: json.RawMessage(`{"type": "object", "properties": {}}`)},
		Messages: []llm.Message{{Role: llm.User, Text: question}},
	}
}

// echo is a fake that answers each request with its number and question.
func echo(t *testing.T) (*fakemodel.Server, llm.Client) {
	fake := fakemodel.New(t).Answer(func(c fakemodel.Call) fakemodel.Reply {
		r := fakemodel.Tool("t", map[string]string{"q": c.Last()})
		r.Text, r.Thinking = fmt.Sprintf("%d: %s <b>", c.N, c.Last()), "hm"
		return r
	})
	return fake, anthropic.New(anthropic.Config{Key: key, BaseURL: fake.URL()})
}

func open(t *testing.T, path string) *replay.Journal {
	t.Helper()
	j, err := replay.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	return j
}

func TestAReplayGivesTheRecordedAnswers(t *testing.T) {
	_, client := echo(t)
	path := filepath.Join(t.TempDir(), "runs", "calls.jsonl")
	j := open(t, path)
	recording := j.Record(client)
	var want []llm.Response
	for _, q := range []string{"a", "b", "a", "日本語"} {
		resp, err := recording.Complete(t.Context(), ask(q))
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, resp)
	}
	again := open(t, path)
	replaying := again.Replay(nil)
	for i, q := range []string{"a", "b", "a", "日本語"} {
		started := false
		req := ask(q)
		req.Started = func() { started = true }
		got, err := replaying.Complete(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if !got.Replayed || !started {
			t.Errorf("%s: replayed %v, started %v", q, got.Replayed, started)
		}
		got.Replayed = false
		if d := cmp.Diff(want[i], got, cmpopts.IgnoreFields(llm.Response{}, "Latency", "FirstByte", "Limits")); d != "" {
			t.Errorf("answer %d: %s", i+1, d)
		}
	}
	_, err := replaying.Complete(t.Context(), ask("a"))
	if llm.KindOf(err) != llm.KindReplayMiss || !strings.Contains(err.Error(), "has 2 answers to this request") {
		t.Errorf("a third time: %v", err)
	}
	if d := cmp.Diff([]string{"claude-opus-4-8"}, again.Models()); d != "" {
		t.Error(d)
	}
	if n := len(again.Unused()); n != 0 {
		t.Errorf("%d answers count as unused", n)
	}
}

func TestTheFileKeepsRequestsAndNoSecrets(t *testing.T) {
	_, client := echo(t)
	path := filepath.Join(t.TempDir(), "calls.jsonl")
	recording := open(t, path).Record(client)
	for _, q := range []string{"first question", "second question"} {
		if _, err := recording.Complete(t.Context(), ask(q)); err != nil {
			t.Fatal(err)
		}
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	if !strings.HasPrefix(text, `{"sqbyl_recording":1}`+"\n") {
		t.Errorf("the first line is %.60q", text)
	}
	if strings.Count(text, "second question") < 1 || strings.Count(text, "table <orders> & more") != 1 {
		t.Error("requests are not kept, or a shared block more than once")
	}
	if strings.Contains(text, key) || strings.Contains(strings.ToLower(text), "authorization") {
		t.Error("a secret is in the recording")
	}
}

func TestOnlyCompleteAnswersAreRecorded(t *testing.T) {
	fake := fakemodel.New(t).Script(fakemodel.Truncated("SEL"), fakemodel.Cut("SEL", 3), fakemodel.Refusal(), fakemodel.Overloaded(), fakemodel.Text("SELECT 1"))
	client := anthropic.New(anthropic.Config{Key: key, BaseURL: fake.URL()})
	j := open(t, filepath.Join(t.TempDir(), "calls.jsonl"))
	for range 4 {
		if _, err := j.Record(client).Complete(t.Context(), ask("q")); err == nil {
			t.Fatal("an incomplete answer came through")
		}
	}
	if _, err := j.Record(client).Complete(t.Context(), ask("q")); err != nil {
		t.Fatal(err)
	}
	entries := j.Entries()
	if len(entries) != 1 || entries[0].N != 1 || entries[0].Response.Text != "SELECT 1" || entries[0].Role != "agent" {
		t.Errorf("recorded %+v", entries)
	}
}

func TestAResumedRunAsksOnlyWhatIsNotRecorded(t *testing.T) {
	fake, client := echo(t)
	path := filepath.Join(t.TempDir(), "calls.jsonl")
	questions := []string{"a", "b", "a", "c", "a"}
	run := func(j *replay.Journal, until int) (out []string) {
		stack := j.Replay(j.Record(client))
		for _, q := range questions[:until] {
			resp, err := stack.Complete(t.Context(), ask(q))
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, resp.Text)
		}
		return out
	}
	first := open(t, path)
	before := run(first, 3)
	first.Close()
	after := run(open(t, path), 5)
	if d := cmp.Diff(before, after[:3]); d != "" {
		t.Errorf("the resumed run got other answers: %s", d)
	}
	if n := len(fake.Calls()); n != 5 {
		t.Errorf("%d calls, want 5: three, then the two that were missing", n)
	}
	third := run(open(t, path), 5)
	if d := cmp.Diff(after, third); d != "" || len(fake.Calls()) != 5 {
		t.Errorf("the third run: %d calls, %s", len(fake.Calls()), d)
	}
}

func TestConcurrentCallsAreAllKept(t *testing.T) {
	_, client := echo(t)
	path := filepath.Join(t.TempDir(), "calls.jsonl")
	recording := open(t, path).Record(client)
	var wg sync.WaitGroup
	for i := range 60 {
		wg.Go(func() {
			if _, err := recording.Complete(context.Background(), ask(fmt.Sprint(i%7))); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	seen := map[string]bool{}
	for _, e := range open(t, path).Entries() {
		if k := fmt.Sprint(e.Hash, e.N); seen[k] {
			t.Errorf("%s twice", k)
		} else {
			seen[k] = true
		}
	}
	if len(seen) != 60 {
		t.Errorf("%d answers of 60", len(seen))
	}
}

func TestAJournalSurvivesBeingCutAnywhere(t *testing.T) {
	_, client := echo(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "calls.jsonl")
	recording := open(t, path).Record(client)
	for i := range 3 {
		if _, err := recording.Complete(t.Context(), ask(fmt.Sprint(i))); err != nil {
			t.Fatal(err)
		}
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(whole) + 1 {
		torn := filepath.Join(dir, "torn.jsonl")
		if err := os.WriteFile(torn, whole[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		j, err := replay.Open(torn)
		if err != nil {
			t.Fatalf("cut at %d: %v", n, err)
		}
		if got, want := len(j.Entries()), bytes.Count(whole[:n], []byte("\n"))-3; got != max(0, want) {
			t.Fatalf("cut at %d: %d answers, want %d", n, got, want)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		if n%97 != 0 {
			continue
		}
		j = open(t, torn)
		if _, err := j.Record(client).Complete(t.Context(), ask("after")); err != nil {
			t.Fatal(err)
		}
		entries := open(t, torn).Entries()
		if len(entries) == 0 || entries[len(entries)-1].Request.Messages[0].Text != "after" {
			t.Fatalf("cut at %d: the answer after the cut is lost", n)
		}
	}
}

func TestFilesThatAreNoRecordings(t *testing.T) {
	good := `{"sqbyl_recording":1}` + "\n"
	for content, says := range map[string]string{
		"":                             "is empty",
		"hello\n":                      ":1: ",
		"{}\n":                         "does not say sqbyl_recording",
		`{"sqbyl_recording":9}` + "\n": "use a newer sqbyl",
		good + "{\n" + good:            ":2: ",
		good + `{"hash":"x"}` + "\n":   ":2: neither",
		good + `{"hash":"x","n":1,"request":{"model":"m","messages":[],"max_tokens":1},"response":{"stop":"end","model":"m","usage":{}}}` + "\n": "the request was changed",
	} {
		_, err := replay.Load(fstest.MapFS{"f": {Data: []byte(content)}}, "f")
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%.40q: got %v, want %q", content, err, says)
		}
	}
	if _, err := replay.Load(fstest.MapFS{}, "f"); err == nil {
		t.Error("a missing file is no error")
	}
}

func TestAMissSaysWhatDiffers(t *testing.T) {
	_, client := echo(t)
	j := open(t, filepath.Join(t.TempDir(), "calls.jsonl"))
	const long = "Of all the customers who have ordered anything at all, and have paid for it in the meantime, how many are from "
	for _, q := range []string{"How many orders?", long + "Denmark?", "How many customers?"} {
		if _, err := j.Record(client).Complete(t.Context(), ask(q)); err != nil {
			t.Fatal(err)
		}
	}
	change := func(f func(*llm.Request)) llm.Request { r := ask("How many customers?"); f(&r); return r }
	for says, req := range map[string]llm.Request{
		`(line 6) differs in system block 1, line 2: recorded "Today is Monday.", now "Today is Tuesday."`: change(func(r *llm.Request) { r.System[0].Text = "You write SQL.\nToday is Tuesday." }),
		`differs in model: recorded "claude-opus-4-8", now "claude-opus-5-5"`:                              change(func(r *llm.Request) { r.Model = "claude-opus-5-5" }),
		`(line 6) differs in message 1 (user): recorded "How many customers?", now "How many customer?"`:   ask("How many customer?"),
		`recorded "…e meantime, how many are from Denmark?", now "…e meantime, how many are from Norway?"`: ask(long + "Norway?"),
		`differs in max_tokens: recorded "100", now "200"`:                                                 change(func(r *llm.Request) { r.MaxTokens = 200 }),
		`differs in cache mark of system block 2: recorded "5m", now "1h"`:                                 change(func(r *llm.Request) { r.System[1].Cache = llm.CacheLong }),
		`differs in message 2 (assistant), which it does not have: "SELECT 1"`: change(func(r *llm.Request) {
			r.Messages = append(r.Messages, llm.Message{Role: llm.Assistant, Text: "SELECT 1"})
		}),
		`differs in system block 2, which this request does not have: "table <orders> & more"`: change(func(r *llm.Request) { r.System = r.System[:1] }),
	} {
		_, err := j.Replay(nil).Complete(t.Context(), req)
		if llm.KindOf(err) != llm.KindReplayMiss || !strings.Contains(err.Error(), says) {
			t.Errorf("got  %v\nwant …%s", err, says)
		}
	}
}

func TestAnAnswerThatCannotBeKeptIsBilledAndNotUsed(t *testing.T) {
	_, client := echo(t)
	j := open(t, filepath.Join(t.TempDir(), "calls.jsonl"))
	j.Close()
	_, err := j.Record(client).Complete(t.Context(), ask("q"))
	var e *llm.Error
	if !errors.As(err, &e) || e.Usage == nil || e.Usage.Output == 0 || !strings.Contains(e.Error(), "could not be kept") {
		t.Errorf("got %v", err)
	}
}
