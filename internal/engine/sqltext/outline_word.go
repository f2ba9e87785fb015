package sqltext

import "strings"

// word handles an unquoted or quoted name at o.i.
func (o *outliner) word(f *frame) {
	key := o.Tokens[o.i].Key
	if o.IsKind(o.i-1, Dot) || o.Key(o.i-1) == KeyAs && f.with == noWith && !f.expect {
		o.name(f)
		return
	}
	if o.IsKind(o.i+1, Dot) && !key.has(isReserved) {
		key = 0
	}
	if f.with != noWith && o.with(f, key) {
		return
	}
	if f.expect && o.relation(f, key) {
		return
	}
	if (f.start || f.afterSet || f.with >= afterBody) && o.opener(f, key) {
		return
	}
	if f.with == inSearch {
		if key.Opens() && key != KeySet {
			o.out.Misplaced = append(o.out.Misplaced, o.i)
			f.with = noWith
		}
		return
	}
	if f.start && !f.strict && key.Opens() && o.statementAhead() {
		o.out.Misplaced = append(o.out.Misplaced, o.i)
	}
	o.settle(f)
	o.keyword(f, key)
	o.bracketAhead(f, key)
}

// name handles a word that cannot be a keyword: after a dot, or an alias.
func (o *outliner) name(f *frame) {
	o.Tokens[o.i].Key = 0
	o.settle(f)
	if !o.Is(o.i+1, "(") {
		return
	}
	if o.IsKind(o.i-1, Dot) {
		o.call(0)
	} else {
		o.column = true
	}
	if f.clause == fromClause {
		f.alias = false
	}
}

// statementAhead tells "(DELETE FROM t" from a column of that name.
func (o *outliner) statementAhead() bool {
	k := o.Key(o.i + 1)
	switch o.Key(o.i) {
	case KeyDelete:
		return k == KeyFrom
	}
	return (o.IsKind(o.i+1, Word) || o.IsKind(o.i+1, Name)) && !k.has(inExpr)
}

// with walks the list between WITH and the query it belongs to.
func (o *outliner) with(f *frame, key Key) bool {
	switch f.with {
	case wantName:
		if key == KeyRecursive && !o.Is(o.i+1, "(") && o.Key(o.i+1) != KeyAs {
			f.recurse = true
			return true
		}
		f.cte, f.with = int32(o.i), wantAs
		if f.recurse = f.recurse || o.Rules.SelfCTE; f.recurse {
			o.enter(f.cte)
		}
		return true
	case wantAs:
		switch {
		case key == KeyAs:
			f.with = wantBody
		case o.Rules.FromFirst && (key == KeyUsing || key == KeyKey):
			o.column = o.Is(o.i+1, "(")
		default:
			o.out.Misplaced = append(o.out.Misplaced, o.i)
			f.with = noWith
			return false
		}
		return true
	case wantBody:
		if key != KeyNot && key != KeyMaterialized {
			o.out.Misplaced = append(o.out.Misplaced, o.i)
			f.with = noWith
		}
		return true
	case afterBody:
		if (key == KeySearch || key == KeyCycle) && o.IsKind(o.i+1, Word) {
			f.with = inSearch
			return true
		}
	}
	return false
}

// opener handles the first word of a query.
func (o *outliner) opener(f *frame, key Key) bool {
	named := o.IsKind(o.i+1, Word) || o.IsKind(o.i+1, Name)
	switch {
	case key == KeySelect:
		f.clause = selectClause
	case key == KeyValues && (f.strict || o.Is(o.i+1, "(")):
		f.clause = otherClause
	case key == KeyWith && f.with == noWith && named:
		f.with, f.recurse = wantName, false
		f.start, f.afterSet = false, false
		return true
	case key == KeyTable && named, key == KeyFrom && o.Rules.FromFirst:
		f.clause, f.expect = fromClause, true
	case f.afterSet && (key == KeyAll || key == KeyDistinct || key == KeyBy || key == KeyName):
		return true
	case o.Rules.Summaries && key.has(isSummary) && o.summary(f, key):
		return true
	default:
		return false
	}
	f.start, f.afterSet, f.with, f.strict = false, false, noWith, true
	return true
}

