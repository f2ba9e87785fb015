package cli

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/sqbyl/sqbyl/internal/app/benchcheck"
	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/toolkit/bench"
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

// source is what is asked for.
func (o *benchOptions) source(p *Program) benchcheck.Source {
	s := benchcheck.Source{Host: p.Host, Databases: o.databases}
	switch {
	case o.bird != "":
		s.Path, s.Layout = o.bird, bench.ReadBIRD
	case o.spider != "":
		s.Path, s.Layout = o.spider, bench.ReadSpider
	case o.csv != "":
		s.Path, s.Layout = o.csv, bench.ReadCSV
	}
	return s
}

func runBenchLint(ctx context.Context, p *Program, o benchOptions) error {
	source := o.source(p)
	switch {
	case source.Layout == nil && o.databases != "":
		return usage("--databases belongs to --bird, --spider and --csv; a project names its own database")
	case source.Layout != nil && o.databases == "":
		return &usageError{message: "a benchmark of many databases needs --databases", hint: "name the folder they are in, or a server's URL"}
	}
	p.Streams.Status("running the golds …")
	report, err := source.Lint(ctx)
	p.Streams.Status("")
	if err != nil {
		return benchError(err)
	}
	return o.show(p, report, report.OK)
}

func runBenchLeaks(ctx context.Context, p *Program, o benchOptions) error {
	report, err := o.source(p).Leaks(ctx)
	if err != nil {
		return benchError(err)
	}
	return o.show(p, report, report.OK)
}

func benchError(err error) error {
	var file *benchcheck.FileError
	if errors.As(err, &file) {
		return usage("%v", file)
	}
	return err
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
