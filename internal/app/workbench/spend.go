package workbench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/sqbyl/sqbyl/internal/engine/meter"
	"github.com/sqbyl/sqbyl/internal/engine/throttle"
	"github.com/sqbyl/sqbyl/internal/toolkit/ledger"
	"github.com/sqbyl/sqbyl/internal/toolkit/orchestrate"
	"github.com/sqbyl/sqbyl/internal/toolkit/project"
	"github.com/sqbyl/sqbyl/internal/toolkit/replay"
	"github.com/sqbyl/sqbyl/internal/toolkit/runs"
	"github.com/sqbyl/sqbyl/llm"
)

// Spending says how the calls of a command are made.
type Spending struct {
	// Command is its name in the ledger.
	Command string
	// Run keeps the calls of many questions; nil for a single one.
	Run *runs.Run
	// InFlight is the largest number of calls at once; 0 means 1.
	InFlight int
	// Attempts is the largest number of attempts at one call; 0 means many.
	Attempts int
	// Wait, if not nil, is told about every pause.
	Wait func(throttle.Wait)
	// More, if not nil, is asked when a call does not fit the budget any more;
	// true means that the budget was raised to hold it.
	More func(ctx context.Context, worst meter.USD) bool
	// Allow, if not nil, is asked about a statement that reads more than the
	// project allows.
	Allow func(ctx context.Context, what string) bool
}

// Spend says how the calls are made that clients make from now on.
func (w *Workbench) Spend(s Spending) {
	w.spending = s
	w.limiter = throttle.NewLimiter(s.InFlight, s.Wait)
}

// Client asks the model of a role through everything that stands between a
// provider and whoever asks it, or takes its answers from the recording that
// the command names.
func (w *Workbench) Client(role project.Role) (llm.Client, Model, error) {
	m, err := w.AskedModel(role)
	if err != nil {
		return nil, m, err
	}
	if w.options.Replay != "" {
		journal, err := w.recording()
		if err != nil {
			return nil, m, err
		}
		return orchestrate.Signal(journal.Replay(nil)), m, nil
	}
	client, err := w.Provider(m)
	if err != nil {
		return nil, m, err
	}
	stack := orchestrate.Stack{
		Command: w.spending.Command, Provider: m.Provider, Prices: w.Prices(), Budget: w.Budget(), Limiter: w.limiter,
		Wait: w.spending.Wait, Attempts: w.spending.Attempts, More: w.spending.More, Now: w.host.Now,
	}
	if stack.Ledger, err = w.Ledger(); err != nil && w.spending.Run != nil {
		return nil, m, err
	}
	record, err := w.record()
	if err != nil {
		return nil, m, err
	}
	if w.spending.Run == nil {
		if record != nil {
			client = record.Record(client)
		}
		return stack.Around(client), m, nil
	}
	stack.Run = w.spending.Run.ID.String()
	if stack.Journal, err = w.runJournal(); err != nil {
		return nil, m, err
	}
	client = stack.Around(client)
	if record != nil {
		// Outside, so that it holds also what the run knew before.
		client = record.Record(client)
	}
	return client, m, nil
}

// NewRun starts a run in the state folder. It is let go of with everything
// else.
func (w *Workbench) NewRun(h runs.Head) (*runs.Run, error) {
	dir, err := w.state()
	if err != nil {
		return nil, err
	}
	r, err := runs.Create(dir, h)
	if err == nil {
		w.runs = append(w.runs, r)
	}
	return r, err
}

// OpenRun takes a run up again.
func (w *Workbench) OpenRun(id runs.ID) (*runs.Run, error) {
	dir, err := w.state()
	if err != nil {
		return nil, err
	}
	r, err := runs.Open(dir, id)
	if err == nil {
		w.runs = append(w.runs, r)
	}
	return r, err
}

// record is the recording that the command writes, nil for none.
func (w *Workbench) record() (*replay.Journal, error) {
	if w.options.Record == "" {
		return nil, nil
	}
	journal, err := replay.Open(w.options.Record)
	if err != nil {
		return nil, err
	}
	w.journals = append(w.journals, journal)
	return journal, nil
}

