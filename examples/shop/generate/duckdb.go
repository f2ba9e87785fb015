//go:build cgo && !no_duckdb

package main

import (
	"context"

	shopduckdb "github.com/sqbyl/sqbyl/examples/shop-duckdb"
)

func buildDuck(ctx context.Context, path string) (bool, error) {
	return true, shopduckdb.Build(ctx, path)
}
