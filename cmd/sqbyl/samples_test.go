//go:build !cgo || no_duckdb

package main

import example "github.com/sqbyl/sqbyl/examples/shop"

func samples() []sample {
	return []sample{{"shop", example.Database, example.Build}, {folder: "shop-duckdb"}}
}
