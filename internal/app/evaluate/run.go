package evaluate

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/engine/compare"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/toolkit/bench"
	"github.com/sqbyl/sqbyl/internal/toolkit/eval"
	"github.com/sqbyl/sqbyl/internal/toolkit/heldout"
	"github.com/sqbyl/sqbyl/internal/toolkit/score"
)

// Solvers answer a set.
type Solvers struct {
	list []eval.Solver
	// predictions answer too, where the questions are held out.
	predictions []heldout.Predictions
}

// ParseSolvers makes solvers of a list of names: oracle, mute, and files of
// predictions in BIRD's layout. warnings tell of predictions for no question.
func ParseSolvers(names []string, s Set) (solvers Solvers, warnings []string, err error) {
	taken := map[string]bool{eval.OracleName: true, eval.MuteName: true}
	seen := map[string]bool{}
	for _, name := range names {
		name = strings.TrimSpace(name)
		switch {
		case name == "":
			return Solvers{}, nil, fmt.Errorf("a name is empty")
		case seen[name]:
			return Solvers{}, nil, fmt.Errorf("%s stands there twice", name)
		}
		seen[name] = true
		if own(name) {
			continue // every table has them
		}
		read, err := predictions(name)
		if err != nil {
			return Solvers{}, nil, err
		}
		label := strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
		if taken[label] {
			label = name
		}
		taken[label] = true
		if s.HeldOut != nil {
			solvers.predictions = append(solvers.predictions, heldout.Predictions{Name: label, Answers: read})
			continue
		}
		sql, unknown := read.Of(s.Items, s.Total)
		if len(unknown) > 0 {
			warnings = append(warnings, fmt.Sprintf("%s: %s of no question, %s first", name, term.Counted(len(unknown), "prediction"), unknown[0]))
		}
		solvers.list = append(solvers.list, eval.Listed(label, sql))
	}
	solvers.list = eval.WithOwn(solvers.list)
	return solvers, warnings, nil
}

func predictions(path string) (*bench.Predictions, error) {
	f, err := os.Open(path)
	if err != nil {
		if !looksLikeFile(path) {
			return nil, fmt.Errorf("%q is not scored here: eval takes oracle, mute, and files of predictions, and asks no model", path)
		}
		return nil, err
	}
	defer f.Close()
	return bench.ReadPredictions(f, path)
}

