package guard_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/sqbyl/sqbyl/internal/engine/dialect"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
	"github.com/sqbyl/sqbyl/internal/testkit/handed"
)

type entry struct{ title, sql string }

func load(t testing.TB, file string) []entry {
	t.Helper()
	b, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) && !strings.HasPrefix(file, "testdata") {
		t.Skipf("%s is not here", file)
	}
	if err != nil {
		t.Fatal(err)
	}
	var list []entry
	for _, part := range strings.Split("\n"+string(b), "\n### ")[1:] {
		title, sql, _ := strings.Cut(part, "\n")
		list = append(list, entry{strings.TrimSpace(title), expand(t, strings.TrimSuffix(sql, "\n"))})
	}
	return list
}

// expand writes "<<3 text>>" out three times; text may hold Go escapes.
func expand(t testing.TB, sql string) string {
	for {
		before, rest, ok := strings.Cut(sql, "<<")
		if !ok {
			return sql
		}
		inner, after, ok := strings.Cut(rest, ">>")
		count, text, _ := strings.Cut(inner, " ")
		n, err := strconv.Atoi(count)
		if err != nil || !ok {
			return sql
		}
		text, err = strconv.Unquote(`"` + text + `"`)
		if err != nil {
			t.Fatal(err)
		}
		sql = before + strings.Repeat(text, n) + after
	}
}

func policy(t testing.TB, name string) *guard.Policy {
	t.Helper()
	d, err := dialect.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	p := d.Policy
	if p.Functions == nil {
		t.Fatalf("%s has no list of functions", name)
	}
	return &p
}

// TestOwnAttacks: each statement is stopped by the layer and rule that its
// title names, without any engine. Those that only a session stops must pass
// here, or the table in docs/safety.md would claim too little.
func TestOwnAttacks(t *testing.T) {
	total := 0
	for _, name := range []string{dialect.SQLite, dialect.DuckDB, dialect.Postgres, dialect.MySQL, dialect.MariaDB} {
		t.Run(name, func(t *testing.T) {
			p := policy(t, name)
			file := map[string]string{dialect.Postgres: "postgres", dialect.MariaDB: "mysql"}[name]
			if file == "" {
				file = name
			}
			for _, e := range load(t, filepath.Join("testdata", "attacks", file+".sql")) {
				title, want, _ := strings.Cut(e.title, " | ")
				total++
				_, err := guard.Check(context.Background(), e.sql, p)
				got := "passes"
				var r *guard.Refusal
				if errors.As(err, &r) {
					got = string(r.Layer) + " " + r.Rule
				} else if err != nil {
					got = err.Error()
				}
				if live := strings.HasPrefix(want, "session ") || strings.HasPrefix(want, "prepare "); got != want && (!live || got != "passes") {
					t.Errorf("%s: %s, want %s", title, got, want)
				}
				if r != nil && (r.Message == "" || r.Repair == "" || r.Position.Line < 1 || r.Position.Column < 1 || r.Position.Offset > len(e.sql)) {
					t.Errorf("%s: an incomplete refusal: %+v", title, r)
				}
			}
		})
	}
	if total < 70 {
		t.Errorf("only %d attacks", total)
	}
}

// TestHandedStatements runs the attack and ordinary statements handed to the
// project. What passes here is left to the layers that have an engine.
func TestHandedStatements(t *testing.T) {
	leftToTheEngine := map[string]string{
		"D50 view_file": "views are walked where the catalogue is",
		"S22 cte_bomb":  "timeout", "M39 cte_bomb": "timeout", "S36 like_dos": "limit on LIKE patterns",
		"S35 printf_mem": "limit on lengths", "D40 range_bomb": "timeout",
	}
	dir := handed.Data(t, "attacks")
	for file, name := range map[string]string{"sqlite": dialect.SQLite, "duckdb": dialect.DuckDB, "postgres": dialect.Postgres, "mariadb": dialect.MariaDB} {
		p := policy(t, name)
		for _, e := range load(t, filepath.Join(dir, file+".sql")) {
			_, err := guard.Check(context.Background(), e.sql, p)
			if err == nil && leftToTheEngine[e.title] == "" {
				t.Errorf("%s %s passes", name, e.title)
			}
			if err != nil && leftToTheEngine[e.title] != "" {
				t.Errorf("%s %s: %v", name, e.title, err)
			}
		}
	}
	tags := map[string][]string{"lite": {dialect.SQLite}, "duck": {dialect.DuckDB}, "pg": {dialect.Postgres}, "my": {dialect.MySQL, dialect.MariaDB}}
	for _, e := range load(t, filepath.Join(dir, "ordinary.sql")) {
		title, list, _ := strings.Cut(e.title, " | ")
		for _, tag := range strings.Fields(list) {
			for _, name := range tags[tag] {
				if _, err := guard.Check(context.Background(), e.sql, policy(t, name)); err != nil {
					t.Errorf("%s %s: %v", name, title, err)
				}
			}
		}
	}
}

// TestHonestQueriesPass: a refusal of what only reads is a failure too.
func TestHonestQueriesPass(t *testing.T) {
	tags := map[string][]string{"lite": {dialect.SQLite}, "duck": {dialect.DuckDB}, "pg": {dialect.Postgres}, "my": {dialect.MySQL, dialect.MariaDB}}
	for _, e := range load(t, filepath.Join("testdata", "honest.sql")) {
		title, tag, _ := strings.Cut(e.title, " | ")
		for _, name := range tags[tag] {
			if _, err := guard.Check(context.Background(), e.sql, policy(t, name)); err != nil {
				t.Errorf("%s %s: %v", name, title, err)
			}
		}
	}
}
