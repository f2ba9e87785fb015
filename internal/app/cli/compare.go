package cli

import (
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/app/evaluate"
	"github.com/sqbyl/sqbyl/internal/app/workbench"
	"github.com/sqbyl/sqbyl/internal/engine/compare"
	"github.com/sqbyl/sqbyl/internal/toolkit/score"
)

type compareOptions struct {
	database  string
	gold, sql string
	cases     string
	databases string
	json      bool
}

func newCompare(p *Program) *cobra.Command {
	var o compareOptions
	cmd := &cobra.Command{
		Use: "compare", Short: "Compare the results of two queries by every rule", Args: exactly(0, "no argument"),
		Long: "Runs a gold and another query on one snapshot and says how their results differ: the verdict of each rule, the\n" +
			"rung of the ladder, and the difference. With --cases it reads a pair a line (id, db_id, gold, pred).",
		Example: "  sqbyl compare --db sqlite:shop.db --gold \"SELECT …\" --sql \"SELECT …\"\n" +
			"  sqbyl compare --cases pairs.jsonl --databases dev_databases --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(); err != nil {
				return err
			}
			if o.cases != "" {
				return runCases(cmd.Context(), p, o)
			}
			return runCompare(cmd.Context(), p, o)
		},
	}
	cmd.Flags().StringVar(&o.database, "db", "", "run both on the database at `URL` (else the project's)")
	cmd.Flags().StringVar(&o.gold, "gold", "", "the reference `SQL`")
	cmd.Flags().StringVar(&o.sql, "sql", "", "the `SQL` to compare with it")
	cmd.Flags().StringVar(&o.cases, "cases", "", "compare the pairs of a `FILE` of JSON lines, - for the standard input")
	cmd.Flags().StringVar(&o.databases, "databases", "", "a `DIR` of databases, or a server's URL, in which each db_id is one")
	cmd.Flags().BoolVar(&o.json, "json", false, "print one JSON document; with --cases one per pair, each on a line")
	return cmd
}

func (o compareOptions) check() error {
	switch {
	case o.cases != "" && (o.gold != "" || o.sql != "" || o.database != ""):
		return usage("--cases stands alone: --db, --gold and --sql compare one pair")
	case o.cases == "" && (o.gold == "" || o.sql == ""):
		return &usageError{message: "compare needs two queries", hint: "give --gold and --sql, or a file of pairs with --cases"}
	case o.cases == "" && o.databases != "":
		return usage("--databases belongs to --cases; --db names the database of one pair")
	}
	return nil
}

func runCompare(ctx context.Context, p *Program, o compareOptions) (err error) {
	wb, err := workbench.Open(p.Host, workbench.Options{Database: o.database})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, wb.Close()) }()
	database, err := wb.Database(ctx)
	if err != nil {
		return err
	}
	p.Streams.Status("running both queries …")
	runner := score.Runner{Open: score.One(database)}
	outcome := runner.Score(ctx, score.Case{Golds: []string{o.gold}}, o.sql)[0]
	p.Streams.Status("")
	if ctx.Err() != nil {
		return ctx.Err()
	}

	v := score.Verdict{Rules: outcome.RuleVerdicts(), Verdict: outcome.Verdict, Difference: outcome.Difference}
	if o.json {
		err = writeJSON(p.Streams.Out, struct {
			Rules      score.RuleVerdicts `json:"rules"`
			Verdict    compare.Verdict    `json:"verdict"`
			Difference string             `json:"difference"`
		}{v.Rules, v.Verdict, v.Difference})
	} else {
		_, err = io.WriteString(p.Streams.Out, evaluate.RenderVerdict(p.Streams, v))
	}
	if err == nil && !outcome.Verdict.Charged() {
		return errShown
	}
	return err
}

func runCases(ctx context.Context, p *Program, o compareOptions) (err error) {
	in := p.Streams.In
	if o.cases != "-" {
		f, err := openInput(o.cases)
		if err != nil {
			return usage("--cases: %v", err)
		}
		defer f.Close()
		in = f
	}
	databases, err := score.At(o.databases, driver.Options{})
	if err != nil {
		return usage("--%v", err)
	}
	defer func() { err = errors.Join(err, databases.Close()) }()

	runner := score.Runner{Open: databases.Open}
	err = runner.Cases(ctx, in, func(v score.Verdict) error {
		if o.json {
			return writeJSONLine(p.Streams.Out, v)
		}
		_, err := io.WriteString(p.Streams.Out, evaluate.RenderCase(p.Streams, v))
		return err
	})
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	if errors.As(err, &syntax) || errors.As(err, &kind) {
		return usage("--cases %s: %v", o.cases, err)
	}
	return err
}
