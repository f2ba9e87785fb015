// Package sqltext knows SQL as text: tokens, quoting and names, per dialect
// and without any policy. What may run is guard's question.
package sqltext

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
}
