// Package editdistance counts the typos between two words.
package editdistance

// Between is the number of single-character insertions, deletions,
// substitutions and swaps of neighbors between two texts (optimal string
// alignment).
func Between(a, b string) int { return Within(a, b, max(len(a), len(b))) }

// Within is Between, or limit+1 as soon as it exceeds limit.
func Within(a, b string, limit int) int {
	x, y := []rune(a), []rune(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	if len(y)-len(x) > limit {
		return limit + 1
	}
	before, above, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		best := i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			d := min(row[j-1]+1, above[j]+1, above[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				d = min(d, before[j-2]+1)
			}
			row[j] = d
			best = min(best, d)
		}
		if best > limit {
			return limit + 1
		}
		before, above, row = above, row, before
	}
	return above[len(y)]
}
