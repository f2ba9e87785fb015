package postgres

import (
	"fmt"
	"time"

	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// The statements around a session. A transaction that is read only can be
// made read-write again until its first query; Pin is that query, and it also
// fixes every setting that changes how text is read or written. DISCARD ALL
// frees what outlives a rollback: advisory locks, prepared statements,
// settings made outside a transaction.
var (
	Begin      = db.OwnSQL("BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
	Pin        = db.OwnSQL(pin)
	Savepoint  = db.OwnSQL("SAVEPOINT sqbyl")
	RollbackTo = db.OwnSQL("ROLLBACK TO SAVEPOINT sqbyl")
	Rollback   = db.OwnSQL("ROLLBACK")
	Discard    = db.OwnSQL("DISCARD ALL")
)

// The search path keeps the role's schemas, in front of them the engine's own
// so that nobody's lower() stands in for the built-in one, and temporary
// tables behind.
const pin = `SELECT set_config('standard_conforming_strings', 'on', true), set_config('backslash_quote', 'safe_encoding', true),
 set_config('DateStyle', 'ISO', true), set_config('IntervalStyle', 'postgres', true), set_config('bytea_output', 'hex', true),
 set_config('extra_float_digits', '1', true), set_config('transform_null_equals', 'off', true), set_config('array_nulls', 'on', true),
 set_config('quote_all_identifiers', 'off', true), set_config('client_min_messages', 'error', true), set_config('lc_monetary', 'C', true),
 set_config('lock_timeout', '5000', true), set_config('idle_in_transaction_session_timeout', '600000', true),
 set_config('statement_timeout', '0', true),
 set_config('search_path', (SELECT coalesce(string_agg(quote_ident(s), ', ' ORDER BY i) || ', ', '') || 'pg_temp'
   FROM unnest(current_schemas(false)) WITH ORDINALITY p(s, i) WHERE s !~ '^pg_'), true)`

// Timeout limits the statements until RollbackTo or the transaction's end.
func Timeout(d time.Duration) db.Own {
	return db.OwnSQL(fmt.Sprintf("SELECT set_config('statement_timeout', '%d', true)", max(d.Milliseconds(), 1)))
}

// DeclarePrefix stands before a model's statement: the server's grammar takes
// nothing but a query behind it, and FETCH is the row limit.
const DeclarePrefix = "DECLARE sqbyl_result NO SCROLL CURSOR FOR "

// Fetch reads the next rows of the declared cursor.
func Fetch(rows int) db.Own {
	return db.OwnSQL(fmt.Sprintf("FETCH FORWARD %d FROM sqbyl_result", rows))
}

// TypeNames names the types of result columns: the type itself, and the one
// its text form is read as, with an array's element traced to its base.
var TypeNames = db.OwnSQL(`SELECT t.oid::bigint, pg_catalog.format_type(t.oid, NULL),
  CASE WHEN e.typtype = 'd' THEN pg_catalog.format_type(e.typbasetype, NULL) || '[]'
       WHEN t.typtype = 'd' THEN pg_catalog.format_type(t.typbasetype, NULL) ELSE pg_catalog.format_type(t.oid, NULL) END
FROM pg_catalog.pg_type t LEFT JOIN pg_catalog.pg_type e ON e.oid = t.typelem AND t.typcategory = 'A'
WHERE t.oid = ANY ($1::bigint[]::oid[])`)

// Relations names what can be read from; ColumnNames the columns of what can.
var (
	Relations = db.OwnSQL(`SELECT c.relname::text, n.nspname::text, n.nspname = ANY (current_schemas(false)) FROM pg_catalog.pg_class c
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition AND ` + userSchema + ` AND has_schema_privilege(n.oid, 'USAGE') ORDER BY 1, 2`)
	ColumnNames = db.OwnSQL(`SELECT DISTINCT a.attname::text FROM pg_catalog.pg_attribute a
  WHERE a.attrelid = ANY (SELECT to_regclass(t)::oid FROM unnest($1::text[]) t) AND a.attnum > 0 AND NOT a.attisdropped ORDER BY 1`)
)

// ViewBodies are the definitions of the views among some tables and of those
// they read in turn.
var ViewBodies = db.OwnSQL(`WITH RECURSIVE v(oid) AS (
  SELECT c.oid FROM unnest($1::text[]) t JOIN pg_catalog.pg_class c ON c.oid = to_regclass(t) WHERE c.relkind = 'v'
  UNION
  SELECT c.oid FROM v JOIN pg_catalog.pg_rewrite r ON r.ev_class = v.oid
    JOIN pg_catalog.pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid AND d.refclassid = 'pg_class'::regclass
    JOIN pg_catalog.pg_class c ON c.oid = d.refobjid WHERE c.relkind = 'v'
) SELECT v.oid::regclass::text, pg_catalog.pg_get_viewdef(v.oid) FROM v ORDER BY 1`)

// hostLock rolls back whatever happened; what outlives a rollback stays.
func hostLock() db.HostLock {
	return db.HostLock{
		Begin:   []db.Own{Begin, Pin},
		End:     []db.Own{Rollback},
		Timeout: Timeout,
		Lacks: []string{
			"a cursor: the server's grammar does not hold the statement to one query, and the row cap stops reading instead of running",
			"the engine's own grammar: functions and tables are held against the lists by the statement's tokens",
			"a look at what views, operators, casts, domains and functions of the database call",
			"a reset of the connection: advisory locks and large objects outlive the rollback",
			"a check of the credential: connect with a role that may only read",
		},
	}
}
