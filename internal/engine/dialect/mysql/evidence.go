package mysql

import (
	"github.com/sqbyl/sqbyl/internal/engine/dialect/ansi"
)

// evidence tells how lookups for evidence of keys are spelled here.
var evidence = ansi.Spelling{
	Quote:     Quote,
	Parameter: func(int) string { return "?" },
	Indexed:   true,
}
