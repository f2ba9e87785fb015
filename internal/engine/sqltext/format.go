package sqltext

import "strings"

// Format lays the statement out for reading, width columns wide where it
// can: clauses on lines of their own, what does not fit broken at commas,
// AND and OR. Tokens and comments stay as they are and in order; a text that
// is not sound, or too deep, comes back unchanged.
func Format(sql string, rules *Rules, width int) string {
	s := Scan(sql, rules)
	o := s.Outline()
	if len(s.Faulty) > 0 || o.Unbalanced >= 0 || o.Depth > 50 || len(s.Tokens) == 0 {
		return sql
	}
	p := printer{Script: s, width: width}
	p.pieces()
	p.block(0, len(p.all), 0)
	out := p.b.String()
	if !sameTokens(s, Scan(out, rules)) {
		return sql
	}
	return out
}

func sameTokens(a, b *Script) bool {
	return sameTexts(a, a.Tokens, b, b.Tokens) && sameTexts(a, a.Comments, b, b.Comments)
}

func sameTexts(a *Script, at []Token, b *Script, bt []Token) bool {
	if len(at) != len(bt) {
		return false
	}
	for i := range at {
		if at[i].Kind != bt[i].Kind || a.SQL[at[i].Start:at[i].End] != b.SQL[bt[i].Start:bt[i].End] {
			return false
		}
	}
	return true
}

// piece is a token or comment with what the printer needs.
type piece struct {
	Token
	glued bool // nothing stood before it
	match int  // the closing piece of an opening one, else its own index
}

type printer struct {
	*Script
	all    []piece
	b      strings.Builder
	width  int
	column int
	indent int  // of the line at hand
	fresh  bool // the next piece begins a line, column wide
	wrap   bool // a line comment was written: a new line must follow
}

// pieces merges tokens and comments and pairs the brackets.
func (p *printer) pieces() {
	comments := p.Comments
	var open []int
	end := int32(-1)
	add := func(t Token) {
		at := len(p.all)
		p.all = append(p.all, piece{t, t.Start == end, at})
		end = t.End
		switch t.Kind {
		case Open:
			open = append(open, at)
		case Close:
			p.all[open[len(open)-1]].match = at
			open = open[:len(open)-1]
		}
	}
	for _, t := range p.Tokens {
		for len(comments) > 0 && comments[0].Start < t.Start {
			add(comments[0])
			comments = comments[1:]
		}
		add(t)
	}
	for _, c := range comments {
		add(c)
	}
}

// isQuery reports a bracket whose content is a query.
func (p *printer) isQuery(open int) bool {
	for i := open + 1; i < p.all[open].match; i++ {
		if p.all[i].Kind != Comment {
			k := p.all[i].Key
			return k == KeySelect || k == KeyWith || k == KeyFrom || k == KeyValues && p.all[open].match-i > 2
		}
	}
	return false
}

// clauseAt reports pieces that begin a line of a query that is broken up.
func (p *printer) clauseAt(i int) bool {
	key, before := p.all[i].Key, Key(0)
	if i > 0 {
		before = p.all[i-1].Key
	}
	next := Key(0)
	if i+1 < len(p.all) {
		next = p.all[i+1].Key
	}
	switch key {
	case KeySelect, KeyWhere, KeyHaving, KeyLimit, KeyUnion, KeyExcept, KeyIntersect, KeyQualify, KeyWith:
		return key != KeyWith || i == 0 || p.all[i-1].Kind == Open
	case KeyGroup, KeyOrder:
		return next == KeyBy
	case KeyFrom:
		return before != KeyDistinct
	case KeyOffset:
		return before != KeyNone || i > 0 && p.all[i-1].Kind == Number
	case KeyJoin, KeyLeft, KeyRight, KeyInner, KeyFull, KeyCross, KeyNatural, KeyAsof:
		joins := key == KeyJoin || next == KeyJoin || next == KeyOuter || key == KeyNatural || next == KeyLeft || next == KeyInner
		return joins && !isJoinWord(before)
	}
	return false
}

