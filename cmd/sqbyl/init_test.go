package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/testkit/fakemodel"
	"github.com/sqbyl/sqbyl/internal/testkit/servers"
	"github.com/sqbyl/sqbyl/internal/toolkit/project"
)

// On every engine a bare URL becomes a project that loads without a mistake,
// knows how its tables are joined, answers, and agrees with its database. No
// password is seen on the way.
func TestEveryEngineMakesAProject(t *testing.T) {
	for _, e := range engines() {
		t.Run(e.dialect, func(t *testing.T) {
			if !slices.Contains(driver.Registered(), e.dialect) {
				t.Skip("this build has no driver for " + e.dialect)
			}
			url := e.open(t)
			dir := filepath.Join(t.TempDir(), "made")
			said := ""
			run := func(vars map[string]string, args ...string) string {
				t.Helper()
				code, out, errOut := sqbyl(t, vars, args...)
				said += out + errOut
				if code != 0 {
					t.Fatalf("%v: code %d\n%s%s", args, code, out, errOut)
				}
				return out
			}
			if out := run(nil, "init", url, dir); !strings.Contains(out, "2 tables, 6 columns") {
				t.Errorf("%s", out)
			}
			p, err := project.Load(dir)
			if err != nil || len(p.Warnings) > 0 || len(p.Semantic.Tables) != 2 {
				t.Fatalf("%v %v", err, p)
			}
			if info, err := os.Stat(filepath.Join(dir, ".env")); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
				t.Errorf(".env: %v %v", info, err)
			}
			for _, table := range p.Semantic.Tables {
				for _, c := range table.Columns {
					if c.Profile == nil {
						t.Errorf("%s.%s was not measured", table.Name, c.Name)
					}
				}
				if table.Name == "orders" && (len(table.Joins) != 1 || table.Joins[0].On != "orders.customer_id = customers.id") {
					t.Errorf("joins %+v", table.Joins)
				}
			}
			if out := run(nil, "-C", dir, "introspect", "--sync"); !strings.Contains(out, "nothing in the database has changed") {
				t.Errorf("%s", out)
			}
			if out := run(nil, "-C", dir, "schema", "--json"); !json.Valid([]byte(out)) {
				t.Errorf("%s", out)
			}
			fake := fakemodel.New(t)
			fake.Script(fakemodel.JSON(map[string]any{"plan": "p", "answerable": true, "sql": "SELECT COUNT(*) AS n FROM orders o JOIN customers c ON c.id = o.customer_id"}))
			vars := map[string]string{"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": fake.URL()}
			if out := run(vars, "-C", dir, "ask", "How many orders?", "--json"); !strings.Contains(out, `"rows": [[3]]`) {
				t.Errorf("%s", out)
			}
			if strings.Contains(said, servers.ReaderPassword) {
				t.Errorf("the password is shown:\n%s", said)
			}
			for _, name := range []string{"sqbyl.yaml", ".gitignore", "semantics/orders.yaml"} {
				if text, err := os.ReadFile(filepath.Join(dir, name)); err != nil || strings.Contains(string(text), servers.ReaderPassword) {
					t.Errorf("%s: %v\n%s", name, err, text)
				}
			}
		})
	}
}
