// Package db is the contract with a database: sessions that run checked
// statements, values, and errors told apart by kind. Drivers outside the
// engine implement it.
package db

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
)

// Database is an opened database: a bounded pool of locked connections.
type Database interface {
	Dialect() *Dialect
	Info() Info
	// Grammar is the engine's own grammar for the guard, nil where this
	// build has none.
	Grammar() guard.Grammar
	// Session takes a connection from the pool and locks it. Everything run
	// on one session sees one snapshot where the engine can.
	Session(ctx context.Context, profile Profile) (Session, error)
	Close() error
}

// Session is one locked connection. It is used by one goroutine at a time;
// Close returns the connection reset, or drops it.
type Session interface {
	// Prepare validates a statement on the live schema and runs nothing. It
	// returns an *Error (unknown column, …) or a *guard.Refusal.
	Prepare(ctx context.Context, s guard.Statement) ([]Column, error)
	// Query runs a statement under caps; args are the values of its parameters,
	// in the order of s.Params().
	Query(ctx context.Context, s guard.Statement, caps Caps, args ...Value) (*Result, error)
	// Own runs a statement of the product's own.
	Own(ctx context.Context, s Own, args ...Value) (*Result, error)
	Close() error
}

// CheckArgs returns an *Error when args are not one value for each of a
// statement's parameters.
func CheckArgs(s guard.Statement, args []Value) error {
	if names := s.Params(); len(names) != len(args) {
		return &Error{Kind: ErrType, Offset: -1, Message: fmt.Sprintf("the statement takes %d values (%s) and was given %d", len(names), strings.Join(names, ", "), len(args))}
	}
	return nil
}

// Resolver is a Session whose engine tells which columns a statement reads,
// resolved through aliases, CTEs and views. It runs nothing.
type Resolver interface {
	Reads(ctx context.Context, s guard.Statement) ([]Read, error)
}

// Read is one column a statement reads; Column is "" where it reads only the
// table's rows, as count(*) does.
type Read struct {
	Table  guard.Name
	Column string
}

// Profile is the set of rules a session runs model SQL under.
type Profile uint8

const (
	// Answer is for questions of people: SQLite reads "x" as a name only.
	Answer Profile = iota
	// Score is for gold and prediction: as other evaluators run them, SQLite
	// reads an unknown "x" as text.
	Score
)

// Info is what connecting told.
type Info struct {
	Product  string // "PostgreSQL", "SQLite"
	Version  string
	Location string // the URL with its password masked
	User     string
	// Warnings say what the credential may do beyond reading.
	Warnings []Warning
	// Superuser is set when the credential is not bound by privileges at all.
	Superuser bool
}

// Warning is one thing a credential should not be able to do, and the
// statements that take it away.
type Warning struct {
	Message string
	Remedy  []string
}

// Caps bound one query; 0 means the session's own limit.
type Caps struct {
	Rows  int
	Bytes int64
	Time  time.Duration
}

// AnswerCaps are the defaults for answers, ScoreCaps those for scoring.
var (
	AnswerCaps = Caps{Rows: 1000, Bytes: 10 << 20, Time: 30 * time.Second}
	ScoreCaps  = Caps{Rows: 1_000_000, Bytes: 256 << 20, Time: 30 * time.Second}
)

// Caps are a profile's own limits.
func (p Profile) Caps() Caps {
	if p == Score {
		return ScoreCaps
	}
	return AnswerCaps
}

// Or takes from own what c leaves open.
func (c Caps) Or(own Caps) Caps {
	if c.Rows <= 0 {
		c.Rows = own.Rows
	}
	if c.Bytes <= 0 {
		c.Bytes = own.Bytes
	}
	if c.Time <= 0 {
		c.Time = own.Time
	}
	return c
}

// Column is a column of a result; Type is the engine's name of its type, ""
// where it has none.
type Column struct {
	Name string `json:"name"`
	Type string `json:"type,omitempty"`
}

