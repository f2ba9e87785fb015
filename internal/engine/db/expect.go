package db

import (
	"context"
	"strconv"

	"github.com/sqbyl/sqbyl/internal/engine/guard"
)

// Expecting asks an engine what it expects of a statement before it runs. Not
// every engine says.
type Expecting func(ctx context.Context, s Session, statement guard.Statement) (Expected, error)

// Expected is what an engine expects a statement to take.
type Expected struct {
	// Rows are those it reads from tables.
	Rows float64
	// Cost is in the planner's own unit, 0 where it has none.
	Cost float64
}

// Number is the value of any kind of number, false for anything else.
func (v Value) Number() (float64, bool) {
	f, err := strconv.ParseFloat(v.String(), 64)
	return f, err == nil && !v.IsNull()
}
