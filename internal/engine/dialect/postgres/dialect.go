// Package postgres is what the product knows of PostgreSQL's SQL, without a driver.
package postgres

import (
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/dialect/ansi"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
)

// Dialect describes PostgreSQL.
func Dialect() db.Dialect {
	return db.Dialect{
		Title:    "PostgreSQL",
		Policy:   policy(),
		Quote:    Quote,
		Ident:    Ident,
		Catalog:  Catalog,
		Sample:   Sample,
		Measure:  measuring(),
		Evidence: evidence.Evidence(),
		Expect:   Expect,
		HasCost:  true,
		Classify: Classify,
		Now:      Now,
		Host:     hostLock(),
		Notes:    notes,
	}
}

func policy() guard.Policy {
	functions, tableFunctions := db.FunctionList(functionList)
	// A function that returns rows may stand in a select list too.
	for name := range tableFunctions {
		functions[name] = true
	}
	return guard.Policy{
		Rules:          sqltext.PostgresRules,
		Functions:      functions,
		TableFunctions: tableFunctions,
		Operators:      operators(),
		HiddenSchemas:  []string{"pg_catalog", "information_schema", "pg_toast"},
		HiddenPrefixes: []string{"pg_"},
	}
}

// operators are the built-in ones and != and =>, which the grammar spells.
func operators() map[string]bool {
	m := ansi.Words(operatorList)
	for _, sign := range []string{"!=", "=>", ":=", "::", ":", "."} {
		m[sign] = true
	}
	return m
}

const notes = `Unquoted names fold to lower case; a name with upper case needs "double quotes".
Integer division truncates: write 100.0 * a / b or a::numeric / b.
round(x, n) takes numeric only: round(x::numeric, 2). Text compares with case; ILIKE ignores it.
Dates: date_trunc('month', d), d - interval '1 month', EXTRACT(year FROM d), to_char(d, 'YYYY-MM'); date - date is an integer number of days.
DISTINCT ON, FILTER (WHERE …), LATERAL, percentile_cont(0.5) WITHIN GROUP (ORDER BY x) and string_agg are there; there is no QUALIFY.
ORDER BY puts NULL last when ascending and first when descending.`
