package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/app/evaluate"
	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/app/workbench"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/toolkit/bench"
	"github.com/sqbyl/sqbyl/internal/toolkit/heldout"
	"github.com/sqbyl/sqbyl/internal/toolkit/project"
	"github.com/sqbyl/sqbyl/internal/toolkit/score"
)

type evalOptions struct {
	what              string // dev, test or a path
	bird, spider, csv string
	databases         string
	solvers           []string
	split             string
	check             bool
	failUnder         float64
	underSet          bool
	asOf              string
	reveal            bool
	json              jsonFlag
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
				o.what = args[0]
			}
			o.underSet = cmd.Flags().Changed("fail-under")
			return runEval(cmd.Context(), p, o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.bird, "bird", "", "a question list in BIRD's layout, JSON or JSON lines (`FILE`)")
	f.StringVar(&o.spider, "spider", "", "a question list in the layout of Spider's dev.json (`FILE`)")
	f.StringVar(&o.csv, "csv", "", "a question list with the columns question and sql (`FILE`)")
	f.StringVar(&o.databases, "databases", "", "a `DIR` of databases, or a server's URL, in which each db_id is one")
	f.StringSliceVar(&o.solvers, "solvers", nil, "oracle, mute, or files of predictions, as a `LIST` with commas")
	f.StringVar(&o.split, "split", "", "`HALF` of the questions: dev, test or all")
	f.BoolVar(&o.check, "check", false, "try the harness on itself")
	f.Float64Var(&o.failUnder, "fail-under", 0, "exit 1 when a solver is right in less than `PERCENT` of the questions")
	f.BoolVar(&o.reveal, "reveal", false, "show a person the held-out questions that were not right; it goes on record")
	f.StringVar(&o.asOf, "as-of", "", "the `DATE` that is today in every query (2026-11-30)")
	o.json.add(cmd)
	return cmd
}

// layout is the benchmark of the field that is asked for, if any.
func (o *evalOptions) layout() (path string, read heldout.Layout) {
	switch {
	case o.bird != "":
		return o.bird, bench.ReadBIRD
	case o.spider != "":
		return o.spider, bench.ReadSpider
	case o.csv != "":
		return o.csv, bench.ReadCSV
	}
	return "", nil
}

func (o *evalOptions) validate() error {
	named := 0
	for _, name := range []string{o.what, o.bird, o.spider, o.csv} {
		if name != "" {
			named++
		}
	}
	field := o.bird != "" || o.spider != "" || o.csv != ""
	switch {
	case named > 1:
		return usage("eval takes one benchmark: dev, test, a path, --bird, --spider or --csv")
	case field && o.databases == "":
		return &usageError{message: "a benchmark of many databases needs --databases", hint: "name the folder they are in, or a server's URL"}
	case !field && o.databases != "":
		return usage("--databases belongs to --bird, --spider and --csv; a project names its own database")
	case o.split != "" && o.split != evaluate.Dev && o.split != evaluate.Test && o.split != evaluate.All:
		return &usageError{message: fmt.Sprintf("--split %q is no half of a benchmark", o.split), hint: "dev, test or all"}
	case !field && o.split == evaluate.All:
		return usage("the halves of a project are scored apart: eval dev, eval test")
	case o.what != "" && o.split != "":
		return usage("--split names the half of a one-file benchmark, or of the project where nothing else does")
	case o.reveal && o.half() != evaluate.Test:
		return usage("--reveal belongs to the held-out half: eval test, or --split test")
	case o.underSet && (o.failUnder < 0 || o.failUnder > 100 || o.failUnder > 0 && o.failUnder < 1):
		return &usageError{message: "--fail-under is a percentage from 1 to 100, or 0", hint: "write --fail-under 80 for 80 %"}
	case len(o.solvers) == 0 && !o.check:
		return &usageError{
			message: "eval needs --solvers, or --check: it scores answers that are there and asks no model",
			hint:    "--solvers oracle,mute,FILE where FILE holds predictions in BIRD's layout",
		}
	}
	return nil
}

// half is the half of a benchmark that is asked for.
func (o *evalOptions) half() string {
	if o.what == evaluate.Dev || o.what == evaluate.Test {
		return o.what
	}
	return o.split
}

func runEval(ctx context.Context, p *Program, o evalOptions) (err error) {
	if err := o.validate(); err != nil {
		return err
	}
	var runner score.Runner
	if o.asOf != "" {
		if runner.AsOf, err = time.Parse(time.DateOnly, o.asOf); err != nil {
			return &usageError{message: fmt.Sprintf("--as-of %q is no date", o.asOf), hint: "write it as 2026-11-30"}
		}
	}
	set, done, err := o.open(ctx, p, &runner)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	solvers, warnings, err := evaluate.ParseSolvers(o.solvers, set)
	if err != nil {
		return usage("--solvers: %v", err)
	}
	set.Warnings = append(set.Warnings, warnings...)
	if o.reveal && !(p.Streams.InTTY && p.Streams.OutTTY) {
		return usage("%v", heldout.ErrNoReviewer)
	}
	report, err := evaluate.Run(ctx, evaluate.Job{Set: set, Solvers: solvers, Runner: &runner, Command: o.command(), Check: o.check, Progress: evalProgress(p, set)})
	p.Streams.Status("")
	if err != nil {
		return err
	}
	if err := showEval(p, o, report); err != nil {
		return err
	}
	return o.verdict(p, report)
}

