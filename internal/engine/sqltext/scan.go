package sqltext

import (
	"unicode"
	"unicode/utf8"
)

// byte classes
const (
	cOther = iota
	cSpace
	cLetter
	cDigit
	cQuote
	cOpen
	cClose
	cOper
	cHigh
)

var class = func() (t [256]uint8) {
	for c := range 256 {
		switch {
		case c == ' ' || c >= '\t' && c <= '\r':
			t[c] = cSpace
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_':
			t[c] = cLetter
		case c >= '0' && c <= '9':
			t[c] = cDigit
		case c >= 0x80:
			t[c] = cHigh
		}
	}
	for _, c := range "'\"`" {
		t[c] = cQuote
	}
	for _, c := range "([{" {
		t[c] = cOpen
	}
	for _, c := range ")]}" {
		t[c] = cClose
	}
	for _, c := range "~!@#^&|%?+-*/<>=:" {
		t[c] = cOper
	}
	return t
}()

// Scan cuts sql into tokens, in time linear in its length. It accepts any
// bytes: what does not belong becomes a token with a fault.
func Scan(sql string, rules *Rules) *Script {
	s := &scanner{src: sql, rules: rules}
	s.out.SQL, s.out.Rules = sql, rules
	s.out.Tokens = make([]Token, 0, len(sql)/4+8)
	for s.pos < len(sql) {
		s.next()
	}
	return &s.out
}

type scanner struct {
	src   string
	pos   int
	rules *Rules
	out   Script
}

func (s *scanner) at(i int) byte {
	if i < len(s.src) {
		return s.src[i]
	}
	return 0
}

func (s *scanner) emit(kind Kind, end int, fault Fault) {
	t := Token{Start: int32(s.pos), End: int32(end), Kind: kind, Fault: fault, First: s.src[s.pos]}
	if kind == Comment {
		s.out.Comments = append(s.out.Comments, t)
	} else {
		s.out.Tokens = append(s.out.Tokens, t)
	}
	if fault != Sound {
		s.out.Faulty = append(s.out.Faulty, t)
	}
	s.pos = end
}

func (s *scanner) next() {
	c := s.src[s.pos]
	switch class[c] {
	case cSpace:
		s.pos++
	case cLetter, cHigh:
		s.word()
	case cDigit:
		s.number()
	case cQuote:
		s.quote(c)
	case cOpen:
		s.open(c)
	case cClose:
		s.emit(Close, s.pos+1, Sound)
	case cOper:
		s.operator(c)
	default:
		s.sign(c)
	}
}

func (s *scanner) sign(c byte) {
	switch {
	case c == ',':
		s.emit(Comma, s.pos+1, Sound)
	case c == ';':
		s.emit(Semicolon, s.pos+1, Sound)
	case c == '.' && class[s.at(s.pos+1)] == cDigit:
		s.number()
	case c == '.':
		s.emit(Dot, s.pos+1, Sound)
	case c == '$':
		s.dollar()
	default:
		s.emit(Junk, s.pos+1, BadCharacter)
	}
}

func (s *scanner) open(c byte) {
	if c == '[' && s.rules.BracketIdent {
		for i := s.pos + 1; i < len(s.src); i++ {
			if s.src[i] == ']' {
				s.emit(Name, i+1, Sound)
				return
			}
		}
		s.emit(Name, len(s.src), OpenName)
		return
	}
	if c == '{' && !s.rules.BraceLiterals {
		s.emit(Open, s.pos+1, BadCharacter)
		return
	}
	s.emit(Open, s.pos+1, Sound)
}

// isNamePart reports bytes that go on an unquoted name. All the engines take
// "$" inside a name.
func isNamePart(c byte) bool {
	k := class[c]
	return k == cLetter || k == cDigit || k == cHigh || c == '$'
}

const longestKey = 16

