// Package sqlite is what the product knows of SQLite's SQL, without a driver.
package sqlite

import (
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
)

// Dialect describes SQLite.
func Dialect() db.Dialect {
	return db.Dialect{
		Title:    "SQLite",
		Policy:   policy(),
		Quote:    Quote,
		Ident:    Ident,
		Catalog:  Catalog,
		Sample:   Sample,
		Evidence: evidence.Evidence(),
		Measure:  measuring(),
		Classify: Classify,
		Now:      Now,
		Host:     hostLock(),
		Notes:    notes,
	}
}

func policy() guard.Policy {
	functions, tableFunctions := db.FunctionList(functionList)
	return guard.Policy{
		Rules:          sqltext.SQLiteRules,
		Functions:      functions,
		TableFunctions: tableFunctions,
		HiddenSchemas:  []string{"temp"},
		HiddenPrefixes: []string{"sqlite_", "pragma_", "dbstat", "bytecode", "tables_used"},
	}
}

const notes = `Dates are text (ISO 8601) or numbers: use date(), datetime(), strftime('%Y-%m', d), julianday(a) - julianday(b); there is no DATE_TRUNC, EXTRACT, INTERVAL or YEAR().
Integer division truncates: write 100.0 * a / b or CAST(a AS REAL).
Text compares with case; LIKE ignores the case of ASCII letters.
"x" is always a name, text is 'x'. Booleans are 0 and 1.
There is no RIGHT(), no ILIKE, no MEDIAN() or PERCENTILE_CONT(), no QUALIFY; FILTER (WHERE …), window functions, CTEs, RIGHT and FULL JOIN are there.`
