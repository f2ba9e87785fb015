package sqlite

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ncruces/go-sqlite3"
)

// TestTextFunctionsAreTheEngines compares the replaced functions with the
// engine's own over short values of every kind.
func TestTextFunctionsAreTheEngines(t *testing.T) {
	own, theirs := memory(t), memory(t)
	if err := replaceText(own); err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(3, 4))
	atoms := []string{"a", "b", " ", "é", "日", "🛒", "\xff", "\x80", "\xc3", "\x00", "ab", "1"}
	value := func() string {
		switch random.IntN(12) {
		case 0:
			return "NULL"
		case 1:
			return fmt.Sprint(random.IntN(200) - 100)
		case 2:
			return "1.50"
		}
		var b strings.Builder
		for range random.IntN(6) {
			b.WriteString(atoms[random.IntN(len(atoms))])
		}
		if random.IntN(4) == 0 {
			return fmt.Sprintf("x'%x'", b.String())
		}
		return fmt.Sprintf("CAST(x'%x' AS TEXT)", b.String())
	}
	for range 4000 {
		for _, f := range []string{"instr(%s, %s)", "replace(%s, %s, %s)", "trim(%s)", "trim(%s, %s)", "ltrim(%s, %s)", "rtrim(%s, %s)"} {
			args := make([]any, strings.Count(f, "%s"))
			for i := range args {
				args[i] = value()
			}
			call := fmt.Sprintf(f, args...)
			sql := "SELECT typeof(" + call + ") || ' ' || hex(" + call + ")"
			if got, want := single(t, own, sql), single(t, theirs, sql); got != want {
				t.Fatalf("%s gives %s, the engine %s", call, got, want)
			}
		}
	}
}

func memory(t testing.TB) *sqlite3.Conn {
	t.Helper()
	native, err := sqlite3.Open(":memory:")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = native.Close() })
	return native
}

func single(t testing.TB, native *sqlite3.Conn, sql string) string {
	t.Helper()
	stmt, _, err := native.Prepare(sql)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	defer func() { _ = stmt.Close() }()
	if !stmt.Step() {
		t.Fatalf("%s: %v", sql, stmt.Err())
	}
	return stmt.ColumnText(0)
}
