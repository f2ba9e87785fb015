package trace

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// tick is a clock that moves on by a millisecond with every look.
func tick() func() time.Time {
	var mu sync.Mutex
	at := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		at = at.Add(time.Millisecond)
		return at
	}
}

func TestSpansAreReadBackAsWritten(t *testing.T) {
	dir := t.TempDir()
	run := NewRun(dir, Options{Version: "v1", Now: tick()})
	ask := run.Start(SpanAsk, String(Question, "how many <orders>?\n名"))
	call := ask.Start("chat m", Client, Int(GenAIInput, 1<<62), Bool(Replayed, true), Float(FirstByteMS, 1.5), Strings(GenAIFinish, []string{"end"}))
	call.Fail("cut", "the connection broke")
	call.End()
	call.End()
	ask.End()
	if err := run.Close(); err != nil {
		t.Fatal(err)
	}

	raw, err := os.ReadFile(run.Path())
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(raw), `"intValue":"4611686018427387904"`) || !strings.Contains(string(raw), `"startTimeUnixNano":"`) {
		t.Errorf("64-bit numbers are not strings: %s", raw)
	}
	records, err := Read(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	if len(records) != 2 {
		t.Fatalf("%d records, want 2", len(records))
	}
	inner, outer := records[0], records[1]
	if len(outer.TraceID) != 32 || len(outer.SpanID) != 16 || inner.ParentID != outer.SpanID || inner.TraceID != outer.TraceID {
		t.Errorf("ids: %+v %+v", inner, outer)
	}
	if outer.Text(Question) != "how many <orders>?\n名" || inner.Text(GenAIInput) != "4611686018427387904" || inner.Text(Replayed) != "true" || inner.Text(FirstByteMS) != "1.5" {
		t.Errorf("attributes: %+v %+v", inner, outer)
	}
	if diff := cmp.Diff([]string{"end"}, inner.List(GenAIFinish)); diff != "" {
		t.Error(diff)
	}
	if inner.Error != "the connection broke" || inner.Text(ErrorType) != "cut" || outer.Error != "" {
		t.Errorf("errors: %q %q", inner.Error, outer.Error)
	}
	if !inner.End.After(inner.Start) || inner.Start.Before(outer.Start) || outer.End.Before(inner.End) {
		t.Errorf("times: %v", records)
	}
}

func TestTracesStayOutOfGit(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	run := NewRun(dir, Options{})
	run.Start(SpanAsk).End()
	if text, err := os.ReadFile(filepath.Join(dir, ".gitignore")); err != nil || string(text) != "*\n" {
		t.Errorf("%q %v", text, err)
	}
}

func TestATornLastLineCostsOnlyItself(t *testing.T) {
	run := NewRun(t.TempDir(), Options{})
	for range 3 {
		run.Start(SpanAsk).End()
	}
	raw, err := os.ReadFile(run.Path())
	if err != nil {
		t.Fatal(err)
	}
	records, err := Read(bytes.NewReader(raw[:len(raw)-20]))
	if err != nil || len(records) != 2 {
		t.Errorf("%d records, %v", len(records), err)
	}
	if _, err := Read(strings.NewReader("{\n" + string(raw))); err == nil {
		t.Error("a broken line in the middle passed")
	}
}

func TestNothingIsWrittenBeforeASpanEnds(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	run := NewRun(dir, Options{})
	run.Start(SpanAsk)
	if err := run.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("the folder was made: %v", err)
	}
}

func TestATraceThatCannotBeWrittenSaysWhyAndGoesOn(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	run := NewRun(file, Options{})
	span := run.Start(SpanAsk)
	span.End()
	run.Prompt("ab", "text")
	if run.Err() == nil || span.TraceID() == "" {
		t.Errorf("err %v, id %q", run.Err(), span.TraceID())
	}
}

func TestANilRunWritesNothing(t *testing.T) {
	var run *Run
	span := run.Start(SpanAsk)
	span.Start(SpanGuard, Internal).End()
	span.Fail("kind", "message")
	span.End()
	run.Prompt("ab", "text")
	if run.Err() != nil || run.Close() != nil || len(span.TraceID()) != 32 {
		t.Error("a nil run is not silent")
	}
}

func TestAPromptIsStoredOnce(t *testing.T) {
	dir := t.TempDir()
	for range 2 {
		run := NewRun(dir, Options{})
		run.Prompt("ab", "text")
		run.Prompt("ab", "other")
		if run.Err() != nil {
			t.Fatal(run.Err())
		}
	}
	files, err := os.ReadDir(filepath.Join(dir, "prompts"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v %v", files, err)
	}
	if text, err := os.ReadFile(PromptPath(dir, "ab")); err != nil || string(text) != "text" {
		t.Errorf("%q %v", text, err)
	}
}

func TestManyWritersShareARun(t *testing.T) {
	run := NewRun(t.TempDir(), Options{})
	var group sync.WaitGroup
	for range 50 {
		group.Go(func() {
			ask := run.Start(SpanAsk, String(Question, strings.Repeat("q", 5000)))
			ask.Start(SpanGuard, Internal).End()
			ask.End()
		})
	}
	group.Wait()
	file, err := os.Open(run.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	records, err := Read(file)
	if err != nil || len(records) != 100 {
		t.Errorf("%d records, %v", len(records), err)
	}
}
