//go:build cgo && !no_duckdb

package duckdb

import (
	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/dialect"
)

func init() {
	driver.Register(dialect.DuckDB, Open)
	driver.RegisterGrammar(dialect.DuckDB, Grammar)
}
