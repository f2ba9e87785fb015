package batch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/sqbyl/sqbyl/internal/app/paid"
	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/app/workbench"
	"github.com/sqbyl/sqbyl/internal/engine/agent"
	"github.com/sqbyl/sqbyl/internal/engine/agent/direct"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/meter"
	"github.com/sqbyl/sqbyl/internal/engine/throttle"
	"github.com/sqbyl/sqbyl/internal/toolkit/orchestrate"
	"github.com/sqbyl/sqbyl/internal/toolkit/project"
	"github.com/sqbyl/sqbyl/internal/toolkit/runs"
	"github.com/sqbyl/sqbyl/llm"
)

// Options say what to ask and how.
type Options struct {
	// Questions are asked; with Run set they may be left out, and have to be
	// the run's own.
	Questions []runs.Question
	// Run is taken up again; nil starts one.
	Run      *runs.Run
	InFlight int
	Consent  paid.Consent
	// DryRun ends with the plan.
	DryRun bool
	// Again gives the command that takes a run up again, with a budget unless
	// that is 0.
	Again func(runs.ID, meter.USD) string
	// Event, if not nil, is told what happens as it happens.
	Event func(any) error
}

// batch is one call of Run.
type batch struct {
	Options
	wb      *workbench.Workbench
	streams *term.Streams
	model   workbench.Model
	started time.Time

	requests []llm.Request // the first calls, one per question
	days     []time.Time
	prompt   string // hash of the prompt's stable part
	worst    meter.USD
	report   *Report
	live     *paid.Live
	telling  sync.Mutex
}

// Run asks the questions. What came of them is in the report, also when the
// run ended early: the report then says why. An error means that no run was
// begun, or that nobody agreed to it.
func Run(ctx context.Context, wb *workbench.Workbench, s *term.Streams, o Options) (*Report, error) {
	b := &batch{Options: o, wb: wb, streams: s, started: wb.Now()}
	if o.Run != nil {
		if err := b.takeUp(); err != nil {
			return nil, err
		}
	}
	if err := b.compile(ctx); err != nil {
		return nil, err
	}
	b.report = &Report{Model: b.model.String(), DryRun: o.DryRun, Results: make([]Result, len(b.Questions))}
	for i, q := range b.Questions {
		b.report.Results[i] = Result{ID: q.ID, Answer: agent.Answer{Question: q.Text, Model: b.model.ID}}
	}
	if err := b.plan(ctx); err != nil || o.DryRun {
		return b.report, err
	}
	if err := b.start(); err != nil {
		return nil, err
	}
	return b.report, b.ask(ctx)
}

// takeUp checks that the run is the one that is meant.
func (b *batch) takeUp() error {
	h := b.Run.Head
	switch {
	case b.wb.Replaying():
		return errors.New("a run is taken up with its own answers; leave --replay out")
	case b.Questions != nil && !slices.Equal(b.Questions, h.Questions):
		return &ResumeError{b.Run.ID, "it was asked other questions than the file has now", "leave --questions out to go on with its own, or --resume to begin anew"}
	case h.Database != b.wb.Location():
		return &ResumeError{b.Run.ID, "it asked another database, " + h.Database, "name it with --db"}
	}
	b.Questions = h.Questions
	m, err := b.wb.AskedModel(project.RoleAgent)
	if err != nil {
		return err
	}
	if m.String() != h.Model {
		if b.wb.ModelGiven() {
			return &ResumeError{b.Run.ID, "it asks " + h.Model, "leave --model out, or begin anew without --resume"}
		}
		b.wb.UseModel(h.Model)
	}
	return nil
}

// ResumeError says why a run cannot be taken up.
type ResumeError struct {
	Run  runs.ID
	Why  string
	Hint string
}

func (e *ResumeError) Error() string {
	return fmt.Sprintf("run %s cannot go on: %s", e.Run, e.Why)
}

// compile makes the calls as they will be sent; it costs nothing.
func (b *batch) compile(ctx context.Context) (err error) {
	if b.model, err = b.wb.AskedModel(project.RoleAgent); err != nil {
		return err
	}
	a, err := b.wb.Direct(ctx, nil, b.model, nil)
	if err != nil {
		return err
	}
	day := b.started.Format(time.DateOnly)
	if b.Run != nil {
		day = b.Run.Head.Day
	}
	today, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return fmt.Errorf("run %s: %w", b.Run.ID, err)
	}
	for _, q := range b.Questions {
		if b.wb.Replaying() {
			if today, err = b.wb.Today(q.Text); err != nil {
				return err
			}
		}
		b.days = append(b.days, today)
		b.requests = append(b.requests, a.Request(agent.Question{Text: q.Text, Today: today}))
	}
	prefix, _ := a.Prompt(agent.Question{})
	b.prompt = prefix.Hash
	if b.Run != nil && b.Run.Head.Prompt != b.prompt {
		return &ResumeError{b.Run.ID, "the prompt has changed since it began, so that all of it would be asked again", "undo the change, or begin anew without --resume"}
	}
	return nil
}

