package guard

import (
	"bufio"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
)

func TestHanded(t *testing.T) {
	pol := map[string]*Policy{}
	for n, r := range map[string]sqltext.Rules{"sqlite": sqltext.SQLiteRules, "duckdb": sqltext.DuckDBRules, "postgres": sqltext.PostgresRules, "mariadb": sqltext.MySQLRules} {
		pol[n] = &Policy{Rules: r, Functions: set("sum avg count max min strftime julianday date percentile_cont string_agg date_trunc now group_concat date_add date_format list_transform unnest lower upper"), TableFunctions: set("generate_series json_table unnest"),
			HiddenPrefixes: []string{"pg_", "sqlite_", "pragma_", "dbstat"}}
	}
	dir := "../../../../shared/data/attacks"
	for n, p := range pol {
		for _, s := range load(t, filepath.Join(dir, n+".sql")) {
			st, err := Check(context.Background(), s.sql, p)
			var r *Refusal
			if errors.As(err, &r) {
				t.Logf("%s %-20s %s/%s %d:%d", n, s.name, r.Layer, r.Rule, r.Position.Line, r.Position.Column)
			} else {
				t.Logf("%s %-20s PASSED %v %v", n, s.name, st.facts, err)
			}
		}
	}
	tag := map[string]string{"lite": "sqlite", "duck": "duckdb", "pg": "postgres", "my": "mariadb"}
	for _, s := range load(t, filepath.Join(dir, "ordinary.sql")) {
		name, tags, _ := strings.Cut(s.name, " | ")
		for _, d := range strings.Fields(tags) {
			if p := pol[tag[d]]; p != nil {
				st, err := Check(context.Background(), s.sql, p)
				if err != nil {
					t.Errorf("%s %s: %v", d, name, err)
				} else {
					t.Logf("%s %s %v", d, name, st.facts)
				}
			}
		}
	}
}

type entry struct{ name, sql string }

func load(t *testing.T, file string) (out []entry) {
	f, err := os.Open(file)
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	for sc := bufio.NewScanner(f); sc.Scan(); {
		if l := sc.Text(); strings.HasPrefix(l, "### ") {
			out = append(out, entry{name: strings.TrimSpace(l[4:])})
		} else if len(out) > 0 {
			e := &out[len(out)-1]
			e.sql = strings.TrimPrefix(e.sql+"\n"+l, "\n")
		}
	}
	return out
}