// summary handles DESCRIBE, SUMMARIZE, PIVOT and UNPIVOT, of a query or of a
// table.
func (o *outliner) summary(f *frame, key Key) bool {
	next := o.i + 1
	if next >= len(o.Tokens) || o.Tokens[next].Kind > String && !o.Is(next, "(") {
		return false
	}
	if o.Is(next, "(") && !f.strict {
		return false
	}
	f.start, f.with = false, noWith
	if key == KeyPivot || key == KeyUnpivot {
		f.pivot = true
		if key == KeyPivot {
			o.out.Pivots = append(o.out.Pivots, o.i)
		}
	} else if o.queryAhead() {
		f.afterSet = true
		return true
	}
	f.clause, f.expect, f.afterSet = fromClause, true, false
	return true
}

// keyword moves the frame to the clause the word opens.
func (o *outliner) keyword(f *frame, key Key) {
	if key.has(isJoining) {
		f.chain++
		o.measure(f)
	}
	switch key {
	case KeySelect:
		if !o.Rules.FromFirst || f.clause != fromClause {
			o.out.Misplaced = append(o.out.Misplaced, o.i)
		}
		f.clause, f.alias = selectClause, false
	case KeyFrom:
		o.from(f)
	case KeyJoin, KeyStraightJoin:
		if f.clause == fromClause && o.Key(o.i-1) != KeyFor {
			f.expect, f.alias = true, false
			f.links++
		}
	case KeyOn, KeyUsing:
		f.alias = false
		if f.pivot {
			f.clause = otherClause
		}
	case KeyWhere, KeyGroup, KeyHaving, KeyWindow, KeyQualify, KeyOrder, KeyLimit, KeyOffset, KeyFetch:
		o.clause(f, key)
	case KeyUnion, KeyExcept, KeyIntersect:
		if key == KeyExcept && o.Is(o.i-1, "*") && o.Is(o.i+1, "(") {
			return
		}
		f.afterSet, f.clause, f.alias = true, noClause, false
		f.links++
		o.measure(f)
		o.mark(&o.out.SetOp)
	case KeyCase:
		f.chain++
		o.measure(f)
	case KeyIn:
		if o.Rules.InTable && o.i+1 < len(o.Tokens) && o.Tokens[o.i+1].Kind <= String && o.Key(o.i+1) != KeyLimit {
			f.expect = true
		}
	}
}

func (o *outliner) clause(f *frame, key Key) {
	if (key == KeyGroup || key == KeyOrder) && o.Key(o.i+1) != KeyBy {
		return
	}
	if f.clause == noClause && f.kind != inList || !o.opensClause(key) {
		return
	}
	f.clause, f.alias = otherClause, false
	switch key {
	case KeyOrder:
		o.mark(&o.out.Order)
	case KeyLimit:
		o.mark(&o.out.Limit)
	case KeyOffset:
		o.mark(&o.out.Offset)
	case KeyFetch:
		o.mark(&o.out.Fetch)
	}
}

// opensClause tells the words that are names too in one of the engines.
func (o *outliner) opensClause(key Key) bool {
	switch key {
	case KeyFetch:
		return o.Key(o.i+1) == KeyFirst || o.Key(o.i+1) == KeyNext
	case KeyWindow:
		return o.Key(o.i+2) == KeyAs && o.Is(o.i+3, "(")
	case KeyQualify:
		return o.Rules.FromFirst
	case KeyOffset:
		return o.Rules.LongOperators
	}
	return true
}

func (o *outliner) mark(place *int) {
	if len(o.frames) == 1 && o.out.Statements == 1 {
		*place = o.i
	}
}

func (o *outliner) from(f *frame) {
	if o.Key(o.i-1) == KeyDistinct && (o.Key(o.i-2) == KeyIs || o.Key(o.i-2) == KeyNot && o.Key(o.i-3) == KeyIs) {
		return
	}
	if f.kind == inArgs && f.clause == noClause && f.argKey.has(isTyped) {
		return
	}
	f.clause, f.expect, f.alias = fromClause, true, false
}

