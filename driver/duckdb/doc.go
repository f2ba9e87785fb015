// Package duckdb opens DuckDB databases: a file, or a folder of CSV and
// Parquet files. It speaks to the engine through its C interface, which
// streams results, hands over values as they are stored and takes one
// statement at a time. Built without cgo or with the tag no_duckdb it is
// empty.
package duckdb
