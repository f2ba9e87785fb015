package sqlite

import (
	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// Lock are the statements that lock a connection the driver opened, before
// its authorizer is set: belt and braces, since the authorizer refuses every
// statement that they would stop.
func Lock() []db.Own {
	return []db.Own{
		db.OwnSQL("PRAGMA query_only = 1"),
		db.OwnSQL("PRAGMA trusted_schema = 0"),
		db.OwnSQL("PRAGMA cell_size_check = 1"),
		db.OwnSQL("PRAGMA automatic_index = 1"),
	}
}

// The statements that hold a session's snapshot, and those that tell what is
// in the engine and in the file.
var (
	Begin    = db.OwnSQL("BEGIN")
	Rollback = db.OwnSQL("ROLLBACK")
	Version  = db.OwnSQL("SELECT sqlite_version()")
	// Shadowing are the tables that bear the name of one of the engine's own.
	Shadowing = db.OwnSQL(`SELECT lower(name) FROM sqlite_schema WHERE type IN ('table', 'view') AND
		(name LIKE 'pragma\_%' ESCAPE '\' OR lower(name) IN (SELECT lower(value) FROM json_each(?1)))`)
	// Modules are the engine's virtual tables.
	Modules = db.OwnSQL("SELECT lower(name) FROM pragma_module_list")
	// FunctionNames are the functions of the live engine.
	FunctionNames = db.OwnSQL("SELECT DISTINCT lower(name) FROM pragma_function_list ORDER BY 1")
	// Cache is the engine's own size of a connection's cache, 2 MB; RoomyCache,
	// 32 MB, lets what is larger be sorted without a file.
	Cache      = db.OwnSQL("PRAGMA cache_size = -2000")
	RoomyCache = db.OwnSQL("PRAGMA cache_size = -32768")
	// Views are the names of views.
	Views = db.OwnSQL("SELECT name FROM sqlite_schema WHERE type = 'view'")
)

// ProbeView reads no row of a view, only whether it can be read.
func ProbeView(view string) db.Own {
	return db.OwnSQL("SELECT 1 FROM " + Quote(view) + " LIMIT 0")
}

// hostLock rolls every change back; query_only is put back as the host had it.
func hostLock() db.HostLock {
	return db.HostLock{
		Keep:  db.OwnSQL("SELECT query_only FROM pragma_query_only"),
		Begin: []db.Own{db.OwnSQL("PRAGMA query_only = 1"), Begin},
		End:   []db.Own{Rollback},
		Restore: func(kept []db.Value) []db.Own {
			if len(kept) == 1 && kept[0].Kind() == db.Int && kept[0].Int() == 1 {
				return nil
			}
			return []db.Own{db.OwnSQL("PRAGMA query_only = 0")}
		},
		Lacks: []string{
			"an authorizer: functions and tables are held against the lists by the statement's text, and what a view calls is not",
			"limits on lengths, depths and memory: the host must set SQLITE_LIMIT_LENGTH to a few MB when it opens the database, or a statement that builds huge values fills its memory (a driver that panics then takes the process with it)",
			"an end to every call: the engine's trim, instr and replace over megabytes of text run on after their time limit",
			"strict names: an unknown \"column\" in double quotes is read as text unless the driver was opened with double-quoted strings off",
			"values as stored: some drivers turn the text of DATE and TIMESTAMP columns into times",
		},
	}
}
