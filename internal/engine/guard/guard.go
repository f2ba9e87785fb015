// Package guard decides which SQL text a model wrote may run. It is text
// only: it opens no database. Layers that need one (the live prepare, the
// locked session) are db's and return the same Refusal.
package guard

import (
	"context"

	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
)

// Statement is one read-only statement. Only this package makes one, and a
// db.Session runs nothing else that a model wrote; the zero value is refused
// everywhere.
type Statement struct {
	text   string // as it will be sent, edits applied
	from   string // before the edits
	facts  Facts
	params []string
	// allowed are the project's further functions, for what the statement's
	// views call, and schemas those that it may name, for what they read.
	allowed, schemas []string
}

// SQL is the text to send to the engine.
func (s Statement) SQL() string { return s.text }

// Written is the text before the guard's edits; a named parameter stands as its
// placeholder.
func (s Statement) Written() string { return s.from }

// Facts are what the layers found in the statement.
func (s Statement) Facts() Facts { return s.facts }

// Params are the names whose values a session binds with the statement, in
// the order in which it takes them; a name may stand more than once.
func (s Statement) Params() []string { return s.params }

// Allowed are the further functions that the policy allowed, for a session that
// looks into the views a statement reads.
func (s Statement) Allowed() []string { return s.allowed }

// Schemas are those that the policy let the statement name, nil for all.
func (s Statement) Schemas() []string { return s.schemas }

// IsZero reports whether s was never made by Check.
func (s Statement) IsZero() bool { return s.text == "" }

// Facts are the names a statement uses, in order of appearance and without
// repeats. Tables leaves out the statement's own CTEs.
type Facts struct {
	Tables    []Name
	Functions []string
	// Ordered reports a top-level ORDER BY, Limited a top-level LIMIT or FETCH.
	Ordered bool
	Limited bool
}

// Name is a possibly qualified name, folded as the dialect folds it.
type Name struct {
	Catalog, Schema, Table string
}

// Policy is what Check holds a statement against.
type Policy struct {
	Rules sqltext.Rules
	// Functions are the functions that only compute, in lower case;
	// TableFunctions those that may stand in FROM.
	Functions      map[string]bool
	TableFunctions map[string]bool
	// Allowed are further functions a project allows ("schema.name" or "name").
	Allowed []string
	// Schemas are the schemas a statement may name; nil allows every schema
	// that Hidden does not name.
	Schemas []string
	// Hidden are schemas and table-name prefixes of the engine's own
	// catalogue, which model SQL may not read.
	HiddenSchemas  []string
	HiddenPrefixes []string
	// Operators are the operators of several characters that only compute,
	// nil where nobody can define one.
	Operators map[string]bool
	// Known are the catalogue's tables; nil lets the engine judge names.
	Known *Known
	// Virtual reports the name, without schema, of a table that the engine makes
	// when it is named; nil where it makes none.
	Virtual func(table string) bool
	// Grammar is the engine's own grammar, nil where a build has none.
	Grammar Grammar
	// Limit is the number of rows to write into the text as LIMIT, 0 for none
	// (the session caps all the same). Ask for one more than is shown, to know
	// whether the result was cut.
	Limit int
	// AsOf replaces the tokens that mean "now", nil leaves them.
	AsOf *AsOf
}

// Grammar is a second opinion from the engine's own parser.
type Grammar interface {
	// Examine parses sql, which the lexer layer has passed, and returns what
	// it uses, or a *Refusal. Any other error is a failure of the layer, and
	// the statement is refused.
	Examine(ctx context.Context, sql string, p *Policy) (Facts, error)
}

// Layer names the layer that refused.
type Layer string

// The layers, outermost first.
const (
	LayerSize     Layer = "size"
	LayerLexer    Layer = "lexer"
	LayerFunction Layer = "function"
	LayerTable    Layer = "table"
	LayerGrammar  Layer = "grammar"
	LayerPrepare  Layer = "prepare"
	LayerSession  Layer = "session"
	LayerCaps     Layer = "caps"
)

// Position is a place in the statement, 1-based, columns in runes.
type Position struct {
	Offset int // bytes from the start
	Line   int
	Column int
}

// Refusal is the guard's "no". It is an error and a value: Message says what
// is wrong, Repair what to write instead or how to allow it.
type Refusal struct {
	Layer    Layer
	Rule     string // short and stable: "second_statement", "function", …
	Position Position
	Message  string
	Repair   string
	Names    []string // the functions or tables it is about
}

func (r *Refusal) Error() string { return r.Message }
