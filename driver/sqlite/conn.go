package sqlite

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ncruces/go-sqlite3"

	"github.com/sqbyl/sqbyl/internal/engine/db"
	lite "github.com/sqbyl/sqbyl/internal/engine/dialect/sqlite"
)

const (
	// busyTimeout is how long a lock of another program is waited for.
	busyTimeout = 5 * time.Second
	// maxMemory bounds one connection.
	maxMemory = 256 << 20
	// grace is how long an interrupt may take to reach the engine.
	grace = 2 * time.Second
)

// limits bound what one statement may ask of the engine.
var limits = map[sqlite3.LimitCategory]int{
	sqlite3.LIMIT_LENGTH:              32 << 20,
	sqlite3.LIMIT_SQL_LENGTH:          1 << 20,
	sqlite3.LIMIT_EXPR_DEPTH:          1000,
	sqlite3.LIMIT_COMPOUND_SELECT:     500,
	sqlite3.LIMIT_VDBE_OP:             5_000_000,
	sqlite3.LIMIT_FUNCTION_ARG:        200,
	sqlite3.LIMIT_ATTACHED:            0,
	sqlite3.LIMIT_LIKE_PATTERN_LENGTH: 500,
	sqlite3.LIMIT_VARIABLE_NUMBER:     1000,
	sqlite3.LIMIT_TRIGGER_DEPTH:       1,
	sqlite3.LIMIT_WORKER_THREADS:      0,
	sqlite3.LIMIT_PARSER_DEPTH:        1000,
}

// switches turn off what a reader never needs.
var switches = map[sqlite3.DBConfig]bool{
	sqlite3.DBCONFIG_DEFENSIVE:             true,
	sqlite3.DBCONFIG_TRUSTED_SCHEMA:        false,
	sqlite3.DBCONFIG_WRITABLE_SCHEMA:       false,
	sqlite3.DBCONFIG_ENABLE_TRIGGER:        false,
	sqlite3.DBCONFIG_ENABLE_LOAD_EXTENSION: false,
	sqlite3.DBCONFIG_DQS_DDL:               false,
}

// conn is one locked native connection.
type conn struct {
	native  *sqlite3.Conn
	gate    *gate
	opened  snapshot // what the file was when it was opened
	id      string   // of its private index, "" for none
	version string
	log     func(string)
	// roomy is set while the cache has the size for scoring.
	roomy bool
	// begun is set while the session's transaction is open.
	begun bool
	// broken is set by a panic of the engine: it is closed, not used again.
	broken bool

	// jobs are done one by one by work, which tells done of each, or closes
	// the connection when whoever waited has left.
	jobs   chan func() error
	done   chan error
	left   chan struct{}
	retire sync.Once
}

// work does jobs until the connection is closed. It is one goroutine for all
// of them since the engine's calls go deep, and a stack that has grown is
// worth keeping.
func (c *conn) work() {
	for do := range c.jobs {
		err := c.safely(do)
		select {
		case c.done <- err:
		case <-c.left:
			c.close()
			return
		}
	}
}

// ids numbers private indexes.
var ids atomic.Int64

// hold takes the lock of a session on a file with a private index, whose
// connection else has none.
func (c *conn) hold() error {
	file, ok := privates.Load(c.id)
	if !ok {
		return nil
	}
	if err := file.(*private).hold(); err != nil {
		return refusal(db.ErrLocked, "the database is locked: another program is writing to it; try again when it is done")
	}
	return nil
}

func (c *conn) free() {
	if file, ok := privates.Load(c.id); ok && file.(*private).free() != nil {
		c.broken = true
	}
}

// connect opens and locks a connection. The order matters: everything that
// needs a PRAGMA comes before the authorizer.
func (d *database) connect(ctx context.Context) (*conn, error) {
	opened, err := look(d.path)
	if err != nil {
		return nil, err
	}
	c := &conn{opened: opened, log: d.options.Log, gate: newGate(&d.dialect.Policy),
		jobs: make(chan func() error), done: make(chan error), left: make(chan struct{})}
	if opened.private() {
		c.id = strconv.FormatInt(ids.Add(1), 10)
	}
	name, err := uri(d.path, c.id)
	if err != nil {
		return nil, err
	}
	err = c.safely(func() error {
		c.native, err = sqlite3.OpenContext(sqlite3.WithMaxMemory(ctx, maxMemory), name)
		if err != nil {
			return err
		}
		defer c.interruptible(ctx)()
		return c.lock(d)
	})
	if err != nil {
		c.close()
		return nil, c.explain(ctx, err, "", 0)
	}
	go c.work()
	return c, nil
}