// runJournal is the journal of the run, opened once for all roles.
func (w *Workbench) runJournal() (*replay.Journal, error) {
	if w.journal == nil {
		journal, err := replay.Open(w.spending.Run.Journal())
		if err != nil {
			return nil, err
		}
		w.journal = journal
		w.journals = append(w.journals, journal)
	}
	return w.journal, nil
}

// Recorded gives the hashes of the requests that the run has answers to.
func (w *Workbench) Recorded() (map[string]bool, error) {
	known := map[string]bool{}
	if w.spending.Run == nil {
		return known, nil
	}
	journal, err := w.runJournal()
	if err != nil {
		return nil, err
	}
	for _, e := range journal.Entries() {
		known[e.Hash] = true
	}
	return known, nil
}

// Replaying tells whether a recording answers in place of models.
func (w *Workbench) Replaying() bool { return w.options.Replay != "" }

// recording is the recording that answers in place of a model.
func (w *Workbench) recording() (*replay.Journal, error) {
	if w.replayed == nil {
		journal, err := replay.Load(os.DirFS(filepath.Dir(w.options.Replay)), filepath.Base(w.options.Replay))
		if err != nil {
			return nil, err
		}
		w.replayed = journal
	}
	return w.replayed, nil
}

// Ledger is where every paid call is written down.
func (w *Workbench) Ledger() (*ledger.Ledger, error) {
	if w.ledger != nil || w.unbooked != nil {
		return w.ledger, w.unbooked
	}
	dir, err := w.state()
	if err == nil {
		w.ledger, err = ledger.Open(filepath.Join(dir, "usage.db"))
	}
	if err != nil {
		w.unbooked = fmt.Errorf("open the ledger: %w", err)
	}
	return w.ledger, w.unbooked
}

// Unbooked is why what calls cost was not written down, nil when it was.
func (w *Workbench) Unbooked() error { return w.unbooked }

// Limit makes cap the budget of what follows.
func (w *Workbench) Limit(cap meter.USD) { w.budget = meter.NewBudget(cap) }

// Closed is the used-up allowance of a model, nil while it has one.
func (w *Workbench) Closed(m Model) error {
	if w.limiter == nil {
		return nil
	}
	if closed := w.limiter.Closed(m.Provider, m.ID); closed != nil {
		return closed
	}
	return nil
}

// Estimate is what requests to a model in a role will cost, from what this
// project has seen of it; worst is the most that one call can cost.
func (w *Workbench) Estimate(ctx context.Context, role project.Role, requests []llm.Request) (e orchestrate.Estimate, worst meter.USD, err error) {
	m, err := w.AskedModel(role)
	if err != nil {
		return e, 0, err
	}
	work := orchestrate.Work{Requests: requests}
	if work.Price, err = w.Prices().Price(m.Provider, m.ID, w.host.Now()); err != nil {
		return e, 0, err
	}
	work.Price.Model = m.ID
	// Without a ledger there is no history, and the range is wider.
	if l, err := w.Ledger(); err == nil {
		if work.History, err = l.History(ctx, m.Provider, m.ID, string(role)); err != nil {
			return e, 0, err
		}
	}
	return work.Estimate(), work.Worst(), nil
}

// checkTime bounds the free request that checks a key.
const checkTime = 15 * time.Second

// Check asks a model's provider, for free, whether it takes the key. The names
// are the models that it lists; an error of llm.KindKey means that it does not
// take the key, any other that it cannot tell.
func (w *Workbench) Check(ctx context.Context, m Model) (names []string, err error) {
	client, err := w.Provider(m)
	if err != nil {
		return nil, err
	}
	lister, ok := client.(llm.Lister)
	if !ok {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	names, err = lister.Models(ctx)
	slices.Sort(names)
	return names, err
}

// state makes the folder of state, which keeps itself out of git.
func (w *Workbench) state() (string, error) {
	dir, err := w.StateDir()
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("make the folder for runs and costs: %w; set SQBYL_HOME to another one", err)
	}
	ignore := filepath.Join(dir, ".gitignore")
	f, err := os.OpenFile(ignore, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return dir, nil
	}
	if err != nil {
		return "", fmt.Errorf("write to the folder for runs and costs: %w", err)
	}
	_, err = f.WriteString("*\n")
	return dir, errors.Join(err, f.Close())
}
