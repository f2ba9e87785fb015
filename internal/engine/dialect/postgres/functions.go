package postgres

import (
	_ "embed"

	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// functionList is generated from the live engine by the driver's tests
// (-update) with FunctionNames.
//
//go:embed functions.txt
var functionList string

// FunctionNames lists the functions of a server that only compute, in the
// form of functions.txt. The rule: in pg_catalog, an ordinary, aggregate or
// window function that is immutable or stable, whose arguments and result SQL
// can write; less the families that read files, sessions, settings or tables
// that no grammar sees; plus a few volatile ones that are harmless.
var FunctionNames = db.OwnSQL(`WITH f AS (
  SELECT p.proname AS name, p.proretset AS rows,
    p.provolatile IN ('i', 's') AS calm,
    p.proargtypes::oid[] && ARRAY['internal', 'cstring']::regtype[]::oid[]
      OR p.prorettype::regtype IN ('internal', 'cstring', 'trigger', 'event_trigger', 'language_handler', 'fdw_handler', 'index_am_handler', 'table_am_handler', 'tsm_handler') AS inner_only
  FROM pg_catalog.pg_proc p
  WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.prokind IN ('f', 'a', 'w')
), names AS (
  SELECT name, bool_or(rows) AS rows FROM f
  GROUP BY name
  -- one volatile variant spoils a name: a statement does not say which it calls
  HAVING bool_and(calm) AND NOT bool_and(inner_only)
)
SELECT CASE WHEN rows THEN 'table ' || name ELSE name END AS line FROM names
WHERE name !~ '^(pg_|lo_|dblink|txid_|inet_|has_|cursor_to_|ts_stat|binary_upgrade|mxid_|query_to_|table_to_|schema_to_|database_to_|obj_description|shobj_|col_description|to_reg|getdatabaseencoding|row_security|acl|makeacl|session_)'
  AND name NOT IN ('version', 'current_setting', 'current_database', 'nextval', 'currval', 'lastval')
UNION ALL
SELECT unnest(ARRAY['random', 'gen_random_uuid', 'clock_timestamp', 'timeofday', 'pg_typeof'])
ORDER BY 1`)

// operatorList is generated like functionList, with OperatorNames.
//
//go:embed operators.txt
var operatorList string

// OperatorNames lists the operators that are built in; none of them changes
// anything, which a test holds.
var OperatorNames = db.OwnSQL(`SELECT DISTINCT o.oprname::text FROM pg_catalog.pg_operator o
WHERE o.oprnamespace = 'pg_catalog'::regnamespace ORDER BY 1`)

// VolatileOperators lists built-in operators that may change something.
var VolatileOperators = db.OwnSQL(`SELECT o.oprname::text FROM pg_catalog.pg_operator o JOIN pg_catalog.pg_proc p ON p.oid = o.oprcode
WHERE o.oprnamespace = 'pg_catalog'::regnamespace AND p.provolatile = 'v'`)

// Keywords lists the words that cannot stand as a plain name.
var Keywords = db.OwnSQL("SELECT word FROM pg_catalog.pg_get_keywords() WHERE catcode <> 'U' ORDER BY 1")
