//go:build !cgo

package postgres

import "github.com/sqbyl/sqbyl/internal/engine/guard"

// newGrammar is nil: PostgreSQL's own grammar is a C library. The lexer, the
// server's parser, the cursor and the locked session stand without it.
func newGrammar() guard.Grammar { return nil }

// readUsage is nil: only the grammar can tell.
func readUsage(string) *usage { return nil }
