package sqltext

// Outline is a script's structure as far as tokens show it: what it reads
// and calls, and its top-level clauses. Numbers are token indices, -1 none.
type Outline struct {
	Statements int // parts between semicolons that hold a token
	Second     int // the first token of the second statement
	Relations  []Relation
	Calls      []Call
	// Misplaced are words that open a statement, or fail to open a query,
	// where only a query may begin.
	Misplaced  []int
	Unbalanced int
	Depth      int // deepest brackets
	Chain      int // deepest tree an engine may build from the expression
	// Of the outermost query of the first statement.
	First, Order, Limit, Offset, Fetch, SetOp int
	Pivots                                    []int // PIVOT statements
	End                                       int   // behind its last token, without semicolons
}

// RelationKind tells what stands in FROM.
type RelationKind uint8

// The kinds of relation.
const (
	Table RelationKind = iota
	TableFunction
	TableText // a quoted text where a table is expected
)

// Relation is a table read; CTEs are left out. First is the token of its
// first name part, the Parts lie two tokens apart.
type Relation struct {
	First, Parts int
	Kind         RelationKind
}

// Call is a function called outside FROM; First is the first part of a
// qualified name, At the last.
type Call struct {
	First, At int
}

type frameKind uint8

const (
	inList frameKind = iota
	inArgs
	inColumns
)

type clause uint8

const (
	noClause clause = iota
	selectClause
	fromClause
	otherClause
)

type withState uint8

const (
	noWith withState = iota
	wantName
	wantAs
	wantBody
	afterBody
	inSearch
)

type frame struct {
	open     byte
	kind     frameKind
	clause   clause
	with     withState
	strict   bool // only a query may stand here
	start    bool // nothing seen yet
	afterSet bool // a query must follow
	expect   bool // a table must follow
	alias    bool // a table's alias may follow
	pivot    bool
	cteBody  bool
	recurse  bool
	argKey   Key
	cte      int32
	ctes     int32
	base     int32 // tree depth of the frames around
	chain    int32 // since the last comma
	links    int32 // set operations and joins
}

type outliner struct {
	*Script
	out     Outline
	frames  []frame
	ctes    []int32          // names in scope, innermost last
	scope   map[string]int32 // how often each is in scope
	i       int
	counted bool // the statement at hand is counted
	args    bool // the next bracket holds a call's arguments
	argKey  Key
	column  bool // the next bracket holds column aliases
}

// Outline reads the structure in one pass.
func (s *Script) Outline() *Outline {
	o := &outliner{Script: s}
	o.out = Outline{Second: -1, Unbalanced: -1, First: -1, Order: -1, Limit: -1, Offset: -1, Fetch: -1, SetOp: -1}
	o.frames = append(make([]frame, 0, 16), frame{strict: true, start: true})
	for o.i < len(s.Tokens) {
		o.step()
		if o.out.Statements == 1 && o.Tokens[o.i].Kind != Semicolon {
			o.out.End = o.i + 1
		}
		o.i++
	}
	o.finish()
	if len(o.frames) > 1 && o.out.Unbalanced < 0 {
		o.out.Unbalanced = len(s.Tokens) - 1
	}
	return &o.out
}

func (o *outliner) top() *frame { return &o.frames[len(o.frames)-1] }

func (o *outliner) step() {
	t := &o.Tokens[o.i]
	if t.Kind == Semicolon {
		o.semicolon()
		return
	}
	o.begin()
	f := o.top()
	switch t.Kind {
	case Word, Name:
		o.word(f)
	case Open:
		o.push(t.First)
	case Close:
		o.pop(t.First)
	case Comma:
		o.comma(f)
	case String:
		if f.expect {
			o.out.Relations = append(o.out.Relations, Relation{o.i, 1, TableText})
			f.expect, f.alias = false, true
		}
		o.settle(f)
	case Operator:
		f.chain++
		o.measure(f)
		o.settle(f)
	default:
		o.settle(f)
	}
}

// begin counts the statement that the first token after a semicolon opens.
func (o *outliner) begin() {
	if len(o.frames) == 1 && o.frames[0].start && !o.counted {
		o.counted = true
		o.out.Statements++
		if o.out.Statements == 1 {
			o.out.First = o.i
		} else if o.out.Second < 0 {
			o.out.Second = o.i
		}
	}
}

// finish notes a statement that ends before its query.
func (o *outliner) finish() {
	if f := &o.frames[0]; o.counted && (f.start || f.afterSet || f.with != noWith || f.expect) {
		o.out.Misplaced = append(o.out.Misplaced, o.i)
	}
}

