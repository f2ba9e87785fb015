package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/app/workbench"
	"github.com/sqbyl/sqbyl/internal/engine/agent"
	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/engine/meter"
	"github.com/sqbyl/sqbyl/internal/toolkit/project"
)

type askOptions struct {
	question   string
	json       jsonFlag
	showPrompt bool
	model      modelFlags
	database   string
}

func newAsk(p *Program) *cobra.Command {
	var o askOptions
	cmd := &cobra.Command{
		Use:   `ask "QUESTION"`,
		Short: "Answer one question with SQL and its rows",
		Long: "Asks a model for SQL, checks that it only reads, runs it under caps and shows plan, SQL, rows and cost.\n" +
			"SQL that does not work goes back to the model with the error and the nearest real names.\n\n" +
			"In a project its semantic layer is used; with --db any database is asked, without a project.",
		Example: "  sqbyl ask \"Which country had the highest net revenue last quarter?\"\n" +
			"  sqbyl ask \"How many orders are open?\" --db sqlite:shop.db --json",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return &usageError{message: fmt.Sprintf("ask takes one question, but there are %d", len(args)), hint: "put the question in quotes"}
			}
			return exactly(1, "a question")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o.question = args[0]
			return runAsk(cmd.Context(), p, o)
		},
	}
	cmd.Flags().StringVar(&o.database, "db", "", "ask the database at `URL`, without a project")
	cmd.Flags().BoolVar(&o.showPrompt, "show-prompt", false, "print what would be sent and stop; costs nothing")
	o.model.add(cmd)
	o.json.add(cmd)
	return cmd
}

// runAsk prints, under --json, a document whatever happens; only a command line
// that cannot be run has none.
func runAsk(ctx context.Context, p *Program, o askOptions) error {
	answer, shown, err := ask(ctx, p, o)
	p.Streams.Status("")
	var bad *usageError
	if err == nil || shown || !o.json.on || errors.As(err, &bad) {
		return err
	}
	if answer.Reason == "" {
		_, answer.Reason, _ = explain(ctx, err)
	}
	answer.Question = o.question
	return errors.Join(err, writeJSON(p.Streams.Out, answer))
}

func ask(ctx context.Context, p *Program, o askOptions) (answer agent.Answer, shown bool, err error) {
	q := agent.Question{Text: o.question}
	if err := q.Check(); err != nil {
		return answer, false, err
	}
	options, err := o.model.options()
	if err != nil {
		return answer, false, err
	}
	options.Database = o.database
	wb, err := workbench.Open(p.Host, options)
	if err != nil {
		return answer, false, err
	}
	defer func() { err = errors.Join(err, wb.Close()) }()

	p.Streams.Status("reading the schema …")
	schema, err := wb.Schema(ctx)
	if err != nil {
		return answer, false, err
	}
	if q.Today, err = wb.Today(q.Text); err != nil {
		return answer, false, err
	}
	if err := warnCredential(ctx, p, wb); err != nil {
		return answer, false, err
	}
	if o.showPrompt {
		return answer, true, showPrompt(ctx, p, wb, q, o.json.on)
	}

	client, model, err := wb.Client(project.RoleAgent)
	if err != nil {
		answer.Model = model.ID
		return answer, false, errors.Join(err, showFree(p, wb, schema, o, err))
	}
	a, err := wb.Direct(ctx, client, model, stages(p, model))
	if err != nil {
		return answer, false, err
	}
	answer, err = a.Ask(ctx, q)
	p.Streams.Status("")
	warnTrace(p, wb)
	return answer, true, show(p, wb, answer, o, err)
}

// show prints an answer, and gives the error that decides the exit code. What
// was paid for is printed also when asking broke off.
func show(p *Program, wb *workbench.Workbench, answer agent.Answer, o askOptions, err error) error {
	switch {
	case o.json.on:
		if werr := writeJSON(p.Streams.Out, answer); werr != nil {
			return werr
		}
	case err == nil || len(answer.Attempts) > 0:
		if _, werr := fmt.Fprint(p.Streams.Out, renderAnswer(p.Streams, wb.Rules(), answer)); werr != nil {
			return werr
		}
	}
	if err == nil && !answer.Answered {
		return errShown
	}
	return err
}

// stages shows on a terminal what is being waited for.
func stages(p *Program, m workbench.Model) func(agent.Stage) {
	return func(s agent.Stage) {
		switch s {
		case agent.Model:
			p.Streams.Status("asking " + m.ID + " …")
		case agent.Execute:
			p.Streams.Status("running the query …")
		}
	}
}