// looksLikeFile tells the name of a file from that of a model.
func looksLikeFile(name string) bool {
	return filepath.Ext(name) == ".json" || !strings.Contains(name, ":") && strings.ContainsAny(name, `./\`)
}

// Job is what is run.
type Job struct {
	Set     Set
	Solvers Solvers
	Runner  *score.Runner
	// Command is what the record of looks calls the job.
	Command string
	// Check tries the harness on itself too.
	Check bool
	// Progress, when set, is told how many of all comparisons are done.
	Progress func(done, all int)
}

// Report is what came of a job.
type Report struct {
	Set     Set
	Results []eval.Result
	Check   *score.Check // nil where none was asked for
	// Cards are there, in place of Results, where the questions are held out.
	Cards *heldout.Scorecards
}

// summaries are one a solver.
func (r *Report) summaries() []eval.Summary {
	if r.Cards != nil {
		return r.Cards.Summaries
	}
	list := make([]eval.Summary, len(r.Results))
	for i, res := range r.Results {
		list[i] = eval.Summarize(res)
	}
	return list
}

// Run runs a job. Its error is that of ctx, or that nothing could be judged
// for want of a database.
func Run(ctx context.Context, j Job) (*Report, error) {
	r := &Report{Set: j.Set}
	all := j.Set.Len()
	if j.Check {
		all *= 2
	}
	runner := *j.Runner
	runner.Done = counter(all, j.Progress)
	if j.Set.HeldOut != nil {
		cards, err := j.Set.HeldOut.Score(ctx, heldout.Config{
			Command: j.Command, Solvers: j.Solvers.list, Predictions: j.Solvers.predictions, Runner: &runner, Headline: j.Set.Headline, Check: j.Check,
		})
		if err != nil {
			return nil, err
		}
		r.Cards, r.Check = cards, cards.Check
		return r, nil
	}
	r.Results = eval.Run(ctx, eval.Config{Items: j.Set.Items, Solvers: j.Solvers.list, Runner: &runner, Headline: j.Set.Headline})
	if j.Check {
		r.Check = runner.Check(ctx, eval.Cases(judged(j.Set.Items)))
	}
	return r, ctx.Err()
}

// judged are the items that have a right SQL and count.
func judged(items []bench.Item) []bench.Item {
	var out []bench.Item
	for _, it := range items {
		if it.Quarantine == "" && !it.Unanswerable {
			out = append(out, it)
		}
	}
	return out
}

// counter counts what is done and tells of it ten times a second.
func counter(all int, tell func(done, all int)) func() {
	if tell == nil {
		return nil
	}
	var mu sync.Mutex
	done := 0
	var last time.Time
	return func() {
		mu.Lock()
		defer mu.Unlock()
		done++
		if now := time.Now(); now.Sub(last) > 100*time.Millisecond {
			last = now
			tell(done, all)
		}
	}
}

// Document is the JSON of a report.
type Document struct {
	eval.Document
	Check    *CheckDocument `json:"check,omitempty"`
	Warnings []string       `json:"warnings,omitempty"`
}

// CheckDocument is the harness tried on itself.
type CheckDocument struct {
	Passed      bool        `json:"passed"`
	Adversaries []Adversary `json:"adversaries"`
	GoldBroken  []Reason    `json:"gold_broken"`
	NotRun      []Reason    `json:"not_run"`
}

// Adversary is what came of one of the answers whose verdict is known.
type Adversary struct {
	Name       score.Adversary `json:"name"`
	Tried      int             `json:"tried"`
	Unexpected []Reason        `json:"unexpected"`
	// Apart are questions on which its change cannot show.
	Apart []Reason `json:"cannot_show"`
}

// Reason is a question and what is to say about it.
type Reason struct {
	ID   string `json:"id"`
	Text string `json:"reason"`
}

// Document is the report as JSON; run names it.
func (r *Report) Document(run string) Document {
	d := Document{Warnings: r.Set.Warnings}
	if r.Cards != nil {
		d.Document = r.Cards.Document(run)
	} else {
		d.Document = eval.NewDocument(run, r.Set.Split, r.Set.Headline, r.Results, false)
	}
	if c := r.Check; c != nil {
		d.Check = &CheckDocument{Passed: c.Passed(), GoldBroken: reasons(c.GoldBroken), NotRun: reasons(c.NotRun)}
		for _, row := range c.Rows {
			d.Check.Adversaries = append(d.Check.Adversaries, Adversary{row.Adversary, row.Tried, reasons(row.Wrong), reasons(row.Apart)})
		}
	}
	return d
}

func reasons(list []score.Reason) []Reason {
	out := make([]Reason, len(list))
	for i, r := range list {
		out[i] = Reason(r)
	}
	return out
}

// Lowest is the least share of right answers, in percent, among the solvers
// that are not the harness's own; among those where there is no other.
func (r *Report) Lowest() (percent float64, solver string) {
	percent = 101
	for _, own := range []bool{false, true} {
		for _, sum := range r.summaries() {
			if (sum.Solver == eval.OracleName || sum.Solver == eval.MuteName) != own || own && sum.Solver == eval.MuteName {
				continue
			}
			if p := 100 * sum.Share(sum.Correct); p < percent {
				percent, solver = p, sum.Solver
			}
		}
		if solver != "" {
			break
		}
	}
	return percent, solver
}

// Unrunnable is why no question could be run, nil when one was judged or had
// a broken gold.
func (r *Report) Unrunnable() error {
	reason := ""
	if r.Cards != nil {
		for _, sum := range r.Cards.Summaries {
			if sum.N+sum.GoldBroken > 0 || sum.NotRun == 0 {
				return nil
			}
		}
		reason = "sqbyl eval dev tells why"
	}
	for _, res := range r.Results {
		for i := range res.Questions {
			q := &res.Questions[i]
			switch {
			case q.Item.Quarantine != "" || q.Item.Unanswerable:
			case q.Outcome.Verdict != compare.NotRun:
				return nil
			case reason == "":
				reason = q.Outcome.Difference
			}
		}
	}
	if reason == "" {
		return nil
	}
	return &db.Error{Kind: db.ErrUnreachable, Message: "no question could be run: " + reason, Offset: -1}
}
