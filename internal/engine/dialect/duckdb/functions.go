package duckdb

import (
	_ "embed"

	"github.com/sqbyl/sqbyl/internal/engine/dialect/ansi"
)

// The lists are generated from the engine by the driver's tests (-update).
var (
	// functionList holds what only computes: scalar and aggregate functions,
	// operators, macros, and the table functions.
	//go:embed functions.txt
	functionList string
	// hiddenNames are the views of the engine's own catalog.
	//go:embed hidden.txt
	hiddenNames string
	// keywordNames are the words that cannot name a table or column unquoted.
	//go:embed keywords.txt
	keywordNames string

	keywords     = ansi.Words(keywordNames)
	catalogNames = ansi.Words(hiddenNames)
)
