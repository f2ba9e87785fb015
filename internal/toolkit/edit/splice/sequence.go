package splice

import (
	"bytes"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// identity is what names an item of a list: items with one identity are the
// same item, changed.
func identity(n *yaml.Node) string {
	if n.Kind == yaml.ScalarNode {
		return "=" + n.Value
	}
	for _, key := range []string{"name", "to", "id", "question", "value"} {
		if i := find(n, key); i >= 0 {
			return key + "=" + n.Content[i+1].Value
		}
	}
	return ""
}

// pair matches an item of the old list with one of the wanted; -1 stands for
// none.
type pair struct{ old, want int }

// matched aligns two lists: most equal items first, then most items of one
// identity, each list in its order.
func matched(old, want []*yaml.Node) []pair {
	head := 0
	for head < len(old) && head < len(want) && same(old[head], want[head]) {
		head++
	}
	tail := 0
	for tail < len(old)-head && tail < len(want)-head && same(old[len(old)-1-tail], want[len(want)-1-tail]) {
		tail++
	}
	var pairs []pair
	for i := range head {
		pairs = append(pairs, pair{i, i})
	}
	for _, p := range aligned(old[head:len(old)-tail], want[head:len(want)-tail]) {
		if p.old >= 0 {
			p.old += head
		}
		if p.want >= 0 {
			p.want += head
		}
		pairs = append(pairs, p)
	}
	for i := range tail {
		pairs = append(pairs, pair{len(old) - tail + i, len(want) - tail + i})
	}
	return pairs
}

func aligned(old, want []*yaml.Node) []pair {
	score := make([][]int, len(old)+1)
	for i := range score {
		score[i] = make([]int, len(want)+1)
	}
	weight := weights(old, want)
	for i := len(old) - 1; i >= 0; i-- {
		for j := len(want) - 1; j >= 0; j-- {
			score[i][j] = max(score[i+1][j], score[i][j+1])
			if x := weight(i, j); x > 0 {
				score[i][j] = max(score[i][j], score[i+1][j+1]+x)
			}
		}
	}
	var pairs []pair
	i, j := 0, 0
	for i < len(old) || j < len(want) {
		switch {
		case i < len(old) && j < len(want) && weight(i, j) > 0 && score[i][j] == score[i+1][j+1]+weight(i, j):
			pairs = append(pairs, pair{i, j})
			i, j = i+1, j+1
		case i < len(old) && (j == len(want) || score[i][j] == score[i+1][j]):
			pairs = append(pairs, pair{i, -1})
			i++
		default:
			pairs = append(pairs, pair{-1, j})
			j++
		}
	}
	return pairs
}

// weights tells how much two items are the same: wholly, by name, or not.
func weights(old, want []*yaml.Node) func(i, j int) int {
	texts, names := map[*yaml.Node]string{}, map[*yaml.Node]string{}
	for _, n := range slices.Concat(old, want) {
		texts[n], names[n] = flow(n), identity(n)
	}
	return func(i, j int) int {
		switch {
		case names[old[i]] != names[want[j]]:
			return 0
		case texts[old[i]] == texts[want[j]]:
			return 2*len(old) + 3
		}
		return 2
	}
}

func (w *rewriter) sequence(n, old, want *yaml.Node) {
	if len(n.Content) != len(old.Content) {
		panic(unclear{n.Line})
	}
	inFlow := n.Style&yaml.FlowStyle != 0
	gone := make([]bool, len(n.Content))
	fresh := map[int][]int{} // new items by the item that they follow, -1 for none
	last, kept := -1, 0
	for _, p := range matched(old.Content, want.Content) {
		switch {
		case p.old < 0:
			fresh[last] = append(fresh[last], p.want)
			continue
		case p.want < 0:
			gone[p.old] = true
		default:
			kept++
			w.item(n, p.old, old.Content[p.old], want.Content[p.want], inFlow)
		}
		last = p.old
	}
	if inFlow {
		w.flowItems(n, want, gone, fresh, kept)
		return
	}
	w.blockItems(n, want, gone, fresh)
}

// item changes an item that stays.
func (w *rewriter) item(n *yaml.Node, i int, old, want *yaml.Node, inFlow bool) {
	item := n.Content[i]
	switch {
	case same(old, want):
	case item.Kind == yaml.MappingNode && want.Kind == yaml.MappingNode:
		w.mapping(item, old, want)
	case item.Kind == yaml.ScalarNode && want.Kind == yaml.ScalarNode:
		lines := strings.Split(w.scalar(item, want, n.Column-1, inFlow), "\n")
		w.cut(w.start(item), w.end(item), strings.Join(lines, w.eol))
	default:
		panic(unclear{item.Line})
	}
}

func (w *rewriter) blockItems(n, want *yaml.Node, gone []bool, fresh map[int][]int) {
	for i, item := range n.Content {
		if gone[i] {
			w.cut(w.lineStart(w.dash(n, item)), w.nextLine(w.end(item)), "")
		}
	}
	for after, items := range fresh {
		var lines []string
		for _, i := range items {
			lines = append(lines, w.newItem(n, want, want.Content[i])...)
		}
		if after < 0 {
			w.insertLines(w.lineStart(w.dash(n, n.Content[0])), lines)
			continue
		}
		w.insertLines(w.nextLine(w.end(n.Content[after])), lines)
	}
}

// newItem renders an item for a block list, behind a blank line where the
// list parts its items so.
func (w *rewriter) newItem(n, list, item *yaml.Node) []string {
	indent := n.Column - 1
	var lines []string
	if len(n.Content) > 1 {
		if at := w.lineStart(w.dash(n, n.Content[len(n.Content)-1])); at > 0 && len(bytes.TrimSpace(w.text[w.lineStart(at-1):at])) == 0 {
			lines = append(lines, "")
		}
	}
	if list.Style&yaml.FlowStyle == 0 {
		from := w.after.lineStart(w.after.dash(list, item))
		return append(lines, shift(w.after.text[from:w.after.nextLine(w.after.end(item))], list.Column-1, indent)...)
	}
	if item.Kind != yaml.ScalarNode {
		return append(lines, strings.Repeat(" ", indent)+"- "+flow(item))
	}
	text := w.scalar(&yaml.Node{}, item, indent, false)
	return append(lines, strings.Split(strings.Repeat(" ", indent)+"- "+text, "\n")...)
}

func (w *rewriter) flowItems(n, want *yaml.Node, gone []bool, fresh map[int][]int, kept int) {
	spans := make([]span, len(n.Content))
	for i, item := range n.Content {
		spans[i] = span{w.start(item), w.end(item)}
	}
	if kept == 0 {
		w.cut(w.start(n), w.end(n), flow(want))
		return
	}
	w.deleteFlow(spans, gone, n.Line)
	first := 0
	for gone[first] {
		first++
	}
	for after, items := range fresh {
		var parts []string
		for _, i := range items {
			parts = append(parts, flow(want.Content[i]))
		}
		text := strings.Join(parts, ", ")
		if after < first {
			w.cut(spans[first].from, spans[first].from, text+", ")
		} else {
			w.cut(spans[after].to, spans[after].to, ", "+text)
		}
	}
}
