//go:build !cgo || no_duckdb

package main

import "context"

// buildDuck builds nothing: DuckDB needs cgo.
func buildDuck(context.Context, string) (bool, error) { return false, nil }
