package postgres

import (
	_ "embed"
	"strings"
)

// keywordList holds the words that quote_ident quotes, from the live engine.
//
//go:embed keywords.txt
var keywordList string

var keywords = wordSet(keywordList)

func wordSet(text string) map[string]bool {
	words := make(map[string]bool)
	for _, word := range strings.Fields(text) {
		words[word] = true
	}
	return words
}

// Quote quotes a name.
func Quote(name string) string {
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

// Ident quotes a name where it needs it: upper case folds away without.
func Ident(name string) string {
	if plainName(name) && !keywords[name] {
		return name
	}
	return Quote(name)
}

func plainName(name string) bool {
	for i := 0; i < len(name); i++ {
		c := name[i]
		letter := c >= 'a' && c <= 'z' || c == '_'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != ""
}

// qualified is a table's name for the product's own statements.
func qualified(schema, name string) string {
	if schema == "" {
		return Quote(name)
	}
	return Quote(schema) + "." + Quote(name)
}
