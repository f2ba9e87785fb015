package direct

import (
	"context"
	"errors"
	"fmt"

	"github.com/sqbyl/sqbyl/internal/engine/agent"
	"github.com/sqbyl/sqbyl/internal/engine/prompt"
	"github.com/sqbyl/sqbyl/internal/engine/trace"
	"github.com/sqbyl/sqbyl/llm"
)

// said is one answer of the model, as text and as read.
type said struct {
	text  string
	draft draft
}

// failure is why an attempt did not work, as the model is told.
type failure struct {
	message string
	names   string // the real names nearest to a wrong one
	final   bool   // a further attempt would end the same
}

// ask makes one call. A bad answer is a failure; an error means that no
// further call makes sense.
func (w *work) ask(ctx context.Context) (said, *failure, error) {
	req := w.request(w.prefix, w.messages)
	req.MaxTokens, req.Unit = w.maxTokens, w.answer.TraceID
	var resp llm.Response
	err := w.timed(agent.Model, trace.SpanModel+" "+w.c.Model, trace.Client, func(span *trace.Span) error {
		w.describe(span, req)
		var err error
		resp, err = w.c.Client.Complete(ctx, req)
		w.settle(span, resp, err)
		return err
	})
	if err != nil {
		var model *llm.Error
		if !errors.As(err, &model) {
			return said{}, nil, err
		}
		f := w.badAnswer(model)
		if f == nil {
			return said{}, nil, err
		}
		return said{text: model.Text}, f, nil
	}
	d, err := decode(resp)
	if err != nil {
		return said{text: resp.Text}, &failure{message: brief(err)}, nil
	}
	if d.SQL == "" && !d.unanswerable() {
		return said{text: resp.Text, draft: d}, &failure{message: "the answer holds no SQL"}, nil
	}
	return said{text: resp.Text, draft: d}, nil, nil
}

// badAnswer is the failure of a call that gave a useless answer, nil for a
// call that failed otherwise.
func (w *work) badAnswer(e *llm.Error) *failure {
	switch e.Kind {
	case llm.KindMalformed:
		return &failure{message: "the answer could not be read: " + brief(e)}
	case llm.KindTruncated:
		f := &failure{message: fmt.Sprintf("the answer was cut at %d tokens, before it was whole; write a shorter one", w.maxTokens)}
		w.maxTokens *= 2
		return f
	case llm.KindRefused:
		return &failure{message: "the model declined to answer this question", final: true}
	}
	return nil
}

// brief is a model error without provider and model.
func brief(err error) string {
	var e *llm.Error
	if errors.As(err, &e) && e.Message != "" {
		return e.Message
	}
	return err.Error()
}

// request is a call about this database, without what one question adds.
func (a *Agent) request(prefix prompt.Prefix, messages []llm.Message) llm.Request {
	return llm.Request{
		Model: a.c.Model, System: []llm.Block{{Text: prefix.Text, Cache: a.c.Cache}}, Messages: messages,
		Answer: answerSchema, MaxTokens: a.c.MaxTokens, Effort: a.c.Effort, Role: "agent",
	}
}

func (w *work) describe(span *trace.Span, req llm.Request) {
	span.Set(trace.String(trace.GenAIOperation, "chat"), trace.String(trace.GenAIProvider, w.c.Provider), trace.String(trace.GenAISystem, w.c.Provider),
		trace.String(trace.GenAIModelAsked, req.Model), trace.Int(trace.GenAIMaxTokens, int64(req.MaxTokens)),
		trace.Int(trace.Attempt, int64(len(w.answer.Attempts)+1)), trace.String(trace.PromptHash, w.prefix.Hash))
	turns := make([]trace.Message, len(req.Messages))
	for i, m := range req.Messages {
		turns[i] = trace.TextMessage(string(m.Role), m.Text)
	}
	span.Set(trace.Messages(trace.GenAIInputText, turns))
}

// settle counts what a call cost, whether it brought an answer or not.
func (w *work) settle(span *trace.Span, resp llm.Response, err error) {
	usage, answered, text, stop := resp.Usage, resp.Model, resp.Text, resp.Stop
	if err != nil {
		var e *llm.Error
		if !errors.As(err, &e) || llm.BillingOf(err) == llm.NotBilled {
			return
		}
		answered, text, stop, usage = w.c.Model, e.Text, e.Stop, llm.Usage{}
		if e.Usage != nil {
			usage = *e.Usage
		}
	}
	w.answer.Calls++
	w.answer.Usage = w.answer.Usage.Add(usage)
	w.answer.Replayed = w.answer.Replayed || resp.Replayed
	if answered != "" {
		w.answer.Model = answered
	}
	said := trace.TextMessage(string(llm.Assistant), text)
	said.Finish = string(stop)
	span.Set(trace.String(trace.GenAIModel, answered), trace.String(trace.GenAIResponseID, resp.RequestID), trace.Strings(trace.GenAIFinish, []string{string(stop)}),
		trace.Int(trace.GenAIInput, usage.Total()-usage.Output), trace.Int(trace.GenAIOutput, usage.Output),
		trace.Int(trace.GenAICacheRead, usage.CacheRead), trace.Int(trace.GenAICacheWrite, usage.CacheWrite5m+usage.CacheWrite1h),
		trace.Messages(trace.GenAIOutputText, []trace.Message{said}), trace.Bool(trace.Replayed, resp.Replayed),
		trace.Float(trace.FirstByteMS, float64(resp.FirstByte.Microseconds())/1000))

	if w.c.Price == nil {
		w.answer.Cost = nil
		return
	}
	cost, known := w.c.Price(resp, err)
	if !known {
		w.answer.Cost = nil
		return
	}
	span.Set(trace.Int(trace.CostMicroUSD, int64(cost)))
	if w.answer.Cost != nil {
		*w.answer.Cost += cost
	}
}
