//go:build cgo && !no_duckdb

package main

import (
	example "github.com/sqbyl/sqbyl/examples/shop"
	shopduckdb "github.com/sqbyl/sqbyl/examples/shop-duckdb"
)

func samples() []sample {
	return []sample{{"shop", example.Database, example.Build}, {"shop-duckdb", shopduckdb.Database, shopduckdb.Build}}
}
