// Package demo answers the sample shop's questions from recordings, and says
// how many of the answers are right.
package demo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/sqbyl/sqbyl/examples/shop"
	"github.com/sqbyl/sqbyl/internal/app/show"
	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/app/workbench"
	"github.com/sqbyl/sqbyl/internal/engine/agent"
	"github.com/sqbyl/sqbyl/internal/engine/compare"
	"github.com/sqbyl/sqbyl/internal/engine/meter"
	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
	"github.com/sqbyl/sqbyl/internal/toolkit/bench"
	"github.com/sqbyl/sqbyl/internal/toolkit/eval"
	"github.com/sqbyl/sqbyl/internal/toolkit/project"
	"github.com/sqbyl/sqbyl/internal/toolkit/score"
	"github.com/sqbyl/sqbyl/semantic"
)

// Document is what came of a demo.
type Document struct {
	Project   string     `json:"project"`
	Questions []Question `json:"questions"`
	Right     int        `json:"right"`
	Of        int        `json:"of"`
	Model     string     `json:"model"` // as it names itself
}

// Question is one of the demo's questions with its answer.
type Question struct {
	ID      string          `json:"id"`
	Answer  agent.Answer    `json:"answer"`
	Right   bool            `json:"right"`
	Verdict compare.Verdict `json:"verdict,omitempty"`
	note    string
}

// Run asks the demo's questions and compares each answer with its gold; each
// is given them as they come.
func Run(ctx context.Context, wb *workbench.Workbench, each func(Question)) (Document, error) {
	var doc Document
	asked, err := questions(wb.Project().Semantic.Assets)
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
	for _, question := range asked {
		ask := agent.Question{Text: question.Question.Question}
		if ask.Today, err = wb.Today(ask.Text); err != nil {
			return doc, err
		}
		answer, err := a.Ask(ctx, ask)
		if err != nil {
			return doc, fmt.Errorf("answer %q: %w", question.ID, err)
		}
		q := judge(ctx, &runner, question, answer)
		if q.Right {
			doc.Right++
		}
		doc.Of++
		doc.Model = answer.Model
		doc.Questions = append(doc.Questions, q)
		each(q)
	}
	return doc, nil
}

// questions are the dev questions that the demo asks, in its order.
func questions(assets []semantic.Asset) ([]bench.Item, error) {
	file, err := shop.Files.Open(project.DevFile)
	if err != nil {
		return nil, err
	}
	set, err := bench.Parse(file, project.DevFile)
	if err := errors.Join(err, file.Close()); err != nil {
		return nil, err
	}
	byID := map[string]bench.Item{}
	for _, q := range bench.Items(set.Questions, assets) {
		byID[q.ID] = q
	}
	var list []bench.Item
	for _, id := range shop.Demo() {
		q, ok := byID[id]
		if !ok {
			return nil, fmt.Errorf("the demo asks %s, which is no question of its dev set", id)
		}
		list = append(list, q)
	}
	return list, nil
}

func judge(ctx context.Context, runner *score.Runner, question bench.Item, answer agent.Answer) Question {
	q := Question{ID: question.ID, Answer: answer}
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
	out := runner.Score(ctx, eval.Case(question), answer.SQL)[0]
	q.Right, q.Verdict = out.Headline, out.Verdict
	q.note = "right: the same as the gold"
	if !q.Right {
		q.note = fmt.Sprintf("wrong: %s %s", out.Verdict, out.Difference)
	}
	return q
}

// Show lays one answer out for a terminal; rules are those of its SQL.
func (q Question) Show(s *term.Streams, rules sqltext.Rules) string {
	style := s.Style
	mark := style.Good(style.OK)
	if !q.Right {
		mark = style.Wrong(style.Bad)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "? %s\n", term.Wrap(q.Answer.Question, s.Width, 2, 2))
	for i, attempt := range q.Answer.Attempts {
		if attempt.Error != "" {
			fmt.Fprintf(&b, "%s attempt %d did not work: %s\n", style.Dim(style.Dot), i+1, strings.Join(strings.Fields(attempt.Error), " "))
		}
	}
	b.WriteString(show.Answer(s, rules, q.Answer))
	fmt.Fprintf(&b, "  %s %s\n\n", mark, q.note)
	return b.String()
}

// End is what is said after the last answer. onPath tells whether a shell
// finds sqbyl by its name.
func (doc Document) End(s *term.Streams, onPath bool) string {
	style := s.Style
	var calls int
	var cost meter.USD
	for _, q := range doc.Questions {
		calls += q.Answer.Calls
		if q.Answer.Cost != nil {
			cost += *q.Answer.Cost
		}
	}
	var b strings.Builder
	right := fmt.Sprintf("%d of %d right, from recordings of a model that calls itself %q and saw no gold", doc.Right, doc.Of, doc.Model)
	fmt.Fprintf(&b, "%s %s\n", style.Good(style.OK), term.Wrap(right, s.Width, 2, 2))
	spent := fmt.Sprintf("spent now $0; %d calls would have cost about %s at the asked model's price", calls, cost)
	fmt.Fprintf(&b, "  %s\n\n", term.Wrap(spent, s.Width, 2, 2))
	line := func(head, text string) {
		fmt.Fprintf(&b, "  %-12s%s\n", head, term.Wrap(text, s.Width, 14, 14))
	}
	line("the project", doc.Project+string(os.PathSeparator)+"sqbyl.yaml, semantics, examples, trusted, benchmarks")
	if !onPath {
		line("next", "go install ./cmd/sqbyl    so that your shell finds sqbyl")
		line("", "cd "+quoted(doc.Project))
	} else {
		line("next", "cd "+quoted(doc.Project))
	}
	line("", "sqbyl schema")
	line("", `sqbyl ask --replay `+shop.Recording+` "`+doc.Questions[1].Answer.Question+`"`)
	line("", `sqbyl ask "How many orders did we get in 2025?"    with a key, or --model ollama:NAME`)
	return b.String()
}

// quoted is a path as a shell takes it.
func quoted(path string) string {
	if strings.ContainsAny(path, " \t'\"$`\\&;|<>()*?[]#~!") {
		return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return path
}
