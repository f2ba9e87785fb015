// Package mysql is what the product knows of MySQL's SQL, without a driver.
package mysql

import "github.com/sqbyl/sqbyl/internal/engine/db"

// Dialect describes MySQL.
func Dialect() db.Dialect {
	return db.Dialect{Title: "MySQL"}
}

// MariaDialect describes MariaDB.
func MariaDialect() db.Dialect {
	d := Dialect()
	d.Title = "MariaDB"
	return d
}
