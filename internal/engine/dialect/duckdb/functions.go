package duckdb

import (
	_ "embed"
	"strings"
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

	keywords     = set(keywordNames)
	catalogNames = set(hiddenNames)
)

func set(lines string) map[string]bool {
	m := make(map[string]bool)
	for _, name := range strings.Fields(lines) {
		m[name] = true
	}
	return m
}
