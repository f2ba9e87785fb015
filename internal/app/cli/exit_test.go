package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
	"testing"

	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/app/workbench"
	"github.com/sqbyl/sqbyl/internal/engine/agent"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/meter"
	"github.com/sqbyl/sqbyl/internal/toolkit/project"
	"github.com/sqbyl/sqbyl/llm"
)

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
		{&llm.Error{Kind: llm.KindBudget}, exitBudget}, {&llm.Error{Kind: llm.KindBudget, Err: &meter.UnpricedError{}}, exitUsage}, {&llm.Error{Kind: llm.KindKey}, exitKey}, {&workbench.NoModelError{}, exitKey},
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

// TestAReasonIsSaidOnce asks nobody: it shows answers that broke off after an
// attempt.
func TestAReasonIsSaidOnce(t *testing.T) {
	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		ctx    context.Context
		err    error
		reason string
		code   int
		hint   string
	}{
		{t.Context(), &llm.Error{Kind: llm.KindBudget, Message: "the budget has nothing left"}, "the budget has nothing left", exitBudget, "--budget"},
		{t.Context(), &db.Error{Kind: db.ErrUnreachable, Message: "lost the connection"}, "lost the connection", exitDatabase, ""},
		{interrupted, fmt.Errorf("query: %w", context.Canceled), "interrupted", exitInterrupted, ""},
		{t.Context(), &db.Error{Kind: db.ErrUnknownColumn, Message: "should this be in single-quotes?"}, "in single-quotes?\n", exitDatabase, ""},
	} {
		var out, errOut strings.Builder
		p := Program{Streams: term.Plain(nil, &out, &errOut)}
		wb, err := workbench.Open(p.Host, workbench.Options{Database: "sqlite:none.db"})
		if err != nil {
			t.Fatal(err)
		}
		answer := agent.Answer{SQL: "SELECT 1", Reason: c.err.Error(), Attempts: []agent.Attempt{{SQL: "SELECT 1", Error: c.err.Error()}}}
		code := p.finish(c.ctx, printAnswer(c.ctx, &p, wb, answer, askOptions{}, c.err))
		said := strings.ToLower(out.String() + errOut.String())
		if code != c.code || strings.Count(said, c.reason) != 1 || strings.Contains(said, "context canceled") || !strings.Contains(said, c.hint) {
			t.Errorf("code %d:\n%s", code, said)
		}
	}
}
