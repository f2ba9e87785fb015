package yamldoc

import (
	"strings"
	"unicode/utf8"

	"github.com/sqbyl/sqbyl/internal/engine/editdistance"
)

// Nearest finds the known words that word was probably meant to be: those at
// the smallest edit distance, if that is small for the word's length. A
// swapped pair of letters counts as one edit.
func Nearest(word string, known []string) []string {
	lower := strings.ToLower(word)
	limit := max(1, utf8.RuneCountInString(word)/3)
	best := limit + 1
	var found []string
	for _, k := range known {
		d := editdistance.Between(lower, strings.ToLower(k))
		switch {
		case d > limit || d > best:
		case d < best:
			best, found = d, []string{k}
		default:
			found = append(found, k)
		}
	}
	return found
}

// OneLetter finds the known words that word misses by one letter or by the case
// of letters.
func OneLetter(word string, known []string) []string {
	var found []string
	for _, k := range known {
		if word != k && editdistance.Between(strings.ToLower(word), strings.ToLower(k)) <= 1 {
			found = append(found, k)
		}
	}
	return found
}

// DidYouMean words the nearest known words as a suggestion, "" when there
// are none.
func DidYouMean(word string, known []string) string {
	near := Nearest(word, known)
	if len(near) == 0 {
		return ""
	}
	return "did you mean " + either(near) + "?"
}

func either(words []string) string {
	if len(words) == 1 {
		return words[0]
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
