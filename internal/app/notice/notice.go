// Package notice says beside an answer what a person should know: what is being
// waited for, what a credential may do, what could not be kept.
package notice

import (
	"context"
	"fmt"
	"strings"

	"github.com/sqbyl/sqbyl/internal/app/paid"
	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/app/workbench"
	"github.com/sqbyl/sqbyl/internal/engine/agent"
	"github.com/sqbyl/sqbyl/internal/engine/throttle"
)

// Broken adds what attempts cost that brought no answer and were made
// again.
func Broken(s *term.Streams, wb *workbench.Workbench, answer *agent.Answer) {
	spent := wb.Budget().Spent()
	if answer.Cost != nil && spent.Settled > *answer.Cost {
		answer.Cost = &spent.Settled
	}
	if spent.Unknown > 0 {
		fmt.Fprintf(s.Err, "%s a call broke; it may have cost up to %s more\n", s.ErrStyle.Text("!"), spent.Unknown)
	}
}

// Interrupted says in an answer that a person has ended it, where an engine
// knows only that its work was canceled.
func Interrupted(answer *agent.Answer) {
	const said = "interrupted"
	answer.Reason = said
	if n := len(answer.Attempts); n > 0 && answer.Attempts[n-1].Error != "" {
		answer.Attempts[n-1].Error = said
	}
}

// Waits shows why nothing happens for a while.
func Waits(s *term.Streams) func(throttle.Wait) {
	return func(w throttle.Wait) {
		switch {
		case s.ErrTTY:
			s.Status(paid.Pause(w) + " …")
		case !s.Quiet:
			fmt.Fprintln(s.Err, "  "+paid.Pause(w))
		}
	}
}

// Stages shows on a terminal what is being waited for.
func Stages(s *term.Streams, m workbench.Model) func(agent.Stage) {
	return func(stage agent.Stage) {
		switch stage {
		case agent.Model:
			s.Status("asking " + m.ID + " …")
		case agent.Execute:
			s.Status("running the query …")
		}
	}
}

// Credential says what the database's credential may do beyond reading.
func Credential(ctx context.Context, s *term.Streams, wb *workbench.Workbench) error {
	database, err := wb.Database(ctx)
	if err != nil {
		return err
	}
	s.Status("")
	if note, err := wb.Unbounded(ctx); err != nil {
		return err
	} else if note != "" {
		fmt.Fprintf(s.Err, "%s %s\n", s.ErrStyle.Text("!"), note)
	}
	warnings := database.Info().Warnings
	if len(warnings) == 0 {
		return nil
	}
	for _, w := range warnings {
		fmt.Fprintf(s.Err, "%s %s\n", s.ErrStyle.Text("!"), term.Clean(w.Message))
	}
	fmt.Fprintf(s.Err, "  %s\n", s.ErrStyle.Dim("sqbyl never writes; sqbyl doctor shows the statements that make a read-only role"))
	return nil
}

// Allow asks a person about a statement that reads more than the project
// allows.
func Allow(s *term.Streams) func(context.Context, string) bool {
	return func(ctx context.Context, what string) bool {
		s.Status("")
		fmt.Fprintf(s.Err, "%s %s\n", s.ErrStyle.Text("!"), term.Clean(strings.ToUpper(what[:1])+what[1:]))
		line, err := s.Ask(ctx, "  Run it all the same?   [y] run   [n] leave it")
		return err == nil && (line == "y" || line == "yes")
	}
}

// Trace says once why there is no trace.
func Trace(s *term.Streams, wb *workbench.Workbench) {
	run, err := wb.Trace()
	if err == nil {
		err = run.Err()
	}
	if err != nil {
		fmt.Fprintf(s.Err, "%s no trace is kept: %v\n", s.ErrStyle.Wrong("!"), err)
	}
}

// Unbooked says once why what was paid is not in the ledger.
func Unbooked(s *term.Streams, wb *workbench.Workbench) {
	if err := wb.Unbooked(); err != nil {
		fmt.Fprintf(s.Err, "%s what this cost is not written down: %v\n", s.ErrStyle.Wrong("!"), err)
	}
}
