package postgres

import (
	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/dialect"
)

func init() { driver.RegisterGrammar(dialect.Postgres, newGrammar) }