// Result is a result read whole, up to the caps.
type Result struct {
	Columns []Column
	Rows    [][]Value
	// Truncated names the cap that cut the result, "" when it is whole.
	Truncated Truncation
	Elapsed   time.Duration
}

// Truncation names the cap that cut a result.
type Truncation string

// The truncations.
const (
	Whole   Truncation = ""
	ByRows  Truncation = "rows"
	ByBytes Truncation = "bytes"
)

// Own is a statement of the product's own: catalogue, profile, locks. Only
// dialect folders make one (the architecture test holds that).
type Own struct{ text string }

// OwnSQL makes a statement of the product's own. Call it in a dialect folder
// only, and never with text a model or a user wrote, names excepted when
// quoted by the dialect.
func OwnSQL(text string) Own { return Own{text} }

// SQL is the statement's text.
func (o Own) SQL() string { return o.text }

// Dialect is everything the product knows of one SQL dialect, as values and
// functions, without a driver.
type Dialect struct {
	Name    string   // canonical: "sqlite"
	Title   string   // "SQLite"
	Aliases []string // "lite"
	Schemes []string // URL schemes, without "://"
	// Policy holds the dialect's share of a guard.Policy: rules, function
	// lists, hidden schemas, now-tokens.
	Policy guard.Policy
	// Quote quotes a name always; Ident only when the name needs it
	// (reserved, mixed case where the engine folds, odd characters).
	Quote func(name string) string
	Ident func(name string) string
	// Catalog reads the schema with a fixed number of statements.
	Catalog func(ctx context.Context, s Session) (catalog.Schema, error)
	// Sample reads about rows rows of some columns of a table, the same rows
	// every time while the data is the same. A view or a table without a row
	// address is read from its start.
	Sample func(ctx context.Context, s Session, t catalog.Table, columns []string, rows int) (*Result, error)
	// Evidence reads what the data says of keys that nobody has declared.
	Evidence Evidence
	// Measure is how its tables are measured.
	Measure Measuring
	// Expect asks what a statement will take; nil where the engine does not
	// say.
	Expect Expecting
	// HasCost tells that Expect gives a cost.
	HasCost bool
	// Classify tells an engine's error apart by its code (SQLSTATE, number or
	// "") and its text; nil where it says nothing more.
	Classify func(code, message string) *Error
	// Now spells the literal that stands for a token meaning "now", for
	// guard.AsOf.
	Now func(token string, at time.Time) (text string, ok bool)
	// Host locks a connection that the host of a service opened.
	Host HostLock
	// Notes are lines for the prompt: what this dialect does differently.
	Notes string
}

// HostLock is what makes a host's connection as read-only as SQL alone can.
type HostLock struct {
	// Keep reads, in one row and before Begin, what Restore puts back; the
	// zero Own reads nothing.
	Keep Own
	// Begin is run before a model's statement, End after it, whatever
	// happened.
	Begin, End []Own
	// Timeout is the engine's own limit on one statement, nil where it has
	// none that SQL can set; it is run after Begin.
	Timeout func(time.Duration) Own
	// Restore is run after End, with the row that Keep read.
	Restore func(kept []Value) []Own
	// Cell reads what the engine's driver for database/sql gives in Go types
	// of its own; nil where it has none. typeName is the column's type, "" for
	// a member of a list or struct.
	Cell func(cell any, typeName string) (Value, bool)
	// Lacks says which guarantees of a driver's session are missing.
	Lacks []string
}

// FunctionList reads the text of a dialect's functions.txt: a name a line in
// lower case, "table NAME" for one that may stand in FROM, # for a remark.
func FunctionList(text string) (functions, tableFunctions map[string]bool) {
	functions, tableFunctions = map[string]bool{}, map[string]bool{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		name, isTable := strings.CutPrefix(line, "table ")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case isTable:
			tableFunctions[name] = true
		default:
			functions[name] = true
		}
	}
	return functions, tableFunctions
}