// plan says what the run will cost and gets the word to start it.
func (b *batch) plan(ctx context.Context) error {
	if b.wb.Replaying() {
		return nil
	}
	if !b.DryRun {
		if err := b.checkKey(ctx); err != nil {
			return err
		}
	}
	if b.Run != nil {
		b.wb.Spend(workbench.Spending{Run: b.Run})
	}
	known, err := b.wb.Recorded()
	if err != nil {
		return err
	}
	ask := slices.DeleteFunc(slices.Clone(b.requests), func(r llm.Request) bool { return known[llm.Hash(r)] })
	var p paid.Plan
	if p.Estimate, _, err = b.wb.Estimate(ctx, project.RoleAgent, ask); err != nil {
		return err
	}
	if _, b.worst, err = b.wb.Estimate(ctx, project.RoleAgent, b.requests); err != nil {
		return err
	}
	p.Title = "ask"
	if b.Run != nil {
		p.Title += " (run " + b.Run.ID.String() + ")"
	}
	questions := term.Counted(len(b.Questions), "question")
	if kept := len(b.requests) - len(ask); kept > 0 {
		questions = fmt.Sprintf("%d of %s left", len(ask), questions)
	}
	p.Title += " " + b.streams.ErrStyle.Dot + " " + questions + " " + b.streams.ErrStyle.Dot + " " + b.model.String()
	p.Limit(b.Consent.Budget, b.worst, b.InFlight)
	b.report.Plan = &p
	if err := b.event(planEvent{Event: "plan", Model: b.model.String(), Questions: len(b.Questions), Left: len(ask), Estimate: p.Document()}); err != nil {
		return err
	}
	if b.DryRun {
		return nil
	}
	if err := paid.Approve(ctx, b.streams, p, b.Consent); err != nil {
		return err
	}
	b.wb.Limit(p.Cap)
	return nil
}

func (b *batch) checkKey(ctx context.Context) error {
	names, err := b.wb.Check(ctx, b.model)
	var none *llm.Error
	switch {
	case llm.KindOf(err) == llm.KindKey, llm.KindOf(err) == llm.KindUnreachable, err != nil && !errors.As(err, &none):
		return err
	case err == nil && len(names) > 0 && !slices.Contains(names, b.model.ID) && !b.Consent.Quiet:
		fmt.Fprintf(b.streams.Err, "%s the key works, but %s does not list %s\n", b.streams.ErrStyle.Text("!"), b.model.Provider, b.model.ID)
	}
	// An endpoint without such a list may still answer.
	return ctx.Err()
}

// start makes the run and everything that shows and bounds it.
func (b *batch) start() error {
	if b.Run == nil && !b.wb.Replaying() {
		var err error
		if b.Run, err = b.wb.NewRun(runs.Head{
			Command: "ask", Started: b.started, Day: b.started.Format(time.DateOnly), Model: b.model.String(), Database: b.wb.Location(),
			Prompt: b.prompt, Questions: b.Questions,
		}); err != nil {
			return err
		}
	}
	if b.Run != nil {
		b.report.Run = b.Run.ID
	}
	var budget *meter.Budget
	if !b.wb.Replaying() {
		budget = b.wb.Budget()
	}
	b.live = paid.Watch(b.streams, b.Consent.Quiet, len(b.Questions), "question", budget)
	spend := workbench.Spending{Command: "ask", Run: b.Run, InFlight: b.InFlight, Wait: b.wait}
	if b.Consent.Guided(b.streams) && budget != nil {
		spend.More = paid.AskMore(b.streams, b.live, budget).Raise
	}
	b.wb.Spend(spend)
	return nil
}

// ask asks all questions, and puts what came of them into the report.
func (b *batch) ask(ctx context.Context) error {
	defer b.live.Stop()
	client, _, err := b.wb.Client(project.RoleAgent)
	if err != nil {
		return err
	}
	a, err := b.wb.Direct(ctx, client, b.model, nil)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	units := make([]int, len(b.Questions))
	for i := range units {
		units[i] = i
	}
	o := orchestrate.Options[int]{Workers: b.InFlight, Fatal: gone, Report: func(p orchestrate.Progress) {
		answer := &b.report.Results[p.Unit].Answer
		b.live.End(p.State, answer.Calls > 0 && !answer.Replayed)
		b.report.Results[p.Unit].settle(p.State, p.Err)
		if err := b.event(answerEvent{"answer", b.report.Results[p.Unit].document()}); err != nil {
			stop(err)
		}
	}}
	if len(b.requests) > 0 && b.requests[0].System[0].Cache != llm.NoCache {
		o.Group = func(int) string { return "" } // the prompt's stable part is the same for all
	}
	results, end := orchestrate.Run(ctx, units, o, b.one(a))
	for i, r := range results {
		b.report.Results[i].settle(r.State, r.Err)
	}
	b.report.Took = b.wb.Now().Sub(b.started)
	b.report.Stopped = end
	return b.account(context.WithoutCancel(ctx), a)
}

// one asks one question. Its answer goes into the report whatever happens.
func (b *batch) one(a *direct.Agent) func(context.Context, int) (struct{}, error) {
	return func(ctx context.Context, i int) (struct{}, error) {
		b.live.Begin()
		q := b.Questions[i]
		answer, err := a.Ask(ctx, agent.Question{ID: q.ID, Text: q.Text, Today: b.days[i]})
		b.report.Results[i].Answer = answer
		return struct{}{}, err
	}
}

// gone tells errors after which no further question makes sense.
func gone(err error) bool {
	var e *db.Error
	if !errors.As(err, &e) {
		return false
	}
	return e.Kind == db.ErrUnreachable || e.Kind == db.ErrAuth || e.Kind == db.ErrNotADatabase
}

// event tells one event at a time.
func (b *batch) event(e any) error {
	if b.Event == nil {
		return nil
	}
	b.telling.Lock()
	defer b.telling.Unlock()
	return b.Event(e)
}

func (b *batch) wait(w throttle.Wait) {
	b.live.Wait(w)
	// When nobody reads any more, the next answer's event ends the run.
	_ = b.event(waitEvent{"wait", w.Model, w.Kind.String(), w.Attempt, w.For.Seconds()})
}