func (c *conn) lock(d *database) error {
	if err := c.native.BusyTimeout(busyTimeout); err != nil {
		return err
	}
	for _, s := range lite.Lock() {
		c.told(s.SQL())
		if err := c.native.Exec(s.SQL()); err != nil {
			return err
		}
	}
	for op, on := range switches {
		if _, err := c.native.Config(op, on); err != nil {
			return fmt.Errorf("lock the connection: %w", err)
		}
	}
	if at := d.options.AsOf; !at.IsZero() {
		if err := c.freeze(at); err != nil {
			return err
		}
	}
	if err := replaceText(c.native); err != nil {
		return err
	}
	if err := c.native.SetAuthorizer(c.gate.authorize); err != nil {
		return err
	}
	for id, value := range limits {
		c.native.Limit(id, value)
	}
	return c.learn()
}

// learn reads the engine's version and which of its own tables' names are
// borne by tables of this database; it is the first look into the file.
func (c *conn) learn() error {
	c.gate.open(ownGate, nil)
	defer c.gate.shut()
	modules, err := c.names(lite.Modules)
	if err != nil {
		return err
	}
	for _, m := range modules {
		c.gate.modules[m] = true
	}
	list := `["` + strings.Join(append(modules, "dbstat", "json_each", "json_tree"), `","`) + `"]`
	shadowing, err := c.names(lite.Shadowing, db.TextValue(list))
	if err != nil {
		return err
	}
	for _, name := range shadowing {
		c.gate.shadowed[name] = true
	}
	versions, err := c.names(lite.Version)
	if err != nil {
		return err
	}
	c.version = versions[0]
	return nil
}

// names runs a statement of one column of text.
func (c *conn) names(s db.Own, args ...db.Value) ([]string, error) {
	res, err := c.own(s, args)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(res.Rows))
	for i, row := range res.Rows {
		names[i] = row[0].Raw()
	}
	return names, nil
}

// own runs a statement of the product's own; the gate is open for it.
func (c *conn) own(s db.Own, args []db.Value) (*db.Result, error) {
	c.told(s.SQL())
	stmt, _, err := c.native.Prepare(s.SQL())
	if err != nil {
		return nil, err
	}
	defer closeStatement(stmt, &err)
	if err = bindAll(stmt, args); err != nil {
		return nil, err
	}
	res, err := read(stmt, db.Caps{})
	return res, err
}

// setProfile decides what an unknown "x" is.
func (c *conn) setProfile(p db.Profile) error {
	return c.safely(func() error {
		_, err := c.native.Config(sqlite3.DBCONFIG_DQS_DML, p == db.Score)
		return err
	})
}

// makeRoom decides how much is sorted before a file is written: golds and
// predictions run whole, and most sorts of theirs fit in memory.
func (c *conn) makeRoom(p db.Profile) error {
	if c.roomy == (p == db.Score) {
		return nil
	}
	size := lite.Cache
	if p == db.Score {
		size = lite.RoomyCache
	}
	if err := c.native.Exec(size.SQL()); err != nil {
		return err
	}
	c.roomy = p == db.Score
	return nil
}

// freeze stops the clock of CURRENT_TIMESTAMP and its like, in views too.
func (c *conn) freeze(at time.Time) error {
	for _, name := range []string{"current_timestamp", "current_date", "current_time"} {
		literal, ok := lite.Now(name, at)
		if !ok {
			continue
		}
		text := strings.Trim(literal, "'")
		err := c.native.CreateFunction(name, 0, sqlite3.INNOCUOUS, func(ctx sqlite3.Context, _ ...sqlite3.Value) {
			ctx.ResultText(text)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// interruptible ties a statement to a context until the returned func runs.
func (c *conn) interruptible(ctx context.Context) func() {
	c.native.SetInterrupt(ctx)
	return func() { c.native.SetInterrupt(context.Background()) }
}

var errPanic = errors.New("the engine gave up")

// safely turns a panic of the engine, which is how it reports that its memory
// is used up, into an error, and marks the connection as broken.
func (c *conn) safely(do func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			c.broken = true
			err = fmt.Errorf("%w: %v", errPanic, r)
		}
	}()
	return do()
}

// close never fails and never panics. The engine reports used-up memory once
// for every statement it had, each of which ends with that report.
func (c *conn) close() {
	if c.native == nil {
		return
	}
	defer c.retire.Do(func() { close(c.jobs) })
	for range 8 {
		err := c.safely(func() error {
			for s := range c.native.Stmts() {
				return errors.Join(s.Close(), errAgain)
			}
			return c.native.Close()
		})
		if err == nil {
			return
		}
	}
}

var errAgain = errors.New("more statements")

func (c *conn) told(sql string) {
	if c.log != nil {
		c.log(sql)
	}
}

func closeStatement(stmt *sqlite3.Stmt, err *error) {
	if failed := stmt.Close(); *err == nil {
		*err = failed
	}
}
