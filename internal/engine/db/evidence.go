package db

import (
	"context"

	"github.com/sqbyl/sqbyl/internal/engine/catalog"
)

// Evidence says, with bounded statements, whether values of one table stand in
// another.
type Evidence struct {
	// Present gives those of the tuples that stand in some columns of a table,
	// once each. Where the columns are a declared key with an index, the whole
	// table is asked; elsewhere its first rows only, and whole is false when
	// there may be more.
	Present func(ctx context.Context, s Session, t catalog.Table, columns []string, tuples [][]Value, rows int) (found *Result, whole bool, err error)
	// AsText makes an expression text, for comparing a number with it; nil
	// where the engine converts by itself.
	AsText func(expression string) string
}
