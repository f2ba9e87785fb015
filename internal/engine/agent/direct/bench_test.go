package direct_test

import (
	"context"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/sqbyl/sqbyl/internal/engine/agent"
	"github.com/sqbyl/sqbyl/internal/engine/agent/direct"
	"github.com/sqbyl/sqbyl/internal/engine/trace"
	"github.com/sqbyl/sqbyl/llm"
	"github.com/sqbyl/sqbyl/semantic"
)

// instant is a model that needs no time.
type instant struct{ text string }

func (m instant) Complete(context.Context, llm.Request) (llm.Response, error) {
	return llm.Response{Text: m.text, Stop: llm.StopEnd, Model: "m"}, nil
}

// BenchmarkPipeline is everything around the model: selection, prompt, guard,
// prepare, execute, trace. The median stands beside the mean, in ms.
func BenchmarkPipeline(b *testing.B) {
	text, err := json.Marshal(map[string]any{"plan": "p", "answerable": true, "confidence": "high",
		"sql": "SELECT c.country, SUM(o.amount_cents) / 100.0 AS total FROM orders o JOIN customers c ON c.id = o.customer_id WHERE o.ordered_at >= '2026-01-01' GROUP BY c.country ORDER BY total DESC, 1"})
	if err != nil {
		b.Fatal(err)
	}
	c := config(b, instant{string(text)}, semantic.Model{})
	c.Trace = trace.NewRun(b.TempDir(), trace.Options{})
	a, err := direct.New(c)
	if err != nil {
		b.Fatal(err)
	}
	var took []time.Duration
	for b.Loop() {
		start := time.Now()
		answer, err := a.Ask(b.Context(), agent.Question{Text: "Revenue per country?"})
		if err != nil || !answer.Answered {
			b.Fatal(answer, err)
		}
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
}
