package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sqbyl/sqbyl/examples/shop"
	"github.com/sqbyl/sqbyl/internal/app/show"
	"github.com/sqbyl/sqbyl/internal/app/workbench"
	"github.com/sqbyl/sqbyl/internal/engine/agent"
	"github.com/sqbyl/sqbyl/internal/engine/compare"
	"github.com/sqbyl/sqbyl/internal/engine/meter"
	"github.com/sqbyl/sqbyl/internal/toolkit/bench"
	"github.com/sqbyl/sqbyl/internal/toolkit/project"
	"github.com/sqbyl/sqbyl/internal/toolkit/score"
)

type demoOptions struct {
	dir  string
	json jsonFlag
}

func newDemo(p *Program) *cobra.Command {
	o := demoOptions{dir: "sqbyl-demo"}
	cmd := &cobra.Command{
		Use: "demo [DIR]", Short: "Build a sample shop and answer questions about it, without a key",
		Long: "Writes a sample project and its database to DIR (default ./sqbyl-demo, which must not exist) and answers\n" +
			"questions about it from recordings of a real model. Wrong answers stay in. No key, no network, no service.",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage("demo takes one folder, but there are %d", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				o.dir = args[0]
			}
			return runDemo(cmd.Context(), p, o)
		},
	}
	o.json.add(cmd)
	return cmd
}

// demoDocument is what --json prints.
type demoDocument struct {
	Project   string         `json:"project"`
	Questions []demoQuestion `json:"questions"`
	Right     int            `json:"right"`
	Of        int            `json:"of"`
	Model     string         `json:"model"`
}

type demoQuestion struct {
	ID      string          `json:"id"`
	Answer  agent.Answer    `json:"answer"`
	Right   bool            `json:"right"`
	Verdict compare.Verdict `json:"verdict,omitempty"`
	note    string
}

func runDemo(ctx context.Context, p *Program, o demoOptions) (err error) {
	dir := o.dir
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(p.Host.Dir, dir)
	}
	start := time.Now()
	p.Streams.Status("building the sample shop …")
	switch err := shop.Write(ctx, dir); {
	case errors.Is(err, fs.ErrExist):
		return &usageError{message: fmt.Sprintf("the demo would write to %s, which exists", o.dir), hint: "name another folder: sqbyl demo DIR"}
	case err != nil:
		return err
	}
	p.Streams.Status("")
	host := p.Host
	host.Dir = dir
	wb, err := workbench.Open(host, workbench.Options{Replay: filepath.Join(dir, filepath.FromSlash(shop.Recording))})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, wb.Close()) }()
	if !o.json.on {
		style := p.Streams.Style
		fmt.Fprintf(p.Streams.Out, "%s a sample shop in %s: ten tables, 122,000 rows, in %.1f s\n\n", style.Good(style.OK), o.dir, time.Since(start).Seconds())
	}
	doc, err := answerDemo(ctx, p, wb, o)
	if err != nil {
		return err
	}
	doc.Project = o.dir
	if o.json.on {
		return writeJSON(p.Streams.Out, doc)
	}
	_, err = fmt.Fprint(p.Streams.Out, demoEnd(p, doc))
	return err
}

// answerDemo asks the demo's questions and compares each answer with its
// gold.
func answerDemo(ctx context.Context, p *Program, wb *workbench.Workbench, o demoOptions) (demoDocument, error) {
	var doc demoDocument
	questions, err := demoQuestions()
	if err != nil {
		return doc, err
	}
	client, model, err := wb.Client(project.RoleAgent)
	if err != nil {
		return doc, err
	}
	a, err := wb.Direct(ctx, client, model, func(agent.Stage) {})
	if err != nil {
		return doc, err
	}
	database, err := wb.Database(ctx)
	if err != nil {
		return doc, err
	}
	runner := score.Runner{Open: score.One(database)}
	for _, question := range questions {
		ask := agent.Question{Text: question.Question}
		if ask.Today, err = wb.Today(ask.Text); err != nil {
			return doc, err
		}
		answer, err := a.Ask(ctx, ask)
		if err != nil {
			return doc, fmt.Errorf("answer %q: %w", question.ID, err)
		}
		q := judgeDemo(ctx, &runner, question, answer)
		if q.Right {
			doc.Right++
		}
		doc.Of++
		doc.Model = answer.Model
		doc.Questions = append(doc.Questions, q)
		if !o.json.on {
			fmt.Fprint(p.Streams.Out, demoAnswer(p, wb, question, q))
		}
	}
	return doc, nil
}

