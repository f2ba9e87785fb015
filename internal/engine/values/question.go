package values

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Spot finds the values that a question names, longest and surest first,
// without overlap; several columns may hold one value, so a term may have
// several matches. It prefers silence to a wrong hint: a short value must
// stand in the question as it is stored, numbers are never spotted, and a
// word that people use for asking is no typo of a value.
func (x *Index) Spot(question string, perTerm int) []Match {
	words := split(question)
	var all []Match
	for from := range words {
		for to := from + 1; to <= min(len(words), from+x.maxWords+1); to++ {
			all = append(all, x.spotWindow(question, words[from:to])...)
		}
	}
	slices.SortStableFunc(all, func(a, b Match) int {
		return cmp.Or(cmp.Compare(weight(b), weight(a)), cmp.Compare(a.start, b.start), cmp.Compare(b.Share, a.Share),
			cmp.Compare(a.Table, b.Table), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Value, b.Value))
	})
	var kept []Match
	for _, m := range all {
		if clear(kept, m, perTerm) {
			kept = append(kept, m)
		}
	}
	slices.SortStableFunc(kept, func(a, b Match) int { return cmp.Compare(a.start, b.start) })
	return kept
}

// weight prefers long terms, then sure ones.
func weight(m Match) float64 {
	return m.Score * float64(utf8.RuneCountInString(m.Term)+2)
}

// clear reports whether m may stand beside what is kept: on its own words,
// or as one more reading of exactly the same ones that is as sure.
func clear(kept []Match, m Match, perTerm int) bool {
	same := 0
	for _, k := range kept {
		switch {
		case m.end <= k.start || k.end <= m.start:
		case m.start == k.start && m.end == k.end && m.Score >= k.Score-0.05:
			same++
		default:
			return false
		}
	}
	return same < perTerm
}

// spotWindow matches one run of words.
func (x *Index) spotWindow(question string, words []word) []Match {
	start, end := words[0].start, words[len(words)-1].end
	term := question[start:end]
	f := formsOf(words)
	if !tellable(f.compact) || len(words) == 1 && strings.ContainsFunc(f.compact, unspaced) {
		return nil // a number, or one letter of a word
	}
	found := map[int32]Match{}
	x.same(term, f, found)
	if len(found) == 0 && mayBeMisspelled(words) {
		x.misspelled(term, f, found)
		x.keepClose(found, f)
	}
	var out []Match
	for id, m := range found {
		if short(x.forms[id].compact) && !asStored(term, m.Value) {
			continue
		}
		if m.How != Exact && m.How != Case && len(words) == 1 && asking[f.compact] {
			continue
		}
		m.start, m.end = start, end
		out = append(out, m)
	}
	return out
}

// keepClose drops the readings of a word whose first letter differs or that
// is too short to be told from another word.
func (x *Index) keepClose(found map[int32]Match, f forms) {
	for id := range found {
		stored := x.forms[id].compact
		first, _ := utf8.DecodeRuneInString(stored)
		asked, _ := utf8.DecodeRuneInString(f.compact)
		if first != asked && utf8.RuneCountInString(stored) < 8 {
			delete(found, id)
		}
	}
}

// tellable reports whether a text has a letter: numbers are not spotted.
func tellable(s string) bool {
	return strings.ContainsFunc(s, unicode.IsLetter)
}

func short(compact string) bool { return utf8.RuneCountInString(compact) <= 3 }

// asStored reports whether a short term is written like the value, or in
// capitals, and is no everyday word in lower case.
func asStored(term, value string) bool {
	if term == value {
		return !asking[strings.ToLower(term)] || term != strings.ToLower(term)
	}
	return strings.EqualFold(term, value) && term == strings.ToUpper(term)
}

// mayBeMisspelled reports whether a run of words may be a value with a typo:
// five letters at least, and not made of words people ask with, nor of letters
// that are words.
func mayBeMisspelled(words []word) bool {
	letters := 0
	for _, w := range words {
		letters += utf8.RuneCountInString(w.folded)
		if asking[w.folded] || asking[stem(w.folded)] || strings.ContainsFunc(w.folded, unspaced) {
			return false
		}
	}
	return letters >= 5
}

// asking are words of questions, not of data.
var asking = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`a about above after again all also among amount an and any are as at average avg be been before below
		between both but by can count could date day days did different display distinct do does done down each earliest either every
		find first for found from fully give given greater had has have having he her high highest him his hour hours how if in into is it its
		largest last latest least less let list long longer low lowest made make many maximum mean me minimum month months more most much my
		name named names never no none not number of off on once one only or order ordered other our out over own part per percent percentage
		please quarter rate ratio return same second share she should show shown since smallest so some still such sum than that the their them
		then there these they third this those three through time times to top total two type types under until up us use used value values
		was we week weeks were what when where which while who whole whose why will with within without would year years you your`) {
		m[w] = true
	}
	return m
}()
