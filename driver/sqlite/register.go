// Package sqlite opens SQLite files read-only and runs checked statements on
// SQLite's native interface. The product's own state files are opened by
// package state below it.
package sqlite

import (
	"github.com/ncruces/go-sqlite3/vfs"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/dialect"
)

func init() {
	driver.Register(dialect.SQLite, Open)
	vfs.Register(readOnlyVFS, reader{})
}
