package sqltext

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/sqbyl/sqbyl/internal/testkit/golden"
)

var byTag = map[string]*Rules{"lite": &SQLiteRules, "duck": &DuckDBRules, "pg": &PostgresRules, "my": &MySQLRules}

// eachCase calls f for every "### name | tag" of a file in testdata.
func eachCase(t *testing.T, file string, f func(title, sql string, rules *Rules)) {
	t.Helper()
	b, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range strings.Split("\n"+string(b), "\n### ")[1:] {
		title, sql, _ := strings.Cut(part, "\n")
		_, tag, _ := strings.Cut(title, " | ")
		f(title, strings.TrimSuffix(sql, "\n"), byTag[tag])
	}
}

var kindNames = [...]string{"word", "name", "string", "number", "param", "op", "open", "close", "comma", "dot", "semicolon", "comment", "junk"}

var faultNames = [...]string{"", "open string", "open name", "open comment", "nested comment", "exec comment", "number junk", "bad character", "unicode name", "continued string", "leading dollar"}

func TestTokens(t *testing.T) {
	var out strings.Builder
	eachCase(t, "tokens.sql", func(title, sql string, rules *Rules) {
		s := Scan(sql, rules)
		fmt.Fprintf(&out, "### %s\n", title)
		for _, list := range [][]Token{s.Tokens, s.Comments} {
			for _, tok := range list {
				fmt.Fprintf(&out, "%-9s %q", kindNames[tok.Kind], sql[tok.Start:tok.End])
				if tok.Fault != Sound {
					fmt.Fprintf(&out, "  FAULT %s", faultNames[tok.Fault])
				}
				out.WriteByte('\n')
			}
		}
	})
	golden.Check(t, "tokens.golden", out.String())
}

func TestOutline(t *testing.T) {
	var out strings.Builder
	eachCase(t, "outline.sql", func(title, sql string, rules *Rules) {
		fmt.Fprintf(&out, "### %s\n%s", title, describe(Scan(sql, rules)))
	})
	golden.Check(t, "outline.golden", out.String())
}

func describe(s *Script) string {
	var out strings.Builder
	o := s.Outline()
	for _, r := range o.Relations {
		fmt.Fprintf(&out, "%s %s\n", [...]string{"table", "table function", "table text"}[r.Kind], span(s, r.First, r.First+2*r.Parts-2))
	}
	for _, c := range o.Calls {
		fmt.Fprintf(&out, "call %s\n", span(s, c.First, c.At))
	}
	for _, i := range o.Misplaced {
		fmt.Fprintf(&out, "misplaced %s\n", span(s, i, i))
	}
	for _, at := range []struct {
		what string
		i    int
	}{{"order", o.Order}, {"limit", o.Limit}, {"offset", o.Offset}, {"fetch", o.Fetch}, {"set operation", o.SetOp}, {"unbalanced", o.Unbalanced}, {"second", o.Second}} {
		if at.i >= 0 {
			fmt.Fprintf(&out, "%s at %d %s\n", at.what, at.i, span(s, at.i, at.i))
		}
	}
	fmt.Fprintf(&out, "statements %d, depth %d\n", o.Statements, o.Depth)
	return out.String()
}

func span(s *Script, from, to int) string {
	if to >= len(s.Tokens) {
		return "the end"
	}
	return s.SQL[s.Tokens[from].Start:s.Tokens[to].End]
}

func TestFormat(t *testing.T) {
	var out strings.Builder
	eachCase(t, "format.sql", func(title, sql string, rules *Rules) {
		fmt.Fprintf(&out, "### %s\n%s\n", title, Format(sql, rules, 60))
	})
	golden.Check(t, "format.golden", out.String())
}

func TestFormatLeavesBrokenTextAlone(t *testing.T) {
	for _, sql := range []string{"", "SELECT (1", "SELECT 'a", "SELECT " + strings.Repeat("(", 60) + "1" + strings.Repeat(")", 60)} {
		if got := Format(sql, &SQLiteRules, 10); got != sql {
			t.Errorf("Format(%.20q) = %.40q", sql, got)
		}
	}
}

