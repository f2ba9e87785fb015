package replay

import (
	"context"

	"github.com/sqbyl/sqbyl/llm"
)

type recorder struct {
	journal *Journal
	inner   llm.Client
}

// Record gives a client whose every complete answer is in the journal before
// the caller gets it.
func (j *Journal) Record(inner llm.Client) llm.Client { return recorder{j, inner} }

func (r recorder) Complete(ctx context.Context, req llm.Request) (llm.Response, error) {
	resp, err := r.inner.Complete(ctx, req)
	if err != nil {
		return resp, err
	}
	if err := r.journal.record(req, resp); err != nil {
		usage := resp.Usage
		return llm.Response{}, &llm.Error{Kind: llm.KindUnknown, Model: req.Model, Message: "the answer could not be kept: " + err.Error(),
			RequestID: resp.RequestID, Usage: &usage, Text: resp.Text, Stop: resp.Stop, Err: err}
	}
	return resp, nil
}

// Negotiate leaves what there is to find out to the client that is recorded.
func (r recorder) Negotiate(inner llm.Client) llm.Client { return llm.Negotiated(r.inner, inner) }

type replayer struct {
	journal *Journal
	inner   llm.Client
}

// Replay gives a client that answers from the journal, each recorded answer
// once. What is not there goes to inner; without one it is an error of
// KindReplayMiss that says what differs from the nearest recording.
func (j *Journal) Replay(inner llm.Client) llm.Client { return replayer{j, inner} }

func (r replayer) Complete(ctx context.Context, req llm.Request) (llm.Response, error) {
	if err := context.Cause(ctx); err != nil {
		return llm.Response{}, &llm.Error{Kind: llm.KindCanceled, Model: req.Model, Message: "given up: " + err.Error(), Err: err}
	}
	if resp, ok := r.journal.recorded(req); ok {
		if req.Started != nil {
			req.Started()
		}
		return resp, nil
	}
	if r.inner != nil {
		return r.inner.Complete(ctx, req)
	}
	return llm.Response{}, &llm.Error{Kind: llm.KindReplayMiss, Provider: "replay", Model: req.Model, Message: r.journal.miss(req)}
}

// recorded takes the next answer to this request from the journal. A miss
// takes nothing: the answer that comes instead will be recorded in its place.
func (j *Journal) recorded(req llm.Request) (llm.Response, bool) {
	hash := llm.Hash(req)
	j.mu.Lock()
	defer j.mu.Unlock()
	i, ok := j.byKey[key{hash, j.served[hash] + 1}]
	if !ok {
		return llm.Response{}, false
	}
	j.served[hash]++
	resp := j.entries[i].Response
	resp.Replayed = true
	return resp, true
}
