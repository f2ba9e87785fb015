package compare

// bipartite is a graph of left nodes with edges to right ones.
type bipartite struct {
	edges [][]int32
	right int

	left    []int32 // partner of a left node, -1 for none
	back    []int32 // partner of a right node
	depth   []int32
	next    []int32 // edge to go on with, by left node
	pathway []int32 // left nodes of the path being tried
}

// match finds a maximum matching by shortest augmenting paths (Hopcroft and
// Karp, SIAM J. Comput. 2(4), 1973) and returns the partners of the left.
func (b *bipartite) match() []int32 {
	b.left = filled(len(b.edges))
	b.back = filled(b.right)
	b.depth = make([]int32, len(b.edges))
	b.next = make([]int32, len(b.edges))
	for b.layer() {
		clear(b.next)
		for node := range b.edges {
			if b.left[node] < 0 {
				b.augment(int32(node))
			}
		}
	}
	return b.left
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
func (b *bipartite) layer() bool {
	queue := make([]int32, 0, len(b.edges))
	for node := range b.edges {
		b.depth[node] = -1
		if b.left[node] < 0 {
			b.depth[node] = 0
			queue = append(queue, int32(node))
		}
	}
	found := false
	for len(queue) > 0 {
		node := queue[0]
		queue = queue[1:]
		for _, r := range b.edges[node] {
			behind := b.back[r]
			if behind < 0 {
				found = true
				continue
			}
			if b.depth[behind] < 0 {
				b.depth[behind] = b.depth[node] + 1
				queue = append(queue, behind)
			}
		}
	}
	return found
}

// augment follows layers from a free left node to a free right one and flips
// the path. It keeps its own stack: paths can be as long as the cluster.
func (b *bipartite) augment(root int32) {
	b.pathway = append(b.pathway[:0], root)
	for len(b.pathway) > 0 {
		node := b.pathway[len(b.pathway)-1]
		if int(b.next[node]) == len(b.edges[node]) {
			b.depth[node] = -1
			b.pathway = b.pathway[:len(b.pathway)-1]
			if len(b.pathway) > 0 {
				b.next[b.pathway[len(b.pathway)-1]]++
			}
			continue
		}
		behind := b.back[b.edges[node][b.next[node]]]
		switch {
		case behind < 0:
			for _, l := range b.pathway {
				r := b.edges[l][b.next[l]]
				b.left[l], b.back[r] = r, l
			}
			return
		case b.depth[behind] == b.depth[node]+1:
			b.pathway = append(b.pathway, behind)
		default:
			b.next[node]++
		}
	}
}
