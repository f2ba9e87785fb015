// Package sqlite opens SQLite files read-only and runs checked statements on
// SQLite's native interface. Its second entry, OpenStore, is for the
// product's own state files.
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
