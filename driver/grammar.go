package driver

import "github.com/sqbyl/sqbyl/internal/engine/guard"

var grammars = map[string]func() guard.Grammar{}

// RegisterGrammar makes an engine's grammar known that needs no database,
// under the dialect's canonical name. Driver packages call it beside
// Register; a second call for the same name panics.
func RegisterGrammar(dialect string, grammar func() guard.Grammar) {
	mu.Lock()
	defer mu.Unlock()
	if grammars[dialect] != nil {
		panic("driver: grammar registered twice: " + dialect)
	}
	grammars[dialect] = grammar
}

// Grammar is the engine's own grammar without a database, nil where this
// build has none.
func Grammar(dialect string) guard.Grammar {
	mu.RLock()
	defer mu.RUnlock()
	if grammar := grammars[dialect]; grammar != nil {
		return grammar()
	}
	return nil
}
