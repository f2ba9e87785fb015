package postgres

import (
	"fmt"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// Version, Who and where a session is.
var Version = db.OwnSQL(`SELECT current_setting('server_version'), current_user::text, current_database()::text,
  (SELECT rolsuper FROM pg_catalog.pg_roles WHERE rolname = current_user),
  (SELECT array_agg(n.nspname::text ORDER BY n.nspname) FROM pg_catalog.pg_namespace n WHERE ` + userSchema + ` AND has_schema_privilege(n.oid, 'USAGE'))`)

// Privileges lists what the login can do beyond reading, over every role it
// is a member of, inherited or by SET ROLE: kind, role, what, on, how many,
// with examples. A superuser can do everything and is not enumerated.
var Privileges = db.OwnSQL(`WITH me AS (
  SELECT r.* FROM pg_catalog.pg_roles r WHERE r.rolname = current_user
), reach AS (
  SELECT r.* FROM pg_catalog.pg_roles r, me WHERE NOT me.rolsuper AND pg_catalog.pg_has_role(me.oid, r.oid, 'MEMBER')
), found AS (
  SELECT 'superuser' AS kind, rolname::text AS via, '' AS what, '' AS target FROM me WHERE rolsuper
  UNION ALL SELECT 'superuser', rolname::text, 'SET ROLE', '' FROM reach WHERE rolsuper
  UNION ALL SELECT 'attribute', rolname::text, concat_ws(', ', CASE WHEN rolcreaterole THEN 'CREATEROLE' END, CASE WHEN rolcreatedb THEN 'CREATEDB' END,
      CASE WHEN rolreplication THEN 'REPLICATION' END, CASE WHEN rolbypassrls THEN 'BYPASSRLS' END), ''
    FROM reach WHERE rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls
  UNION ALL SELECT 'predefined', rolname::text, '', '' FROM reach
    WHERE rolname IN ('pg_write_all_data', 'pg_write_server_files', 'pg_read_server_files', 'pg_execute_server_program', 'pg_maintain', 'pg_create_subscription', 'pg_signal_backend', 'pg_checkpoint')
  UNION ALL SELECT 'owner', reach.rolname::text, '', format('%I.%I', n.nspname, c.relname)
    FROM reach JOIN pg_catalog.pg_class c ON c.relowner = reach.oid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND ` + userSchema + `
  UNION ALL SELECT 'owner', reach.rolname::text, 'SCHEMA', quote_ident(n.nspname) FROM reach JOIN pg_catalog.pg_namespace n ON n.nspowner = reach.oid
    WHERE ` + userSchema + ` AND reach.rolname <> 'pg_database_owner'
  UNION ALL SELECT 'owner', reach.rolname::text, 'DATABASE', quote_ident(d.datname) FROM reach JOIN pg_catalog.pg_database d ON d.datdba = reach.oid WHERE d.datname = current_database()
  UNION ALL SELECT 'table', coalesce(g.rolname, 'PUBLIC')::text, a.privilege_type, format('%I.%I', n.nspname, c.relname)
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace CROSS JOIN LATERAL aclexplode(c.relacl) a LEFT JOIN reach g ON g.oid = a.grantee, me
    WHERE NOT me.rolsuper AND (a.grantee = 0 OR g.oid IS NOT NULL) AND c.relowner IS DISTINCT FROM g.oid AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
      AND a.privilege_type IN ('INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER', 'REFERENCES', 'MAINTAIN', 'USAGE') AND NOT (c.relkind <> 'S' AND a.privilege_type = 'USAGE') AND ` + userSchema + `
  UNION ALL SELECT 'column', coalesce(g.rolname, 'PUBLIC')::text, format('%s (%I)', a.privilege_type, t.attname), format('%I.%I', n.nspname, c.relname)
    FROM pg_catalog.pg_attribute t JOIN pg_catalog.pg_class c ON c.oid = t.attrelid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      CROSS JOIN LATERAL aclexplode(t.attacl) a LEFT JOIN reach g ON g.oid = a.grantee, me
    WHERE NOT me.rolsuper AND (a.grantee = 0 OR g.oid IS NOT NULL) AND a.privilege_type IN ('INSERT', 'UPDATE') AND ` + userSchema + `
  UNION ALL SELECT 'schema', coalesce(g.rolname, 'PUBLIC')::text, 'CREATE', quote_ident(n.nspname)
    FROM pg_catalog.pg_namespace n CROSS JOIN LATERAL aclexplode(n.nspacl) a LEFT JOIN reach g ON g.oid = a.grantee, me
    WHERE NOT me.rolsuper AND (a.grantee = 0 OR g.oid IS NOT NULL) AND a.privilege_type = 'CREATE' AND n.nspowner IS DISTINCT FROM g.oid AND ` + userSchema + `
  UNION ALL SELECT 'database', coalesce(g.rolname, 'PUBLIC')::text, a.privilege_type, quote_ident(d.datname)
    FROM pg_catalog.pg_database d CROSS JOIN LATERAL aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) a LEFT JOIN reach g ON g.oid = a.grantee, me
    WHERE NOT me.rolsuper AND d.datname = current_database() AND (a.grantee = 0 OR g.oid IS NOT NULL) AND a.privilege_type = 'CREATE' AND d.datdba IS DISTINCT FROM g.oid
  UNION ALL SELECT 'definer', rolname::text, '', format('%I.%I', n.nspname, p.proname) FROM me, pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
    WHERE NOT me.rolsuper AND p.prosecdef AND ` + userSchema + ` AND has_function_privilege(p.oid, 'EXECUTE') AND has_schema_privilege(n.oid, 'USAGE')
)
SELECT kind, via, what, count(*)::int, (array_agg(DISTINCT target))[1:3] FROM found GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`)

// Warnings turns the rows of Privileges into what a person should know, each
// with the statements that help. schemas are those the role reads.
func Warnings(rows [][]db.Value, database string, schemas []string) []db.Warning {
	reader := readerRole(database, schemas)
	var warnings []db.Warning
	add := func(remedy []string, format string, args ...any) {
		warnings = append(warnings, db.Warning{Message: fmt.Sprintf(format, args...), Remedy: remedy})
	}
	for _, row := range rows {
		via, what, n, targets := text(row[1]), text(row[2]), row[3].Int(), texts(row[4])
		role := Ident(via)
		if via == "PUBLIC" {
			role = via
		}
		on := strings.Join(targets, ", ")
		if int(n) > len(targets) {
			on += ", …"
		}
		switch text(row[0]) {
		case "superuser":
			add(reader, "role %s is a superuser: nothing on the server is closed to it, files and programs included", via)
		case "attribute":
			add([]string{fmt.Sprintf("ALTER ROLE %s %s", role, without(what))}, "role %s has %s", via, what)
		case "predefined":
			add([]string{fmt.Sprintf("REVOKE %s FROM CURRENT_USER", role)}, "the credential is a member of %s", via)
		case "owner":
			add(reader, "role %s owns %s and may change or drop it", via, on)
		case "table":
			add(eachTarget(targets, n, "REVOKE "+what+" ON %s FROM "+role, fmt.Sprintf("REVOKE %s ON ALL TABLES IN SCHEMA %%s FROM %s", what, role)), "%s has %s on %d tables (%s)", via, what, n, on)
		case "column":
			add(eachTarget(targets, n, "REVOKE "+what+" ON %s FROM "+role, ""), "%s has %s on %s", via, what, on)
		case "schema":
			add(eachTarget(targets, n, "REVOKE CREATE ON SCHEMA %s FROM "+role, ""), "%s may create objects in schema %s", via, on)
		case "database":
			add(eachTarget(targets, n, "REVOKE "+what+" ON DATABASE %s FROM "+role, ""), "%s may create schemas in database %s", via, on)
		case "definer":
			add(eachTarget(targets, n, "REVOKE EXECUTE ON ALL ROUTINES IN SCHEMA %s FROM PUBLIC, "+role, "REVOKE EXECUTE ON ALL ROUTINES IN SCHEMA %s FROM PUBLIC, "+role),
				"%s may call %d functions that run with their owner's rights (%s); model SQL may not unless they are allowed", via, n, on)
		}
	}
	return warnings
}

// eachTarget writes one statement per target where all are known, else one
// per schema.
func eachTarget(targets []string, n int64, one, many string) []string {
	format := one
	if many != "" && (int(n) > len(targets) || one == many) {
		format = many
		schemas := []string{}
		for _, target := range targets {
			schema, _, _ := strings.Cut(target, ".")
			if len(schemas) == 0 || schemas[len(schemas)-1] != schema {
				schemas = append(schemas, schema)
			}
		}
		targets = schemas
	}
	statements := make([]string, len(targets))
	for i, target := range targets {
		statements[i] = fmt.Sprintf(format, target)
	}
	return statements
}

func without(attributes string) string {
	words := strings.Split(attributes, ", ")
	for i, word := range words {
		words[i] = "NO" + word
	}
	return strings.Join(words, " ")
}

// readerRole are the statements that make a role which may only read.
func readerRole(database string, schemas []string) []string {
	statements := []string{
		"CREATE ROLE sqbyl_reader LOGIN PASSWORD '…'",
		"ALTER ROLE sqbyl_reader SET default_transaction_read_only = on",
		"GRANT CONNECT ON DATABASE " + Ident(database) + " TO sqbyl_reader",
	}
	for _, schema := range schemas {
		statements = append(statements,
			"GRANT USAGE ON SCHEMA "+Ident(schema)+" TO sqbyl_reader",
			"GRANT SELECT ON ALL TABLES IN SCHEMA "+Ident(schema)+" TO sqbyl_reader",
			"ALTER DEFAULT PRIVILEGES IN SCHEMA "+Ident(schema)+" GRANT SELECT ON TABLES TO sqbyl_reader")
	}
	return statements
}
