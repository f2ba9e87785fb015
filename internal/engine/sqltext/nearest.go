package sqltext

import "strings"

// longestCompared bounds the work of one comparison.
const longestCompared = 64

// Nearest is the candidate most like name, "" when none is alike: at most a
// third of the letters differ (insertions, deletions, substitutions and
// neighbours swapped), or one name holds the other.
func Nearest(name string, candidates []string) string {
	best, bestCost := "", 1<<30
	low := strings.ToLower(name)
	for _, c := range candidates {
		if cost, ok := unlike(low, strings.ToLower(c)); ok && (cost < bestCost || cost == bestCost && c < best) {
			best, bestCost = c, cost
		}
	}
	return best
}

func unlike(a, b string) (int, bool) {
	if a == b {
		return 0, true
	}
	if len(a) > longestCompared || len(b) > longestCompared {
		return 0, false
	}
	long := max(len(a), len(b))
	if short := min(len(a), len(b)); short >= 4 && (strings.Contains(a, b) || strings.Contains(b, a)) {
		return (long - short + 2) / 2, true
	}
	cost := distance(a, b)
	return cost, cost*3 <= long
}

// distance is the optimal string alignment distance.
func distance(a, b string) int {
	var rows [3][longestCompared + 1]int
	for j := range len(b) + 1 {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur, prev, older := &rows[i%3], &rows[(i+2)%3], &rows[(i+1)%3]
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], older[j-2]+1)
			}
		}
	}
	return rows[len(a)%3][len(b)]
}
