// Package values finds the stored value that a person means: through case,
// accents, plurals, word order, several words, short codes and typos. It
// needs no model and no embedding; the index is built from the distinct
// values that profiling may keep.
package values

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sqbyl/sqbyl/internal/engine/editdistance"
)

// Entry is a stored value and where it stands.
type Entry struct {
	Table  string  `json:"table"`
	Column string  `json:"column"`
	Value  string  `json:"value"`
	Share  float64 `json:"share,omitempty"` // of the table's rows; breaks ties
}

// Match is an entry that a term may mean.
type Match struct {
	Entry
	Score float64 `json:"score"` // 0..1
	How   How     `json:"how"`
	Term  string  `json:"term"` // the words of the question
	start int
	end   int
}

// How says what stood between the term and the value.
type How string

// The ways of matching, surest first.
const (
	Exact   How = "exact"
	Case    How = "case"       // letter case, accents, punctuation
	Plural  How = "plural"     // singular and plural
	Order   How = "word order" // the same words in another order
	Compact How = "spacing"    // written together or apart
	Part    How = "part"       // all words of the term stand in the value
	Typo    How = "typo"
)

var scores = map[How]float64{Exact: 1, Case: 0.97, Plural: 0.93, Order: 0.9, Compact: 0.9, Part: 0.6, Typo: 0.85}

// Index finds values. It is read-only after Build and safe for concurrent
// use.
type Index struct {
	entries  []Entry
	forms    []forms
	byKey    map[string][]int32 // folded, stemmed, sorted and compact forms
	byGram   map[string][]int32 // three-letter pieces of the compact form
	byWord   map[string][]int32 // stems of words
	maxWords int
}

// forms are the ways one value is compared.
type forms struct {
	folded, stemmed, sorted, compact string
	words                            int
}

func formsOf(words []word) forms {
	folded := make([]string, len(words))
	for i, w := range words {
		folded[i] = w.folded
	}
	st := stems(words)
	f := forms{
		folded: strings.Join(folded, " "), stemmed: strings.Join(st, " "),
		compact: strings.Join(folded, ""), words: len(words),
	}
	// Letters in another order are another word.
	if !strings.ContainsFunc(f.folded, unspaced) {
		slices.Sort(st)
	}
	f.sorted = strings.Join(st, " ")
	return f
}

// Build makes an index of entries; values without a letter or digit are left
// out.
func Build(entries []Entry) *Index {
	x := &Index{byKey: map[string][]int32{}, byGram: map[string][]int32{}, byWord: map[string][]int32{}}
	for _, e := range entries {
		words := split(e.Value)
		if len(words) == 0 {
			continue
		}
		id := int32(len(x.entries))
		f := formsOf(words)
		x.entries = append(x.entries, e)
		x.forms = append(x.forms, f)
		x.maxWords = max(x.maxWords, f.words)
		for _, key := range distinct(f.folded, f.stemmed, f.sorted, f.compact) {
			x.byKey[key] = append(x.byKey[key], id)
		}
		for _, gram := range grams(f.compact) {
			x.byGram[gram] = append(x.byGram[gram], id)
		}
		for _, st := range distinct(stems(words)...) {
			x.byWord[st] = append(x.byWord[st], id)
		}
	}
	return x
}

// Len is the number of values in the index.
func (x *Index) Len() int { return len(x.entries) }

// Find lists the values that term, taken whole, may mean: best first, at
// most limit.
func (x *Index) Find(term string, limit int) []Match {
	words := split(term)
	if len(words) == 0 {
		return nil
	}
	f := formsOf(words)
	found := map[int32]Match{}
	x.same(term, f, found)
	x.misspelled(term, f, found)
	x.partly(term, words, found)
	return best(found, limit)
}

// same adds the values equal to the term in one of their forms.
func (x *Index) same(term string, f forms, found map[int32]Match) {
	for _, key := range distinct(f.folded, f.stemmed, f.sorted, f.compact) {
		for _, id := range x.byKey[key] {
			x.add(found, id, term, howSame(x.entries[id].Value, term, x.forms[id], f), 0)
		}
	}
}

func howSame(value, term string, stored, asked forms) How {
	switch {
	case value == term:
		return Exact
	case stored.folded == asked.folded:
		return Case
	case stored.stemmed == asked.stemmed:
		return Plural
	case stored.sorted == asked.sorted:
		return Order
	}
	return Compact
}

// misspelled adds the values within the tolerated number of typos. A typo
// may meet another word order, a plural or other spacing.
func (x *Index) misspelled(term string, f forms, found map[int32]Match) {
	allowed := tolerated(utf8.RuneCountInString(f.compact))
	if allowed == 0 {
		return
	}
	for _, id := range x.near(f.compact, allowed) {
		stored := x.forms[id]
		typos := min(editdistance.Within(stored.compact, f.compact, allowed), editdistance.Within(stored.sorted, f.sorted, allowed), editdistance.Within(stored.stemmed, f.stemmed, allowed))
		if typos <= allowed && typos > 0 {
			x.add(found, id, term, Typo, float64(typos)/float64(utf8.RuneCountInString(f.compact)))
		}
	}
}

// near lists the values that share enough three-letter pieces with a text to
// be within typos of it: every typo destroys at most three of them, a swap
// four.
func (x *Index) near(compact string, typos int) []int32 {
	pieces := grams(compact)
	need := max(1, len(pieces)-4*typos)
	counts := map[int32]int{}
	for _, gram := range pieces {
		for _, id := range x.byGram[gram] {
			counts[id]++
		}
	}
	var ids []int32
	for id, n := range counts {
		if n >= need || n*3 >= len(pieces) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// partly adds the values that hold every word of the term.
func (x *Index) partly(term string, words []word, found map[int32]Match) {
	var ids []int32
	for i, st := range stems(words) {
		if i == 0 {
			ids = x.byWord[st]
			continue
		}
		ids = intersect(ids, x.byWord[st])
	}
	for _, id := range ids {
		missing := 1 - float64(len(words))/float64(x.forms[id].words)
		x.add(found, id, term, Part, missing/2)
	}
}

// add keeps the better of two reasons for one value.
func (x *Index) add(found map[int32]Match, id int32, term string, how How, penalty float64) {
	score := scores[how] - penalty
	if old, ok := found[id]; ok && old.Score >= score {
		return
	}
	found[id] = Match{Entry: x.entries[id], Score: score, How: how, Term: term}
}

func best(found map[int32]Match, limit int) []Match {
	list := make([]Match, 0, len(found))
	for _, m := range found {
		list = append(list, m)
	}
	slices.SortFunc(list, func(a, b Match) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.Share, a.Share),
			cmp.Compare(a.Table, b.Table), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Value, b.Value))
	})
	return list[:min(limit, len(list))]
}

// grams are the three-letter pieces of a text with its ends marked.
func grams(s string) []string {
	r := []rune("^" + s + "$")
	if len(r) < 3 {
		return []string{string(r)}
	}
	out := make([]string, 0, len(r)-2)
	for i := 0; i+3 <= len(r); i++ {
		out = append(out, string(r[i:i+3]))
	}
	return distinct(out...)
}

func distinct(list ...string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}

// intersect gives the numbers in both sorted lists.
func intersect(a, b []int32) []int32 {
	var out []int32
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			out = append(out, a[i])
			i, j = i+1, j+1
		}
	}
	return out
}
