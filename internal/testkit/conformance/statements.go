package conformance

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
	"github.com/sqbyl/sqbyl/internal/testkit/handed"
)

// attackFolder is where the handed-out attacks try to read and write.
const attackFolder = "/tmp/sqbyl-attack"

// Case is one statement of a file of statements.
type Case struct {
	Name string
	Tags []string
	SQL  string
}

// Cases reads a file of the handed-out statements: each under a line
// "### name" or "### name | tag tag". The test is skipped where the files are
// not there.
func Cases(t testing.TB, name string) []Case {
	t.Helper()
	text, err := os.ReadFile(handed.Data(t, "attacks", name))
	if err != nil {
		t.Fatal(err)
	}
	var cases []Case
	for block := range strings.SplitSeq("\n"+string(text), "\n### ") {
		head, sql, ok := strings.Cut(block, "\n")
		if !ok || strings.TrimSpace(head) == "" {
			continue
		}
		title, tags, _ := strings.Cut(head, "|")
		cases = append(cases, Case{strings.TrimSpace(title), strings.Fields(tags), strings.TrimSpace(sql)})
	}
	if len(cases) == 0 {
		t.Fatalf("%s holds no statement", name)
	}
	return cases
}

// testOrdinary wants honest queries to pass the guard and to prepare.
func testOrdinary(t *testing.T, target Target) {
	b := startShop(t, target, driver.Options{})
	passed := 0
	for _, c := range Cases(t, "ordinary.sql") {
		if !slices.Contains(c.Tags, target.Ordinary) {
			continue
		}
		st, err := b.check(c.SQL)
		if word, ok := target.OrdinaryRefused[c.Name]; ok {
			var refused *guard.Refusal
			if !errors.As(err, &refused) || !strings.Contains(refused.Message+refused.Repair, word) {
				t.Errorf("%s: %v, want a refusal that says %q", c.Name, err, word)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: the guard refuses %s: %v", c.Name, c.SQL, err)
			continue
		}
		s := b.session()
		ctx, cancel := soon()
		columns, err := s.Prepare(ctx, st)
		res := &db.Result{Columns: columns}
		if err == nil {
			// One of them walks in circles on any data with a cycle.
			ran, failed := s.Query(ctx, st, db.Caps{Time: 2 * time.Second})
			if kindOf(failed) == db.ErrTimeout.String() {
				res.Columns = append(res.Columns, db.Column{})
				columns = nil
			} else {
				res, err = ran, failed
			}
		}
		cancel()
		b.close(s)
		// A host's connection knows the columns only when the statement runs.
		if err != nil || len(res.Columns) == 0 || columns != nil && len(columns) != len(res.Columns) {
			t.Errorf("%s: %s: columns %v, %v", c.Name, c.SQL, columns, err)
			continue
		}
		passed++
	}
	if passed == 0 {
		t.Errorf("no query is tagged %q", target.Ordinary)
	}
	t.Logf("%d ordinary queries pass", passed)
}

// testAttacks wants every statement refused, or run without a trace.
func testAttacks(t *testing.T, target Target) {
	cases := Cases(t, target.Attacks)
	for _, name := range sortedKeys(target.More) {
		cases = append(cases, Case{Name: name, SQL: target.More[name]})
	}
	folder, err := os.MkdirTemp("", "sq-attack-*")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	// A server of another account must be able to write here, were it let.
	if err := os.Chmod(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	aim := strings.NewReplacer("@DIR@", folder, attackFolder, folder)
	bait := filepath.Join(folder, "other.db")
	if err := os.WriteFile(bait, []byte("a,b\n1,2\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	b := start(t, target, driver.Options{}, aim.Replace(target.AttackSetup))
	state := func() string { return b.instance.State(t) + "\n" + files(t, folder) }
	before := state()
	layers := map[string]int{}
	for _, c := range cases {
		layer := b.attack(aim.Replace(c.SQL))
		layers[layer]++
		t.Logf("%-28s %s", c.Name, layer)
		if after := state(); after != before {
			t.Fatalf("%s changed something.\nbefore:\n%s\nafter:\n%s", c.Name, before, after)
		}
	}
	t.Logf("%d attacks: %v", len(cases), layers)
	if rows := b.rows("SELECT 1"); len(rows) != 1 {
		t.Errorf("the pool did not recover: %v", rows)
	}
}

// attack tries a statement all the way and says which layer ended it.
func (b *bench) attack(sql string) string {
	b.Helper()
	var refused *guard.Refusal
	st, err := b.check(sql)
	if errors.As(err, &refused) {
		return string(refused.Layer) + " " + refused.Rule
	}
	if err != nil {
		return "guard error " + err.Error()
	}
	s := b.session()
	defer b.close(s)
	_, err = s.Prepare(context.Background(), st)
	if err == nil {
		_, err = s.Query(context.Background(), st, db.Caps{Time: 300 * time.Millisecond})
	}
	switch {
	case errors.As(err, &refused):
		return string(refused.Layer) + " " + refused.Rule
	case err != nil:
		return "engine " + kindOf(err)
	}
	return "ran, harmless"
}

// files lists a folder with the content of its files.
func files(t testing.TB, folder string) string {
	t.Helper()
	var lines []string
	err := filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(filepath.Clean(path))
		lines = append(lines, fmt.Sprintf("%s %x", path, content))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, "\n")
}

func sortedKeys(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
