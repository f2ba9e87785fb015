package sqlcheck

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/app/workbench"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/dialect"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
)

// prepareTime bounds the preparation of one text: engines that fold constants
// can be kept busy by a text that is never run.
const prepareTime = 3 * time.Second

// DialectError says that a text cannot be read the way it was asked for.
type DialectError struct{ Message, Hint string }

func (e *DialectError) Error() string { return e.Message }

// Checker holds texts against the guard and, with a database, against its live
// schema.
type Checker struct {
	policy   guard.Policy
	bench    *workbench.Workbench // nil without a database
	database db.Database
	// prepareTime is the const of this name but in tests.
	prepareTime time.Duration
}

// New opens the database at a URL, or none for "", and reads texts in a
// dialect, for "" in the database's own.
func New(ctx context.Context, host workbench.Host, url, dialectName string) (*Checker, error) {
	var want *db.Dialect
	if dialectName != "" {
		var err error
		if want, err = dialect.Lookup(dialectName); err != nil {
			return nil, &DialectError{Message: "--dialect: " + err.Error()}
		}
	}
	if url == "" {
		if want == nil {
			return nil, &DialectError{"guard needs to know how to read the SQL", "name a dialect with --dialect, or a database with --db"}
		}
		c := &Checker{policy: want.Policy}
		c.policy.Grammar = driver.Grammar(want.Name)
		return c, nil
	}
	wb, err := workbench.Open(host, workbench.Options{Database: url})
	if err != nil {
		return nil, err
	}
	c := &Checker{bench: wb, prepareTime: prepareTime}
	if err := c.connect(ctx, want); err != nil {
		return nil, errors.Join(err, wb.Close())
	}
	return c, nil
}

func (c *Checker) connect(ctx context.Context, want *db.Dialect) (err error) {
	if c.database, err = c.bench.Database(ctx); err != nil {
		return err
	}
	if have := c.database.Dialect(); want != nil && want.Name != have.Name {
		return &DialectError{Message: fmt.Sprintf("--dialect says %s, but the database is %s", want.Title, have.Title)}
	}
	c.policy, err = c.bench.Policy(ctx)
	return err
}

// Check says whether a text may run.
func (c *Checker) Check(ctx context.Context, s Section) Verdict {
	statement, err := guard.Check(ctx, s.SQL, &c.policy)
	if err == nil && c.database != nil {
		err = c.prepare(ctx, statement)
	}
	return Judged(s.Name, statement, err)
}

func (c *Checker) prepare(ctx context.Context, s guard.Statement) error {
	session, err := c.database.Session(ctx, db.Answer)
	if err != nil {
		return err
	}
	defer session.Close()
	short, cancel := context.WithTimeout(ctx, c.prepareTime)
	defer cancel()
	_, err = session.Prepare(short, s)
	if err != nil && short.Err() != nil && ctx.Err() == nil {
		return &db.Error{Kind: db.ErrTimeout, Message: fmt.Sprintf("the engine did not prepare the statement within %s", c.prepareTime), Offset: -1, Err: err}
	}
	return err
}

// Close closes the database.
func (c *Checker) Close() error {
	if c.bench == nil {
		return nil
	}
	return c.bench.Close()
}
