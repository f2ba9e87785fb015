package sqltext

// OrderKey is one key of an ORDER BY.
type OrderKey struct {
	Text  string // the expression as written
	Desc  bool
	Nulls string // "FIRST", "LAST", or "" when not said
}

// OrderKeys are the keys of the outermost ORDER BY; limited tells whether the
// outermost query has a LIMIT or FETCH. Brackets around the whole statement
// do not count.
func (s *Script) OrderKeys() (keys []OrderKey, limited bool) {
	o := s.Outline()
	if o.Order < 0 && o.Limit < 0 && o.Fetch < 0 {
		if inner, ok := s.insideBrackets(o); ok {
			return Scan(inner, s.Rules).OrderKeys()
		}
	}
	limited = o.Limit >= 0 || o.Fetch >= 0
	if o.Order < 0 {
		return nil, limited
	}
	depth, start := 0, o.Order+2
	for i := start; i <= o.End; i++ {
		switch {
		case i < o.End && s.Tokens[i].Kind == Open:
			depth++
			continue
		case i < o.End && s.Tokens[i].Kind == Close:
			depth--
			continue
		case depth > 0 && i < o.End:
			continue
		}
		last := i == o.End || s.endsOrder(i)
		if last || s.Tokens[i].Kind == Comma {
			if i > start {
				keys = append(keys, s.orderKey(start, i))
			}
			start = i + 1
		}
		if last {
			break
		}
	}
	return keys, limited
}

func (s *Script) endsOrder(i int) bool {
	switch s.Key(i) {
	case KeyLimit, KeyFetch, KeyOffset, KeyFor, KeyUnion, KeyExcept, KeyIntersect, KeySelect:
		return true
	}
	return false
}

// orderKey reads the key in tokens [from, to).
func (s *Script) orderKey(from, to int) OrderKey {
	var k OrderKey
	if to-from > 2 && s.Key(to-2) == KeyNulls && (s.Key(to-1) == KeyFirst || s.Key(to-1) == KeyLast) {
		k.Nulls = "LAST"
		if s.Key(to-1) == KeyFirst {
			k.Nulls = "FIRST"
		}
		to -= 2
	}
	if to-from > 1 && (s.Key(to-1) == KeyDesc || s.Key(to-1) == KeyAsc) {
		k.Desc = s.Key(to-1) == KeyDesc
		to--
	}
	k.Text = s.SQL[s.Tokens[from].Start:s.Tokens[to-1].End]
	return k
}

// insideBrackets is the text between brackets that hold the whole statement.
func (s *Script) insideBrackets(o *Outline) (string, bool) {
	if o.First < 0 || o.Unbalanced >= 0 || !s.Is(o.First, "(") || !s.Is(o.End-1, ")") || o.Depth > 200 {
		return "", false
	}
	depth := 0
	for i := o.First; i < o.End; i++ {
		switch s.Tokens[i].Kind {
		case Open:
			depth++
		case Close:
			if depth--; depth == 0 && i < o.End-1 {
				return "", false
			}
		}
	}
	return s.SQL[s.Tokens[o.First].End:s.Tokens[o.End-1].Start], true
}
