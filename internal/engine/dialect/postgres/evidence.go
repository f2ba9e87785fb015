package postgres

import (
	"strconv"

	"github.com/sqbyl/sqbyl/internal/engine/dialect/ansi"
)

// evidence tells how lookups for evidence of keys are spelled here.
var evidence = ansi.Spelling{
	Quote:     Quote,
	Parameter: func(n int) string { return "$" + strconv.Itoa(n) },
	Indexed:   true,
	Strict:    true,
}
