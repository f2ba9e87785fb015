// Package workbench builds what a command needs, when it needs it, and closes
// it: the project, its database, model clients by role, traces. It decides
// nothing, and it is the one place outside cmd that reads the environment.
package workbench

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/meter"
	"github.com/sqbyl/sqbyl/internal/engine/throttle"
	"github.com/sqbyl/sqbyl/internal/engine/trace"
	"github.com/sqbyl/sqbyl/internal/toolkit/ledger"
	"github.com/sqbyl/sqbyl/internal/toolkit/project"
	"github.com/sqbyl/sqbyl/internal/toolkit/replay"
	"github.com/sqbyl/sqbyl/internal/toolkit/runs"
	"github.com/sqbyl/sqbyl/llm/ability"
)

// Host is what the process gives.
type Host struct {
	// Dir is where the project is looked for.
	Dir string
	// Env looks a variable up: os.LookupEnv.
	Env     project.Lookup
	Version string
	// Now is the clock; nil means the real one.
	Now func() time.Time
}

// Clock is the time by the host's clock.
func (h Host) Clock() time.Time {
	if h.Now == nil {
		return time.Now()
	}
	return h.Now()
}

// Options are the flags that commands share.
type Options struct {
	// Database is a URL, for work without a project.
	Database string
	// Model is PROVIDER:MODEL, in place of the project's.
	Model string
	// Replay and Record are recordings to answer from and to write.
	Replay, Record string
	// Budget is the most that may be spent; nil means the project's share for
	// one question.
	Budget *meter.USD
	// Prices win over those the product and the project know.
	Prices []meter.Price
}

// Workbench holds what was built. It is used by one goroutine.
type Workbench struct {
	host    Host
	options Options
	project *project.Project // nil without one

	database db.Database
	schema   *catalog.Schema
	journals []*replay.Journal // written to
	replayed *replay.Journal   // read from
	run      *trace.Run

	spending Spending
	budget   *meter.Budget
	limiter  *throttle.Limiter
	ledger   *ledger.Ledger
	unbooked error // why there is no ledger
	known    *ability.Memory
	journal  *replay.Journal // of the run
	runs     []*runs.Run
}

// Open loads the project that Host.Dir is in, or none when a database is
// named.
func Open(h Host, o Options) (*Workbench, error) {
	if h.Now == nil {
		h.Now = time.Now
	}
	w := &Workbench{host: h, options: o}
	w.Spend(Spending{})
	if o.Database != "" {
		return w, nil
	}
	dir, err := project.Find(h.Dir)
	if err != nil {
		return nil, err
	}
	if w.project, err = project.Load(dir); err != nil {
		return nil, err
	}
	if err := w.check(); err != nil {
		return nil, err
	}
	return w, nil
}

// Project is the loaded project, nil without one.
func (w *Workbench) Project() *project.Project { return w.project }

// Now is the time by the host's clock.
func (w *Workbench) Now() time.Time { return w.host.Now() }

// StateDir is where traces and prompts go: the project's .sqbyl, else
// $SQBYL_HOME, else the user's cache folder.
func (w *Workbench) StateDir() (string, error) {
	if w.project != nil {
		return filepath.Join(w.project.Dir, project.StateDir), nil
	}
	if home, ok := w.host.Env("SQBYL_HOME"); ok && home != "" {
		return home, nil
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find a folder for traces: %w (set SQBYL_HOME to one)", err)
	}
	return filepath.Join(cache, "sqbyl"), nil
}

// Trace is the trace of this run. Where there is no folder for it, nothing is
// traced and the error says why.
func (w *Workbench) Trace() (*trace.Run, error) {
	if w.run != nil {
		return w.run, nil
	}
	dir, err := w.StateDir()
	if err != nil {
		return nil, err
	}
	w.run = trace.NewRun(dir, trace.Options{Version: w.host.Version, Now: w.host.Now})
	return w.run, nil
}

// Close closes everything that was built. What was wrong with a trace is its
// own to tell: it never fails the work.
func (w *Workbench) Close() error {
	var errs []error
	if w.run != nil {
		_ = w.run.Close()
	}
	for _, j := range w.journals {
		errs = append(errs, j.Close())
	}
	for _, r := range w.runs {
		errs = append(errs, r.Close())
	}
	if w.ledger != nil {
		errs = append(errs, w.ledger.Close())
	}
	if w.database != nil {
		errs = append(errs, w.database.Close())
	}
	return errors.Join(errs...)
}
