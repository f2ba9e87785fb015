//go:build !cgo || no_duckdb

package profile_test

import "testing"

func duckEngine(t testing.TB, _ ...string) string {
	t.Helper()
	t.Skip("this build has no DuckDB")
	return ""
}
