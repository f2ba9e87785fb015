package sqltext

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sqbyl/sqbyl/internal/testkit/cputime"
)

func seeds(f *testing.F) {
	for _, file := range []string{"tokens.sql", "outline.sql", "format.sql"} {
		b, err := os.ReadFile(filepath.Join("testdata", file))
		if err != nil {
			f.Fatal(err)
		}
		for _, part := range strings.Split("\n"+string(b), "\n### ")[1:] {
			_, sql, _ := strings.Cut(part, "\n")
			f.Add(sql)
		}
	}
}

// FuzzScan: every byte outside white space lies in exactly one token or
// comment, in order, whatever the bytes; and nothing panics.
func FuzzScan(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, sql string) {
		for tag, rules := range byTag {
			s := Scan(sql, rules)
			comments, at := s.Comments, 0
			gap := func(to int32) {
				if g := sql[at:to]; strings.Trim(g, " \t\n\v\f\r") != "" {
					t.Fatalf("%s: %q lost between tokens", tag, g)
				}
			}
			for _, tok := range s.Tokens {
				for len(comments) > 0 && comments[0].Start < tok.Start {
					gap(comments[0].Start)
					at, comments = int(comments[0].End), comments[1:]
				}
				if tok.End <= tok.Start || int(tok.Start) < at {
					t.Fatalf("%s: token %d-%d behind %d", tag, tok.Start, tok.End, at)
				}
				gap(tok.Start)
				at = int(tok.End)
			}
			for _, c := range comments {
				gap(c.Start)
				at = int(c.End)
			}
			gap(int32(len(sql)))
			s.Outline()
			s.OrderKeys()
			s.Hash()
			s.Spans()
		}
	})
}

// FuzzFormat: formatting changes no token, and formatting twice changes
// nothing more.
func FuzzFormat(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, sql string) {
		for tag, rules := range byTag {
			once := Format(sql, rules, 40)
			a, b := Scan(sql, rules), Scan(once, rules)
			if len(a.Faulty) == 0 && !sameTokens(a, b) {
				t.Fatalf("%s: %q became %q", tag, sql, once)
			}
		}
	})
}

// shapes repeat a nasty piece to any size.
var shapes = map[string]string{
	"brackets": "(", "square": "[", "braces": "{", "closing": ")", "comments": "/* ", "ended comments": "/**/", "slashes": "/*/",
	"dashes": "--", "line comments": "-- x\n", "quotes": "'", "doubled": "''", "texts": "'a' ", "e strings": "E'' ", "e strings, comments": "E''--\n",
	"names": "\"", "backticks": "`", "dollars": "$a", "dollar tags": "$a$ ", "two dollars": "$", "tags that grow": "$aa$ $b", "dots": ".",
	"dotted": "a.", "numbers": "1.", "exponents": "1e", "underscores": "1_", "operators": "+-", "at": "@", "hash": "#", "question": "?",
	"backslashes": "\\", "open backslash text": "'\\", "nbsp": "é\u00a0", "high": "\xff", "selects": "SELECT ", "withs": "WITH a AS (",
	"ctes": "), a AS (SELECT 1 FROM a", "unions": "SELECT 1 UNION ", "froms": "FROM a, ", "joins": "JOIN a ON ", "calls": "f(", "calls done": "f(1),",
	"pivots": "PIVOT a ON b UNION ", "into": "INTO NAME ", "commas": ",", "semicolons": ";", "statements": "SELECT 1;", "cases": "CASE WHEN ", "ands": "a AND ",
	"search": "WITH RECURSIVE a AS (SELECT 1) SEARCH a, ", "order": "ORDER BY a, ", "casts": "::a", "colons": ":", "lines": "\n", "spaces": " ",
}

// TestTimeIsLinear compares an input with one eight times as long: quadratic
// work would take 64 times the time.
func TestTimeIsLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	work := func(sql string, rules *Rules) {
		s := Scan(sql, rules)
		s.Outline()
		s.OrderKeys()
		s.Spans()
		Format(sql, rules, 80)
	}
	once := func(piece, lead string, size int, rules *Rules) time.Duration {
		sql := lead + strings.Repeat(piece, size/len(piece))
		return cputime.Of(func() { work(sql, rules) })
	}
	const small = 16 << 10
	pairs := [][2]string{{"pg", "my"}, {"duck", "lite"}}
	for i, name := range slices.Sorted(maps.Keys(shapes)) {
		piece := shapes[name]
		for j, tag := range pairs[i%2] {
			rules, lead := byTag[tag], []string{"", "SELECT a FROM b WHERE "}[(i/2+j)%2]
			short := once(piece, lead, small, rules)
			long := once(piece, lead, 8*small, rules)
			for range 3 {
				if long < 20*time.Millisecond || long < 24*short {
					break
				}
				short, long = max(short, once(piece, lead, small, rules)), min(long, once(piece, lead, 8*small, rules))
			}
			if long > 20*time.Millisecond && long > 24*short {
				t.Errorf("%s, %s after %q: %v for 16 KB, %v for 128 KB", name, tag, lead, short, long)
			}
		}
	}
}
