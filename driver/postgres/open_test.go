package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/sqbyl/sqbyl/driver"
	_ "github.com/sqbyl/sqbyl/driver/postgres"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
)

func open(t testing.TB, url string, o driver.Options) db.Database {
	t.Helper()
	database, err := driver.Open(t.Context(), url, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := database.Close(); err != nil {
			t.Error(err)
		}
	})
	return database
}

func begin(t testing.TB, database db.Database) db.Session {
	t.Helper()
	// A test that holds more sessions than the pool has shall fail, not wait.
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	session, err := database.Session(ctx, db.Answer)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Error(err)
		}
	})
	return session
}

// check is the guard with all its layers for a database.
func check(t testing.TB, database db.Database, sql string) (guard.Statement, error) {
	t.Helper()
	policy := database.Dialect().Policy
	policy.Grammar = database.Grammar()
	return guard.Check(t.Context(), sql, &policy)
}

func query(t testing.TB, database db.Database, sql string) (*db.Result, error) {
	t.Helper()
	statement, err := check(t, database, sql)
	if err != nil {
		return nil, err
	}
	session := begin(t, database)
	defer func() { _ = session.Close() }()
	if _, err := session.Prepare(t.Context(), statement); err != nil {
		return nil, err
	}
	return session.Query(t.Context(), statement, db.Caps{})
}
