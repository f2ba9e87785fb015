package duckdb

import (
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/dialect/ansi"
)

// Quote quotes a name.
func Quote(name string) string { return ansi.Quote(name) }

// Ident quotes a name where it needs it. Upper case needs no quotes: names
// keep their spelling and compare without it.
func Ident(name string) string {
	if ansi.Plain(name, true) && !keywords[strings.ToLower(name)] {
		return name
	}
	return Quote(name)
}
