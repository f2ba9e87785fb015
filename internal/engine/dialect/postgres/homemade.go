package postgres

import "github.com/sqbyl/sqbyl/internal/engine/db"

// calm are the functions p that a person need not look at: built in, or an
// extension's that do not change anything.
const calm = `(p.pronamespace = 'pg_catalog'::regnamespace OR p.provolatile IN ('i', 's')
  AND EXISTS (SELECT FROM pg_catalog.pg_depend x WHERE x.classid = 'pg_proc'::regclass AND x.objid = p.oid AND x.deptype = 'e'))`

// Homemade lists functions, operators and attribute-like functions (x.f is
// f(x), for a value of any type) that somebody made in this database. A name
// of these may stand for more than the built-in one that the lists allow.
var Homemade = db.OwnSQL(`SELECT 'function', p.proname::text, n.nspname::text FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
  WHERE n.nspname = ANY (current_schemas(false)) AND NOT ` + calm + `
UNION SELECT 'operator', o.oprname::text, '' FROM pg_catalog.pg_operator o JOIN pg_catalog.pg_proc p ON p.oid = o.oprcode
  WHERE NOT ` + calm + ` AND NOT EXISTS (SELECT FROM pg_catalog.pg_operator b WHERE b.oprname = o.oprname AND b.oprnamespace = 'pg_catalog'::regnamespace)
UNION SELECT 'attribute', p.proname::text, n.nspname::text FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
  WHERE n.nspname = ANY (current_schemas(false)) AND p.pronargs > 0 AND p.pronargs - p.pronargdefaults <= 1
    AND p.prokind = 'f' AND p.prorettype <> 'trigger'::regtype AND NOT ` + calm)

// HomemadeUses lists what calls a function without naming it: operators under
// a built-in sign, casts, and the checks of domains. The columns: kind, name,
// schema, the types made in this database that it takes (oids; none means
// that it works on built-in types alone), the function it calls, and a cast's
// target types (none for one that is implicit) or a domain's check.
var HomemadeUses = db.OwnSQL(`SELECT 'overload', o.oprname::text, n.nspname::text,
    concat_ws(' ', CASE WHEN l.typnamespace <> 'pg_catalog'::regnamespace THEN l.oid END, CASE WHEN r.typnamespace <> 'pg_catalog'::regnamespace THEN r.oid END),
    p.proname::text, ''
  FROM pg_catalog.pg_operator o JOIN pg_catalog.pg_proc p ON p.oid = o.oprcode JOIN pg_catalog.pg_namespace n ON n.oid = o.oprnamespace
    LEFT JOIN pg_catalog.pg_type l ON l.oid = o.oprleft LEFT JOIN pg_catalog.pg_type r ON r.oid = o.oprright
  WHERE n.nspname = ANY (current_schemas(false)) AND NOT ` + calm + `
    AND EXISTS (SELECT FROM pg_catalog.pg_operator b WHERE b.oprname = o.oprname AND b.oprnamespace = 'pg_catalog'::regnamespace)
UNION ALL SELECT 'cast', pg_catalog.format_type(s.oid, NULL) || ' AS ' || pg_catalog.format_type(t.oid, NULL), n.nspname::text,
    CASE WHEN s.typnamespace <> 'pg_catalog'::regnamespace THEN s.oid::text WHEN t.typnamespace <> 'pg_catalog'::regnamespace THEN t.oid::text ELSE '' END,
    p.proname::text,
    CASE WHEN c.castcontext = 'i' THEN '' ELSE (SELECT string_agg(x.typname, chr(10)) FROM pg_catalog.pg_type x
      WHERE x.oid IN (t.oid, t.typarray) OR x.typtype = 'd' AND x.typnamespace <> 'pg_catalog'::regnamespace
        OR x.typtype = 'c' AND x.oid <> s.oid AND x.typnamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)) END
  FROM pg_catalog.pg_cast c JOIN pg_catalog.pg_proc p ON p.oid = c.castfunc JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
    JOIN pg_catalog.pg_type s ON s.oid = c.castsource JOIN pg_catalog.pg_type t ON t.oid = c.casttarget
  WHERE NOT ` + calm + `
UNION ALL SELECT 'domain', t.typname::text, n.nspname::text, t.oid::text, '', pg_catalog.pg_get_expr(c.conbin, 0)
  FROM pg_catalog.pg_constraint c JOIN pg_catalog.pg_type t ON t.oid = c.contypid JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace
  WHERE c.contype = 'c' AND n.nspname NOT IN ('pg_catalog', 'information_schema')
    AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend x WHERE x.classid = 'pg_type'::regclass AND x.objid = t.oid AND x.deptype = 'e')`)

// TypeHolders names, for each of some types, the types and relations that a
// value of it may come from: itself, arrays and domains of it, rows and ranges
// that hold it. The last column says that an array is in between.
var TypeHolders = db.OwnSQL(`WITH RECURSIVE edges(inside, outside, listed) AS MATERIALIZED (
  SELECT oid, typarray, true FROM pg_catalog.pg_type WHERE typarray <> 0
  UNION ALL SELECT typbasetype, oid, false FROM pg_catalog.pg_type WHERE typtype = 'd'
  UNION ALL SELECT rngsubtype, rngtypid, false FROM pg_catalog.pg_range
  UNION ALL SELECT a.atttypid, c.reltype, false FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
    WHERE a.attnum > 0 AND NOT a.attisdropped AND c.reltype <> 0
), h(root, oid, listed) AS (
  SELECT oid, oid, false FROM pg_catalog.pg_type WHERE oid = ANY ($1::bigint[]::oid[])
  UNION SELECT h.root, e.outside, h.listed OR e.listed FROM h JOIN edges e ON e.inside = h.oid
) SELECT h.root::bigint, t.typname::text, bool_or(h.listed) FROM h JOIN pg_catalog.pg_type t ON t.oid = h.oid GROUP BY 1, 2`)
