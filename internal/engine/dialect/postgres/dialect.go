// Package postgres is what the product knows of PostgreSQL's SQL, without a driver.
package postgres

import "github.com/sqbyl/sqbyl/internal/engine/db"

// Dialect describes PostgreSQL.
func Dialect() db.Dialect {
	return db.Dialect{Title: "PostgreSQL"}
}
