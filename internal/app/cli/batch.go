package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sqbyl/sqbyl/internal/app/batch"
	"github.com/sqbyl/sqbyl/internal/app/notice"
	"github.com/sqbyl/sqbyl/internal/app/workbench"
	"github.com/sqbyl/sqbyl/internal/engine/meter"
	"github.com/sqbyl/sqbyl/internal/toolkit/runs"
)

// batchFlags ask many questions instead of one.
type batchFlags struct {
	file    string
	resume  string
	workers int
}

func (f *batchFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.file, "questions", "", "ask the questions of `FILE`, one per line or as JSON lines; - reads the input")
	cmd.Flags().StringVar(&f.resume, "resume", "", "go on with the run of this `NUMBER`")
	cmd.Flags().IntVar(&f.workers, "workers", 16, "ask up to `N` questions at once")
}

func (f *batchFlags) on() bool { return f.file != "" || f.resume != "" }

func (f *batchFlags) check() error {
	if f.workers < 1 || f.workers > 256 {
		return usage("--workers is a number from 1 to 256")
	}
	if f.resume != "" {
		if _, err := runs.ParseID(f.resume); err != nil {
			return usage("--resume: %v", err)
		}
	}
	return nil
}

// read reads the questions; without a file there are none.
func (f *batchFlags) read(p *Program) ([]runs.Question, error) {
	switch f.file {
	case "":
		return nil, nil
	case "-":
		return batch.Read(p.Streams.In, "the input")
	}
	in, err := openInput(f.file)
	if err != nil {
		return nil, usage("read the questions: %v", err)
	}
	defer in.Close()
	return batch.Read(in, f.file)
}

func runBatch(ctx context.Context, p *Program, o askOptions) error {
	report, err := askBatch(ctx, p, o)
	p.Streams.Status("")
	var bad *usageError
	if err == nil || !o.json.on || errors.As(err, &bad) {
		return err
	}
	if report != nil && !o.paid.dryRun {
		return err // it is printed already
	}
	_, message, _ := explain(ctx, err)
	return errors.Join(err, o.writeDocument(p, struct {
		Event   string `json:"event,omitempty"`
		Command string `json:"command"`
		Error   string `json:"error"`
		Results []int  `json:"results"`
	}{o.eventName("end"), "ask", message, []int{}}))
}

func (o *askOptions) eventName(name string) string {
	if o.json.stream {
		return name
	}
	return ""
}

func (o *askOptions) writeDocument(p *Program, v any) error {
	if o.json.stream {
		return writeJSONLine(p.Streams.Out, v)
	}
	return writeJSON(p.Streams.Out, v)
}

// askBatch gives a report when a run was begun, and has shown it then.
func askBatch(ctx context.Context, p *Program, o askOptions) (report *batch.Report, err error) {
	questions, err := o.batch.read(p)
	if err != nil {
		return nil, err
	}
	options, err := o.paid.options()
	if err != nil {
		return nil, err
	}
	options.Database = o.database
	wb, err := workbench.Open(p.Host, options)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, wb.Close()) }()
	b := batch.Options{
		Questions: questions, InFlight: o.batch.workers, Consent: o.paid.consent(options, o.json.on), DryRun: o.paid.dryRun,
		Again: func(id runs.ID, next meter.USD) string { return again(p, o, wb, id, next) },
	}
	if o.json.stream {
		b.Event = func(e any) error { return writeJSONLine(p.Streams.Out, e) }
	}
	if o.batch.resume != "" {
		id, err := runs.ParseID(o.batch.resume)
		if err != nil {
			return nil, err
		}
		if b.Run, err = wb.OpenRun(id); err != nil {
			return nil, err
		}
	}
	p.Streams.Status("reading the schema …")
	if err := notice.Credential(ctx, p.Streams, wb); err != nil {
		return nil, err
	}
	p.Streams.Status("")
	report, err = batch.Run(ctx, wb, p.Streams, b)
	if err != nil {
		return nil, err
	}
	notice.Trace(p.Streams, wb)
	return report, showBatch(ctx, p, o, report)
}

// showBatch shows what came of a run, and gives the error that decides the
// exit code.
func showBatch(ctx context.Context, p *Program, o askOptions, r *batch.Report) error {
	var err error
	switch {
	case o.json.stream && !r.DryRun:
		err = writeJSONLine(p.Streams.Out, r.Event())
	case o.json.stream: // the plan was told
	case o.json.on:
		err = writeJSON(p.Streams.Out, r.Document())
	case r.DryRun && r.Plan == nil:
		_, err = fmt.Fprintln(p.Streams.Out, "  a recording answers: $0")
	case r.DryRun:
		err = r.Plan.Print(p.Streams)
	default:
		_, err = io.WriteString(p.Streams.Out, r.Render(p.Streams))
	}
	if err != nil || r.DryRun {
		return err
	}
	return endBatch(ctx, p, r)
}

// endBatch says how a run ended that did not answer everything.
func endBatch(ctx context.Context, p *Program, r *batch.Report) error {
	end := r.End(ctx.Err() != nil)
	lines := r.Farewell(end, p.Host.Clock())
	code, known := map[batch.End]int{batch.Interrupted: exitInterrupted, batch.OverBudget: exitBudget, batch.OutOfQuota: exitQuota, batch.Unanswered: exitFailed}[end]
	switch {
	case end == batch.Complete:
		return nil
	case !known:
		var message string
		var hints []string
		code, message, hints = explain(ctx, r.Stopped)
		lines = append(append([]string{message}, hints...), lines...)
	}
	for i, line := range lines {
		mark := " "
		if i == 0 && end != batch.Unanswered {
			mark = p.Streams.ErrStyle.Wrong(p.Streams.ErrStyle.Bad)
		}
		fmt.Fprintf(p.Streams.Err, "%s %s\n", mark, line)
	}
	return &ended{code}
}

// again is the command that goes on with a run, as it has to be typed; next is
// the budget for the rest, 0 for none.
func again(p *Program, o askOptions, wb *workbench.Workbench, id runs.ID, next meter.USD) string {
	words := []string{"sqbyl"}
	if p.Host.Dir != "." {
		words = append(words, "-C", p.Host.Dir)
	}
	words = append(words, "ask", "--resume", id.String())
	if o.database != "" {
		words = append(words, "--db", wb.Location())
	}
	for _, price := range o.paid.prices {
		words = append(words, "--price", price)
	}
	switch {
	case next > 0:
		words = append(words, "--budget", string(next.Dollars()))
		if o.paid.auto {
			words = append(words, "--auto")
		}
	case o.paid.yes:
		words = append(words, "--yes")
	}
	for i, w := range words {
		words[i] = quoted(w)
	}
	return strings.Join(words, " ")
}

// quoted is a word as a shell reads it.
func quoted(word string) string {
	if strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=,@%+") == "" && word != "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
