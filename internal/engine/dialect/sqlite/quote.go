package sqlite

import (
	_ "embed"
	"strings"
)

// keywordList holds the engine's keywords; quoting one that needs no quotes
// harms nothing.
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

// Ident quotes a name where it needs it. Names compare without case, so upper
// case needs no quotes.
func Ident(name string) string {
	if plainName(name) && !keywords[strings.ToLower(name)] {
		return name
	}
	return Quote(name)
}

func plainName(name string) bool {
	for i := 0; i < len(name); i++ {
		c := name[i] | 0x20
		letter := c >= 'a' && c <= 'z' || name[i] == '_'
		if !letter && (i == 0 || name[i] < '0' || name[i] > '9') {
			return false
		}
	}
	return name != ""
}