func (o *outliner) semicolon() {
	o.finish()
	if len(o.frames) > 1 {
		if o.out.Unbalanced < 0 {
			o.out.Unbalanced = o.i
		}
		o.frames = o.frames[:1]
	}
	o.leave(0)
	o.counted = false
	o.frames[0] = frame{strict: true, start: true}
	o.args, o.column = false, false
}

// settle ends the places where a query could have begun.
func (o *outliner) settle(f *frame) {
	if f.strict && (f.start || f.afterSet) || f.with != noWith && f.with != inSearch {
		o.out.Misplaced = append(o.out.Misplaced, o.i)
		f.with = noWith
	}
	f.start, f.afterSet = false, false
}

func (o *outliner) measure(f *frame) {
	if d := int(f.base + f.chain + f.links); d > o.out.Chain {
		o.out.Chain = d
	}
}

func (o *outliner) comma(f *frame) {
	f.chain = 0
	switch {
	case f.with == afterBody || f.with == inSearch && o.cteAhead():
		f.with = wantName
		return
	case f.clause == fromClause:
		f.expect, f.alias = true, false
	}
	o.settle(f)
}

// cteAhead tells the comma before the next CTE from one in a SEARCH list.
func (o *outliner) cteAhead() bool {
	if !o.IsKind(o.i+1, Word) && !o.IsKind(o.i+1, Name) {
		return false
	}
	return o.Key(o.i+2) == KeyAs || o.Is(o.i+2, "(")
}

func (o *outliner) push(open byte) {
	f := o.top()
	n := frame{
		open: open, start: true, ctes: int32(len(o.ctes)),
		base: f.base + f.chain + f.links + 1,
	}
	switch {
	case open != '(':
		o.settle(f)
	case f.with == wantBody:
		n.strict, n.cteBody = true, true
	case f.with == wantAs:
		n.kind = inColumns
	case f.with == wantName:
		o.settle(f)
	case o.args:
		n.kind, n.argKey = inArgs, o.argKey
	case o.column:
		n.kind = inColumns
	case f.expect:
		f.expect, f.alias = false, true
		if o.queryAhead() {
			n.strict = true
		} else {
			n.clause, n.expect = fromClause, true
		}
	case f.strict && (f.start || f.afterSet) || f.with == afterBody || f.with == inSearch:
		n.strict = o.i == 0 || !o.starExcept()
		f.with = noWith
	}
	if open == '(' {
		f.start, f.afterSet = false, false
	}
	o.args, o.column, o.argKey = false, false, 0
	o.frames = append(o.frames, n)
	if d := len(o.frames) - 1; d > o.out.Depth {
		o.out.Depth = d
	}
	o.measure(o.top())
}

// starExcept is "* EXCEPT (names)", which leaves columns out.
func (o *outliner) starExcept() bool {
	return o.Key(o.i-1) == KeyExcept && o.Is(o.i-2, "*")
}

func (o *outliner) queryAhead() bool {
	switch k := o.Key(o.i + 1); k {
	case KeySelect, KeyWith, KeyValues:
		return true
	case KeyTable:
		return o.IsKind(o.i+2, Word) || o.IsKind(o.i+2, Name)
	case KeyFrom:
		return o.Rules.FromFirst
	default:
		return o.Rules.Summaries && k.has(isSummary) && !o.IsKind(o.i+2, Comma) && !o.IsKind(o.i+2, Close)
	}
}

func (o *outliner) pop(c byte) {
	f := o.top()
	if len(o.frames) == 1 || pairOf(f.open) != c {
		if o.out.Unbalanced < 0 {
			o.out.Unbalanced = o.i
		}
		return
	}
	if f.strict && (f.start || f.afterSet) || f.with != noWith {
		o.out.Misplaced = append(o.out.Misplaced, o.i)
	}
	o.leave(int(f.ctes))
	body := f.cteBody
	o.frames = o.frames[:len(o.frames)-1]
	if f = o.top(); body {
		f.with = afterBody
		if !f.recurse {
			o.enter(f.cte)
		}
	}
}

func (o *outliner) enter(cte int32) {
	if o.scope == nil {
		o.scope = make(map[string]int32)
	}
	o.ctes = append(o.ctes, cte)
	o.scope[o.Name(int(cte))]++
}

func (o *outliner) leave(keep int) {
	for _, cte := range o.ctes[keep:] {
		o.scope[o.Name(int(cte))]--
	}
	o.ctes = o.ctes[:keep]
}

func pairOf(open byte) byte {
	switch open {
	case '(':
		return ')'
	case '[':
		return ']'
	}
	return '}'
}
