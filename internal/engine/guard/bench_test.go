package guard

import (
	"context"
	_ "embed"
	"testing"

	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
)

//go:embed testdata/long.sql
var longSQL string

func BenchmarkScan(b *testing.B) {
	for b.Loop() {
		sqltext.Scan(longSQL, &sqltext.SQLiteRules)
	}
}

// BenchmarkLexerLayer is size, tokens and the rules on them: at most 40 µs.
func BenchmarkLexerLayer(b *testing.B) {
	p := policies()["sqlite"]
	b.ReportAllocs()
	for b.Loop() {
		c, err := read(longSQL, p)
		if err == nil {
			err = c.lexer()
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCheck is every layer that needs no engine, with a limit written:
// at most 200 µs.
func BenchmarkCheck(b *testing.B) {
	for name, p := range policies() {
		b.Run(name, func(b *testing.B) {
			limited := *p
			limited.Limit = 50
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Check(context.Background(), longSQL, &limited); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
