// Package duckdb is what the product knows of DuckDB's SQL, without a driver.
package duckdb

import (
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
)

// Dialect describes DuckDB.
func Dialect() db.Dialect {
	return db.Dialect{
		Title:    "DuckDB",
		Policy:   policy(),
		Quote:    Quote,
		Ident:    Ident,
		Catalog:  Catalog,
		Sample:   Sample,
		Evidence: evidence.Evidence(),
		Measure:  measuring(),
		Expect:   Expect,
		Classify: Classify,
		Now:      Now,
		Host:     hostLock(),
		Notes:    notes,
	}
}

func policy() guard.Policy {
	functions, tableFunctions := db.FunctionList(functionList)
	return guard.Policy{
		Rules:          sqltext.DuckDBRules,
		Functions:      functions,
		TableFunctions: tableFunctions,
		HiddenSchemas:  []string{"information_schema", "pg_catalog", "system"},
		HiddenPrefixes: strings.Fields(hiddenNames),
	}
}

const notes = `Division of integers with / gives a DOUBLE; // divides whole numbers.
date_trunc('month', d), date_diff('day', a, b), strftime(d, '%Y-%m') and INTERVAL 3 MONTH work on dates.
count(*) FILTER (WHERE …), QUALIFY, GROUP BY ALL, DISTINCT ON and * EXCLUDE (…) are there; string_agg(x, ', ' ORDER BY x) joins text.
Names compare without case; text compares with it (ILIKE does not).
PIVOT needs its values: PIVOT t ON c IN ('a', 'b') USING sum(x).
Read only tables and views of this database, never files.`
