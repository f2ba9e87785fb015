package selection

import (
	"sort"
	"strings"
)

// Nearest gives up to n names that resemble name, the nearest first. Names
// that share nothing with it are left out.
func Nearest(name string, names []string, n int) []string {
	type scored struct {
		name  string
		score float64
	}
	target := fold(name)
	seen := make(map[string]bool)
	var near []scored
	for _, candidate := range names {
		if seen[candidate] {
			continue
		}
		seen[candidate] = true
		if s := likeness(target, fold(candidate)); s > 0.4 {
			near = append(near, scored{candidate, s})
		}
	}
	sort.SliceStable(near, func(i, j int) bool { return near[i].score > near[j].score })

	var out []string
	for i := 0; i < len(near) && i < n; i++ {
		out = append(out, near[i].name)
	}
	return out
}

// likeness is 1 for equal names and falls with the share of letters to
// change; names that contain each other, or share whole words, count as near
// whatever their length.
func likeness(a, b string) float64 {
	longest := max(len(a), len(b))
	if longest == 0 {
		return 0
	}
	s := 1 - float64(distance(a, b))/float64(longest)
	if w := 0.45 + 0.5*sharedWords(a, b); w > 0.45 {
		s = max(s, w)
	}
	if len(a) >= 3 && len(b) >= 3 && (strings.Contains(a, b) || strings.Contains(b, a)) {
		s = max(s, 0.6)
	}
	return s
}

func sharedWords(a, b string) float64 {
	words := func(s string) []string {
		return strings.FieldsFunc(s, func(r rune) bool { return r == '_' || r == ' ' || r == '.' || r == '-' })
	}
	have := make(map[string]bool)
	for _, w := range words(a) {
		have[w] = true
	}
	shared, all := 0, len(have)
	for _, w := range words(b) {
		if have[w] {
			shared++
		} else {
			all++
		}
	}
	if all == 0 {
		return 0
	}
	return float64(shared) / float64(all)
}

// distance is the Levenshtein distance in bytes, which is enough to rank.
func distance(a, b string) int {
	prev := make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := prev[0]
		prev[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diagonal
			if a[i-1] != b[j-1] {
				cost++
			}
			diagonal = prev[j]
			prev[j] = min(cost, prev[j]+1, prev[j-1]+1)
		}
	}
	return prev[len(b)]
}
