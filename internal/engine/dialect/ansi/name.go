package ansi

import "strings"

// Quote quotes a name.
func Quote(name string) string {
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

// Plain reports whether a name consists of letters, digits and underscores,
// and begins with no digit; upper tells that letters in upper case count.
func Plain(name string, upper bool) bool {
	for i := 0; i < len(name); i++ {
		c := name[i]
		if upper {
			c |= 0x20
		}
		letter := c >= 'a' && c <= 'z' || name[i] == '_'
		if !letter && (i == 0 || name[i] < '0' || name[i] > '9') {
			return false
		}
	}
	return name != ""
}

// Words are the words of a text, as a set.
func Words(text string) map[string]bool {
	words := make(map[string]bool)
	for _, word := range strings.Fields(text) {
		words[word] = true
	}
	return words
}
