package profile_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/testkit/servers"
	"github.com/sqbyl/sqbyl/internal/toolkit/profile"
	"github.com/sqbyl/sqbyl/semantic"
)

// TestALostServerEndsIt has the server go away before the profile: the error
// is the connection's, and not that of a worker that was stopped for it.
func TestALostServerEndsIt(t *testing.T) {
	s := servers.PrivatePostgres(t, servers.Options{})
	var script strings.Builder
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		script.WriteString("CREATE TABLE " + name + " (x int); INSERT INTO " + name + " VALUES (1);\n")
	}
	s.Exec(t, script.String()+"GRANT SELECT ON ALL TABLES IN SCHEMA public TO "+s.Reader+";\n")
	database, schema := open(t, s.ReaderURL, driver.Options{})
	s.Kill()
	_, err := profile.Run(context.Background(), database, schema, semantic.Model{}, profile.Options{})
	var lost *db.Error
	if !errors.As(err, &lost) || lost.Kind != db.ErrUnreachable {
		t.Errorf("%v", err)
	}
}
