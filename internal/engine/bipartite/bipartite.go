// Package bipartite pairs the nodes of two sides along given edges.
package bipartite

// Match finds a maximum matching by shortest augmenting paths (Hopcroft and
// Karp, SIAM J. Comput. 2(4), 1973). edges are, for each node on the left,
// nodes on the right, of which there are right. It returns the partner of each
// node on the left, -1 for none.
func Match(edges [][]int32, right int) []int32 {
	g := &graph{edges: edges, left: filled(len(edges)), back: filled(right), depth: make([]int32, len(edges)), next: make([]int32, len(edges))}
	for g.layer() {
		clear(g.next)
		for node := range edges {
			if g.left[node] < 0 {
				g.augment(int32(node))
			}
		}
	}
	return g.left
}

type graph struct {
	edges   [][]int32
	left    []int32 // partner of a left node, -1 for none
	back    []int32 // partner of a right node
	depth   []int32
	next    []int32 // edge to go on with, by left node
	pathway []int32 // left nodes of the path being tried
}

func filled(n int) []int32 {
	s := make([]int32, n)
	for i := range s {
		s[i] = -1
	}
	return s
}

// layer numbers left nodes by distance from a free one and reports whether a
// free right node can be reached.
func (g *graph) layer() bool {
	queue := make([]int32, 0, len(g.edges))
	for node := range g.edges {
		g.depth[node] = -1
		if g.left[node] < 0 {
			g.depth[node] = 0
			queue = append(queue, int32(node))
		}
	}
	found := false
	for len(queue) > 0 {
		node := queue[0]
		queue = queue[1:]
		for _, r := range g.edges[node] {
			behind := g.back[r]
			if behind < 0 {
				found = true
				continue
			}
			if g.depth[behind] < 0 {
				g.depth[behind] = g.depth[node] + 1
				queue = append(queue, behind)
			}
		}
	}
	return found
}

// augment follows layers from a free left node to a free right one and flips
// the path. It keeps its own stack: paths can be as long as the cluster.
func (g *graph) augment(root int32) {
	g.pathway = append(g.pathway[:0], root)
	for len(g.pathway) > 0 {
		node := g.pathway[len(g.pathway)-1]
		if int(g.next[node]) == len(g.edges[node]) {
			g.depth[node] = -1
			g.pathway = g.pathway[:len(g.pathway)-1]
			if len(g.pathway) > 0 {
				g.next[g.pathway[len(g.pathway)-1]]++
			}
			continue
		}
		behind := g.back[g.edges[node][g.next[node]]]
		switch {
		case behind < 0:
			for _, l := range g.pathway {
				r := g.edges[l][g.next[l]]
				g.left[l], g.back[r] = r, l
			}
			return
		case g.depth[behind] == g.depth[node]+1:
			g.pathway = append(g.pathway, behind)
		default:
			g.next[node]++
		}
	}
}
