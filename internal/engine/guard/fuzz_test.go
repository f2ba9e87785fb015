package guard

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
	"github.com/sqbyl/sqbyl/internal/testkit/cputime"
)

// FuzzCheck: nothing panics, a refusal is complete, and what passes is read
// as one statement again after its edits.
func FuzzCheck(f *testing.F) {
	for _, dialect := range []string{"sqlite", "duckdb", "postgres", "mysql"} {
		for _, e := range seedTexts(f, dialect) {
			f.Add(e)
		}
	}
	f.Fuzz(func(t *testing.T, sql string) {
		for name, p := range policies() {
			p.Limit = 11
			p.AsOf = &AsOf{Time: time.Unix(0, 0), Literal: func(token string, _ time.Time) (string, bool) {
				return "'x'", token == "now()" || token == "date:'now'"
			}}
			s, err := Check(context.Background(), sql, p)
			var r *Refusal
			switch {
			case errors.As(err, &r):
				if r.Layer == "" || r.Rule == "" || r.Message == "" || r.Repair == "" || r.Position.Line < 1 || r.Position.Offset > len(sql) || !s.IsZero() {
					t.Fatalf("%s: %+v", name, r)
				}
				continue
			case err != nil:
				t.Fatalf("%s: %v", name, err)
			}
			again, err := Check(context.Background(), s.SQL(), p)
			if err != nil {
				t.Fatalf("%s: %q became %q: %v", name, sql, s.SQL(), err)
			}
			if again.SQL() != s.SQL() && !p.Rules.WrapForLimit {
				t.Fatalf("%s: %q became %q, then %q", name, sql, s.SQL(), again.SQL())
			}
		}
	})
}

// TestCheckTimeIsLinear: eight times the text takes no more than twenty-four
// times as long; quadratic work would take 64 times as long.
func TestCheckTimeIsLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	shapes := []string{
		"SELECT a FROM b WHERE c IN (1{,2})", "SELECT 1{ UNION SELECT 1}", "SELECT a FROM b{, c}", "SELECT a FROM b{ JOIN c ON d = e}",
		"SELECT f(1){, f(1)}", "WITH a AS (SELECT 1){, a AS (SELECT 1 FROM a)} SELECT * FROM a", "SELECT {(}1", "SELECT 'a{''}'", "SELECT 1 /*{ /*}",
		"SELECT 1{ + 1}", "SELECT a FROM b WHERE 1{ OR c = 2}", "SELECT {f(}1", "UNPIVOT a ON b{ INTO NAME c}", "{(PIVOT a ON b }",
		"SELECT now(){, now()}", "SELECT date('now'){, date('now')}", "SELECT {a.}b", "SELECT $a${$b$}", "SELECT {-}1", "{;}SELECT 1", "SELECT 1{ -- x\n}",
	}
	byName := policies()
	pairs := [][]string{{"postgres", "mysql"}, {"duckdb", "sqlite"}}
	for i, shape := range shapes {
		for _, name := range pairs[i%2] {
			p := byName[name]
			p.AsOf = &AsOf{Literal: func(token string, _ time.Time) (string, bool) { return "'x'", strings.HasSuffix(token, "()") }}
			p.Known = NewKnown([]Name{{Table: "b"}, {Table: "c"}}, nil)
			before, rest, _ := strings.Cut(shape, "{")
			piece, after, _ := strings.Cut(rest, "}")
			run := func(size int) time.Duration {
				sql := before + strings.Repeat(piece, size/len(piece)) + after
				return cputime.Of(func() { _, _ = Check(context.Background(), sql, p) })
			}
			const small = MaxBytes / 32
			short, long := run(small), run(8*small)
			for range 4 {
				if long < 20*time.Millisecond || long < 24*short {
					break
				}
				short, long = max(short, run(small)), min(long, run(8*small))
			}
			if long > 20*time.Millisecond && long > 24*short {
				t.Errorf("%s, %q: %v, eight times as long: %v", name, shape, short, long)
			}
		}
	}
}

func TestSizesAreBoundedBeforeAnythingParses(t *testing.T) {
	p := policies()["postgres"]
	p.Grammar = fakeGrammar{err: errors.New("the grammar was asked")}
	for sql, rule := range map[string]string{
		"SELECT '" + strings.Repeat("a", MaxBytes) + "'":                               "bytes",
		"SELECT 1" + strings.Repeat(",1", MaxTokens/2):                                 "tokens",
		strings.Repeat("(", MaxDepth+1) + "SELECT 1" + strings.Repeat(")", MaxDepth+1): "depth",
		"SELECT 1" + strings.Repeat("*2", MaxChain+1):                                  "chain",
		"SELECT 1" + strings.Repeat(" UNION SELECT 1", MaxChain+1):                     "chain",
	} {
		if r := refusal(t, sql, p); r.Rule != rule || r.Layer != LayerSize {
			t.Errorf("%.30q: %s %s, want %s", sql, r.Layer, r.Rule, rule)
		}
	}
	if _, err := Check(context.Background(), "SELECT 1", p); err == nil || !strings.Contains(err.Error(), "the grammar was asked") {
		t.Errorf("the grammar was not asked: %v", err)
	}
}

func TestPlainLexingOfMySQLFollowsTheSessionMode(t *testing.T) {
	rules := sqltext.MySQLRules
	rules.DoubleQuoteText, rules.BackslashEscape = false, false // ANSI_QUOTES, NO_BACKSLASH_ESCAPES
	p := *policies()["mysql"]
	const sql = `SELECT 'a\' , "b" FROM t`
	if _, err := Check(context.Background(), sql, &p); err == nil {
		t.Error("passes under the pinned mode, where the quote is escaped")
	}
	p.Rules = rules
	if _, err := Check(context.Background(), sql, &p); err != nil {
		t.Error(err)
	}
}
