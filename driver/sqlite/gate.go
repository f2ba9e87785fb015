package sqlite

import (
	"fmt"
	"strings"

	"github.com/ncruces/go-sqlite3"

	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
)

type gateMode uint8

const (
	closedGate gateMode = iota
	ownGate             // the product's own statements
	modelGate           // a statement that the guard has passed
)

// gate is the engine's authorizer: SQLite asks it, while it compiles, about
// every table, column and function a statement reaches, also through views.
type gate struct {
	policy   *guard.Policy
	modules  map[string]bool // the engine's own tables
	shadowed map[string]bool // tables of this database that bear such a name

	mode    gateMode
	allowed map[string]bool // functions that the project allows
	reads   []db.Read
	seen    map[db.Read]bool
	refused *guard.Refusal // the first thing that was refused
}

func newGate(p *guard.Policy) *gate {
	return &gate{policy: p, modules: map[string]bool{}, shadowed: map[string]bool{}}
}

// open lets a statement in; functions are those that the guard found in it
// and passed.
func (g *gate) open(mode gateMode, functions []string) {
	g.mode, g.refused, g.reads = mode, nil, nil
	g.allowed, g.seen = map[string]bool{}, map[db.Read]bool{}
	for _, f := range functions {
		g.allowed[strings.ToLower(f)] = true
	}
}

func (g *gate) shut() { g.mode = closedGate }

func (g *gate) authorize(action sqlite3.AuthorizerActionCode, third, fourth, schema, view string) sqlite3.AuthorizerReturnCode {
	switch {
	case g.mode == ownGate:
		if action == sqlite3.AUTH_ATTACH || action == sqlite3.AUTH_DETACH {
			return sqlite3.AUTH_DENY
		}
		return sqlite3.AUTH_OK
	case g.mode == closedGate:
		return sqlite3.AUTH_DENY
	}
	switch action {
	case sqlite3.AUTH_SELECT, sqlite3.AUTH_RECURSIVE:
		return sqlite3.AUTH_OK
	case sqlite3.AUTH_READ:
		return g.read(third, fourth, schema, view)
	case sqlite3.AUTH_FUNCTION:
		return g.call(fourth, view)
	}
	return g.deny("statement", fmt.Sprintf("%s is not a query", actionName(action)), "write one SELECT that reads only", third)
}

func (g *gate) read(table, column, schema, view string) sqlite3.AuthorizerReturnCode {
	folded := strings.ToLower(table)
	if g.hidden(folded, strings.ToLower(schema)) {
		return g.deny("system_table", table+" is the engine's own table"+inView(view), "read the tables and views of this database; its schema is in the prompt", table)
	}
	r := db.Read{Table: guard.Name{Table: table}, Column: column}
	if !g.seen[r] {
		g.seen[r] = true
		g.reads = append(g.reads, r)
	}
	return sqlite3.AUTH_OK
}

// hidden is said of the engine's own tables, unless this database has a table
// of that name, which then is the one that is read.
func (g *gate) hidden(table, schema string) bool {
	if schema == "temp" || strings.HasPrefix(table, "sqlite_") {
		return true
	}
	if g.shadowed[table] || g.policy.TableFunctions[table] {
		return false
	}
	if g.modules[table] {
		return true
	}
	for _, prefix := range g.policy.HiddenPrefixes {
		if strings.HasPrefix(table, prefix) {
			return true
		}
	}
	return false
}

func (g *gate) call(name, view string) sqlite3.AuthorizerReturnCode {
	folded := strings.ToLower(name)
	if g.policy.Functions[folded] || g.policy.TableFunctions[folded] || view == "" && g.allowed[folded] {
		return sqlite3.AUTH_OK
	}
	return g.deny("function", "function "+name+" is not on the list of functions that only compute"+inView(view),
		"use another function, or allow it for this project with  database.allow_functions: ["+name+"]", name)
}

func (g *gate) deny(rule, message, repair, name string) sqlite3.AuthorizerReturnCode {
	if g.refused == nil {
		g.refused = &guard.Refusal{Layer: guard.LayerPrepare, Rule: rule, Message: message, Repair: repair}
		if name != "" {
			g.refused.Names = []string{name}
		}
	}
	return sqlite3.AUTH_DENY
}

func inView(view string) string {
	if view == "" {
		return ""
	}
	return " (in view " + view + ")"
}

var actionNames = map[sqlite3.AuthorizerActionCode]string{
	sqlite3.AUTH_INSERT: "INSERT", sqlite3.AUTH_UPDATE: "UPDATE", sqlite3.AUTH_DELETE: "DELETE",
	sqlite3.AUTH_PRAGMA: "PRAGMA", sqlite3.AUTH_ATTACH: "ATTACH", sqlite3.AUTH_DETACH: "DETACH",
	sqlite3.AUTH_TRANSACTION: "a transaction statement", sqlite3.AUTH_SAVEPOINT: "SAVEPOINT",
	sqlite3.AUTH_ANALYZE: "ANALYZE", sqlite3.AUTH_REINDEX: "REINDEX", sqlite3.AUTH_ALTER_TABLE: "ALTER TABLE",
}

func actionName(action sqlite3.AuthorizerActionCode) string {
	if name, ok := actionNames[action]; ok {
		return name
	}
	return "this statement"
}