func TestOrderKeys(t *testing.T) {
	for _, c := range []struct {
		sql     string
		want    string
		limited bool
	}{
		{"SELECT a FROM t", "", false},
		{"SELECT a FROM t ORDER BY a DESC, lower(b, c) NULLS LAST, 3 LIMIT 5", "[{a true } {lower(b, c) false LAST} {3 false }]", true},
		{"SELECT a FROM t ORDER BY CASE WHEN x THEN 1 END ASC NULLS FIRST;", "[{CASE WHEN x THEN 1 END false FIRST}]", false},
		{"SELECT a FROM (SELECT b FROM t ORDER BY b LIMIT 3)", "", false},
		{"(SELECT a FROM t ORDER BY a FETCH FIRST 2 ROWS ONLY)", "[{a false }]", true},
		{"(SELECT a FROM t LIMIT 1) UNION (SELECT b FROM u) ORDER BY 1", "[{1 false }]", false},
		{"SELECT sum(a) OVER (ORDER BY b) FROM t ORDER BY", "", false},
	} {
		keys, limited := Scan(c.sql, &PostgresRules).OrderKeys()
		got := ""
		if keys != nil {
			got = fmt.Sprint(keys)
		}
		if got != c.want || limited != c.limited {
			t.Errorf("%s: %s limited %v", c.sql, got, limited)
		}
	}
}

func TestHash(t *testing.T) {
	base := Scan("SELECT a, b FROM t WHERE c = 'X' AND d = 1", &PostgresRules).Hash()
	for sql, same := range map[string]bool{
		"select A,b\nfrom T -- hi\nwhere c = 'X' and d=1;": true,
		`SELECT "a", b FROM "t" WHERE c = 'X' AND d = 1`:   true,
		`SELECT "A", b FROM t WHERE c = 'X' AND d = 1`:     false,
		"SELECT a, b FROM t WHERE c = 'x' AND d = 1":       false,
		"SELECT a, b FROM t WHERE c = 'X' AND d = 2":       false,
		"SELECT a, b FROM t WHERE c = X AND d = 1":         false,
	} {
		if got := Scan(sql, &PostgresRules).Hash() == base; got != same {
			t.Errorf("%s: same %v", sql, got)
		}
	}
}

func TestNearest(t *testing.T) {
	names := []string{"orders", "order_items", "customers", "fx_rates", "id"}
	for name, want := range map[string]string{
		"order": "orders", "ordres": "orders", "Customer": "customers", "orderitems": "order_items",
		"rates": "fx_rates", "xyz": "", "": "", "suppliers": "", strings.Repeat("o", 5000): "",
	} {
		if got := Nearest(name, names); got != want {
			t.Errorf("Nearest(%.20q) = %q, want %q", name, got, want)
		}
	}
}

func TestSpans(t *testing.T) {
	s := Scan("SELECT lower(name), 'x' -- c\nFROM t.date", &PostgresRules)
	want := "SELECT:1 lower:2 (:5 name:0 ):5 ,:5 'x':3 -- c:6 FROM:1 t:0 .:5 date:0 "
	got := ""
	for _, sp := range s.Spans() {
		got += fmt.Sprintf("%s:%d ", s.SQL[sp.Start:sp.End], sp.Class)
	}
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestPosition(t *testing.T) {
	for offset, want := range map[int][2]int{0: {1, 1}, 4: {1, 4}, 6: {2, 2}, 99: {2, 2}, -3: {1, 1}} {
		if l, c := Position("aéb\nc", offset); [2]int{l, c} != want {
			t.Errorf("Position at %d = %d:%d, want %v", offset, l, c, want)
		}
	}
}

func TestKeywordsAreSpelledInTheOrderOfTheirConstants(t *testing.T) {
	if n := len(strings.Fields(keyWords)); n != int(keyCount)-1 {
		t.Fatalf("%d words for %d constants", n, keyCount-1)
	}
	for word, key := range map[string]Key{"against": KeyAgainst, "from": KeyFrom, "select": KeySelect, "separator": KeySeparator, "show": KeyShow, "similar": KeySimilar, "straight_join": KeyStraightJoin, "zone": KeyZone} {
		if keyOf([]byte(word)) != key {
			t.Errorf("%s is keyword %d, not %d", word, keyOf([]byte(word)), key)
		}
	}
}
