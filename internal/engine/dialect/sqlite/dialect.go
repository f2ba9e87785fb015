// Package sqlite is what the product knows of SQLite's SQL, without a driver.
package sqlite

import "github.com/sqbyl/sqbyl/internal/engine/db"

// Dialect describes SQLite.
func Dialect() db.Dialect {
	return db.Dialect{Title: "SQLite"}
}
