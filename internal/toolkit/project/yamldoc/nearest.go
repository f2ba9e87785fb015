package yamldoc

import (
	"strings"
	"unicode/utf8"
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
		d := distance(lower, strings.ToLower(k))
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
		if word != k && distance(strings.ToLower(word), strings.ToLower(k)) <= 1 {
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

// distance is the optimal string alignment distance, in characters.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	before, last, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		for j := 1; j <= len(y); j++ {
			change := 1
			if x[i-1] == y[j-1] {
				change = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+change)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(y)]
}