func (s *scanner) word() {
	var lower [longestKey]byte
	i, plain := s.pos, true
	for ; i < len(s.src) && isNamePart(s.src[i]); i++ {
		c := s.src[i]
		if n := i - s.pos; n < longestKey {
			if c >= 'A' && c <= 'Z' {
				c |= 0x20
			}
			lower[n] = c
		}
		plain = plain && c < 0x80
	}
	if !plain {
		s.highWord(i)
		return
	}
	n := i - s.pos
	if n <= 2 && s.prefixed(lower[0], n, i) {
		return
	}
	afterDot := len(s.out.Tokens) > 0 && s.out.Tokens[len(s.out.Tokens)-1].Kind == Dot
	s.emit(Word, i, Sound)
	if n >= 2 && n <= longestKey && !afterDot {
		s.out.Tokens[len(s.out.Tokens)-1].Key = keyOf(lower[:n])
	}
}

// highWord ends a word at a character that only looks like a space: some
// engines read those as white space, some as part of the name.
func (s *scanner) highWord(end int) {
	for i := s.pos; i < end; {
		r, size := utf8.DecodeRuneInString(s.src[i:end])
		if r >= 0x80 && (unicode.IsSpace(r) || unicode.Is(unicode.Zs, r) || unicode.Is(unicode.Cf, r)) {
			if i > s.pos {
				s.emit(Word, i, Sound)
			}
			s.emit(Junk, i+size, BadCharacter)
		}
		i += size
	}
	if s.pos < end {
		s.emit(Word, end, Sound)
	}
}

// prefixed reads E'…', B'…', X'…', N'…', U&'…' and U&"…".
func (s *scanner) prefixed(first byte, n, end int) bool {
	if !s.rules.EStrings || n != 1 {
		return false
	}
	next := s.at(end)
	switch {
	case next == '\'' && first == 'e':
		stop, ok := endOfQuote(s.src, end, true)
		fault := Sound
		if !ok {
			fault = OpenString
		} else if s.stringFollows(stop) {
			fault = ContinuedString
		}
		s.emit(String, stop, fault)
	case next == '\'' && (first == 'b' || first == 'x' || first == 'n'):
		s.text(end, false)
	case first == 'u' && next == '&' && s.at(end+1) == '\'':
		s.text(end+1, false)
	case first == 'u' && next == '&' && s.at(end+1) == '"':
		stop, _ := endOfQuote(s.src, end+1, false)
		s.emit(Name, stop, UnicodeName)
	default:
		return false
	}
	return true
}

// stringFollows reports a quote after nothing but space and line comments:
// the standard makes one literal of both, with the escapes of the first.
func (s *scanner) stringFollows(i int) bool {
	for ; i < len(s.src); i++ {
		switch {
		case class[s.src[i]] == cSpace:
		case s.src[i] == '-' && s.at(i+1) == '-':
			i = s.lineEnd(i) - 1
		default:
			return s.src[i] == '\''
		}
	}
	return false
}

func (s *scanner) quote(c byte) {
	switch {
	case c == '\'', c == '"' && s.rules.DoubleQuoteText:
		s.text(s.pos, s.rules.BackslashEscape)
	case c == '"', c == '`' && s.rules.BacktickIdent:
		stop, ok := endOfQuote(s.src, s.pos, false)
		fault := Sound
		if !ok {
			fault = OpenName
		}
		s.emit(Name, stop, fault)
	default:
		s.emit(Junk, s.pos+1, BadCharacter)
	}
}

// text emits a string whose opening quote stands at i.
func (s *scanner) text(i int, backslash bool) {
	stop, ok := endOfQuote(s.src, i, backslash)
	if !ok {
		s.emit(String, stop, OpenString)
		return
	}
	s.emit(String, stop, Sound)
}

// endOfQuote finds the offset behind the quote that closes the one at i; a
// doubled quote stays inside.
func endOfQuote(src string, i int, backslash bool) (int, bool) {
	q := src[i]
	for i++; i < len(src); i++ {
		switch {
		case src[i] == '\\' && backslash:
			i++
		case src[i] != q:
		case i+1 < len(src) && src[i+1] == q:
			i++
		default:
			return i + 1, true
		}
	}
	return len(src), false
}
