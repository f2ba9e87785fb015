package sqlite_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/driver/sqlite"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/testkit/conformance"
)

// TestTheEngineAloneStopsEveryAttack sends the hostile statements past the
// guard: authorizer, limits and the read-only file must hold by themselves.
func TestTheEngineAloneStopsEveryAttack(t *testing.T) {
	cases := map[string]string{}
	for name, sql := range attacks {
		cases[name] = sql
	}
	for _, c := range conformance.Cases(t, "sqlite.sql") {
		cases[c.Name] = c.SQL
	}
	for _, journal := range []string{"DELETE", "WAL"} {
		made := instance(t, journal)
		made.Exec(t, target(journal).AttackSetup)
		d := made.Open(t, driver.Options{})
		folder := t.TempDir()
		before := made.State(t)
		for name, sql := range cases {
			if name == "nul byte" {
				continue // cut off at the zero byte, it is SELECT 1
			}
			sql = strings.NewReplacer("@DIR@", folder, "/tmp/sqbyl-attack", folder).Replace(sql)
			s := session(t, d, db.Score)
			ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
			err := sqlite.Unguarded(ctx, s, sql)
			cancel()
			if err == nil && !harmless[name] {
				t.Errorf("%s ran: %.200s", name, sql)
			}
			_ = s.Close()
			if after := made.State(t); after != before {
				t.Fatalf("%s changed the file or its folder:\n%s\n%s", name, before, after)
			}
		}
		if left, err := filepath.Glob(filepath.Join(folder, "*")); err != nil || len(left) > 0 {
			t.Errorf("files appeared: %v, %v", left, err)
		}
	}
}

// harmless statements may run: they read nothing hidden and end by their
// caps.
var harmless = map[string]bool{
	"S36 like_dos": true, "trim bomb": true, "instr bomb": true, "replace bomb": true, "like bomb": true, "glob bomb": true, "regexp bomb": true, "row bomb": true,
	"open comment": true, "many unions": true, "long or": true, "deep not": true, "deep brackets": true, "deep subqueries": true,
}
