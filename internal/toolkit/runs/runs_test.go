package runs

import (
	"errors"
	"os"
	"reflect"
	"sync"
	"testing"
	"time"
)

func head() Head {
	return Head{
		Command: "ask", Started: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC), Day: "2026-11-30", Model: "anthropic:claude-opus-4-8",
		Database: "sqlite:shop.db", Prompt: "abc", Questions: []Question{{"1", "How many?"}, {"2", "How few?"}},
	}
}

func TestARunIsFoundAgainAsItWasStarted(t *testing.T) {
	dir := t.TempDir()
	r, err := Create(dir, head())
	if err != nil {
		t.Fatal(err)
	}
	if r.ID != 1 {
		t.Errorf("the first run is %s", r.ID)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := Open(dir, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if !reflect.DeepEqual(again.Head, head()) || again.Journal() != r.Journal() {
		t.Errorf("%+v", again)
	}
}

func TestARunIsWorkedOnByOneProcess(t *testing.T) {
	dir := t.TempDir()
	r, err := Create(dir, head())
	if err != nil {
		t.Fatal(err)
	}
	if lock(r.lock) == nil {
		if other, err := os.OpenFile(r.lock.Name(), os.O_RDWR, 0); err == nil && lock(other) == nil {
			t.Skip("this system has no such lock")
		}
	}
	if _, err := Open(dir, r.ID); !errors.Is(err, ErrBusy) {
		t.Errorf("a second one got in: %v", err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := Open(dir, r.ID)
	if err != nil {
		t.Fatal(err)
	}
	again.Close()
}

func TestRunsAtOnceGetNumbersOfTheirOwn(t *testing.T) {
	dir := t.TempDir()
	var starts sync.WaitGroup
	for range 8 {
		starts.Go(func() {
			r, err := Create(dir, head())
			if err != nil {
				t.Error(err)
				return
			}
			r.Close()
		})
	}
	starts.Wait()
	if ids, err := List(dir); err != nil || !reflect.DeepEqual(ids, []ID{1, 2, 3, 4, 5, 6, 7, 8}) {
		t.Errorf("%v, %v", ids, err)
	}
}

func TestAnUnknownRunIsNamed(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(dir, 7); !errors.Is(err, ErrUnknown) {
		t.Errorf("%v", err)
	}
	for _, s := range []string{"", "x", "0", "-1", "1.5"} {
		if id, err := ParseID(s); err == nil {
			t.Errorf("%q is run %s", s, id)
		}
	}
}
