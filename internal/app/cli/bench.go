package cli

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/app/benchcheck"
	"github.com/sqbyl/sqbyl/internal/app/evaluate"
	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/app/workbench"
	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
	"github.com/sqbyl/sqbyl/internal/toolkit/bench"
	"github.com/sqbyl/sqbyl/internal/toolkit/goldlint"
	"github.com/sqbyl/sqbyl/internal/toolkit/heldout"
	"github.com/sqbyl/sqbyl/internal/toolkit/project"
	"github.com/sqbyl/sqbyl/internal/toolkit/score"
)

type benchOptions struct {
	bird, spider, csv string
	databases         string
	json              jsonFlag
}

func newBench(p *Program) *cobra.Command {
	cmd := &cobra.Command{
		Use: "bench", Short: "Look at the benchmarks themselves, free",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return unknown("command", "bench "+args[0], []string{"bench lint", "bench leaks"})
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newBenchLint(p), newBenchLeaks(p))
	return cmd
}

func newBenchLint(p *Program) *cobra.Command {
	var o benchOptions
	cmd := &cobra.Command{
		Use: "lint", Short: "Find golds that are likely wrong", Args: exactly(0, "no argument"),
		Long: "Runs every gold, dev and held-out, and looks for what makes golds wrong: LIMIT that cuts a tie, NULL that sorts first,\n" +
			"numbers sorted as text, results without a value, SQL that is refused or does not run, questions asked twice. Of held-out\n" +
			"questions it tells ids and kinds. Exits 1 when it finds something.",
		Example: "  sqbyl bench lint\n  sqbyl bench lint --bird dev.json --databases dev_databases --json",
		RunE:    func(cmd *cobra.Command, _ []string) error { return runBenchLint(cmd.Context(), p, o) },
	}
	o.add(cmd)
	cmd.Flags().StringVar(&o.databases, "databases", "", "a `DIR` of databases, or a server's URL, in which each db_id is one")
	return cmd
}

func newBenchLeaks(p *Program) *cobra.Command {
	var o benchOptions
	cmd := &cobra.Command{
		Use: "leaks", Short: "Find what the held-out set shares with dev and examples", Args: exactly(0, "no argument"),
		Long: "Compares dev, held-out and examples: the same or nearly the same question or SQL gives an answer away, SQL that differs\n" +
			"in literals only and rare literals are alike. It tells ids and kinds. Exits 1 when an answer is given away.",
		Example: "  sqbyl bench leaks\n  sqbyl bench leaks --bird dev.json --json",
		RunE:    func(cmd *cobra.Command, _ []string) error { return runBenchLeaks(cmd.Context(), p, o) },
	}
	o.add(cmd)
	return cmd
}

func (o *benchOptions) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.bird, "bird", "", "a question list in BIRD's layout, JSON or JSON lines (`FILE`)")
	f.StringVar(&o.spider, "spider", "", "a question list in the layout of Spider's dev.json (`FILE`)")
	f.StringVar(&o.csv, "csv", "", "a question list with the columns question and sql (`FILE`)")
	o.json.add(cmd)
}

func (o *benchOptions) layout() (path string, read heldout.Layout) {
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

func runBenchLint(ctx context.Context, p *Program, o benchOptions) (err error) {
	switch _, layout := o.layout(); {
	case layout == nil && o.databases != "":
		return usage("--databases belongs to --bird, --spider and --csv; a project names its own database")
	case layout != nil && o.databases == "":
		return &usageError{message: "a benchmark of many databases needs --databases", hint: "name the folder they are in, or a server's URL"}
	}
	var runner score.Runner
	linter := &goldlint.Linter{Each: runner.Each}
	sets, wb, err := o.sets(p)
	if err != nil {
		return err
	}
	if wb != nil {
		defer func() { err = errors.Join(err, wb.Close()) }()
		database, err := wb.Database(ctx)
		if err != nil {
			return err
		}
		linter.Open = score.One(database)
		own := wb.Project().Manifest.Database
		linter.Functions, linter.Schemas = own.AllowFunctions, own.AllowSchemas
	} else {
		databases, err := score.At(o.databases, driver.Options{})
		if err != nil {
			return usage("--%v", err)
		}
		defer func() { err = errors.Join(err, databases.Close()) }()
		linter.Open = databases.Open
	}
	p.Streams.Status("running the golds …")
	report, err := benchcheck.Lint(ctx, sets, linter)
	p.Streams.Status("")
	if err != nil {
		return err
	}
	return o.show(p, report, report.OK)
}

func runBenchLeaks(ctx context.Context, p *Program, o benchOptions) (err error) {
	sets, wb, err := o.sets(p)
	if err != nil {
		return err
	}
	// Without a database the dialect is that of most files of the field.
	rules := &sqltext.SQLiteRules
	if wb != nil {
		defer func() { err = errors.Join(err, wb.Close()) }()
		if d := wb.Project().Dialect; d != nil {
			rules = &d.Policy.Rules
		} else if database, err := wb.Database(ctx); err == nil {
			rules = &database.Dialect().Policy.Rules
		} else {
			return err
		}
	}
	report := benchcheck.Leaks(sets, rules)
	return o.show(p, report, report.OK)
}

// sets reads what is asked for: a file of the field, or what the project has;
// only then is there a workbench.
func (o *benchOptions) sets(p *Program) (benchcheck.Sets, *workbench.Workbench, error) {
	if path, layout := o.layout(); layout != nil {
		file, err := heldout.OpenFile(path, layout, heldout.Place{})
		if err != nil {
			return benchcheck.Sets{}, nil, usage("%v", err)
		}
		return benchcheck.Sets{Dev: file.Dev(), HeldOut: file.HeldOut()}, nil, nil
	}
	wb, err := workbench.Open(p.Host, workbench.Options{})
	if err != nil {
		return benchcheck.Sets{}, nil, err
	}
	own := wb.Project()
	s := benchcheck.Sets{Examples: own.Semantic.Examples}
	dev, err := evaluate.ReadOwn(filepath.Join(own.Dir, filepath.FromSlash(project.DevFile)), own.Semantic.Assets)
	if err == nil {
		s.Dev = dev.Items
		s.HeldOut, err = heldout.Open(own.Dir, own.Semantic.Assets, heldout.InProject(own.Dir))
	}
	if err != nil && !errors.Is(err, heldout.ErrNone) && !errors.Is(err, fs.ErrNotExist) {
		return s, nil, errors.Join(err, wb.Close())
	}
	return s, wb, nil
}

// reporter is a report for people and programs.
type reporter interface{ Render(s *term.Streams) string }

func (o *benchOptions) show(p *Program, r reporter, ok bool) (err error) {
	if o.json.on {
		err = writeJSON(p.Streams.Out, r)
	} else {
		_, err = io.WriteString(p.Streams.Out, r.Render(p.Streams))
	}
	if err == nil && !ok {
		return errShown
	}
	return err
}
