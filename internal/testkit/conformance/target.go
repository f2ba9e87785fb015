// Package conformance is what every engine must pass: one suite over a real
// database, called from each driver's tests.
//
//	func TestConformance(t *testing.T) {
//		conformance.Run(t, conformance.Target{…})
//	}
package conformance

import (
	"testing"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// Target is one engine under test.
type Target struct {
	// New makes a fresh, empty database and removes it when the test ends.
	New func(t testing.TB) Instance
	// Types spell the suite's column types.
	Types Types
	// Comments are statements that put the comments of the suite's DDL into
	// the catalogue, "" where the engine reads them from the DDL itself.
	Comments string
	// MaxQueries is the most statements that reading the catalogue may send.
	MaxQueries int
	// Values are further values, each of which must come back exactly.
	Values []ValueCase
	// Errors are further errors on the tables of the suite's DDL.
	Errors []ErrorCase
	// Series is a statement that gives n rows of one column, 1 to n.
	Series func(n int) string
	// Slow is a statement that the guard passes and that would run for hours.
	Slow string
	// BasicNames says that names hold no character beyond U+FFFF.
	BasicNames bool
	// InferredParams says that a parameter is of the type it is compared with,
	// so that a fraction is no value for a whole number.
	InferredParams bool
	// Snapshot says that one session sees one state of the data.
	Snapshot bool
	// Dirty are statements that leave something behind on their connection.
	Dirty []DirtyCase
	// Attacks is the name of the engine's file of attacks ("sqlite.sql"),
	// AttackSetup makes what they aim at: tables t and t2, a sequence s, views,
	// functions. @DIR@ in both is the folder that they may try to touch.
	Attacks     string
	AttackSetup string
	// More are further attacks: a name and a statement.
	More map[string]string
	// Ordinary is the engine's tag in ordinary.sql ("lite"); OrdinaryRefused
	// names the queries of the tag that are refused on purpose, with a word
	// that the refusal must hold.
	Ordinary        string
	OrdinaryRefused map[string]string
}

// Instance is one database of a target.
type Instance struct {
	// Open opens it through the product's driver, as a role that may read.
	Open func(t testing.TB, o driver.Options) db.Database
	// Exec runs statements as an administrator, outside the product; they end
	// in ";" and a new line.
	Exec func(t testing.TB, sql string)
	// State is everything that model SQL must not change: rows of all tables,
	// sequences, settings, sessions, locks, the bytes of files. Two equal
	// strings mean that nothing changed.
	State func(t testing.TB) string
}

// Types are the names of column types: {json} and so on in the suite's DDL.
type Types struct {
	JSON      string
	Timestamp string
	Blob      string
	// Generated is the word behind a generated column: STORED or VIRTUAL.
	Generated string
}

// ValueCase is a value that SQL yields in one column and row, as JSON and by
// kind.
type ValueCase struct {
	SQL  string
	JSON string
	Kind db.ValueKind
}

// ErrorCase is a statement and the error that preparing or running it gives.
type ErrorCase struct {
	SQL  string
	Kind db.ErrorKind
	// Name is what the error is about; Candidate one of the names it offers.
	Name, Candidate string
}

// DirtyCase is a statement, run with the guard's permission for Allow, and a
// check that a later session must pass: the statement Check gives Want.
type DirtyCase struct {
	SQL   string
	Allow []string
	Check string
	Want  string
}
