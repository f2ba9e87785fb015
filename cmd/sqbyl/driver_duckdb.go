//go:build cgo && !no_duckdb

package main

import _ "github.com/sqbyl/sqbyl/driver/duckdb"
