package guard

import (
	"strings"
	"time"

	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
)

// AsOf freezes the statement's clock: the tokens for now are replaced by
// literals of Time in its location.
type AsOf struct {
	Time time.Time
	// Literal spells the replacement for one place, as the dialect writes it;
	// ok is false where the place does not mean now. The places, in lower
	// case:
	//
	//	current_date          a word without brackets
	//	now()                 a call without arguments,
	//	current_timestamp(3)  or with one literal, spelled as it is: the whole
	//	                      call is replaced
	//	datetime:'now'        a text among the arguments of datetime(),
	//	date 'today'          or behind a type or cast to one (CAST and :: too):
	//	                      the text alone is replaced
	//
	// Words behind a dot or AS, names in quotes and comments are no places.
	Literal func(token string, at time.Time) (text string, ok bool)
}

// splice replaces the bytes of a token range.
type splice struct {
	start, end int
	text       string
}

// now collects the replacements of everything that means now.
func (c *checker) now() []splice {
	a := c.policy.AsOf
	if a == nil || a.Literal == nil {
		return nil
	}
	var edits []splice
	var calls []int // the name token of each open bracket, -1 for none
	for i := 0; i < c.outline.End; i++ {
		t := c.Tokens[i]
		switch t.Kind {
		case sqltext.Open:
			name := -1
			if t.First == '(' && i > 0 && c.Tokens[i-1].Kind <= sqltext.Name {
				name = i - 1
			}
			calls = append(calls, name)
		case sqltext.Close:
			calls = calls[:max(len(calls)-1, 0)]
		case sqltext.Word:
			if last, text, ok := c.nowWord(i); ok {
				edits = append(edits, splice{int(t.Start), int(c.Tokens[last].End), text})
				i = last
			}
		case sqltext.String:
			call := -1
			if len(calls) > 0 {
				call = calls[len(calls)-1]
			}
			if text, ok := c.nowText(i, call); ok {
				edits = append(edits, splice{int(t.Start), int(t.End), text})
			}
		}
	}
	return edits
}

// nowWord tries a word or call at i; last is its last token.
func (c *checker) nowWord(i int) (last int, text string, ok bool) {
	if c.IsKind(i-1, sqltext.Dot) || c.IsKind(i+1, sqltext.Dot) || c.Key(i-1) == sqltext.KeyAs {
		return 0, "", false
	}
	word := strings.ToLower(c.Text(i))
	last = i
	if c.Is(i+1, "(") {
		switch {
		case c.Is(i+2, ")"):
			last, word = i+2, word+"()"
		case c.Is(i+3, ")") && (c.IsKind(i+2, sqltext.Number) || c.IsKind(i+2, sqltext.String)):
			last, word = i+3, word+"("+c.Text(i+2)+")"
		default:
			return 0, "", false
		}
	}
	text, ok = c.policy.AsOf.Literal(word, c.policy.AsOf.Time)
	return last, text, ok
}

// nowText tries the text at i, an argument of the call named at token call.
func (c *checker) nowText(i, call int) (string, bool) {
	content := strings.ToLower(strings.TrimSpace(sqltext.Unquote(c.Text(i))))
	kind := ""
	switch {
	case c.IsKind(i-1, sqltext.Word) && !c.Is(i-2, "."):
		kind = strings.ToLower(c.Text(i-1)) + " "
	case c.Is(i+1, "::") && c.IsKind(i+2, sqltext.Word):
		kind = strings.ToLower(c.Text(i+2)) + " "
	case c.Key(i+1) == sqltext.KeyAs && call >= 0 && c.IsKind(i+2, sqltext.Word):
		kind = strings.ToLower(c.Text(i+2)) + " "
	case call >= 0:
		kind = c.functionName(call) + ":"
	default:
		return "", false
	}
	return c.policy.AsOf.Literal(kind+"'"+content+"'", c.policy.AsOf.Time)
}
