package guard_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/sqbyl/sqbyl/internal/engine/guard"
	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
)

func boundPolicy(rules sqltext.Rules) *guard.Policy {
	return &guard.Policy{Rules: rules, Functions: map[string]bool{"sum": true}}
}

func TestCheckBound(t *testing.T) {
	names := []string{"a", "b"}
	const sql = "SELECT sum(x) FROM t WHERE x >= :b AND y=:a AND (z IN (:b,:a)) AND n <> ':a' -- :b\n;"
	for _, c := range []struct {
		rules sqltext.Rules
		want  string
		order []string
	}{
		{sqltext.SQLiteRules, "x >= ? AND y=? AND (z IN (?,?)) AND n <> ':a'", []string{"b", "a", "b", "a"}},
		{sqltext.MySQLRules, "x >= ? AND y=? AND (z IN (?,?)) AND n <> ':a'", []string{"b", "a", "b", "a"}},
		{sqltext.PostgresRules, "x >= $1 AND y=$2 AND (z IN ($1,$2)) AND n <> ':a'", []string{"b", "a"}},
		{sqltext.DuckDBRules, "x >= $1 AND y=$2 AND (z IN ($1,$2)) AND n <> ':a'", []string{"b", "a"}},
	} {
		st, err := guard.CheckBound(context.Background(), sql, names, boundPolicy(c.rules))
		if err != nil {
			t.Fatal(err)
		}
		if want := "SELECT sum(x) FROM t WHERE " + c.want; st.SQL() != want || !slices.Equal(st.Params(), c.order) {
			t.Errorf("%s takes %q, want %s with %q", st.SQL(), st.Params(), want, c.order)
		}
		if st, err := guard.Check(context.Background(), sql, boundPolicy(c.rules)); err == nil && strings.ContainsAny(st.SQL(), "?$") {
			t.Errorf("without values it passes as %s", st.SQL())
		}
	}
}

func TestCheckBoundRefuses(t *testing.T) {
	for _, c := range []struct {
		sql, rule string
		at        string // the text at the refusal's place
	}{
		{"SELECT :a, :other", "parameter", ":other"},
		{"SELECT :a, ?", "parameter", "?"},
		{"SELECT :a, $x", "parameter", "$x"},
		{"SELECT :a; DROP TABLE t", "second_statement", "DROP"},
		{"SELECT :a, load_file(:a)", "function", "load_file"},
		{"DELETE FROM t WHERE x = :a", "first_keyword", "DELETE"},
	} {
		_, err := guard.CheckBound(context.Background(), c.sql, []string{"a"}, boundPolicy(sqltext.SQLiteRules))
		var refused *guard.Refusal
		if !errors.As(err, &refused) || refused.Rule != c.rule || !strings.HasPrefix(c.sql[refused.Position.Offset:], c.at) {
			t.Errorf("%s: %+v, %v; want %s at %s", c.sql, refused, err, c.rule, c.at)
		}
	}
}

// FuzzCheckBound holds that whatever passes has as many placeholders as it
// says, and none when nothing is bound.
func FuzzCheckBound(f *testing.F) {
	for _, seed := range []string{
		"SELECT :a, :b, :a", "SELECT ':a' || :a -- :b", "SELECT x::a, y[:a], z[1:a]", "SELECT $1, :a", "SELECT $a$ :a $a$", "SELECT \"a:a\" /* :a */ FROM t LIMIT :b;",
		"SELECT sum(:a)?", "SELECT E'\\':a'", "SELECT :a:b", "SELECT {'k':a}", "SELECT `:a`, [:a]", "SELECT :a$1",
	} {
		f.Add(seed, uint8(0))
	}
	all := []sqltext.Rules{sqltext.SQLiteRules, sqltext.MySQLRules, sqltext.PostgresRules, sqltext.DuckDBRules}
	f.Fuzz(func(t *testing.T, sql string, which uint8) {
		rules := all[int(which)%len(all)]
		st, err := guard.CheckBound(context.Background(), sql, []string{"a", "b"}, boundPolicy(rules))
		if err != nil {
			var refused *guard.Refusal
			if errors.As(err, &refused) && (refused.Position.Offset < 0 || refused.Position.Offset > len(sql)) {
				t.Errorf("%q is refused at %d", sql, refused.Position.Offset)
			}
			return
		}
		marks := map[string]bool{}
		n := 0
		for i, token := range sqltext.Scan(st.SQL(), &rules).Tokens {
			if token.Kind == sqltext.Param {
				n++
				marks[sqltext.Scan(st.SQL(), &rules).Text(i)] = true
			}
		}
		if rules.DollarParam {
			n = len(marks)
		}
		if n != len(st.Params()) {
			t.Errorf("%q becomes %q with %q", sql, st.SQL(), st.Params())
		}
		if plain, err := guard.Check(context.Background(), st.SQL(), boundPolicy(rules)); err == nil && n > 0 {
			t.Errorf("%q passes with nothing bound", plain.SQL())
		}
	})
}
