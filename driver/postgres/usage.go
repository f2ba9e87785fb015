package postgres

import (
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/guard"
	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
)

// usage is where a statement may call functions without a bracket.
type usage struct {
	types      []named             // names of types, without schema
	attributes []attribute         // x.f that may be f(x)
	sources    map[string][]source // by alias
	functions  []string
}

type named struct {
	name string
	at   int
}

type attribute struct {
	named
	of string // x, empty where it is no name
}

// source is what an alias stands for, as far as it is known: columns, and
// tables all of whose columns it has.
type source struct {
	tables  []guard.Name
	columns []string
}

func (u *usage) typed(is func(string) bool) int {
	for _, t := range u.types {
		if is(t.name) {
			return t.at
		}
	}
	return -1
}

// calls reports a function whose name holds part.
func (u *usage) calls(part string) bool {
	for _, name := range u.functions {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// guessUsage takes every name for a type and every x.f for a call, for builds
// without the engine's grammar.
func guessUsage(script *sqltext.Script) *usage {
	u := &usage{}
	for i, token := range script.Tokens {
		if token.Kind > sqltext.Name {
			continue
		}
		name := named{script.Name(i), int(token.Start)}
		u.types = append(u.types, name)
		u.functions = append(u.functions, name.name)
		if script.IsKind(i-1, sqltext.Dot) && !script.IsKind(i+1, sqltext.Dot) {
			u.attributes = append(u.attributes, attribute{named: name})
		}
	}
	return u
}
