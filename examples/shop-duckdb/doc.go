// Package shopduckdb is the sample project in DuckDB: two schemas with the
// content of package shop. Build is there where the build has DuckDB.
package shopduckdb

// Database is the name of the database's file beside sqbyl.yaml.
const Database = "shop.duckdb"
