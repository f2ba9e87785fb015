package guard

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
)

// opinion is what another parser reads in a text.
type opinion struct {
	statements int
	query      bool // the one statement only reads
	why        string
	tables     []string // lower case, without the text's CTEs
	functions  []string
}

// pieces are what readers of SQL most easily disagree about.
var pieces = strings.FieldsFunc(`' ¦ '' ¦ \' ¦ \\' ¦ " ¦ "" ¦ \" ¦ E' ¦ e'a\' ¦ U&' ¦ U&" ¦ N' ¦ x' ¦ b' ¦ _utf8' ¦ $$ ¦ $a$ ¦ $a ¦ $1 ¦ a$b ¦ `+"` ¦ `a`"+` ¦ [ ¦ ] ¦ { ¦ }
-- ¦ --x ¦ -- ' ¦ # ¦ #' ¦ /* ¦ */ ¦ /*/ ¦ /**/ ¦ /*! ¦ /*M! ¦ /*+ ¦ /* /* ¦ ; ¦ ;; ¦ ; SELECT 1 ¦ ; DROP TABLE t ¦ \ ¦ \g
; SELECT 2 --' ¦ ; SELECT 2 --" ¦ ; SELECT 2 --*/ ¦ ; SELECT 2 --`+"`"+` ¦ ; SELECT 2 -- $a$ ¦ '; SELECT 2; SELECT ' ¦ "; SELECT 2; SELECT " ¦ '\'' ¦ '\' ¦ "\"" ¦ E'a'~'\'' ¦ 'a'~'\''
( ¦ ) ¦ , ¦ . ¦ .. ¦ : ¦ :: ¦ := ¦ => ¦ @ ¦ @@ ¦ @a ¦ ? ¦ ?1 ¦ :a ¦ ! ¦ ~ ¦ @> ¦ -> ¦ ->> ¦ || ¦ |/ ¦ <=> ¦ *- ¦ +- ¦ +-+- ¦ -
1 ¦ 1. ¦ .5 ¦ 1e ¦ 1e5 ¦ 0x1 ¦ 0x ¦ 1a ¦ 1INTO ¦ 1_0 ¦ 'a' 'b' ¦ 'a'~'b' ¦ E'a'~'\' ¦ E'a' --~'b' ¦ 'a' --~'b\'
SELECT ¦ FROM ¦ INTO ¦ t INTO u ¦ FOR UPDATE ¦ FOR SHARE ¦ LOCK IN SHARE MODE ¦ FROM secret ¦ , secret ¦ JOIN secret ¦ AS as FROM secret
t.as FROM secret ¦ t.not distinct FROM secret ¦ IS DISTINCT FROM ¦ UNION SELECT 1 ¦ UNION ¦ EXCEPT ALL ¦ TABLE secret ¦ (TABLE secret) ¦ VALUES (1)
WITH a AS ( ¦ WITH RECURSIVE a AS (SELECT 1) ¦ ), b AS (DELETE FROM t) ¦ SEARCH DEPTH FIRST BY a SET b ¦ CYCLE a SET b USING c ¦ DELETE FROM t ¦ UPDATE t SET a = 1 ¦ INSERT INTO t VALUES (1)
evil() ¦ evil(1) ¦ .evil(1) ¦ "evil"(1) ¦ evil /* x */ (1) ¦ evil~(1) ¦ over(1) ¦ OVER (evil()) ¦ OVER w ¦ WINDOW w AS (ORDER BY a) ¦ FILTER (WHERE evil()) ¦ WITHIN GROUP (ORDER BY a)
xor(1) ¦ columns(1) ¦ zone(1) ¦ div(1) ¦ left(1) ¦ replace(1) ¦ extract(year FROM evil()) ¦ extract(year FROM secret) ¦ substring(a FROM (SELECT b FROM secret)) ¦ cast(a AS evil(1)) ¦ a::evil(1)
ROWS FROM (evil(1)) ¦ LATERAL evil(1) ¦ evil(1) WITH ORDINALITY ¦ TABLESAMPLE evil (1) ¦ u (a, b) ¦ AS u (a, b) ¦ ONLY secret ¦ ONLY (secret) ¦ USE INDEX (a) ¦ FORCE INDEX FOR JOIN (a) ¦ PARTITION (p)
qualify ¦ offset ¦ window ¦ limit ¦ fetch ¦ semi ¦ lateral ¦ only ¦ rows ¦ case when ¦ end ¦ between 1 and 2 ¦ not ¦ in ¦ like ¦ escape '\' ¦ DUAL ¦ LIMIT 1 ¦ LIMIT 1, 2 ¦ OFFSET 1 ¦ FETCH FIRST 1 ROW ONLY
ORDER BY 1 ¦ GROUP BY a ¦ HAVING b ¦ USING (a) ¦ ON a = b ¦ STRAIGHT_JOIN secret ¦ NATURAL JOIN secret ¦ CROSS JOIN secret, u ¦ INTERVAL 1 DAY ¦ interval '1' ¦ date 'x' ¦ timestamp(3) ¦ ~ ¦ ~ ¦ é`, func(r rune) bool { return r == '\n' || r == '¦' })

