package duckdb

import (
	"strconv"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// Bounds are what a database that this product opens may use.
type Bounds struct {
	Memory  int64 // bytes
	Threads int
	// Paths are the files that its own views read; nothing else is reached.
	Paths []string
}

// Lock locks a database for good; the configuration itself goes last.
func Lock(b Bounds) []db.Own {
	statements := []string{
		"SET GLOBAL memory_limit = '" + strconv.FormatInt(b.Memory, 10) + " bytes'",
		"SET GLOBAL threads = " + strconv.Itoa(b.Threads),
		"SET GLOBAL temp_directory = ''",
		"SET GLOBAL TimeZone = 'UTC'",
		"SET GLOBAL errors_as_json = true",
		"SET GLOBAL allow_community_extensions = false",
		"SET GLOBAL autoinstall_known_extensions = false",
		"SET GLOBAL autoload_known_extensions = false",
	}
	if len(b.Paths) > 0 {
		statements = append(statements, "SET GLOBAL allowed_paths = "+textList(b.Paths))
	}
	statements = append(statements, "SET GLOBAL enable_external_access = false", "SET GLOBAL lock_configuration = true")
	own := make([]db.Own, len(statements))
	for i, s := range statements {
		own[i] = db.OwnSQL(s)
	}
	return own
}

// Begin starts a session's snapshot and Rollback ends it.
var (
	Begin    = db.OwnSQL("BEGIN TRANSACTION READ ONLY")
	Rollback = db.OwnSQL("ROLLBACK")
	Version  = db.OwnSQL("SELECT library_version FROM pragma_version()")
	// MemoryLimit is what the engine would use by itself.
	MemoryLimit = db.OwnSQL("SELECT current_setting('memory_limit')")
	// Serialize gives the tree of a text of SQL, which is its parameter.
	Serialize = db.OwnSQL("SELECT json_serialize_sql(?::VARCHAR, skip_null := true, skip_empty := true)")
)

func hostLock() db.HostLock {
	return db.HostLock{
		Begin: []db.Own{Begin},
		End:   []db.Own{Rollback},
		Cell:  hostCell,
		Lacks: []string{
			"the engine's own grammar: the statement is checked by the lexer and the function list only, and the bodies of views and macros are not",
			"locked configuration: files and extensions are closed only if the host set enable_external_access=false and lock_configuration=true",
			"one statement at a time: when the driver prepares a text it runs all its statements but the last, and only the lexer stands before that",
			"a limit of its own on memory and threads",
			"exact values: the driver rounds numbers inside JSON, gives TIME '24:00' as 00:00 dates inside lists as times, maps and unions as text, and reads no TIME_NS and no struct without names",
			"streamed results: the driver holds a result whole before its first row is read",
		},
	}
}

func textList(items []string) string {
	quoted := make([]string, len(items))
	for i, item := range items {
		quoted[i] = textLiteral(item)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

func textLiteral(s string) string {
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}
