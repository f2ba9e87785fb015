package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
	"time"

	"github.com/sqbyl/sqbyl/internal/app/batch"
	"github.com/sqbyl/sqbyl/internal/app/paid"
	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/app/workbench"
	"github.com/sqbyl/sqbyl/internal/engine/agent"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/meter"
	"github.com/sqbyl/sqbyl/internal/toolkit/project"
	"github.com/sqbyl/sqbyl/internal/toolkit/runs"
	"github.com/sqbyl/sqbyl/llm"
)

// The exit codes.
const (
	exitDone        = 0
	exitFailed      = 1 // the thing asked for failed
	exitUsage       = 2
	exitBudget      = 3
	exitKey         = 4 // no key, or a refused one
	exitDatabase    = 5 // unreachable, or refused
	exitQuota       = 6 // the daily allowance is used up
	exitInterrupted = 130
)

// errShown ends a command that failed and has said so itself.
var errShown = errors.New("shown")

// ended ends a command that has said itself how it ended.
type ended struct{ code int }

func (e *ended) Error() string { return fmt.Sprintf("ended with code %d", e.code) }

// told is an error whose reason the answer has shown; what can be done about
// it is still to be said.
type told struct{ error }

func (t told) Unwrap() error { return t.error }

// finish is the only place that speaks to a person about an error, and the
// only one that chooses an exit code.
func (p *Program) finish(ctx context.Context, err error) int {
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, syscall.EPIPE), errors.Is(err, io.ErrClosedPipe):
		// Whoever read the output has seen enough.
		return exitDone
	case errors.Is(err, errShown):
		return exitFailed
	}
	var end *ended
	if errors.As(err, &end) {
		return end.code
	}
	code, message, hints := explain(ctx, err)
	style := p.Streams.ErrStyle
	if known := (told{}); !errors.As(err, &known) {
		lines := strings.Split(message, "\n")
		fmt.Fprintf(p.Streams.Err, "%s %s\n", style.Wrong(style.Bad), term.CleanLines(lines[0]))
		hints = append(lines[1:], hints...)
	}
	for _, line := range hints {
		fmt.Fprintf(p.Streams.Err, "  %s\n", strings.TrimPrefix(term.CleanLines(line), "  "))
	}
	return code
}

// explain gives an error's exit code, its message, and what can be done.
func explain(ctx context.Context, err error) (code int, message string, hints []string) {
	var bad *usageError
	var model *llm.Error
	var database *db.Error
	var mistakes project.Mistakes
	var unset *project.UnsetError
	var foreign *project.ForeignKeyError
	var noModel *workbench.NoModelError
	var questions *batch.Mistakes
	var resume *batch.ResumeError
	var unpriced *meter.UnpricedError
	if errors.Is(err, context.Canceled) || llm.KindOf(err) == llm.KindCanceled || ctx.Err() != nil {
		return exitInterrupted, "Interrupted.", nil
	}
	switch {
	case errors.As(err, &bad):
		return exitUsage, capital(bad.message) + ".", full(bad.hint)
	case errors.Is(err, agent.ErrQuestion):
		return exitUsage, capital(err.Error()) + ".", full(`ask in words, for example: sqbyl ask "How many customers are there?"`)
	case errors.As(err, &mistakes), errors.As(err, &unset), errors.As(err, &foreign):
		return exitUsage, err.Error(), nil
	case errors.As(err, &questions), errors.Is(err, runs.ErrUnknown):
		return exitUsage, capital(err.Error()), nil
	case errors.As(err, &resume):
		return exitUsage, capital(resume.Error()) + ".", full(resume.Hint)
	case errors.Is(err, runs.ErrBusy):
		return exitFailed, capital(err.Error()) + ".", full("wait for it, or end it")
	case errors.Is(err, paid.ErrNoConsent):
		return exitUsage, "Nothing paid starts here without --yes or --budget.", full("--yes agrees to the estimate; --budget USD sets another limit; --dry-run only estimates")
	case errors.Is(err, paid.ErrDeclined):
		return exitFailed, capital(err.Error()) + ".", nil
	case errors.Is(err, project.ErrNoProject):
		return exitUsage, capital(err.Error()) + ".", nil
	case errors.As(err, &noModel):
		return exitKey, capital(noModel.Error()), full(noModel.Hint)
	case errors.As(err, &unpriced):
		return exitUsage, capital(err.Error()), nil
	case errors.As(err, &model):
		return explainModel(err, model)
	case errors.As(err, &database):
		return exitDatabase, capital(err.Error()), nil
	}
	return exitFailed, capital(err.Error()), nil
}

func explainModel(err error, e *llm.Error) (code int, message string, hints []string) {
	message = capital(term.NoHTML(err.Error()))
	switch e.Kind {
	case llm.KindKey:
		return exitKey, message, full("check the key that is set for " + e.Provider)
	case llm.KindBudget:
		hint := "allow more with --budget USD"
		if short := (*meter.ShortError)(nil); errors.As(err, &short) {
			hint = "allow it with --budget " + string(paid.Cents(short.Cap-short.Left+short.Worst).Dollars())
		}
		return exitBudget, message, full(hint)
	case llm.KindQuota:
		if e.RetryAfter > 0 {
			return exitQuota, message, full(fmt.Sprintf("the allowance comes back in %s; or use another model with --model", e.RetryAfter.Round(time.Second)))
		}
		return exitQuota, message, full("the allowance comes back by itself; or use another model with --model")
	case llm.KindReplayMiss:
		return exitFailed, message, full("record anew with --record FILE, or ask without --replay")
	case llm.KindTooLong:
		return exitFailed, message, full("take tables out of the project's semantics, or use a model with a larger context")
	case llm.KindRateLimited:
		if e.RetryAfter > 0 {
			return exitFailed, message, full(fmt.Sprintf("try again in %s", e.RetryAfter))
		}
		return exitFailed, message, full("try again in a minute")
	case llm.KindOverloaded, llm.KindServer, llm.KindCut:
		return exitFailed, message, full("try again; nothing is wrong with the question")
	case llm.KindRequest:
		return exitFailed, message, full("name another model with --model PROVIDER:MODEL")
	case llm.KindUnreachable:
		return exitFailed, message, full("check the network and the base URL of the provider")
	}
	return exitFailed, message, nil
}

func full(hint string) []string {
	if hint == "" {
		return nil
	}
	return []string{capital(hint)}
}

// capital makes a message of the inner layers a sentence.
func capital(s string) string {
	if s == "" {
		return s
	}
	word, _, _ := strings.Cut(s, " ")
	if word == "sqbyl" || strings.ContainsAny(word, "./:_") || strings.ToLower(word) != word {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
