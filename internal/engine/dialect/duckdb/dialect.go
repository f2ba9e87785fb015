// Package duckdb is what the product knows of DuckDB's SQL, without a driver.
package duckdb

import "github.com/sqbyl/sqbyl/internal/engine/db"

// Dialect describes DuckDB.
func Dialect() db.Dialect {
	return db.Dialect{Title: "DuckDB"}
}
