package sqltext

import "strings"

// Kind is the kind of a token.
type Kind uint8

// The kinds of token.
const (
	Word     Kind = iota // an unquoted name or keyword
	Name                 // a quoted name
	String               // any text or bit literal
	Number               //
	Param                // a parameter or variable
	Operator             // "=", "||", "::", ":"
	Open                 // ( [ {
	Close                // ) ] }
	Comma
	Dot
	Semicolon
	Comment
	Junk // a character the dialect has no use for
)

// Fault is what is wrong with a token.
type Fault uint8

// The faults.
const (
	Sound           Fault = iota
	OpenString            // no closing quote
	OpenName              // no closing quote
	OpenComment           // no end
	NestedComment         // an opener inside, where comments do not nest
	ExecComment           // /*! … */ and /*M! … */ run as SQL, /*+ … */ steers
	NumberJunk            // letters directly after a number
	BadCharacter          // no token starts with it here
	UnicodeName           // U&"…": the name is not what is written
	ContinuedString       // a string that goes on in the next one
	LeadingDollar         // readers disagree what $ begins
)

// Token is a piece of a Script; Start and End are byte offsets.
type Token struct {
	Start, End int32
	Kind       Kind
	Fault      Fault
	Key        Key  // the keyword of a Word, 0 for none
	First      byte // the first byte
}

// Script is SQL text cut into tokens. Every byte outside white space lies in
// exactly one token or comment.
type Script struct {
	SQL      string
	Rules    *Rules
	Tokens   []Token // without comments
	Comments []Token
	Faulty   []Token // tokens and comments with a fault, as met
}

// Text is token i as written.
func (s *Script) Text(i int) string { return s.SQL[s.Tokens[i].Start:s.Tokens[i].End] }

// Key is the keyword at i, 0 where there is none or no token.
func (s *Script) Key(i int) Key {
	if i < 0 || i >= len(s.Tokens) {
		return 0
	}
	return s.Tokens[i].Key
}

// Is reports whether token i is the operator, bracket or sign text.
func (s *Script) Is(i int, text string) bool {
	return i >= 0 && i < len(s.Tokens) && s.Tokens[i].Kind >= Operator && s.Text(i) == text
}

// IsKind reports whether token i exists and is of kind k.
func (s *Script) IsKind(i int, k Kind) bool {
	return i >= 0 && i < len(s.Tokens) && s.Tokens[i].Kind == k
}

// Name is the folded name at i, without its quotes.
func (s *Script) Name(i int) string {
	t := s.Tokens[i]
	if t.Kind != Name {
		return s.Rules.Fold(s.Text(i), false)
	}
	return s.Rules.Fold(Unquote(s.Text(i)), true)
}

// Unquote takes the quotes off a name or plain string.
func Unquote(text string) string {
	if len(text) < 2 {
		return text
	}
	q := text[0]
	inner := text[1 : len(text)-1]
	switch q {
	case '[':
		return inner
	case '"', '`', '\'':
		return strings.ReplaceAll(inner, string([]byte{q, q}), string(q))
	}
	return text
}
