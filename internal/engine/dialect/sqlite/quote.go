package sqlite

import (
	_ "embed"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/dialect/ansi"
)

// keywordList holds the engine's keywords; quoting one that needs no quotes
// harms nothing.
//
//go:embed keywords.txt
var keywordList string

var keywords = ansi.Words(keywordList)

// Quote quotes a name.
func Quote(name string) string { return ansi.Quote(name) }

// Ident quotes a name where it needs it. Names compare without case, so upper
// case needs no quotes.
func Ident(name string) string {
	if ansi.Plain(name, true) && !keywords[strings.ToLower(name)] {
		return name
	}
	return Quote(name)
}
