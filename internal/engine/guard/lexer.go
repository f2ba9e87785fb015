package guard

import (
	"fmt"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
)

// refuse makes a refusal at a token.
func (c *checker) refuse(layer Layer, rule string, token int, message, repair string) *Refusal {
	r := &Refusal{Layer: layer, Rule: rule, Message: message, Repair: repair}
	return place(c.SQL, r, c.offset(token))
}

func (c *checker) offset(token int) int {
	switch {
	case token < 0 || len(c.Tokens) == 0:
		return 0
	case token >= len(c.Tokens):
		return len(c.SQL)
	}
	return int(c.Tokens[token].Start)
}

// lexer is the layer of rules on tokens.
func (c *checker) lexer() error {
	if len(c.Faulty) > 0 {
		return c.fault(c.Faulty[0])
	}
	if err := c.shape(); err != nil {
		return err
	}
	for i := range c.Tokens {
		if r := c.token(i); r != nil {
			return r
		}
	}
	return nil
}

// shape is one balanced query, not too deep.
func (c *checker) shape() error {
	o := c.outline
	switch {
	case o.Statements == 0:
		return c.refuse(LayerLexer, "empty", 0, "there is no statement", "write one SELECT")
	case o.Unbalanced >= 0:
		return c.refuse(LayerLexer, "unbalanced", o.Unbalanced, "the brackets do not match", "close every bracket that is opened")
	case len(o.Misplaced) > 0 && o.Misplaced[0] == o.First:
		return c.firstKeyword(o.First)
	case o.Second >= 0:
		return c.refuse(LayerLexer, "second_statement", o.Second, "there is more than one statement", "write one SELECT; combine steps with WITH")
	case o.Depth > MaxDepth:
		return c.refuse(LayerSize, "depth", 0, fmt.Sprintf("brackets are nested %d deep, more than the %d allowed", o.Depth, MaxDepth), "write a flatter statement")
	case o.Chain > MaxChain:
		return c.refuse(LayerSize, "chain", 0, fmt.Sprintf("an expression has %d levels, more than the %d allowed", o.Chain, MaxChain), "use IN (…) or a join instead of many ORs, and fewer UNIONs")
	case len(o.Misplaced) > 0:
		return c.misplaced(o.Misplaced[0])
	case c.IsKind(o.End-1, sqltext.Dot), c.Key(o.End-1) == sqltext.KeyAs:
		return c.refuse(LayerLexer, "incomplete", o.End-1, "the statement ends where a name must follow", "write the name, or leave the end out")
	}
	return c.pivots()
}

func (c *checker) firstKeyword(i int) error {
	word := strings.ToUpper(c.Text(i))
	repair := "write one SELECT, or WITH … SELECT"
	message := fmt.Sprintf("a statement may not begin with %s: only queries run", word)
	if c.Key(i) == sqltext.KeyExplain {
		repair = "write the query itself"
	}
	r := c.refuse(LayerLexer, "first_keyword", i, message, repair)
	r.Names = []string{word}
	return r
}

func (c *checker) misplaced(i int) error {
	if i >= len(c.Tokens) || c.IsKind(i, sqltext.Close) {
		return c.refuse(LayerLexer, "incomplete", i, "a query is missing here", "write the SELECT that belongs here")
	}
	word := strings.ToUpper(c.Text(i))
	r := c.refuse(LayerLexer, "misplaced_statement", i, fmt.Sprintf("%s stands where only a query may begin or none at all", word),
		"only SELECT may stand in WITH, in brackets and between UNION, EXCEPT and INTERSECT; quote a name that is a keyword")
	r.Names = []string{word}
	return r
}

// pivots refuses the PIVOT statement that reads its columns from the data:
// the engine runs it as several statements.
func (c *checker) pivots() error {
	for _, at := range c.outline.Pivots {
		if !c.pivotHasIn(at) {
			return c.refuse(LayerLexer, "pivot_without_in", at, "PIVOT without IN takes its columns from the data, which needs more than one statement",
				"list the values: PIVOT t ON column IN ('a', 'b') USING …; or use sum(x) FILTER (WHERE column = 'a')")
		}
	}
	return nil
}

func (c *checker) pivotHasIn(at int) bool {
	depth := 0
	for i := at + 1; i < len(c.Tokens) && depth >= 0; i++ {
		switch {
		case c.IsKind(i, sqltext.Open):
			depth++
		case c.IsKind(i, sqltext.Close):
			depth--
		case depth > 0:
		case c.Key(i) == sqltext.KeyIn:
			return true
		case c.Key(i) == sqltext.KeyUsing, c.Key(i) == sqltext.KeyGroup, c.Key(i) == sqltext.KeyUnion:
			return false
		}
	}
	return false
}

