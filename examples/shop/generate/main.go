// Command generate builds the sample databases, examples/shop/shop.db and,
// where this build has DuckDB, examples/shop-duckdb/shop.duckdb.
//
//	go run ./examples/shop/generate
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/sqbyl/sqbyl/examples/shop"
	shopduckdb "github.com/sqbyl/sqbyl/examples/shop-duckdb"
)

// target is one database to build; built is false where this build lacks the
// engine.
type target struct {
	path  string
	build func(ctx context.Context, path string) (built bool, err error)
}

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	targets := []target{
		{filepath.Join("examples", "shop", shop.Database), func(ctx context.Context, path string) (bool, error) { return true, shop.Build(ctx, path) }},
		{filepath.Join("examples", "shop-duckdb", shopduckdb.Database), buildDuck},
	}
	if _, err := os.Stat("examples"); err != nil {
		return fmt.Errorf("run it in the repository's root: %w", err)
	}
	for _, t := range targets {
		start := time.Now()
		if err := os.Remove(t.path); err != nil && !os.IsNotExist(err) {
			return err
		}
		built, err := t.build(ctx, t.path)
		if err != nil {
			return err
		}
		if !built {
			fmt.Printf("· %s left out: this build has no DuckDB (it needs cgo)\n", t.path)
			continue
		}
		fmt.Printf("✓ %s in %.1f s\n", t.path, time.Since(start).Seconds())
	}
	return nil
}
