package heldout

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/compare"
	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
	"github.com/sqbyl/sqbyl/internal/toolkit/bench"
	"github.com/sqbyl/sqbyl/internal/toolkit/eval"
	"github.com/sqbyl/sqbyl/internal/toolkit/goldlint"
	"github.com/sqbyl/sqbyl/internal/toolkit/leak"
	"github.com/sqbyl/sqbyl/internal/toolkit/score"
	"github.com/sqbyl/sqbyl/semantic"
)

// Config says what is scored.
type Config struct {
	// Command is what the record calls the look: a command and its flags,
	// never a text of the benchmark.
	Command string
	// Solvers answer; of what they write, all belongs into StateDir.
	Solvers []eval.Solver
	// Predictions answer too.
	Predictions []Predictions
	Runner      *score.Runner
	Headline    eval.Headline
	// Check tries the harness on itself as well.
	Check bool
}

// Predictions are answers given beforehand.
type Predictions struct {
	Name    string
	Answers *bench.Predictions
}

// Scorecards are what may be shown of an evaluation on held-out questions:
// ids, verdicts, kinds and counts.
type Scorecards struct {
	Summaries []eval.Summary
	// Check is the harness tried on itself, its reasons without their texts.
	Check *score.Check

	set     *Set
	results []eval.Result
}

// Score lets solvers answer the held-out questions, the harness's own two
// among them, and puts the look on record. The error of ctx comes with no
// scorecards.
func (s *Set) Score(ctx context.Context, c Config) (*Scorecards, error) {
	items := s.benchItems()
	solvers := c.Solvers
	for _, p := range c.Predictions {
		sql, _ := p.Answers.Of(items, s.total)
		solvers = append(solvers[:len(solvers):len(solvers)], eval.Listed(p.Name, sql))
	}
	cards := &Scorecards{set: s}
	cards.results = eval.Run(ctx, eval.Config{Items: items, Solvers: eval.WithOwn(solvers), Runner: c.Runner, Headline: c.Headline})
	if c.Check {
		cards.Check = hidden(c.Runner.Check(ctx, eval.Cases(judged(items))))
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var headline []Headline
	for _, r := range cards.results {
		sum := eval.Summarize(r)
		cards.Summaries = append(cards.Summaries, sum)
		headline = append(headline, Headline{r.Solver, sum.Correct, sum.N})
	}
	if err := s.look(c.Command, headline, false); err != nil {
		return nil, err
	}
	return cards, nil
}

func (s *Set) benchItems() []bench.Item {
	items := make([]bench.Item, len(s.items))
	for i, q := range s.items {
		items[i] = q.item
	}
	return items
}

func judged(items []bench.Item) []bench.Item {
	var out []bench.Item
	for _, it := range items {
		if it.Quarantine == "" && !it.Unanswerable {
			out = append(out, it)
		}
	}
	return out
}

// hidden takes the texts off a check's reasons, which cite rows and SQL.
func hidden(c *score.Check) *score.Check {
	ids := func(list []score.Reason, text string) []score.Reason {
		out := make([]score.Reason, len(list))
		for i, r := range list {
			out[i] = score.Reason{ID: r.ID, Text: text}
		}
		return out
	}
	const broken = "a held-out question"
	out := &score.Check{GoldBroken: ids(c.GoldBroken, broken), NotRun: ids(c.NotRun, broken)}
	for i, r := range c.NotRun {
		out.NotRun[i].Text = cmp.Or(missing(r.Text), broken)
	}
	for _, row := range c.Rows {
		row.Wrong, row.Apart = ids(row.Wrong, "not as counted"), ids(row.Apart, "the change cannot show")
		out.Rows = append(out.Rows, row)
	}
	return out
}

// missing is a reason that only names a database which is not there, else "".
func missing(reason string) string {
	if strings.HasPrefix(reason, `database "`) {
		return reason
	}
	return ""
}

// Results are the solvers' results as far as they may be shown: questions have
// their ids and kinds, and no text, answer or difference.
func (c *Scorecards) Results() []eval.Result {
	shown := make([]eval.Result, len(c.results))
	for s, r := range c.results {
		shown[s] = eval.Result{Solver: r.Solver, Questions: make([]eval.Question, len(r.Questions))}
		for i := range r.Questions {
			q := &r.Questions[i]
			item := bench.Item{DB: q.Item.DB, Position: q.Item.Position}
			item.ID, item.Difficulty, item.Unanswerable = q.Item.ID, q.Item.Difficulty, q.Item.Unanswerable
			if q.Item.Quarantine != "" {
				item.Quarantine = "held out"
			}
			answer, report := q.Answer, q.Outcome.Report
			answer.SQL = ""
			if report.Difference = missing(report.Difference); report.Verdict != compare.NotRun {
				report.Difference = ""
			}
			shown[s].Questions[i] = eval.Question{
				Item: item, Answer: answer, Correct: q.Correct, Outcome: score.Outcome{Report: report, Rows: -1},
			}
		}
	}
	return shown
}

// Row is a held-out question with what a solver made of it.
type Row struct {
	Solver     string
	ID         string
	DB         string
	Question   string
	Gold       string
	SQL        string
	Verdict    compare.Verdict
	Difference string
}

// ErrNoReviewer is returned where rows would be shown to nobody.
var ErrNoReviewer = errors.New("questions of the held-out benchmark are shown to a person on a terminal only")

// Reveal gives the rows that were not right, for a person to read; terminal
// says that one does. The look is on record before.
func (c *Scorecards) Reveal(command string, terminal bool) ([]Row, error) {
	if !terminal {
		return nil, ErrNoReviewer
	}
	if err := c.set.look(command, nil, true); err != nil {
		return nil, err
	}
	var rows []Row
	for _, r := range c.results {
		if r.Solver == eval.MuteName || r.Solver == eval.OracleName {
			continue
		}
		for _, q := range r.Questions {
			if q.Correct || q.Item.Quarantine != "" || q.Item.Unanswerable && q.Answer.Abstained {
				continue
			}
			rows = append(rows, Row{
				Solver: r.Solver, ID: q.Item.ID, DB: q.Item.DB, Question: q.Item.Question.Question, Gold: q.Item.Oracle(),
				SQL: q.Answer.SQL, Verdict: q.Outcome.Verdict, Difference: q.Outcome.Difference,
			})
		}
	}
	return rows, nil
}

// Lint looks for golds that are likely wrong. It tells ids and kinds; what it
// saw is for whoever opens the file.
func (s *Set) Lint(ctx context.Context, l *goldlint.Linter) []goldlint.Finding {
	found := l.Lint(ctx, s.benchItems())
	for i := range found {
		found[i].Text = ""
	}
	return found
}

// Leaks finds what the set shares with the dev questions and the examples,
// and these with each other.
func (s *Set) Leaks(dev []bench.Item, examples []semantic.Example, rules *sqltext.Rules) []leak.Leak {
	texts := append(leak.Texts(leak.Dev, dev), leak.Texts(leak.HeldOut, s.benchItems())...)
	return leak.Find(append(texts, leak.ExampleTexts(examples)...), rules)
}
