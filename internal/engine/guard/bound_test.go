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
