// Package leak finds what a held-out set shares with what tuning may read:
// the same or nearly the same question or SQL, and rare literals. It takes
// values, and what it tells holds ids and kinds, never a text.
package leak

import (
	"cmp"
	"slices"

	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
)

// Source is where a text stands.
type Source string

// The sources.
const (
	Dev      Source = "dev"
	HeldOut  Source = "held-out"
	Examples Source = "examples"
)

// Text is a question with its SQL.
type Text struct {
	Source   Source
	ID       string
	DB       string // texts of different databases are not compared
	Question string
	SQL      []string
	// Values are those of the SQL's parameters, in one order.
	Values []string
}

// Kind is what two texts share.
type Kind string

// The kinds, worst first.
const (
	SameQuestion Kind = "same question"
	SameSQL      Kind = "same SQL"
	NearQuestion Kind = "nearly the same question"
	// SameShape is SQL that differs in its literals only.
	SameShape   Kind = "same SQL but for its literals"
	SameLiteral Kind = "a rare literal"
)

// Tells reports whether a text of this kind gives the other's answer away;
// the rest are alike, which a small domain cannot always avoid.
func (k Kind) Tells() bool { return k == SameQuestion || k == SameSQL || k == NearQuestion }

var severity = []Kind{SameQuestion, SameSQL, NearQuestion, SameShape, SameLiteral}

// Ref names a text.
type Ref struct {
	Source Source `json:"source"`
	ID     string `json:"id"`
	DB     string `json:"db_id,omitempty"`
}

// Leak is a pair of texts of different sources.
type Leak struct {
	Kind Kind `json:"kind"`
	A    Ref  `json:"a"`
	B    Ref  `json:"b"`
	// Likeness is the share of shingles that nearly the same questions have in
	// common.
	Likeness float64 `json:"likeness,omitempty"`
}

// minShape is the number of tokens below which a shape is anybody's:
// SELECT COUNT(*) FROM t WHERE a = 1 has eleven.
const minShape = 20

// Find compares texts of different sources, and tells of each pair the worst
// kind it shares.
func Find(texts []Text, rules *sqltext.Rules) []Leak {
	f := &finder{texts: make([]read, len(texts)), found: map[[2]int]Leak{}}
	for i := range texts {
		f.texts[i] = readText(&texts[i], rules)
	}
	// From the worst kind on: the first one of a pair stays.
	f.equal(SameQuestion, func(r *read) []string { return []string{r.folded} })
	f.equal(SameSQL, func(r *read) []string { return r.hashes })
	f.near()
	f.equal(SameShape, func(r *read) []string { return r.shapes })
	f.rare()
	return f.leaks()
}

// place is a piece of text on a database.
type place struct{ db, text string }

type finder struct {
	texts []read
	found map[[2]int]Leak
}

// note keeps a pair, unless it is known for something worse.
func (f *finder) note(kind Kind, a, b int, likeness float64) {
	x, y := f.texts[a].Text, f.texts[b].Text
	if x.Source == y.Source || x.DB != y.DB {
		return
	}
	if a > b {
		a, b, x, y = b, a, y, x
	}
	if _, known := f.found[[2]int{a, b}]; !known {
		f.found[[2]int{a, b}] = Leak{kind, Ref{x.Source, x.ID, x.DB}, Ref{y.Source, y.ID, y.DB}, likeness}
	}
}

// equal notes texts that share one of their keys.
func (f *finder) equal(kind Kind, keys func(*read) []string) {
	holders := map[place][]int{}
	for i := range f.texts {
		for _, text := range keys(&f.texts[i]) {
			if text == "" {
				continue
			}
			key := place{f.texts[i].DB, text}
			for _, other := range holders[key] {
				f.note(kind, other, i, 0)
			}
			holders[key] = append(holders[key], i)
		}
	}
}

// near notes questions with many shingles in common.
func (f *finder) near() {
	holders := map[place][]int{}
	common := make([]int, len(f.texts)) // shingles in common with the text at hand
	for i := range f.texts {
		a := &f.texts[i]
		var met []int
		for _, s := range a.shingles {
			key := place{a.DB, s}
			for _, other := range holders[key] {
				if f.texts[other].Source == a.Source {
					continue
				}
				if common[other] == 0 {
					met = append(met, other)
				}
				common[other]++
			}
			holders[key] = append(holders[key], i)
		}
		for _, other := range met {
			all := len(a.shingles) + len(f.texts[other].shingles) - common[other]
			if likeness := float64(common[other]) / float64(all); likeness >= nearQuestion {
				f.note(NearQuestion, other, i, likeness)
			}
			common[other] = 0
		}
	}
}

// rare notes literals that two texts of all on one database hold.
func (f *finder) rare() {
	holders := map[place][]int{}
	for i := range f.texts {
		for _, l := range f.texts[i].literals {
			key := place{f.texts[i].DB, l}
			holders[key] = append(holders[key], i)
		}
	}
	for _, list := range holders {
		if len(list) == 2 {
			f.note(SameLiteral, list[0], list[1], 0)
		}
	}
}

func (f *finder) leaks() []Leak {
	list := make([]Leak, 0, len(f.found))
	for _, l := range f.found {
		list = append(list, l)
	}
	slices.SortFunc(list, func(a, b Leak) int {
		return cmp.Or(
			cmp.Compare(slices.Index(severity, a.Kind), slices.Index(severity, b.Kind)),
			cmp.Compare(a.A.Source, b.A.Source), cmp.Compare(a.B.Source, b.B.Source),
			cmp.Compare(a.A.DB, b.A.DB), cmp.Compare(a.A.ID, b.A.ID), cmp.Compare(a.B.ID, b.B.ID))
	})
	return list
}
