// Package direct is the agent of one call: it puts everything about the
// database into the prompt, gets a plan and SQL, checks and runs it, and asks
// again with the error when it does not work.
package direct

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/sqbyl/sqbyl/internal/engine/agent"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
	"github.com/sqbyl/sqbyl/internal/engine/meter"
	"github.com/sqbyl/sqbyl/internal/engine/prompt"
	"github.com/sqbyl/sqbyl/internal/engine/selection"
	"github.com/sqbyl/sqbyl/internal/engine/trace"
	"github.com/sqbyl/sqbyl/llm"
)

// DefaultMaxTokens leaves room for models that think before they answer. A
// cut answer is asked for again with twice the room.
const DefaultMaxTokens = 4096

// Config is what an Agent works with. Client, Model and Database are needed.
type Config struct {
	Client   llm.Client
	Provider string // for traces
	Model    string
	Database db.Database
	// Policy is what the SQL is held against, most often the dialect's.
	Policy    guard.Policy
	Knowledge selection.Knowledge
	// Repairs is the number of further attempts after a failed one.
	Repairs int
	// Caps bound the result; the zero value means db.AnswerCaps.
	Caps db.Caps
	// Bounds are on what the engine expects of a statement.
	Bounds    Bounds
	MaxTokens int // 0 means DefaultMaxTokens
	Effort    string
	Cache     llm.CacheLife
	// Price is the cost of one call; nil or false means unknown.
	Price func(resp llm.Response, err error) (meter.USD, bool)
	// Prompts override built-in texts, by name.
	Prompts map[string]string
	Trace   *trace.Run // nil writes none
	Now     func() time.Time
	// Stage, when set, is told what begins.
	Stage func(agent.Stage)
}

// Agent is the direct agent.
type Agent struct {
	c      Config
	system prompt.Text
	repair prompt.Text

	mu       sync.Mutex
	selected *selection.Selection
	prefix   prompt.Prefix
}

var _ agent.Agent = (*Agent)(nil)

