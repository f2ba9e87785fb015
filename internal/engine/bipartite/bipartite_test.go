package bipartite_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/sqbyl/sqbyl/internal/engine/bipartite"
)

// TestMatchIsAMaximum holds matchings of small graphs against the best of all.
func TestMatchIsAMaximum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		right := rapid.IntRange(0, 6).Draw(t, "right")
		edges := make([][]int32, rapid.IntRange(0, 6).Draw(t, "left"))
		for i := range edges {
			if right > 0 {
				edges[i] = rapid.SliceOfDistinct(rapid.Int32Range(0, int32(right-1)), rapid.ID[int32]).Draw(t, "edges")
			}
		}
		taken, paired := map[int32]bool{}, 0
		for node, partner := range bipartite.Match(edges, right) {
			if partner < 0 {
				continue
			}
			if taken[partner] {
				t.Fatalf("%d is paired twice", partner)
			}
			taken[partner] = true
			paired++
			found := false
			for _, r := range edges[node] {
				found = found || r == partner
			}
			if !found {
				t.Fatalf("%d and %d have no edge", node, partner)
			}
		}
		if best := most(edges, map[int32]bool{}); paired != best {
			t.Fatalf("%d pairs of %v, want %d", paired, edges, best)
		}
	})
}

// most tries everything.
func most(edges [][]int32, taken map[int32]bool) int {
	if len(edges) == 0 {
		return 0
	}
	best := most(edges[1:], taken)
	for _, r := range edges[0] {
		if !taken[r] {
			taken[r] = true
			best = max(best, 1+most(edges[1:], taken))
			delete(taken, r)
		}
	}
	return best
}
