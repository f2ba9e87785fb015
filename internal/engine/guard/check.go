package guard

import (
	"context"
	"errors"
	"fmt"

	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
)

// Check lets sql pass as one read-only statement, or returns a *Refusal. Any
// other error means a layer could not do its work; the statement is refused
// then too. It opens no database and takes time linear in len(sql), the
// grammar's share apart.
func Check(ctx context.Context, sql string, p *Policy) (Statement, error) {
	return check(ctx, sql, p, nil)
}

// check lets the parameters pass that begin at one of the offsets in bound.
func check(ctx context.Context, sql string, p *Policy, bound map[int32]bool) (Statement, error) {
	c, err := read(sql, p)
	if err != nil {
		return Statement{}, err
	}
	c.bound = bound
	if err := c.lexer(); err != nil {
		return Statement{}, err
	}
	facts, err := c.names()
	if err != nil {
		return Statement{}, err
	}
	if facts, err = c.grammar(ctx, facts); err != nil {
		return Statement{}, err
	}
	facts.Ordered = c.outline.Order >= 0
	facts.Limited = c.outline.Limit >= 0 || c.outline.Fetch >= 0
	return Statement{text: c.edited(), from: sql, facts: facts, allowed: p.Allowed, schemas: p.Schemas}, nil
}

// checker is one run of Check.
type checker struct {
	*sqltext.Script
	policy  *Policy
	outline *sqltext.Outline
	bound   map[int32]bool // where parameters with a value begin
	// what names found so far
	functions map[string]bool
	tables    map[Name]bool
}

// read is the size layer and the cutting into tokens.
func read(sql string, p *Policy) (*checker, error) {
	if p == nil || p.Functions == nil {
		return nil, errors.New("check a statement: no policy with a list of functions")
	}
	if err := checkBytes(sql); err != nil {
		return nil, err
	}
	c := &checker{Script: sqltext.Scan(sql, &p.Rules), policy: p}
	if len(c.Tokens) > MaxTokens {
		return nil, c.refuse(LayerSize, "tokens", MaxTokens, fmt.Sprintf("the statement has %d tokens, more than the %d allowed", len(c.Tokens), MaxTokens),
			"write a shorter statement; join a table instead of listing values")
	}
	c.outline = c.Script.Outline()
	return c, nil
}

// grammar asks the engine's own parser, and holds what it found against the
// same lists.
func (c *checker) grammar(ctx context.Context, seen Facts) (Facts, error) {
	if c.policy.Grammar == nil {
		return seen, nil
	}
	facts, err := c.policy.Grammar.Examine(ctx, c.trimmed(), c.policy)
	var refusal *Refusal
	switch {
	case errors.As(err, &refusal):
		return Facts{}, refusal
	case err != nil:
		return Facts{}, fmt.Errorf("check a statement with the engine's grammar: %w", err)
	}
	for _, t := range facts.Tables {
		if r := c.policy.checkTable(t); r != nil {
			r.Layer = LayerGrammar
			return Facts{}, c.locate(r, t.Table)
		}
	}
	for _, f := range facts.Functions {
		if !c.policy.allowsFunction(f) && !c.policy.TableFunctions[f] && !c.policy.syntax(f) {
			r := c.policy.unknownFunction(f, c.policy.Functions)
			r.Layer = LayerGrammar
			return Facts{}, c.locate(r, f)
		}
	}
	return facts, nil
}