// demoQuestions are the dev questions that the demo asks, in its order.
func demoQuestions() ([]bench.Question, error) {
	file, err := shop.Files.Open(project.DevFile)
	if err != nil {
		return nil, err
	}
	set, err := bench.Parse(file, project.DevFile)
	if err := errors.Join(err, file.Close()); err != nil {
		return nil, err
	}
	byID := map[string]bench.Question{}
	for _, q := range set.Questions {
		byID[q.ID] = q
	}
	var list []bench.Question
	for _, id := range shop.Demo() {
		q, ok := byID[id]
		if !ok {
			return nil, fmt.Errorf("the demo asks %s, which is no question of its dev set", id)
		}
		list = append(list, q)
	}
	return list, nil
}

func judgeDemo(ctx context.Context, runner *score.Runner, question bench.Question, answer agent.Answer) demoQuestion {
	q := demoQuestion{ID: question.ID, Answer: answer}
	if question.Unanswerable {
		q.Right = !answer.Answered
		q.note = "right: the database cannot answer this"
		if answer.Answered {
			q.note = "wrong: the database cannot answer this"
		}
		return q
	}
	if !answer.Answered {
		q.note = "wrong: no answer"
		return q
	}
	out := runner.Score(ctx, score.Case{ID: q.ID, Golds: question.Golds(), Options: compare.Options{
		Columns: compare.Columns(question.Columns), Order: compare.Order(question.Order), Tolerance: question.Tolerance,
	}}, answer.SQL)[0]
	q.Right, q.Verdict = out.Headline, out.Verdict
	q.note = "right: the same as the gold"
	if !q.Right {
		q.note = fmt.Sprintf("wrong: %s %s", out.Verdict, out.Difference)
	}
	return q
}

func demoAnswer(p *Program, wb *workbench.Workbench, question bench.Question, q demoQuestion) string {
	style := p.Streams.Style
	mark := style.Good(style.OK)
	if !q.Right {
		mark = style.Wrong(style.Bad)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "? %s\n", question.Question)
	for i, attempt := range q.Answer.Attempts {
		if attempt.Error != "" {
			fmt.Fprintf(&b, "%s attempt %d did not work: %s\n", style.Dim(style.Dot), i+1, strings.Join(strings.Fields(attempt.Error), " "))
		}
	}
	b.WriteString(show.Answer(p.Streams, wb.Rules(), q.Answer))
	fmt.Fprintf(&b, "  %s %s\n\n", mark, q.note)
	return b.String()
}

func demoEnd(p *Program, doc demoDocument) string {
	style := p.Streams.Style
	var calls int
	var cost meter.USD
	for _, q := range doc.Questions {
		calls += q.Answer.Calls
		if q.Answer.Cost != nil {
			cost += *q.Answer.Cost
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %d of %d right, from recordings of a model that calls itself %q and saw no gold\n", style.Good(style.OK), doc.Right, doc.Of, doc.Model)
	fmt.Fprintf(&b, "  spent now $0; %d calls would have cost about %s at the asked model's price\n\n", calls, cost)
	fmt.Fprintf(&b, "  the project   %s%csqbyl.yaml, semantics, examples, trusted, benchmarks\n", doc.Project, os.PathSeparator)
	fmt.Fprintf(&b, "  next          cd %s\n", doc.Project)
	b.WriteString("                sqbyl schema\n                sqbyl ask \"How many orders did we get in 2025?\"     with a key, or --model ollama:NAME\n")
	b.WriteString("                sqbyl ask --replay " + shop.Recording + " \"" + doc.Questions[1].Answer.Question + "\"\n")
	return b.String()
}