// splicePieces puts one to four pieces next to each other into sql, between
// two words or anywhere.
func splicePieces(sql string, r *rand.Rand) string {
	at := r.IntN(len(sql) + 1)
	if r.IntN(4) > 0 {
		if n := strings.IndexAny(sql[at:], " ,()"); n >= 0 {
			at += n
		} else {
			at = len(sql)
		}
	}
	gap := []string{" ", " ", "", "\n"}[r.IntN(4)]
	var b strings.Builder
	b.WriteString(sql[:at])
	for range 1 + r.IntN(4) {
		b.WriteString(gap)
		b.WriteString(strings.ReplaceAll(strings.Trim(pieces[r.IntN(len(pieces))], " "), "~", "\n"))
	}
	b.WriteString(gap)
	b.WriteString(sql[at:])
	return b.String()
}

// differ fuzzes the lexer against a parser: the text itself, and variants of
// the seeds that the number picks.
func differ(f *testing.F, dialect string, rules *sqltext.Rules, ask func(string) (opinion, bool)) {
	seeds := seedTexts(f, dialect)
	for i, sql := range seeds {
		f.Add(sql, uint64(i))
	}
	f.Fuzz(func(t *testing.T, sql string, number uint64) {
		disagree(t, sql, rules, ask)
		r := rand.New(rand.NewPCG(number, uint64(len(sql))))
		for range 20 {
			disagree(t, splicePieces(seeds[r.IntN(len(seeds))], r), rules, ask)
		}
	})
}

func seedTexts(f *testing.F, dialect string) (seeds []string) {
	f.Helper()
	for _, file := range fuzzSeeds(dialect) {
		b, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, part := range strings.Split("\n"+string(b), "\n### ")[1:] {
			if _, sql, _ := strings.Cut(part, "\n"); len(sql) < 2000 {
				seeds = append(seeds, strings.TrimSpace(sql))
			}
		}
	}
	return seeds
}

func fuzzSeeds(dialect string) []string {
	return []string{
		filepath.Join("testdata", "seeds.sql"), filepath.Join("testdata", "attacks", dialect+".sql"),
		filepath.Join("..", "sqltext", "testdata", "tokens.sql"), filepath.Join("..", "sqltext", "testdata", "outline.sql"),
	}
}

// disagree holds the lexer layer against another parser that accepts the
// text: the lexer must not see fewer statements, tables or calls, and must
// not take for a query what is none.
func disagree(t *testing.T, sql string, rules *sqltext.Rules, ask func(string) (opinion, bool)) {
	s := sqltext.Scan(sql, rules)
	o := s.Outline()
	if len(s.Faulty) > 0 || o.Unbalanced >= 0 || checkBytes(sql) != nil || o.Depth > MaxDepth || o.Chain > 200 {
		return
	}
	other, ok := ask(sql)
	if !ok {
		return
	}
	if o.Statements < other.statements {
		t.Fatalf("%q: the lexer counts %d statements, the parser %d", sql, o.Statements, other.statements)
	}
	c := &checker{Script: s, policy: &Policy{Rules: *rules}, outline: o}
	if c.lexer() != nil || other.statements != 1 {
		return
	}
	if !other.query {
		t.Fatalf("%q: passes as a query, but it is %s", sql, other.why)
	}
	var tables, functions []string
	for _, r := range o.Relations {
		if r.Kind == sqltext.TableFunction {
			functions = append(functions, strings.ToLower(c.functionName(r.First+2*(r.Parts-1))))
		} else {
			tables = append(tables, strings.ToLower(c.tableName(r).Table))
		}
	}
	for _, call := range o.Calls {
		functions = append(functions, strings.ToLower(c.functionName(call.At)))
	}
	for _, name := range other.tables {
		if !slices.Contains(tables, name) {
			t.Fatalf("%q: the parser reads the table %q, the lexer only %q", sql, name, tables)
		}
	}
	for _, name := range other.functions {
		if !slices.Contains(functions, name) {
			t.Fatalf("%q: the parser calls %q, the lexer only %q", sql, name, functions)
		}
	}
}