// fault explains a token that is not sound.
func (c *checker) fault(t sqltext.Token) error {
	text := c.SQL[t.Start:t.End]
	rule, message, repair := "", "", ""
	switch t.Fault {
	case sqltext.OpenString:
		rule, message, repair = "unterminated", "a text has no closing quote", "close the quote; double a quote inside a text"
	case sqltext.OpenName:
		rule, message, repair = "unterminated", "a quoted name has no closing quote", "close the quote"
	case sqltext.OpenComment:
		rule, message, repair = "unterminated", "a comment has no end", "close it with */"
	case sqltext.NestedComment:
		rule, message, repair = "nested_comment", "a comment holds the opening of another, and readers disagree where it ends", "leave the comment out"
	case sqltext.ExecComment:
		rule, message, repair = "executable_comment", "a comment that an engine may run or obey", "leave the comment out"
	case sqltext.NumberJunk:
		rule, message, repair = "number", fmt.Sprintf("%s is neither a number nor a name", clip(text)), "put a space behind the number, or quote the name"
	case sqltext.UnicodeName:
		rule, message, repair = "unicode_name", `a name written as U&"…" hides what it names`, `write the name itself in "quotes"`
	case sqltext.ContinuedString:
		rule, message, repair = "continued_text", "a text with escapes goes on in a second one", "write one text, or join them with ||"
	case sqltext.LeadingDollar:
		rule, message, repair = "dollar", "a name may not begin with $ here", "quote the name"
	default:
		rule, message, repair = "character", fmt.Sprintf("the character %q means nothing here", text), "leave it out, or put it in a text or a quoted name"
	}
	return place(c.SQL, &Refusal{Layer: LayerLexer, Rule: rule, Message: message, Repair: repair}, int(t.Start))
}

func clip(text string) string {
	if len(text) > 40 {
		return strings.ToValidUTF8(text[:40], "") + "…"
	}
	return text
}

// token holds the rules on single words and signs.
func (c *checker) token(i int) *Refusal {
	t := &c.Tokens[i]
	switch t.Kind {
	case sqltext.Param:
		if c.bound[t.Start] {
			return nil
		}
		return c.refuse(LayerLexer, "parameter", i, fmt.Sprintf("%s is a parameter or variable, and nothing gives it a value", clip(c.Text(i))), "write the value itself")
	case sqltext.Operator:
		return c.operator(i)
	case sqltext.Number:
		if c.Is(i+1, "(") {
			return c.refuse(LayerLexer, "number", i, fmt.Sprintf("%s is a number, and a bracket cannot follow it", clip(c.Text(i))), "put an operator or a comma between them")
		}
	case sqltext.Word:
		if t.Key != sqltext.KeyNone {
			return c.keyword(i, t.Key)
		}
	}
	return nil
}

func (c *checker) operator(i int) *Refusal {
	if c.Tokens[i].End-c.Tokens[i].Start == 1 {
		return nil
	}
	text := c.Text(i)
	if text == ":=" && !c.policy.Rules.NamedArgs {
		return c.refuse(LayerLexer, "assignment", i, ":= assigns a variable", "compute the value in the query")
	}
	if c.policy.Operators != nil && !c.policy.Operators[text] {
		r := c.refuse(LayerFunction, "operator", i, fmt.Sprintf("the operator %s is not one of the engine's own", clip(text)),
			"use an operator of the engine, with a space between it and a sign that follows")
		r.Names = []string{text}
		return r
	}
	return nil
}

func (c *checker) keyword(i int, key sqltext.Key) *Refusal {
	next, after := c.Key(i+1), c.Key(i+2)
	switch key {
	case sqltext.KeyInto:
		if c.policy.Rules.Summaries && next == sqltext.KeyName && c.unpivots(i) {
			return nil
		}
		return c.refuse(LayerLexer, "into", i, "INTO writes the result somewhere", "leave INTO out: the rows are returned")
	case sqltext.KeyFor:
		if next == sqltext.KeyUpdate || next == sqltext.KeyShare || next == sqltext.KeyNo || next == sqltext.KeyKey && after == sqltext.KeyShare {
			return c.refuse(LayerLexer, "lock", i, "FOR UPDATE and FOR SHARE lock rows", "leave the lock out")
		}
	case sqltext.KeyLock:
		if next == sqltext.KeyIn {
			return c.refuse(LayerLexer, "lock", i, "LOCK IN SHARE MODE locks rows", "leave the lock out")
		}
	case sqltext.KeyNext, sqltext.KeyPrevious:
		if next == sqltext.KeyValue && after == sqltext.KeyFor {
			return c.refuse(LayerLexer, "sequence", i, "NEXT VALUE FOR advances a sequence", "leave it out")
		}
	case sqltext.KeyProcedure:
		if c.IsKind(i+1, sqltext.Word) {
			return c.refuse(LayerLexer, "procedure", i, "PROCEDURE calls a procedure on the rows", "leave it out")
		}
	}
	return nil
}

// unpivots reports INTO NAME … VALUE behind an UNPIVOT.
func (c *checker) unpivots(i int) bool {
	for i--; i >= 0; i-- {
		if c.Key(i) == sqltext.KeyUnpivot {
			return true
		}
		if c.Key(i) == sqltext.KeySelect || c.Key(i) == sqltext.KeyInto {
			return false
		}
	}
	return false
}