// warnCredential says what the database's credential may do beyond reading.
func warnCredential(ctx context.Context, p *Program, wb *workbench.Workbench) error {
	database, err := wb.Database(ctx)
	if err != nil {
		return err
	}
	warnings := database.Info().Warnings
	if len(warnings) == 0 {
		return nil
	}
	p.Streams.Status("")
	for _, w := range warnings {
		fmt.Fprintf(p.Streams.Err, "%s %s\n", p.Streams.ErrStyle.Text("!"), term.Clean(w.Message))
	}
	fmt.Fprintf(p.Streams.Err, "  %s\n", p.Streams.ErrStyle.Dim("sqbyl never writes; sqbyl doctor shows the statements that make a read-only role"))
	return nil
}

// warnTrace says once why there is no trace.
func warnTrace(p *Program, wb *workbench.Workbench) {
	run, err := wb.Trace()
	if err == nil {
		err = run.Err()
	}
	if err != nil {
		fmt.Fprintf(p.Streams.Err, "%s no trace is kept: %v\n", p.Streams.ErrStyle.Wrong("!"), err)
	}
}

// showFree gives what is free where no model can be asked.
func showFree(p *Program, wb *workbench.Workbench, schema catalog.Schema, o askOptions, err error) error {
	var missing *workbench.NoModelError
	if o.json.on || !errors.As(err, &missing) {
		return nil
	}
	columns := 0
	for _, t := range schema.Tables {
		columns += len(t.Columns)
	}
	command := "sqbyl schema"
	if o.database != "" {
		command += " " + wb.Location()
	}
	_, err = fmt.Fprintf(p.Streams.Out, "  %s, %s (%s shows them, free)\n", counted(len(schema.Tables), "table"), counted(columns, "column"), command)
	return err
}

func showPrompt(ctx context.Context, p *Program, wb *workbench.Workbench, q agent.Question, asJSON bool) error {
	m, err := wb.AskedModel(project.RoleAgent)
	if err != nil {
		return err
	}
	a, err := wb.Direct(ctx, nil, m, nil)
	if err != nil {
		return err
	}
	prefix, suffix := a.Prompt(q)
	if asJSON {
		return writeJSON(p.Streams.Out, struct {
			Model   string `json:"model"`
			Version string `json:"version"`
			Hash    string `json:"hash"`
			System  string `json:"system"`
			User    string `json:"user"`
		}{m.String(), prefix.Version, prefix.Hash, prefix.Text, suffix})
	}
	_, err = fmt.Fprintf(p.Streams.Out, "%s\n%s\n%s\n", prefix.Text, p.Streams.Style.Dim(strings.Repeat(p.Streams.Style.Rule, 20)), suffix)
	return err
}

// modelFlags are shared by commands that ask models.
type modelFlags struct {
	model, replay, record string
	budget                string
	prices                []string
}

func (f *modelFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.model, "model", "", "ask `PROVIDER:MODEL` instead of the project's")
	cmd.Flags().StringVar(&f.replay, "replay", "", "take the model's answers from the recording `FILE`; costs nothing")
	cmd.Flags().StringVar(&f.record, "record", "", "keep the model's answers in the recording `FILE`")
	cmd.Flags().StringVar(&f.budget, "budget", "", "spend at most `USD`")
	cmd.Flags().StringArrayVar(&f.prices, "price", nil, "price of a model, `P:M=IN/OUT` in dollars per million tokens")
}

func (f *modelFlags) options() (workbench.Options, error) {
	if f.replay != "" && f.record != "" {
		return workbench.Options{}, usage("--replay and --record exclude each other")
	}
	o := workbench.Options{Model: f.model, Replay: f.replay, Record: f.record}
	if f.budget != "" {
		amount, err := meter.ParseUSD(f.budget)
		if err != nil {
			return o, usage("--budget: %v", err)
		}
		o.Budget = &amount
	}
	for _, text := range f.prices {
		price, err := meter.ParsePrice(text)
		if err != nil {
			return o, usage("--price: %v", err)
		}
		o.Prices = append(o.Prices, price)
	}
	if f.model != "" {
		if _, err := workbench.ParseModel(f.model, ""); err != nil {
			return o, usage("--model: %v", err)
		}
	}
	return o, nil
}
