package sqltext

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Hash is the same for two texts that differ only in white space, comments,
// a semicolon at the end and the case of what the dialect folds. Literals
// count, so that two questions with other dates stay two.
func (s *Script) Hash() string { return s.hash(true) }

// Shape is Hash with every literal, its sign aside, as good as any other.
func (s *Script) Shape() string { return s.hash(false) }

func (s *Script) hash(literals bool) string {
	h := sha256.New()
	n := len(s.Tokens)
	for n > 0 && s.Tokens[n-1].Kind == Semicolon {
		n--
	}
	for i := range n {
		t := s.Tokens[i]
		var text string
		kind := t.Kind
		switch kind {
		case Word:
			text = strings.ToLower(s.Text(i))
			if s.Rules.FoldUpper {
				text = strings.ToUpper(text)
			}
		case Name:
			text = s.Name(i)
			// A quoted name that needs no quotes is the same name.
			if isPlainName(text) && keyOf([]byte(strings.ToLower(text))) == KeyNone {
				kind = Word
			}
		case String, Number, Param:
			if literals {
				text = s.Text(i)
			} else {
				kind = Param
			}
		default:
			text = s.Text(i)
		}
		h.Write([]byte{byte(kind)})
		h.Write([]byte(text))
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

func isPlainName(name string) bool {
	for i := range len(name) {
		if k := class[name[i]]; k != cLetter && (k != cDigit || i == 0) {
			return false
		}
	}
	return name != ""
}
