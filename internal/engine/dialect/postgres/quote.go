package postgres

import (
	_ "embed"

	"github.com/sqbyl/sqbyl/internal/engine/dialect/ansi"
)

// keywordList holds the words that quote_ident quotes, from the live engine.
//
//go:embed keywords.txt
var keywordList string

var keywords = ansi.Words(keywordList)

// Quote quotes a name.
func Quote(name string) string { return ansi.Quote(name) }

// Ident quotes a name where it needs it: upper case folds away without.
func Ident(name string) string {
	if ansi.Plain(name, false) && !keywords[name] {
		return name
	}
	return Quote(name)
}

// qualified is a table's name for the product's own statements.
func qualified(schema, name string) string {
	if schema == "" {
		return Quote(name)
	}
	return Quote(schema) + "." + Quote(name)
}
