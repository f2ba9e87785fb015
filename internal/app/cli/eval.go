package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sqbyl/sqbyl/internal/app/evaluate"
	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/toolkit/heldout"
	"github.com/sqbyl/sqbyl/internal/toolkit/score"
)

type evalOptions struct {
	evaluate.Request
	json jsonFlag
}

func newEval(p *Program) *cobra.Command {
	var o evalOptions
	cmd := &cobra.Command{
		Use: "eval [dev|test|PATH]", Short: "Measure how often solvers answer a benchmark right", Args: atMost(1, "one benchmark"),
		Long: "Runs gold and prediction of every question on one state of the data and compares them by every rule. Solvers are\n" +
			"oracle (the gold itself, executed like a prediction), mute (no SQL) and files of predictions in BIRD's layout; no model is\n" +
			"asked. Without a project, --bird, --spider or --csv name a benchmark of the field and --databases where its databases are.\n" +
			"--check tries the harness on itself: oracle, mute, and three changed golds whose verdicts are counted by hand.",
		Example: "  sqbyl eval dev --solvers predictions.json\n" +
			"  sqbyl eval --bird dev.json --databases dev_databases --solvers oracle,mute,predictions.json\n" +
			"  sqbyl eval --bird dev.json --databases postgres://reader@host/postgres --check --as-of 2026-11-30",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				o.What = args[0]
			}
			o.UnderSet = cmd.Flags().Changed("fail-under")
			return runEval(cmd.Context(), p, o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.BIRD, "bird", "", "a question list in BIRD's layout, JSON or JSON lines (`FILE`)")
	f.StringVar(&o.Spider, "spider", "", "a question list in the layout of Spider's dev.json (`FILE`)")
	f.StringVar(&o.CSV, "csv", "", "a question list with the columns question and sql (`FILE`)")
	f.StringVar(&o.Databases, "databases", "", "a `DIR` of databases, or a server's URL, in which each db_id is one")
	f.StringSliceVar(&o.Solvers, "solvers", nil, "oracle, mute, or files of predictions, as a `LIST` with commas")
	f.StringVar(&o.Split, "split", "", "`HALF` of the questions: dev, test or all")
	f.BoolVar(&o.Check, "check", false, "try the harness on itself")
	f.Float64Var(&o.FailUnder, "fail-under", 0, "exit 1 when a solver is right in less than `PERCENT` of the questions")
	f.BoolVar(&o.Reveal, "reveal", false, "show a person the held-out questions that were not right; it goes on record")
	f.StringVar(&o.AsOf, "as-of", "", "the `DATE` that is today in every query (2026-11-30)")
	o.json.add(cmd)
	return cmd
}

func runEval(ctx context.Context, p *Program, o evalOptions) (err error) {
	defer func() {
		var wrong *evaluate.WrongError
		if errors.As(err, &wrong) {
			err = &usageError{message: wrong.Message, hint: wrong.Hint}
		}
	}()
	if err := o.Validate(); err != nil {
		return err
	}
	var runner score.Runner
	set, done, err := o.Open(ctx, p.Host, &runner)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	solvers, warnings, err := evaluate.ParseSolvers(o.Solvers, set)
	if err != nil {
		return usage("--solvers: %v", err)
	}
	set.Warnings = append(set.Warnings, warnings...)
	if o.Reveal && !(p.Streams.InTTY && p.Streams.OutTTY) {
		return usage("%v", heldout.ErrNoReviewer)
	}
	report, err := evaluate.Run(ctx, evaluate.Job{Set: set, Solvers: solvers, Runner: &runner, Command: o.Command(), Check: o.Check, Progress: evalProgress(p, set)})
	p.Streams.Status("")
	if err != nil {
		return err
	}
	if err := showEval(p, o, report); err != nil {
		return err
	}
	return o.verdict(p, report)
}

// evalProgress shows a bar that fills with the questions.
func evalProgress(p *Program, set evaluate.Set) func(done, all int) {
	const cells = 20
	s := p.Streams
	return func(done, all int) {
		full := cells * done / max(all, 1)
		s.Status(fmt.Sprintf("eval %s  %s%s  %d/%d", set.Name, strings.Repeat(s.ErrStyle.BarFull, full), strings.Repeat(s.ErrStyle.BarLeft, cells-full), done, all))
	}
}

func showEval(p *Program, o evalOptions, r *evaluate.Report) error {
	for _, w := range r.Set.Warnings {
		fmt.Fprintf(p.Streams.Err, "%s %s\n", p.Streams.ErrStyle.Accent("note"), term.Clean(w))
	}
	if o.json.on {
		return writeJSON(p.Streams.Out, r.Document(runName(p)))
	}
	if _, err := io.WriteString(p.Streams.Out, r.Render(p.Streams)); err != nil || !o.Reveal {
		return err
	}
	rows, err := r.Cards.Reveal(o.Command(), p.Streams.InTTY && p.Streams.OutTTY)
	if err != nil {
		return err
	}
	_, err = io.WriteString(p.Streams.Out, evaluate.RenderRows(p.Streams, rows))
	return err
}

// verdict ends the command as the results ask for.
func (o *evalOptions) verdict(p *Program, r *evaluate.Report) error {
	if err := r.Unrunnable(); err != nil {
		return err
	}
	if r.Check != nil && !r.Check.Passed() {
		return errShown
	}
	if percent, solver := r.Lowest(); o.UnderSet && percent < o.FailUnder {
		fmt.Fprintf(p.Streams.Err, "%s %s is right in %.1f %%, which is under %g %%\n", p.Streams.ErrStyle.Wrong(p.Streams.ErrStyle.Bad), solver, percent, o.FailUnder)
		return errShown
	}
	return nil
}

// runName names a run by its time: nothing of it is kept that a number could
// find again.
func runName(p *Program) string {
	now := time.Now
	if p.Host.Now != nil {
		now = p.Host.Now
	}
	return now().UTC().Format("20060102T150405.000Z")
}
