package eval

import (
	"context"
	"strings"
	"time"

	"github.com/sqbyl/sqbyl/internal/engine/meter"
	"github.com/sqbyl/sqbyl/internal/toolkit/bench"
)

// Answer is what a solver says to one question, and what it took.
type Answer struct {
	SQL string
	// Abstained is set when the solver said that the database cannot answer.
	Abstained bool

	Turns   int
	Calls   int
	Tokens  int64 // read and written
	Cost    meter.USD
	Latency time.Duration
}

// Solver answers questions. An error means that it could not be asked (no
// connection, no budget): the question is then not run and charged to nobody.
type Solver interface {
	Name() string
	// Solve answers item i.
	Solve(ctx context.Context, i int, it bench.Item) (Answer, error)
}

// The names of the solvers every table has.
const (
	OracleName = "oracle"
	MuteName   = "mute"
)

// fixed answers from a list; where that has no SQL it abstains.
type fixed struct {
	name string
	sql  func(i int, it bench.Item) string
}

func (f fixed) Name() string { return f.name }

func (f fixed) Solve(_ context.Context, i int, it bench.Item) (Answer, error) {
	sql := f.sql(i, it)
	return Answer{SQL: sql, Abstained: strings.TrimSpace(sql) == ""}, nil
}

// Oracle answers with the first accepted gold, which is then executed like any
// prediction.
func Oracle() Solver {
	return fixed{OracleName, func(_ int, it bench.Item) string { return it.Oracle() }}
}

// Mute never answers.
func Mute() Solver {
	return fixed{MuteName, func(int, bench.Item) string { return "" }}
}

// Listed answers item i with predictions[i].
func Listed(name string, predictions []string) Solver {
	return fixed{name, func(i int, _ bench.Item) string {
		if i < len(predictions) {
			return predictions[i]
		}
		return ""
	}}
}
