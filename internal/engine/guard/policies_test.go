package guard

import "github.com/sqbyl/sqbyl/internal/engine/sqltext"

// policies are small stand-ins for the dialects' own, which a test of this
// package cannot import.
func policies() map[string]*Policy {
	functions := set(`sum avg count max min strftime julianday date datetime percentile_cont string_agg date_trunc now
		group_concat date_add date_format list_transform unnest lower upper substr round nullif lag rank generate_series
		replace abs truncate insert left right struct_pack concat length if mod json_extract random`)
	make := func(rules sqltext.Rules, schemas, prefixes string) *Policy {
		p := &Policy{Rules: rules, Functions: functions, TableFunctions: set("generate_series json_table unnest range json_each")}
		for s := range set(schemas) {
			p.HiddenSchemas = append(p.HiddenSchemas, s)
		}
		for s := range set(prefixes) {
			p.HiddenPrefixes = append(p.HiddenPrefixes, s)
		}
		return p
	}
	return map[string]*Policy{
		"sqlite":   make(sqltext.SQLiteRules, "temp", "sqlite_ pragma_ dbstat"),
		"duckdb":   make(sqltext.DuckDBRules, "information_schema pg_catalog system", "duckdb_ pragma_ sqlite_ pg_"),
		"postgres": make(sqltext.PostgresRules, "information_schema pg_catalog pg_toast", "pg_"),
		"mysql":    make(sqltext.MySQLRules, "information_schema mysql performance_schema sys", ""),
		"mariadb":  make(sqltext.MySQLRules, "information_schema mysql performance_schema sys", ""),
	}
}
