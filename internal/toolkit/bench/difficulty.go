package bench

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sqbyl/sqbyl/internal/toolkit/project/yamldoc"
)

// difficulties are the words that people grade questions with. A file may have
// others: these only tell misspelled ones.
var difficulties = []string{"easy", "medium", "hard", "simple", "moderate", "challenging"}

// graded reports a difficulty that one question alone has and that misses by a
// letter a usual one, or one that several questions have. Words that differ in
// a number only are grades of their own.
func (p *parser) graded() {
	used := map[string]int{}
	for _, q := range p.set.Questions {
		used[q.Difficulty]++
	}
	known := slices.Clone(difficulties)
	for _, word := range slices.Sorted(maps.Keys(used)) {
		if used[word] > 1 && !slices.Contains(known, word) {
			known = append(known, word)
		}
	}
	for i, q := range p.set.Questions {
		at := yamldoc.At(p.nodes[i], "difficulty")
		if at == nil || len(q.Difficulty) < 3 || slices.Contains(known, q.Difficulty) {
			continue
		}
		for _, near := range yamldoc.OneLetter(q.Difficulty, known) {
			if letters(near) != letters(q.Difficulty) {
				p.Wrong(at, fmt.Sprintf("%s.difficulty is %s, which no other question has", q.label(), p.quoted(q.Difficulty)), "did you mean "+near+"?")
				break
			}
		}
	}
}

// letters is a word without its digits.
func letters(word string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return -1
		}
		return r
	}, word)
}