// New makes an agent.
func New(c Config) (*Agent, error) {
	if c.MaxTokens == 0 {
		c.MaxTokens = DefaultMaxTokens
	}
	if c.Caps == (db.Caps{}) {
		c.Caps = db.AnswerCaps
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Stage == nil {
		c.Stage = func(agent.Stage) {}
	}
	a := &Agent{c: c}
	var err error
	if a.system, err = prompt.Load(prompt.Direct, c.Prompts); err != nil {
		return nil, err
	}
	if a.repair, err = prompt.Load(prompt.Repair, c.Prompts); err != nil {
		return nil, err
	}
	return a, nil
}

// Prompt is what the first call of a question sends: the prefix and the
// suffix. It costs nothing.
func (a *Agent) Prompt(q agent.Question) (prefix prompt.Prefix, suffix string) {
	s := a.choose()
	return a.compile(s), a.suffix(s, q)
}

// suffix is the part of the prompt that depends on the question.
func (a *Agent) suffix(s *selection.Selection, q agent.Question) string {
	named := prompt.Named(a.c.Database.Dialect(), s, selection.Spotted(&a.c.Knowledge, s, q.Text))
	return prompt.Question(q.Text, a.today(q), named...)
}

// Request is the first call of a question as it will be sent. It costs
// nothing.
func (a *Agent) Request(q agent.Question) llm.Request {
	prefix, suffix := a.Prompt(q)
	return a.request(prefix, []llm.Message{{Role: llm.User, Text: suffix}})
}

// choose selects everything, which is the same for each question.
func (a *Agent) choose() *selection.Selection {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.selected == nil {
		a.selected = selection.Everything(a.c.Knowledge)
	}
	return a.selected
}

func (a *Agent) compile(s *selection.Selection) prompt.Prefix {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.prefix.Hash == "" {
		a.prefix = prompt.Compile(a.system, a.c.Database.Dialect(), s)
	}
	return a.prefix
}

func (a *Agent) today(q agent.Question) time.Time {
	if q.Today.IsZero() {
		return a.c.Now()
	}
	return q.Today
}

// Ask answers a question.
func (a *Agent) Ask(ctx context.Context, q agent.Question) (agent.Answer, error) {
	if err := q.Check(); err != nil {
		return agent.Answer{Question: q.Text}, err
	}
	w := &work{Agent: a, question: q, answer: agent.Answer{Question: q.Text, Model: a.c.Model, Latency: agent.Latency{}}, maxTokens: a.c.MaxTokens}
	zero := meter.USD(0)
	w.answer.Cost = &zero
	w.span = a.c.Trace.Start(trace.SpanAsk, trace.String(trace.Question, q.Text), trace.String(trace.GenAIAgent, "direct"),
		trace.String(trace.GenAIOperation, "invoke_agent"), trace.String(trace.Today, a.today(q).Format("2006-01-02")))
	if q.ID != "" {
		w.span.Set(trace.String(trace.QuestionID, q.ID))
	}
	w.answer.TraceID = w.span.TraceID()

	w.begin()
	err := w.attempts(ctx)
	w.finish(err)
	return w.answer, err
}

// work is one question on its way.
type work struct {
	*Agent
	question  agent.Question
	answer    agent.Answer
	span      *trace.Span
	prefix    prompt.Prefix
	messages  []llm.Message
	maxTokens int
	slow      bool // a statement reached the time limit
}

// timed runs one stage and counts its time.
func (w *work) timed(stage agent.Stage, name string, kind trace.Kind, do func(*trace.Span) error) error {
	w.c.Stage(stage)
	start := time.Now()
	span := w.span.Start(name, kind)
	err := do(span)
	w.answer.Latency[stage] += time.Since(start)
	if err != nil {
		span.Fail(kindOf(err), err.Error())
	}
	span.End()
	return err
}

func (w *work) begin() {
	var s *selection.Selection
	_ = w.timed(agent.Select, trace.SpanSelect, trace.Internal, func(span *trace.Span) error {
		s = w.choose()
		items := make([]string, len(s.Items))
		for i, item := range s.Items {
			items[i] = string(item.Kind) + " " + item.Name + ": " + item.Reason
		}
		for _, m := range selection.Spotted(&w.c.Knowledge, s, w.question.Text) {
			items = append(items, fmt.Sprintf("value %s.%s: %s match of a word of the question", m.Table, m.Column, m.How))
		}
		// The question stands here too: the ask span is written last, and a
		// process may be killed before.
		span.Set(trace.String(trace.Question, w.question.Text), trace.Strings(trace.SelectedItems, items), trace.Strings(trace.SelectionNotes, s.Notes))
		return nil
	})
	_ = w.timed(agent.Compile, trace.SpanCompile, trace.Internal, func(span *trace.Span) error {
		w.prefix = w.compile(s)
		span.Set(trace.String(trace.PromptHash, w.prefix.Hash), trace.String(trace.PromptVersion, w.prefix.Version))
		return nil
	})
	w.c.Trace.Prompt(w.prefix.Hash, w.prefix.Text)
	w.messages = []llm.Message{{Role: llm.User, Text: w.suffix(s, w.question)}}
}

// attempts asks until something works, the model gives up, or the attempts
// are used up. A failed attempt is data; only what makes a further one
// pointless is an error.
func (w *work) attempts(ctx context.Context) error {
	for range 1 + w.c.Repairs {
		said, failure, err := w.ask(ctx)
		if err != nil {
			w.answer.Reason = err.Error()
			return err
		}
		if failure == nil {
			if said.draft.unanswerable() {
				w.giveUp(said.draft)
				return nil
			}
			failure, err = w.try(ctx, said.draft)
			if err != nil {
				w.failed(said.draft.SQL, err.Error())
				w.answer.Reason = err.Error()
				return err
			}
		}
		if failure == nil {
			w.answer.Attempts = append(w.answer.Attempts, agent.Attempt{SQL: said.draft.SQL})
			w.answer.Answered = true
			return nil
		}
		w.failed(said.draft.SQL, failure.message)
		if failure.final {
			w.answer.Reason = failure.message
			return nil
		}
		w.feedBack(said, failure)
	}
	last := w.answer.Attempts[len(w.answer.Attempts)-1]
	w.answer.Reason = "no attempt worked: " + last.Error
	if n := len(w.answer.Attempts); n > 1 {
		w.answer.Reason = fmt.Sprintf("none of %d attempts worked, the last one: %s", n, last.Error)
	}
	return nil
}

func (w *work) failed(sql, message string) {
	w.answer.Attempts = append(w.answer.Attempts, agent.Attempt{SQL: sql, Error: message})
}

func (w *work) giveUp(d draft) {
	w.answer.Plan, w.answer.Confidence = d.Plan, d.confidence()
	w.answer.Nearest = d.Nearest
	w.answer.Reason = strings.TrimSpace(d.Missing)
	if w.answer.Reason == "" {
		w.answer.Reason = "the model says that the database does not hold what the question asks for"
	}
}

// feedBack adds the model's turn and the error to the conversation. A turn
// without content is refused by providers.
func (w *work) feedBack(s said, f *failure) {
	text := strings.TrimSpace(s.text)
	if len(text) > maxEcho {
		text = strings.ToValidUTF8(text[:maxEcho], "") + " …"
	}
	if text == "" {
		text = "(no answer)"
	}
	w.messages = append(w.messages,
		llm.Message{Role: llm.Assistant, Text: text},
		llm.Message{Role: llm.User, Text: prompt.Again(w.repair, f.message, f.names)})
}

// maxEcho bounds how much of a failed answer is sent back, in bytes.
const maxEcho = 8 << 10

func (w *work) finish(err error) {
	a := &w.answer
	w.span.Set(trace.Bool(trace.Answered, a.Answered), trace.String(trace.Plan, a.Plan), trace.String(trace.SQL, a.SQL),
		trace.Int(trace.GenAIInput, a.Usage.Total()-a.Usage.Output), trace.Int(trace.GenAIOutput, a.Usage.Output),
		trace.Strings(trace.AssetsVerified, a.UsedAssets), trace.String(trace.AnswerConfidence, string(a.Confidence)))
	if a.Cost != nil {
		w.span.Set(trace.Int(trace.CostMicroUSD, int64(*a.Cost)))
	}
	if a.Reason != "" {
		w.span.Set(trace.String(trace.Reason, a.Reason))
	}
	switch {
	case err != nil:
		w.span.Fail(kindOf(err), err.Error())
	case !a.Answered && len(a.Attempts) > 0:
		w.span.Fail("no_answer", a.Reason)
	}
	w.span.End()
}

// kindOf is the short, stable name of an error for traces.
func kindOf(err error) string {
	var refusal *guard.Refusal
	var database *db.Error
	var model *llm.Error
	switch {
	case errors.As(err, &refusal):
		return "guard_" + refusal.Rule
	case errors.As(err, &database):
		return database.Kind.String()
	case errors.As(err, &model):
		return model.Kind.String()
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return "canceled"
	}
	return "error"
}
