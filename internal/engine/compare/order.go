package compare

import (
	"github.com/sqbyl/sqbyl/internal/engine/compare/cell"
	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// Key is the gold run once more without its LIMIT and with its order key.
type Key struct {
	// Rows are the gold's columns, in the gold's order.
	Rows [][]db.Value
	// Tie numbers the rows that share a key, from 0 on, without gaps.
	Tie []int32
	// Label is a key as a person reads it, by tie; it may be shorter.
	Label []string
	// Offset and Limit cut the gold's own rows out of Rows; Limit -1 is none.
	Offset, Limit int
	// Cut is set when Rows ends before the last row: a cap was reached.
	Cut bool
}

// segment is a tie: rows start to end of the key, of which the gold shows
// shown.
type segment struct {
	start, end int
	shown      int
}

// segments lists the ties the gold's window touches; ok is false when the key
// does not reach over the window.
func (k *Key) segments() (list []segment, ok bool) {
	from, to := min(k.Offset, len(k.Rows)), len(k.Rows)
	if k.Limit >= 0 && k.Limit < to-from {
		to = from + k.Limit
	}
	for start := 0; start < to; {
		end := start + 1
		for end < len(k.Rows) && k.Tie[end] == k.Tie[start] {
			end++
		}
		if end == len(k.Rows) && k.Cut {
			return nil, false
		}
		if shown := min(end, to) - max(start, from); shown > 0 {
			list = append(list, segment{start, end, shown})
		}
		start = end
	}
	return list, true
}

// allows reports that rows stand in the key's order: of each tie any rows,
// as many as the gold shows.
func (k *Key) allows(rows table, goldCols, predCols []int, tol cell.Tolerance) bool {
	list, ok := k.segments()
	if !ok {
		return false
	}
	m := newMatcher(k.Rows, rows, goldCols, predCols, tol)
	at := 0
	for _, s := range list {
		if at+s.shown > len(rows) || !m.segment(s, at) {
			return false
		}
		at += s.shown
	}
	return at == len(rows)
}

// segment pairs the answer's rows from at on with rows of one tie.
func (m *matcher) segment(s segment, at int) bool {
	if s.end-s.start == 1 {
		return m.equal(int32(s.start), int32(at))
	}
	gold, pred := span(s.start, s.end), span(at, at+s.shown)
	return m.match(gold, pred, false) == s.shown
}

func span(from, to int) []int32 {
	s := make([]int32, 0, to-from)
	for i := from; i < to; i++ {
		s = append(s, int32(i))
	}
	return s
}

// orderKey asks for the gold's key once. A key its own gold does not stand in
// is none: the gold's order is then not what its text says.
func (c *comparison) orderKey() *Key {
	if c.keyAsked || c.Key == nil {
		return c.key
	}
	c.keyAsked = true
	key := c.Key()
	if key == nil {
		return nil
	}
	all := positions(width(c.Result))
	if key.allows(c.Result.Rows, all, all, cell.Exactly) {
		c.key = key
	}
	return c.key
}

func (c *comparison) orderedStrictly() bool {
	switch {
	case !c.Ordered:
		return c.found.Strict
	case len(c.Result.Rows) != len(c.pred.Rows) || c.pair.nan:
		return false
	case c.pair.sameList():
		return true
	case width(c.Result) != width(c.pred):
		return false
	}
	key := c.orderKey()
	all := positions(width(c.Result))
	return key != nil && key.allows(c.pred.Rows, all, all, cell.Exactly)
}
