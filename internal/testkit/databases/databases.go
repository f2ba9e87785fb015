// Package databases opens databases, begins sessions and runs statements in
// tests, each as the product does.
package databases

import (
	"context"
	"testing"
	"time"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
)

// Open opens a database and closes it at the end of the test.
func Open(t testing.TB, url string, o driver.Options) db.Database {
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

// Begin begins a session for answers and closes it at the end of the test.
func Begin(t testing.TB, database db.Database) db.Session {
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

// Check is the guard with all its layers for a database.
func Check(t testing.TB, database db.Database, sql string) (guard.Statement, error) {
	t.Helper()
	policy := database.Dialect().Policy
	policy.Grammar = database.Grammar()
	return guard.Check(t.Context(), sql, &policy)
}

// Query runs one statement in a session of its own.
func Query(t testing.TB, database db.Database, sql string) (*db.Result, error) {
	t.Helper()
	statement, err := Check(t, database, sql)
	if err != nil {
		return nil, err
	}
	session := Begin(t, database)
	defer func() { _ = session.Close() }()
	if _, err := session.Prepare(t.Context(), statement); err != nil {
		return nil, err
	}
	return session.Query(t.Context(), statement, db.Caps{})
}
