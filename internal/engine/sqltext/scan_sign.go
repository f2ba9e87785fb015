package sqltext

import "strings"

func (s *scanner) number() {
	i := s.pos
	if n := len(s.out.Tokens); s.src[i] == '.' && n > 0 {
		last := s.out.Tokens[n-1]
		if int(last.End) == i && (last.Kind <= Name || last.Kind == Close) {
			s.emit(Dot, i+1, NumberJunk)
			return
		}
	}
	if end, ok := s.radix(i); ok {
		i = end
	} else {
		i = s.digits(i)
		if s.at(i) == '.' {
			i = s.digits(i + 1)
		}
		if c := s.at(i); c|0x20 == 'e' {
			j := i + 1
			if c := s.at(j); c == '+' || c == '-' {
				j++
			}
			if class[s.at(j)] == cDigit {
				i = s.digits(j)
			}
		}
	}
	fault := Sound
	for i < len(s.src) && (isNamePart(s.src[i]) || s.src[i] == '.' && class[s.at(i+1)] == cDigit) {
		fault = NumberJunk
		i++
	}
	s.emit(Number, i, fault)
}

func (s *scanner) digits(i int) int {
	for i < len(s.src) {
		c := s.src[i]
		switch {
		case class[c] == cDigit:
		case c == '_' && s.rules.NumberUnderscore && i > s.pos && class[s.src[i-1]] == cDigit && class[s.at(i+1)] == cDigit:
		default:
			return i
		}
		i++
	}
	return i
}

// radix reads 0x1F and 0b01, small letters only: MySQL takes 0X1F and a bare
// 0x for names.
func (s *scanner) radix(i int) (end int, ok bool) {
	if !s.rules.HexNumber || s.src[i] != '0' || s.at(i+1) != 'x' && s.at(i+1) != 'b' {
		return 0, false
	}
	binary := s.at(i+1) == 'b'
	for end = i + 2; isHex(s.at(end)) && (!binary || s.src[end] <= '1'); end++ {
	}
	return end, end > i+2
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f'
}

func (s *scanner) operator(c byte) {
	next := s.at(s.pos + 1)
	switch {
	case c == '-' && next == '-' && s.dashComment():
		s.emit(Comment, s.lineEnd(s.pos), Sound)
	case c == '#' && s.rules.HashComment:
		s.emit(Comment, s.lineEnd(s.pos), Sound)
	case c == '/' && next == '*':
		s.blockComment()
	case c == '#' && s.rules.HashPositional && class[next] == cDigit:
		s.emit(Number, s.digits(s.pos+1), Sound)
	case c == '?' && s.rules.QuestionParam:
		s.emit(Param, s.digits(s.pos+1), Sound)
	case c == ':':
		s.colon(next)
	case c == '@' && (s.rules.AtVariable || s.rules.AtParam):
		s.variable()
	case s.rules.LongOperators:
		s.longOperator()
	case c == '#' || c == '@' || c == '?':
		s.emit(Junk, s.pos+1, BadCharacter)
	default:
		s.emit(Operator, s.pos+s.shortOperator(), Sound)
	}
}

func (s *scanner) dashComment() bool {
	if !s.rules.DashNeedsSpace || s.pos+2 >= len(s.src) {
		return true
	}
	c := s.src[s.pos+2]
	return class[c] == cSpace || c < ' ' || c == 0x7f
}

func (s *scanner) lineEnd(i int) int {
	for ; i < len(s.src); i++ {
		if s.src[i] == '\n' || s.src[i] == '\r' && s.rules.CRNewline {
			return i
		}
	}
	return i
}

