package leak

import (
	"slices"
	"strings"
	"unicode"

	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
)

// nearQuestion is the share of words and pairs of neighbouring words from
// which on two questions count as nearly the same. Of the 36,577 pairs of
// questions on one database in 944 published ones, 25 reach it: a third of
// them have the very same SQL, the others differ in a word or two ("most" and
// "least"). Further down stand different questions about one table.
const nearQuestion = 0.7

// read is a text prepared for comparing.
type read struct {
	*Text
	folded   string
	shingles []string
	hashes   []string
	shapes   []string
	literals []string
}

func readText(t *Text, rules *sqltext.Rules) read {
	words := strings.FieldsFunc(strings.ToLower(t.Question), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && r != '_' && r != '-'
	})
	r := read{Text: t, folded: strings.Join(words, " "), shingles: shingles(words)}
	for _, w := range words {
		if identifier(w) {
			r.literals = append(r.literals, w)
		}
	}
	values := strings.Join(t.Values, "\x00")
	for _, v := range t.Values {
		r.literal(v)
	}
	for _, sql := range t.SQL {
		s := sqltext.Scan(sql, rules)
		if len(s.Tokens) == 0 {
			continue
		}
		r.hashes = append(r.hashes, s.Hash()+values)
		if len(s.Tokens) >= minShape {
			r.shapes = append(r.shapes, s.Shape())
		}
		for i, token := range s.Tokens {
			if token.Kind == sqltext.String {
				r.literal(sqltext.Unquote(s.Text(i)))
			}
		}
	}
	r.hashes, r.shapes, r.literals = distinct(r.hashes), distinct(r.shapes), distinct(r.literals)
	return r
}

// literal keeps a text that few would write by chance: one with a blank or a
// digit, a date aside, or a long one.
func (r *read) literal(text string) {
	text = strings.ToLower(strings.Trim(text, "% "))
	switch {
	case len(text) < 4 || date(text) || strings.Trim(text, "0123456789.-") == "" && len(text) < 6:
	case strings.ContainsAny(text, "0123456789 @") || len(text) >= 12:
		r.literals = append(r.literals, text)
	}
}

// identifier is a word of letters and digits, SKU-10007.
func identifier(word string) bool {
	return len(word) >= 4 && strings.ContainsAny(word, "0123456789") && strings.ContainsFunc(word, unicode.IsLetter) && !date(word)
}

// date reports text that begins like 2026-11, or a pattern that formats one.
func date(text string) bool {
	if len(text) >= 7 && text[4] == '-' && strings.Trim(text[:4]+text[5:7], "0123456789") == "" {
		return true
	}
	return strings.Contains(text, "%")
}

// shingles are the words and the pairs of neighbours, the ends too.
func shingles(words []string) []string {
	if len(words) == 0 {
		return nil
	}
	list := slices.Clone(words)
	before := ""
	for _, w := range words {
		list = append(list, before+" "+w)
		before = w
	}
	return distinct(append(list, before+" "))
}

func distinct(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}