// open reads the benchmark and readies the runner for its databases; done
// closes them.
func (o *evalOptions) open(ctx context.Context, p *Program, runner *score.Runner) (set evaluate.Set, done func() error, err error) {
	path, layout := o.layout()
	if layout == nil {
		return o.openProject(ctx, p, runner)
	}
	place, err := looksPlace(p, o.split)
	if err != nil {
		return set, nil, err
	}
	if set, err = evaluate.Read(path, layout, o.split, place, o.command()); err != nil {
		return set, nil, usage("%v", err)
	}
	databases, err := score.At(o.databases, driver.Options{AsOf: runner.AsOf})
	if err != nil {
		return set, nil, usage("--%v", err)
	}
	runner.Open = databases.Open
	return set, databases.Close, nil
}

func (o *evalOptions) openProject(ctx context.Context, p *Program, runner *score.Runner) (set evaluate.Set, done func() error, err error) {
	wb, err := workbench.Open(p.Host, workbench.Options{})
	if err != nil {
		return set, nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, wb.Close())
		}
	}()
	own := wb.Project()
	runner.Functions, runner.Schemas = own.Manifest.Database.AllowFunctions, own.Manifest.Database.AllowSchemas
	if set, err = o.readProject(own); err != nil {
		return set, nil, err
	}
	database, err := o.database(ctx, p, wb, runner.AsOf)
	if err != nil {
		return set, nil, err
	}
	runner.Open = score.One(database)
	return set, func() error { return errors.Join(database.Close(), wb.Close()) }, nil
}

func (o *evalOptions) readProject(own *project.Project) (evaluate.Set, error) {
	switch {
	case o.half() == evaluate.Test:
		return evaluate.ReadHeldOut(own.Dir, own.Semantic.Assets, heldout.InProject(own.Dir))
	case o.what == "", o.what == evaluate.Dev:
		path := filepath.Join(own.Dir, filepath.FromSlash(project.DevFile))
		set, err := evaluate.ReadOwn(path, own.Semantic.Assets)
		set.Name, set.Split = evaluate.Dev, evaluate.Dev
		return set, unreadable(err)
	}
	if ext := filepath.Ext(o.what); ext != ".yaml" && ext != ".yml" {
		return evaluate.Set{}, &usageError{
			message: fmt.Sprintf("%q is no benchmark of a project", o.what),
			hint:    "dev, test, or the path of a YAML file; other layouts are read with --bird, --spider or --csv",
		}
	}
	set, err := evaluate.ReadOwn(o.what, own.Semantic.Assets)
	return set, unreadable(err)
}

// unreadable makes a file that cannot be read a matter of the command line;
// what is wrong inside it tells its own places.
func unreadable(err error) error {
	var mistakes bench.Mistakes
	if err == nil || errors.As(err, &mistakes) {
		return err
	}
	return usage("%v", err)
}

// database opens the project's database, with its clock at the day asked for.
func (o *evalOptions) database(ctx context.Context, p *Program, wb *workbench.Workbench, asOf time.Time) (db.Database, error) {
	url, err := wb.Project().DatabaseURL(p.Host.Env)
	if err != nil {
		return nil, err
	}
	return driver.Open(ctx, url, driver.Options{AsOf: asOf})
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
	if _, err := io.WriteString(p.Streams.Out, r.Render(p.Streams)); err != nil || !o.reveal {
		return err
	}
	rows, err := r.Cards.Reveal(o.command(), p.Streams.InTTY && p.Streams.OutTTY)
	if err != nil {
		return err
	}
	_, err = io.WriteString(p.Streams.Out, evaluate.RenderRows(p.Streams, rows))
	return err
}

// command is what the record of looks calls this: no path, which could tell
// about a person's folders.
func (o *evalOptions) command() string {
	parts := []string{"eval"}
	path, layout := o.layout()
	switch {
	case layout != nil:
		parts = append(parts, filepath.Base(path), "--split "+cmp.Or(o.split, evaluate.All))
	default:
		parts = append(parts, cmp.Or(o.half(), evaluate.Dev))
	}
	if o.check {
		parts = append(parts, "--check")
	}
	if o.reveal {
		parts = append(parts, "--reveal")
	}
	return strings.Join(parts, " ")
}

// looksPlace is where looks at a one-file benchmark go on record: in the
// project it is scored in, else, where only its held-out half is looked at, in
// the state folder.
func looksPlace(p *Program, split string) (heldout.Place, error) {
	dir, err := project.Find(p.Host.Dir)
	if err == nil {
		place := heldout.InProject(dir)
		place.Now = p.Host.Now
		return place, nil
	}
	if split != evaluate.Test {
		return heldout.Place{}, nil
	}
	wb, err := workbench.Open(p.Host, workbench.Options{Database: noDatabase})
	if err != nil {
		return heldout.Place{}, err
	}
	state, err := wb.StateDir()
	if err := errors.Join(err, wb.Close()); err != nil {
		return heldout.Place{}, err
	}
	return heldout.Place{Looks: filepath.Join(state, "looks.jsonl"), State: state, Now: p.Host.Now}, nil
}

// verdict ends the command as the results ask for.
func (o *evalOptions) verdict(p *Program, r *evaluate.Report) error {
	if err := r.Unrunnable(); err != nil {
		return err
	}
	if r.Check != nil && !r.Check.Passed() {
		return errShown
	}
	if percent, solver := r.Lowest(); o.underSet && percent < o.failUnder {
		fmt.Fprintf(p.Streams.Err, "%s %s is right in %.1f %%, which is under %g %%\n", p.Streams.ErrStyle.Wrong(p.Streams.ErrStyle.Bad), solver, percent, o.failUnder)
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
