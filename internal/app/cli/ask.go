package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sqbyl/sqbyl/internal/app/notice"
	"github.com/sqbyl/sqbyl/internal/app/paid"
	"github.com/sqbyl/sqbyl/internal/app/show"
	"github.com/sqbyl/sqbyl/internal/app/workbench"
	"github.com/sqbyl/sqbyl/internal/engine/agent"
	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/toolkit/project"
	"github.com/sqbyl/sqbyl/llm"
)

type askOptions struct {
	question   string
	json       jsonMode
	showPrompt bool
	paid       paidFlags
	database   string
	batch      batchFlags
}

func newAsk(p *Program) *cobra.Command {
	var o askOptions
	cmd := &cobra.Command{
		Use:   `ask "QUESTION"`,
		Short: "Answer one question with SQL and its rows",
		Long: "Asks a model for SQL, checks that it only reads, runs it under caps and shows plan, SQL, rows and cost.\n" +
			"SQL that does not work goes back to the model with the error and the nearest real names.\n\n" +
			"In a project its semantic layer is used; with --db any database is asked, without a project.\n\n" +
			"--questions asks a whole file, many questions at once. What it will cost is said before anything is sent, and is\n" +
			"the limit; a run that ends early is taken up with --resume, and nothing is asked twice.",
		Example: "  sqbyl ask \"Which country had the highest net revenue last quarter?\"\n" +
			"  sqbyl ask \"How many orders are open?\" --db sqlite:shop.db --json\n" +
			"  sqbyl ask --questions questions.txt --budget 1",
		Args: func(cmd *cobra.Command, args []string) error {
			if o.batch.on() {
				return exactly(0, "no question beside --questions or --resume")(cmd, args)
			}
			if len(args) > 1 {
				return &usageError{message: fmt.Sprintf("ask takes one question, but there are %d", len(args)), hint: "put the question in quotes"}
			}
			return exactly(1, "a question")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.check(p, cmd); err != nil {
				return err
			}
			if o.batch.on() {
				return runBatch(cmd.Context(), p, o)
			}
			o.question = args[0]
			return runAsk(cmd.Context(), p, o)
		},
	}
	cmd.Flags().StringVar(&o.database, "db", "", "ask the database at `URL`, without a project")
	cmd.Flags().BoolVar(&o.showPrompt, "show-prompt", false, "print what would be sent and stop; costs nothing")
	o.batch.add(cmd)
	o.paid.add(cmd)
	o.json.add(cmd)
	return cmd
}

// check finds flags that make no sense together.
func (o *askOptions) check(p *Program, cmd *cobra.Command) error {
	if err := o.paid.check(); err != nil {
		return err
	}
	p.Streams.Quiet = o.paid.quiet
	if !o.batch.on() {
		if cmd.Flags().Changed("workers") {
			return usage("--workers belongs to --questions")
		}
		return nil
	}
	if o.showPrompt {
		return usage("--show-prompt shows the prompt of one question; give it instead of --questions")
	}
	return o.batch.check()
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
	return errors.Join(err, o.write(p, answer))
}

// write prints the answer's document, or the one event of a stream.
func (o *askOptions) write(p *Program, answer agent.Answer) error {
	if o.json.stream {
		return writeJSONLine(p.Streams.Out, struct {
			Event  string       `json:"event"`
			Answer agent.Answer `json:"answer"`
		}{"answer", answer})
	}
	return writeJSON(p.Streams.Out, answer)
}

func ask(ctx context.Context, p *Program, o askOptions) (answer agent.Answer, shown bool, err error) {
	q := agent.Question{Text: o.question}
	if err := q.Check(); err != nil {
		return answer, false, err
	}
	options, err := o.paid.options()
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
	if err := notice.Credential(ctx, p.Streams, wb); err != nil {
		return answer, false, err
	}
	if o.paid.dryRun {
		return answer, true, priceOne(ctx, p, wb, q, o)
	}
	if o.showPrompt {
		return answer, true, showPrompt(ctx, p, wb, q, o.json.on)
	}

	spending := workbench.Spending{Command: "ask", Attempts: askAttempts, Wait: notice.Waits(p.Streams)}
	if p.Streams.InTTY && !o.paid.auto && !o.json.on {
		spending.Allow = notice.Allow(p.Streams)
	}
	wb.Spend(spending)
	client, model, err := wb.Client(project.RoleAgent)
	if err != nil {
		answer.Model = model.ID
		return answer, false, errors.Join(err, showFree(p, wb, schema, o, err))
	}
	a, err := wb.Direct(ctx, client, model, notice.Stages(p.Streams, model))
	if err != nil {
		return answer, false, err
	}
	answer, err = a.Ask(ctx, q)
	p.Streams.Status("")
	notice.Broken(p.Streams, wb, &answer)
	notice.Trace(p.Streams, wb)
	notice.Unbooked(p.Streams, wb)
	return answer, true, printAnswer(ctx, p, wb, answer, o, err)
}

// printAnswer prints an answer, and gives the error that decides the exit code. What
// was paid for is printed also when asking broke off.
func printAnswer(ctx context.Context, p *Program, wb *workbench.Workbench, answer agent.Answer, o askOptions, err error) error {
	if err != nil && ctx.Err() != nil {
		notice.Interrupted(&answer)
	}
	switch {
	case o.json.on:
		if werr := o.write(p, answer); werr != nil {
			return werr
		}
	case err == nil || len(answer.Attempts) > 0:
		if _, werr := fmt.Fprint(p.Streams.Out, show.Answer(p.Streams, wb.Rules(), answer)); werr != nil {
			return werr
		}
		if err != nil && answer.Reason != "" {
			return told{err}
		}
	}
	if err == nil && !answer.Answered {
		return errShown
	}
	return err
}

// askAttempts bounds the attempts at a call that a person waits for: with the
// pauses between them, some ten seconds.
const askAttempts = 4

// priceOne says what one question will cost, and asks nobody.
func priceOne(ctx context.Context, p *Program, wb *workbench.Workbench, q agent.Question, o askOptions) error {
	m, err := wb.AskedModel(project.RoleAgent)
	if err != nil {
		return err
	}
	a, err := wb.Direct(ctx, nil, m, nil)
	if err != nil {
		return err
	}
	plan := paid.Plan{Title: "ask " + p.Streams.ErrStyle.Dot + " 1 question " + p.Streams.ErrStyle.Dot + " " + m.String(), Cap: wb.Budget().Cap()}
	if !wb.Replaying() {
		if plan.Estimate, _, err = wb.Estimate(ctx, project.RoleAgent, []llm.Request{a.Request(q)}); err != nil {
			return err
		}
	}
	p.Streams.Status("")
	if o.json.on {
		return writeJSON(p.Streams.Out, struct {
			Command   string        `json:"command"`
			DryRun    bool          `json:"dry_run"`
			Model     string        `json:"model"`
			Questions int           `json:"questions"`
			Estimate  paid.Document `json:"estimate"`
		}{"ask", true, m.String(), 1, plan.Document()})
	}
	return plan.Print(p.Streams)
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