func isJoinWord(k Key) bool {
	switch k {
	case KeyLeft, KeyRight, KeyInner, KeyFull, KeyCross, KeyNatural, KeyAsof, KeyOuter, KeySemi, KeyAnti, KeyPositional:
		return true
	}
	return false
}

// block prints pieces [from, to): on one line if they fit, else clause by
// clause.
func (p *printer) block(from, to, indent int) {
	if p.fits(from, to) {
		p.flat(from, to)
		return
	}
	start := from
	for i := from; i < to; i++ {
		if i > start && p.clauseAt(i) {
			p.part(start, i, indent)
			p.line(indent)
			start = i
		}
		i = p.all[i].match
	}
	p.part(start, to, indent)
}

// part prints one clause, broken at commas or at AND and OR when too long.
func (p *printer) part(from, to, indent int) {
	if p.fits(from, to) {
		p.flat(from, to)
		return
	}
	inner := indent + 2
	if p.all[from].Key == KeyWith {
		inner = indent
	}
	commas := p.has(from, to, func(i int) bool { return p.all[i].Kind == Comma })
	between := 0 // BETWEENs whose AND is still to come
	for i := from; i < to; i++ {
		t := p.all[i]
		switch {
		case t.Key == KeyBetween:
			between++
		case t.Key == KeyAnd && between > 0:
			between--
		case !commas && (t.Key == KeyAnd || t.Key == KeyOr):
			p.line(inner)
		}
		switch {
		case t.match == i:
			p.write(i)
		case p.fits(i, t.match+1):
			p.flat(i, t.match+1)
		default:
			p.bracket(i, t.match, indent)
		}
		i = t.match
		if commas && t.Kind == Comma && i+1 < to {
			if p.all[i+1].Kind == Comment {
				i++
				p.write(i)
			}
			p.line(inner)
		}
	}
}

// bracket prints a bracket that does not fit on the line.
func (p *printer) bracket(open, end, indent int) {
	p.write(open)
	if p.isQuery(open) {
		p.line(indent + 2)
		p.block(open+1, end, indent+2)
		p.line(indent)
	} else {
		p.part(open+1, end, indent+2)
	}
	p.write(end)
}

func (p *printer) has(from, to int, is func(int) bool) bool {
	for i := from; i < to; i++ {
		if is(i) {
			return true
		}
		i = p.all[i].match
	}
	return false
}

// fits reports whether [from, to) fits on the rest of the line, and holds no
// line break of its own.
func (p *printer) fits(from, to int) bool {
	room := p.width - p.column
	for i := from; i < to; i++ {
		t := p.all[i]
		if room -= int(t.End - t.Start); room < 0 {
			return false
		}
		if p.spaced(i) {
			room--
		}
		if t.Kind == Comment && p.SQL[t.Start] != '/' && i+1 < to {
			return false
		}
	}
	return room >= 0
}

func (p *printer) flat(from, to int) {
	for i := from; i < to; i++ {
		p.write(i)
	}
}

// spaced reports a space before piece i. Where nothing stood between two
// pieces nothing will, except behind a comma: so no token can change.
func (p *printer) spaced(i int) bool {
	if i == 0 {
		return false
	}
	t, before := p.all[i], p.all[i-1]
	switch {
	case before.Kind == Comma || t.Kind == Comment || before.Kind == Comment:
		return true
	case t.Kind == Comma || t.Kind == Close || t.Kind == Semicolon || before.Kind == Open:
		return false
	}
	return !t.glued
}

func (p *printer) write(i int) {
	t := p.all[i]
	if p.wrap && !p.fresh {
		p.line(p.indent)
	}
	switch {
	case p.fresh && p.b.Len() > 0:
		p.b.WriteByte('\n')
		p.b.WriteString(strings.Repeat(" ", p.column))
	case p.column > 0 && p.spaced(i):
		p.b.WriteByte(' ')
		p.column++
	}
	p.b.WriteString(p.SQL[t.Start:t.End])
	p.column += int(t.End - t.Start)
	p.fresh, p.wrap = false, t.Kind == Comment && p.SQL[t.Start] != '/'
}

func (p *printer) line(indent int) { p.fresh, p.column, p.indent = true, indent, indent }
