package score

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/sqbyl/sqbyl/internal/engine/compare"
)

// Verdict is the JSON of one comparison.
type Verdict struct {
	ID         json.RawMessage `json:"id"` // as it was given
	Rules      RuleVerdicts    `json:"rules"`
	Verdict    compare.Verdict `json:"verdict"`
	Difference string          `json:"difference"`
}

// RuleVerdicts are the rules' verdicts, all null where nothing was judged.
type RuleVerdicts struct {
	Bird     *bool `json:"bird"`
	Strict   *bool `json:"strict"`
	Ordered  *bool `json:"ordered"`
	Tolerant *bool `json:"tolerant"`
	Superset *bool `json:"superset"`
}

// RuleVerdicts are the outcome's.
func (o Outcome) RuleVerdicts() RuleVerdicts {
	if !o.Verdict.Charged() {
		return RuleVerdicts{}
	}
	r := o.Rules
	return RuleVerdicts{&r.Bird, &r.Strict, &r.Ordered, &r.Tolerant, &r.Superset}
}

// casesAtOnce is how many lines are read before their verdicts are written.
const casesAtOnce = 256

// pairLine is a line of a file of cases.
type pairLine struct {
	ID   json.RawMessage `json:"id"`
	DB   string          `json:"db_id"`
	Gold string          `json:"gold"`
	Pred string          `json:"pred"`
}

// Cases reads a case a line (id, db_id, gold, pred; without db_id in an empty
// database), scores it and gives the verdicts to emit in the order of the
// lines. It ends at the first line that is no case, and when emit fails.
func (r *Runner) Cases(ctx context.Context, in io.Reader, emit func(Verdict) error) error {
	lines := bufio.NewReaderSize(in, 1<<16)
	for n := 1; ; {
		batch, read, err := readPairs(lines, n)
		if failed := r.emitPairs(ctx, batch, emit); failed != nil {
			return failed
		}
		if n += read; errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read cases: %w", err)
		}
	}
}

// readPairs reads some lines, the first being line n.
func readPairs(lines *bufio.Reader, n int) (batch []pairLine, read int, err error) {
	for len(batch) < casesAtOnce {
		text, err := lines.ReadBytes('\n')
		if len(bytes.TrimSpace(text)) > 0 {
			var p pairLine
			if bad := json.Unmarshal(text, &p); bad != nil {
				return batch, read, fmt.Errorf("line %d: %w", n+read, bad)
			}
			if p.ID == nil {
				p.ID = json.RawMessage("null")
			}
			batch = append(batch, p)
		}
		read++
		if err != nil {
			return batch, read, err
		}
	}
	return batch, read, nil
}

func (r *Runner) emitPairs(ctx context.Context, batch []pairLine, emit func(Verdict) error) error {
	cases := make([]Case, len(batch))
	for i, p := range batch {
		cases[i] = Case{ID: string(p.ID), DB: p.DB, Golds: []string{p.Gold}}
	}
	outs := r.All(ctx, cases, func(i int) []string { return []string{batch[i].Pred} })
	for i, out := range outs {
		v := Verdict{ID: batch[i].ID, Rules: out[0].RuleVerdicts(), Verdict: out[0].Verdict, Difference: out[0].Difference}
		if err := emit(v); err != nil {
			return err
		}
	}
	return nil
}
