package guard_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sqbyl/sqbyl/internal/testkit/golden"
)

const (
	tableBegin = "<!-- attacks: written by go test ./internal/engine/guard -update -->\n"
	tableEnd   = "<!-- end of attacks -->\n"
)

// TestSafetyDocumentListsEveryAttack keeps the table in docs/safety.md equal
// to the statements in testdata.
func TestSafetyDocumentListsEveryAttack(t *testing.T) {
	file := filepath.Join("..", "..", "..", "docs", "safety.md")
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(b), tableBegin)
	have, after, closed := strings.Cut(rest, tableEnd)
	if !ok || !closed {
		t.Fatalf("%s has no table of attacks", file)
	}
	want := attackTable(t)
	if have == want {
		return
	}
	if !golden.Updating() {
		t.Fatalf("%s lists other attacks than testdata does; -update writes it", file)
	}
	if err := os.WriteFile(file, []byte(before+tableBegin+want+tableEnd+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

func attackTable(t *testing.T) string {
	var out strings.Builder
	for _, engine := range []struct{ file, title string }{{"sqlite", "SQLite"}, {"duckdb", "DuckDB"}, {"postgres", "PostgreSQL"}, {"mysql", "MySQL, MariaDB"}} {
		fmt.Fprintf(&out, "\n| %s | stopped by | rule |\n|---|---|---|\n", engine.title)
		for _, e := range load(t, filepath.Join("testdata", "attacks", engine.file+".sql")) {
			title, want, _ := strings.Cut(e.title, " | ")
			layer, rule, _ := strings.Cut(want, " ")
			fmt.Fprintf(&out, "| %s | %s | %s |\n", title, layer, rule)
		}
	}
	return out.String() + "\n"
}
