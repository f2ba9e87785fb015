package direct

import (
	"context"
	"fmt"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
)

// Bounds refuse statements of which the engine expects more. They hold where
// it says what it expects; 0 is no bound.
type Bounds struct {
	Rows float64 // read from tables
	Cost float64 // in the planner's unit
	// Allow, if not nil, is asked about a statement beyond them; what says how
	// far beyond.
	Allow func(ctx context.Context, what string) bool
}

// beyond says what is expected beyond the bounds, "" when nothing is.
func (b Bounds) beyond(e db.Expected) string {
	var list []string
	if b.Rows > 0 && e.Rows > b.Rows {
		list = append(list, fmt.Sprintf("the database expects to read %.0f rows, and defaults.max_rows_scanned allows %.0f", e.Rows, b.Rows))
	}
	if b.Cost > 0 && e.Cost > b.Cost {
		list = append(list, fmt.Sprintf("the planner puts it at a cost of %.0f, and defaults.max_cost allows %.0f", e.Cost, b.Cost))
	}
	return strings.Join(list, "; ")
}

// expect holds a statement against the bounds. One that is refused is not
// written anew: the question asks for that much.
func (w *work) expect(ctx context.Context, s db.Session, statement guard.Statement) (*failure, error) {
	b, ask := w.c.Bounds, w.c.Database.Dialect().Expect
	if b.Rows <= 0 && b.Cost <= 0 || ask == nil {
		return nil, nil
	}
	expected, err := ask(ctx, s, statement)
	if err != nil {
		return w.databaseSaid(ctx, err, statement)
	}
	what := b.beyond(expected)
	if what == "" || b.Allow != nil && b.Allow(ctx, what) {
		return nil, nil
	}
	return &failure{message: "not run: " + what, final: true}, nil
}
