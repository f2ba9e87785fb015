// Package mysql is what the product knows of the SQL of MySQL and MariaDB,
// without a driver.
package mysql

import (
	"maps"
	"regexp"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
)

// Dialect describes MySQL.
func Dialect() db.Dialect {
	return describe("MySQL", mysqlList, mysqlSettings, notes+mysqlNotes)
}

// MariaDialect describes MariaDB.
func MariaDialect() db.Dialect {
	d := describe("MariaDB", mariaList, mariaSettings, notes+mariaNotes)
	d.Policy.Virtual = sequence.MatchString
	return d
}

// sequence is the name of a table of numbers.
var sequence = regexp.MustCompile(`^(?i:seq_\d+_to_\d+(_step_\d+)?)$`)

func describe(title, list string, v settings, notes string) db.Dialect {
	return db.Dialect{
		Title:    title,
		Policy:   policy(list),
		Quote:    Quote,
		Ident:    Ident,
		Catalog:  Catalog,
		Sample:   Sample,
		Measure:  measuring(),
		Evidence: evidence.Evidence(),
		Expect:   Expect,
		Classify: Classify,
		Now:      Now,
		Host:     v.hostLock(),
		Notes:    notes,
	}
}

func policy(list string) guard.Policy {
	functions, tables := db.FunctionList(sharedList)
	more, _ := db.FunctionList(list)
	maps.Copy(functions, more)
	return guard.Policy{
		Rules:          sqltext.MySQLRules,
		Functions:      functions,
		TableFunctions: tables,
		HiddenSchemas:  strings.Fields("information_schema mysql performance_schema sys"),
	}
}

const notes = "Names need `backticks` when they are reserved or odd; \"text\" in double quotes is a string, as is 'text'.\n" +
	`Dates: DATE_FORMAT(d, '%Y-%m'), YEAR(d), d - INTERVAL 1 MONTH, TIMESTAMPDIFF(DAY, a, b), LAST_DAY(d); there is no DATE_TRUNC.
a / b gives decimals, a DIV b whole numbers; || is OR, not concatenation: use CONCAT(a, b).
Text compares without case under most collations. GROUP_CONCAT(x ORDER BY y SEPARATOR ', ') joins texts.
There is no FULL JOIN, no FILTER (WHERE …) and no DISTINCT ON; sum(CASE WHEN … THEN 1 ELSE 0 END) counts conditionally.
`

const (
	mysqlNotes = `Every selected column must be aggregated or grouped by. JSON: doc->>'$.a'. There is no median.`
	mariaNotes = `JSON is text: JSON_VALUE(doc, '$.a'). MEDIAN(x) OVER (PARTITION BY y) and PERCENTILE_CONT are window functions.`
)
