package conformance

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
)

// Run holds one engine against the whole suite.
func Run(t *testing.T, target Target) {
	for _, part := range []struct {
		name string
		run  func(*testing.T, Target)
	}{
		{"catalog", testCatalog},
		{"names", testNames},
		{"values", testValues},
		{"parameters", testParameters},
		{"errors", testErrors},
		{"caps", testCaps},
		{"stopping", testStopping},
		{"unchecked", testUnchecked},
		{"snapshot", testSnapshot},
		{"pool", testPool},
		{"ordinary", testOrdinary},
		{"attacks", testAttacks},
	} {
		t.Run(part.name, func(t *testing.T) {
			before := goleak.IgnoreCurrent()
			// Cleanups run last to first: this one after the databases close.
			t.Cleanup(func() { ended(t, before) })
			part.run(t, target)
		})
	}
}

// ended wants everything that was started to end. A call that no interrupt
// reaches is left behind and ends by itself, later on a busy machine.
func ended(t *testing.T, before goleak.Option) {
	t.Helper()
	err := goleak.Find(before)
	for last := time.Now().Add(2 * time.Minute); err != nil && time.Now().Before(last); {
		err = goleak.Find(before)
	}
	if err != nil {
		t.Error(err)
	}
}

// bench is one instance, opened, with what the parts need of it.
type bench struct {
	testing.TB
	target   Target
	instance Instance
	database db.Database

	mu   sync.Mutex
	sent []string // what the product sent, its own statements too
}

func start(t testing.TB, target Target, o driver.Options, setup ...string) *bench {
	t.Helper()
	b := &bench{TB: t, target: target, instance: target.New(t)}
	for _, sql := range setup {
		if strings.TrimSpace(sql) != "" {
			b.instance.Exec(t, sql)
		}
	}
	if o.Log == nil {
		o.Log = func(sql string) {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.sent = append(b.sent, sql)
		}
	}
	b.database = b.instance.Open(t, o)
	t.Cleanup(func() {
		if err := b.database.Close(); err != nil {
			t.Errorf("close the database: %v", err)
		}
	})
	return b
}

func (b *bench) dialect() *db.Dialect { return b.database.Dialect() }

// policy is the dialect's, with the grammar of this build and further
// functions allowed.
func (b *bench) policy(allow ...string) *guard.Policy {
	p := b.dialect().Policy
	p.Grammar = b.database.Grammar()
	p.Allowed = allow
	return &p
}

func (b *bench) check(sql string, allow ...string) (guard.Statement, error) {
	return guard.Check(context.Background(), sql, b.policy(allow...))
}

func (b *bench) checked(sql string, allow ...string) guard.Statement {
	b.Helper()
	st, err := b.check(sql, allow...)
	if err != nil {
		b.Fatalf("the guard refuses %s: %v", sql, err)
	}
	return st
}

func (b *bench) session() db.Session {
	b.Helper()
	s, err := b.database.Session(context.Background(), db.Answer)
	if err != nil {
		b.Fatalf("session: %v", err)
	}
	return s
}

// query runs a statement in a session of its own.
func (b *bench) query(sql string, caps db.Caps, allow ...string) (*db.Result, error) {
	b.Helper()
	st := b.checked(sql, allow...)
	s := b.session()
	defer b.close(s)
	return s.Query(context.Background(), st, caps)
}

func (b *bench) rows(sql string, allow ...string) [][]db.Value {
	b.Helper()
	res, err := b.query(sql, db.Caps{}, allow...)
	if err != nil {
		b.Fatalf("%s: %v", sql, err)
	}
	return res.Rows
}

func (b *bench) close(s db.Session) {
	b.Helper()
	if err := s.Close(); err != nil {
		b.Errorf("close the session: %v", err)
	}
}

// kindOf is the kind of a database error, or says what else it is.
func kindOf(err error) string {
	var e *db.Error
	var refused *guard.Refusal
	switch {
	case err == nil:
		return "no error"
	case errors.As(err, &e):
		return e.Kind.String()
	case errors.As(err, &refused):
		return "refused by " + string(refused.Layer)
	}
	return "another error: " + err.Error()
}

// soon bounds what must end by itself; it is far above what any takes.
func soon() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), 2*time.Minute)
}
