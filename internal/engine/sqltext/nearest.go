package sqltext

import (
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/editdistance"
)

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
	cost := editdistance.Between(a, b)
	return cost, cost*3 <= long
}
