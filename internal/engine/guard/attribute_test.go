package guard_test

import (
	"strings"
	"testing"

	"github.com/sqbyl/sqbyl/internal/engine/dialect"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
	"github.com/sqbyl/sqbyl/internal/testkit/servers"
)

// TestNoFunctionOfTheServerIsAnAttribute asks a server for what x.f may call:
// every function that one argument is enough for. Those that only the list of
// functions allows may be written so; what returns text for the wire is
// harmless.
func TestNoFunctionOfTheServerIsAnAttribute(t *testing.T) {
	p := policy(t, dialect.Postgres)
	p.Grammar = nil
	names := strings.Fields(servers.Postgres(t).Query(t, `SELECT DISTINCT proname FROM pg_proc
WHERE pronamespace = 'pg_catalog'::regnamespace AND prokind <> 'p' AND pronargs > 0 AND pronargs - pronargdefaults <= 1
  AND proargtypes[0] NOT IN ('internal'::regtype, 'cstring'::regtype)
  AND prorettype NOT IN ('trigger'::regtype, 'event_trigger'::regtype, 'cstring'::regtype)`))
	if len(names) < 500 {
		t.Fatalf("the server has only %d functions of one argument", len(names))
	}
	for _, name := range names {
		_, err := guard.Check(t.Context(), "SELECT (x)."+name+" FROM t AS x", p)
		if allowed := p.Functions[name]; (err == nil) != allowed {
			t.Errorf("(x).%s: %v, though on the list is %v", name, err, allowed)
		}
	}
}
