package duckdb

import "strings"

// Quote quotes a name.
func Quote(name string) string {
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

// Ident quotes a name where it needs it. Upper case needs no quotes: names
// keep their spelling and compare without it.
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
