package duckdb

import (
	"strconv"

	"github.com/sqbyl/sqbyl/internal/engine/dialect/ansi"
)

// evidence tells how lookups for evidence of keys are spelled here.
//
// The index of a key is not used by lookups of several values, so that they
// read a bounded number of rows.
var evidence = ansi.Spelling{
	Quote:     Quote,
	Parameter: func(n int) string { return "$" + strconv.Itoa(n) },
	Strict:    true,
}
