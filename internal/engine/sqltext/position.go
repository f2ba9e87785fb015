package sqltext

import (
	"strings"
	"unicode/utf8"
)

// Position is the 1-based line and column (in runes) of a byte offset.
func Position(sql string, offset int) (line, column int) {
	offset = min(max(offset, 0), len(sql))
	before := sql[:offset]
	start := strings.LastIndexByte(before, '\n') + 1
	return strings.Count(before, "\n") + 1, utf8.RuneCountInString(before[start:]) + 1
}