// bracketAhead decides what "word (" is.
func (o *outliner) bracketAhead(f *frame, key Key) {
	opened := o.Is(o.i+1, "(")
	if f.clause == fromClause && f.alias {
		if !key.has(endsAlias) {
			f.alias, o.column = false, opened
			return
		}
		f.alias = key == KeyAs || key == KeyWith && o.Key(o.i+1) == KeyOrdinality
		if key == KeyWith && f.alias {
			o.i++
		}
	}
	if !opened || key.has(isCallFree) || key.has(isInfix) && o.operandBefore() {
		return
	}
	prev := o.Key(o.i - 1)
	switch key {
	case KeyFirst, KeyNext:
		if prev == KeyFetch { // FETCH FIRST (n) ROWS
			return
		}
	case KeyOver:
		if o.IsKind(o.i-1, Close) || prev == KeyNulls {
			return
		}
	case KeyFilter:
		if o.IsKind(o.i-1, Close) {
			return
		}
	case KeyGroup:
		if prev == KeyWithin {
			return
		}
	case KeySets:
		if prev == KeyGrouping {
			return
		}
	case KeyExclude, KeyReplace, KeyRename:
		if o.Is(o.i-1, "*") {
			return
		}
	case KeyColumns:
		if o.Rules.FromFirst {
			return
		}
	case KeyMatch:
		if o.Rules.AtVariable {
			return
		}
	case KeyZone:
		if o.IsKind(o.i-1, Word) && strings.EqualFold(o.Text(o.i-1), "time") {
			return
		}
	case KeyIndex, KeyKey:
		if prev == KeyUse || prev == KeyForce || prev == KeyIgnore {
			return
		}
	}
	if o.Is(o.i-1, "::") {
		return
	}
	o.call(key)
}

// operandBefore reports a token that ends an operand, so that an infix word
// may follow.
func (o *outliner) operandBefore() bool {
	i := o.i - 1
	if o.Key(i) == KeyNot {
		i--
	}
	if i < 0 {
		return false
	}
	t := o.Tokens[i]
	switch t.Kind {
	case Word:
		return !t.Key.has(wantsOperand)
	case Operator:
		return o.Is(i, "*")
	}
	return t.Kind <= Param || t.Kind == Close
}

// call records the call whose name ends at o.i.
func (o *outliner) call(key Key) {
	first := o.i
	for first >= 2 && o.IsKind(first-1, Dot) && o.Tokens[first-2].Kind <= Name {
		first -= 2
	}
	if o.Is(first-1, "::") {
		return
	}
	o.out.Calls = append(o.out.Calls, Call{first, o.i})
	o.args, o.argKey = true, key
}

// relation reads a table or table function at o.i.
func (o *outliner) relation(f *frame, key Key) bool {
	switch key {
	case KeyLateral, KeyOnly:
		if key == KeyLateral || o.Rules.LongOperators {
			o.settle(f)
			return true
		}
	case KeyRows:
		if o.Key(o.i+1) == KeyFrom && o.Is(o.i+2, "(") {
			o.settle(f)
			o.i++
			return true
		}
	case KeySelect, KeyValues:
		f.expect = false
		return false
	}
	if f.start && key.Opens() && o.statementAhead() {
		o.out.Misplaced = append(o.out.Misplaced, o.i)
	}
	o.settle(f)
	if o.Rules.FromFirst && o.Is(o.i+1, ":") {
		o.i++
		return true
	}
	r := Relation{First: o.i, Parts: 1}
	for o.IsKind(o.i+1, Dot) && o.i+2 < len(o.Tokens) && o.Tokens[o.i+2].Kind <= Name {
		o.i += 2
		r.Parts++
	}
	if o.IsKind(o.i+1, Dot) && o.IsKind(o.i+2, String) {
		o.i += 2
		r.Kind = TableText
	}
	f.expect, f.alias = false, f.clause == fromClause
	switch {
	case o.Is(o.i+1, "("):
		r.Kind = TableFunction
		o.args, o.argKey = true, 0
	case r.Kind == Table && r.Parts == 1 && (o.isCTE(o.i) || o.Rules.DualTable && key == KeyDual):
		return true
	}
	o.out.Relations = append(o.out.Relations, r)
	return true
}

func (o *outliner) isCTE(i int) bool {
	return len(o.ctes) > 0 && o.scope[o.Name(i)] > 0
}
