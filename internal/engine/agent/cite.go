package agent

import (
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
	"github.com/sqbyl/sqbyl/semantic"
)

// Cited gives the trusted queries that sql really contains, token by token:
// white space, comments, the case of words and a final semicolon aside, and
// with anything that stands for one value in the place of a parameter.
func Cited(rules *sqltext.Rules, sql string, assets []semantic.Asset) []string {
	if len(assets) == 0 {
		return nil
	}
	have := sqltext.Scan(sql, rules)
	// Trusted files write parameters as :name, whatever the dialect does.
	withParams := *rules
	withParams.ColonParam = true

	var names []string
	for _, a := range assets {
		want := sqltext.Scan(a.SQL, &withParams)
		for n := len(want.Tokens); n > 0 && want.Tokens[n-1].Kind == sqltext.Semicolon; n-- {
			want.Tokens = want.Tokens[:n-1]
		}
		if contains(have, want) {
			names = append(names, a.Name)
		}
	}
	return names
}

func contains(have, want *sqltext.Script) bool {
	// A single token is no query.
	if len(want.Tokens) < 2 {
		return false
	}
	for at := range have.Tokens {
		if matches(have, want, at) {
			return true
		}
	}
	return false
}

func matches(have, want *sqltext.Script, at int) bool {
	for i := range want.Tokens {
		if at >= len(have.Tokens) {
			return false
		}
		if want.Tokens[i].Kind == sqltext.Param {
			n := valueLength(have, at)
			if n == 0 {
				return false
			}
			at += n
			continue
		}
		if !sameToken(have, at, want, i) {
			return false
		}
		at++
	}
	return true
}

// valueLength is the number of tokens of the value at a place: a literal with
// its sign, a typed literal such as DATE '2026-11-30', or a parameter.
func valueLength(s *sqltext.Script, at int) int {
	literal := func(i int) bool {
		return s.IsKind(i, sqltext.String) || s.IsKind(i, sqltext.Number) || s.IsKind(i, sqltext.Param)
	}
	switch {
	case literal(at):
		return 1
	case (s.Is(at, "-") || s.Is(at, "+")) && s.IsKind(at+1, sqltext.Number):
		return 2
	case s.IsKind(at, sqltext.Word) && s.IsKind(at+1, sqltext.String):
		return 2
	case s.IsKind(at, sqltext.Word) && strings.EqualFold(s.Text(at), "NULL"):
		return 1
	}
	return 0
}

func sameToken(a *sqltext.Script, i int, b *sqltext.Script, j int) bool {
	if a.Tokens[i].Kind != b.Tokens[j].Kind {
		return false
	}
	if a.Tokens[i].Kind == sqltext.Word {
		return strings.EqualFold(a.Text(i), b.Text(j))
	}
	return a.Text(i) == b.Text(j)
}
