// Package sqltext knows SQL as text: tokens, quoting and names, per dialect
// and without any policy. What may run is guard's question.
package sqltext

import "strings"

// Rules are the lexical rules of one dialect. Each dialect folder holds one
// value; the zero value is the SQL standard's core.
type Rules struct {
	BacktickIdent    bool // `name`
	BracketIdent     bool // [name]
	DoubleQuoteText  bool // "text" is a string, not a name
	BackslashEscape  bool // '\'' inside ordinary strings
	EStrings         bool // E'…' with backslash escapes, U&'…', B'…', X'…'
	DollarQuote      bool // $tag$ … $tag$
	DollarParam      bool // $1
	QuestionParam    bool // ? and ?1
	ColonParam       bool // :name
	AtParam          bool // @name, $name (SQLite)
	NestedComments   bool // /* /* */ */
	HashComment      bool // # to the end of the line
	DashNeedsSpace   bool // "--" opens a comment only before white space
	CRNewline        bool // a lone CR ends a line comment
	ExecComments     bool // /*! … */ and /*M! … */ run as SQL
	FoldUpper        bool // unquoted names fold to upper case
	FoldLower        bool // unquoted names fold to lower case
	NamesFold        bool // quoted names compare without case too
	DoubleColonCast  bool
	BraceLiterals    bool // {'a': 1}
	HashPositional   bool // #1 (DuckDB)
	NumberUnderscore bool // 1_000
	HexNumber        bool // 0x1F
	LongOperators    bool // an operator is any run of operator characters
	NamedArgs        bool // f(name := 1), f(name => 1)
	AtVariable       bool // @name, @@name
	FromFirst        bool // FROM t SELECT x, FROM t
	Summaries        bool // DESCRIBE, SUMMARIZE, PIVOT and UNPIVOT as statements
	FileTables       bool // FROM 'x.csv', FROM "x.csv"
	TextTables       bool // FROM 'name' is the table of that name
	InTable          bool // x IN t
	SelfCTE          bool // a CTE sees itself without RECURSIVE
	DualTable        bool // FROM DUAL reads nothing
	SpaceUnbuilds    bool // COUNT (x) and `count`(x) call what somebody made, COUNT(x) the engine
	MethodCalls      bool // x.f() is f(x)
	AttributeCalls   bool // x.f is f(x) where x has no column f
	XMLSyntax        bool // XMLELEMENT(NAME a, …), JSON_VALUE(… RETURNING t) are the grammar's own
	ValuesNoLimit    bool // VALUES takes no LIMIT
	WrapForLimit     bool // SELECT * FROM (…) LIMIT n keeps the inner order
}

// Fold is the name a written name stands for.
func (r *Rules) Fold(name string, quoted bool) string {
	switch {
	case quoted && !r.NamesFold:
		return name
	case r.FoldUpper:
		return strings.ToUpper(name)
	case r.FoldLower || r.NamesFold:
		return strings.ToLower(name)
	}
	return name
}

// SameName reports whether two folded names are one name.
func (r *Rules) SameName(a, b string) bool {
	return a == b || r.NamesFold && strings.EqualFold(a, b)
}
