package mysql_test

import (
	"errors"
	"testing"

	"github.com/sqbyl/sqbyl/internal/testkit/databases"

	_ "github.com/sqbyl/sqbyl/driver/mysql"
	"github.com/sqbyl/sqbyl/internal/engine/db"
)

var (
	open  = databases.Open
	begin = databases.Begin
	check = databases.Check
	query = databases.Query
)

func wantKind(t testing.TB, err error, kind db.ErrorKind) {
	t.Helper()
	var e *db.Error
	if !errors.As(err, &e) || e.Kind != kind {
		t.Errorf("%v, want %v", err, kind)
	}
}
