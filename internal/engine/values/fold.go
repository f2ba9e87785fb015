package values

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// folds spells the letters that fold to others: every rune on the left
// becomes the right text.
var folds = []struct{ from, to string }{
	{"àáâãäåāăąǎ", "a"}, {"çćĉċč", "c"}, {"ďđð", "d"}, {"èéêëēĕėęě", "e"}, {"ĝğġģ", "g"}, {"ĥħ", "h"},
	{"ìíîïĩīĭįı", "i"}, {"ĵ", "j"}, {"ķ", "k"}, {"ĺļľŀł", "l"}, {"ñńņňŉ", "n"}, {"òóôõöøōŏő", "o"},
	{"ŕŗř", "r"}, {"śŝşšș", "s"}, {"ţťŧț", "t"}, {"ùúûüũūŭůűų", "u"}, {"ŵ", "w"}, {"ýÿŷ", "y"}, {"źżž", "z"},
	{"ạảấầẩẫậắằẳẵặ", "a"}, {"ẹẻẽếềểễệ", "e"}, {"ḥḫ", "h"}, {"ỉịǐ", "i"}, {"ḷ", "l"}, {"ṇǹ", "n"}, {"ơọỏốồổỗộớờởỡợǒ", "o"}, {"ṛ", "r"},
	{"ṣ", "s"}, {"ṭ", "t"}, {"ưụủứừửữựǔ", "u"}, {"ẁẃẅ", "w"}, {"ỳỵỷỹ", "y"}, {"ẓ", "z"},
	{"ά", "α"}, {"έ", "ε"}, {"ή", "η"}, {"ίϊΐ", "ι"}, {"ό", "ο"}, {"ς", "σ"}, {"ύϋΰ", "υ"}, {"ώ", "ω"}, {"ё", "е"}, {"ї", "і"},
	{"ß", "ss"}, {"æ", "ae"}, {"œ", "oe"}, {"þ", "th"},
}

// latin is folds by rune.
var latin = func() map[rune]string {
	m := map[rune]string{}
	for _, f := range folds {
		for _, r := range f.from {
			m[r] = f.to
		}
	}
	return m
}()

// fold lowers a text and drops its accents.
func fold(s string) string {
	var b strings.Builder
	for _, r := range s {
		r = unicode.ToLower(r)
		switch to, ok := latin[r]; {
		case ok:
			b.WriteString(to)
		case unicode.Is(unicode.Mn, r):
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// word is a token of a text: its folded form, and where it stands.
type word struct {
	text       string // as written
	folded     string
	start, end int // bytes
}

// split cuts a text into words of letters and digits; an apostrophe or dot
// inside a word belongs to it when letters follow ("O'Brien", "St." ends).
func split(s string) []word {
	var words []word
	start := -1
	flush := func(end int) {
		if start >= 0 {
			words = append(words, word{text: s[start:end], folded: foldWord(s[start:end]), start: start, end: end})
			start = -1
		}
	}
	for i, r := range s {
		switch {
		case unspaced(r):
			flush(i)
			start = i
			flush(i + utf8.RuneLen(r))
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r):
			if start < 0 {
				start = i
			}
		case (r == '\'' || r == '’') && start >= 0 && letterAfter(s, i, r):
		default:
			flush(i)
		}
	}
	flush(len(s))
	return words
}

// unspaced reports a letter of a script that is written without spaces: each
// is a word of its own, so that a value is found inside a sentence.
func unspaced(r rune) bool { return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) }

func letterAfter(s string, i int, r rune) bool {
	for _, next := range s[i+len(string(r)):] {
		return unicode.IsLetter(next)
	}
	return false
}

// foldWord folds a word and drops a possessive and inner apostrophes.
func foldWord(s string) string {
	s = strings.ReplaceAll(fold(s), "’", "'")
	s = strings.TrimSuffix(s, "'s")
	return strings.ReplaceAll(s, "'", "")
}

// stem takes an English plural ending off a folded word; it is a key to
// compare by, not a word.
func stem(w string) string {
	switch {
	case len(w) > 4 && strings.HasSuffix(w, "ies"):
		return w[:len(w)-3] + "y"
	case len(w) > 4 && (strings.HasSuffix(w, "ses") || strings.HasSuffix(w, "xes") || strings.HasSuffix(w, "zes") || strings.HasSuffix(w, "ches") || strings.HasSuffix(w, "shes")):
		return w[:len(w)-2]
	case len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss"):
		return w[:len(w)-1]
	}
	return w
}

// stems gives the stem of each word.
func stems(words []word) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = stem(w.folded)
	}
	return out
}