func (s *scanner) blockComment() {
	fault := Sound
	if c := s.at(s.pos + 2); c == '!' || c == '+' || c|0x20 == 'm' && s.at(s.pos+3) == '!' {
		fault = ExecComment
	}
	depth := 1
	for i := s.pos + 2; i+1 < len(s.src); i++ {
		switch {
		case s.src[i] == '*' && s.src[i+1] == '/':
			depth--
			if depth == 0 {
				s.emit(Comment, i+2, fault)
				return
			}
			i++
		case s.src[i] == '/' && s.src[i+1] == '*':
			if s.rules.NestedComments {
				depth++
			} else if fault == Sound {
				fault = NestedComment
			}
			if s.rules.NestedComments {
				i++
			}
		}
	}
	s.emit(Comment, len(s.src), OpenComment)
}

func (s *scanner) colon(next byte) {
	switch {
	case next == ':' || next == '=':
		s.emit(Operator, s.pos+2, Sound)
	case s.rules.ColonParam && isNamePart(next):
		i := s.pos + 1
		for i < len(s.src) && isNamePart(s.src[i]) {
			i++
		}
		s.emit(Param, i, Sound)
	case s.rules.LongOperators:
		s.emit(Operator, s.pos+1, Sound)
	default:
		s.emit(Junk, s.pos+1, BadCharacter)
	}
}

// variable reads @name, @@name, @'name' and what SQLite takes for $name.
func (s *scanner) variable() {
	i := s.pos + 1
	for i < len(s.src) && (s.src[i] == '@' || isNamePart(s.src[i])) {
		i++
	}
	s.emit(Param, i, Sound)
}

func (s *scanner) dollar() {
	i := s.pos + 1
	for i < len(s.src) && isNamePart(s.src[i]) && s.src[i] != '$' {
		i++
	}
	tagged := i == s.pos+1 || class[s.src[s.pos+1]] != cDigit
	switch {
	case s.rules.DollarQuote && tagged && s.at(i) == '$':
		tag := s.src[s.pos : i+1]
		if n := strings.Index(s.src[i+1:], tag); n >= 0 {
			s.emit(String, i+1+n+len(tag), Sound)
		} else {
			s.emit(String, len(s.src), OpenString)
		}
	case s.rules.DollarParam && !tagged:
		end := s.digits(s.pos + 1)
		fault := Sound
		if end != i || s.at(i) == '$' {
			fault = NumberJunk
		}
		s.emit(Param, i, fault)
	case s.rules.AtParam, s.rules.DollarParam:
		s.emit(Param, i, Sound)
	default:
		s.emit(Junk, i, LeadingDollar)
	}
}

const operatorBytes = "~!@#^&|`?%+-*/<>="

// longOperator is PostgreSQL's rule: the longest run, cut before a comment,
// that ends in + or - only when it holds one of ~!@#^&|`?%. What is cut off
// the end are signs of their own.
func (s *scanner) longOperator() {
	i, special := s.pos, -1
	for ; i < len(s.src); i++ {
		c := s.src[i]
		next := s.at(i + 1)
		if strings.IndexByte(operatorBytes, c) < 0 || c == '-' && next == '-' || c == '/' && next == '*' {
			break
		}
		if c == '?' && s.rules.QuestionParam || c == '#' && s.rules.HashPositional && class[next] == cDigit {
			break
		}
		if special < 0 && strings.IndexByte("~!@#^&|`?%", c) >= 0 {
			special = i
		}
	}
	end := max(i, s.pos+1)
	for i > s.pos+1 && (s.src[i-1] == '+' || s.src[i-1] == '-') && (special < 0 || special >= i-1) {
		i--
	}
	s.emit(Operator, max(i, s.pos+1), Sound)
	for s.pos < end {
		s.emit(Operator, s.pos+1, Sound)
	}
}

// shortOperator is the length of the longest operator in the fixed list.
func (s *scanner) shortOperator() int {
	if s.pos+3 <= len(s.src) {
		if three := s.src[s.pos : s.pos+3]; three == "<=>" || three == "->>" {
			return 3
		}
	}
	if s.pos+2 <= len(s.src) {
		switch s.src[s.pos : s.pos+2] {
		case "||", "&&", "<<", ">>", "<=", ">=", "<>", "!=", "==", "->":
			return 2
		}
	}
	return 1
}
