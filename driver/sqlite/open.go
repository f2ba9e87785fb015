package sqlite

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/driver/internal/pool"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/dialect"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
)

const connectTimeout = 10 * time.Second

// database is an opened file and its pool.
type database struct {
	path    string
	dialect *db.Dialect
	options driver.Options
	version string
	pool    *pool.Pool[*conn]
}

// Open opens a file that exists, read-only. Nothing is written to it or
// beside it.
func Open(ctx context.Context, url string, o driver.Options) (db.Database, error) {
	d, err := dialect.Lookup(dialect.SQLite)
	if err != nil {
		return nil, err
	}
	path, err := pathOf(url)
	if err != nil {
		return nil, opening(url, err)
	}
	size := o.Connections
	if size <= 0 {
		size = max(4, runtime.GOMAXPROCS(0))
	}
	wait := o.ConnectTimeout
	if wait <= 0 {
		wait = connectTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	base := &database{path: path, dialect: d, options: o, pool: pool.New(size, (*conn).close)}
	c, err := base.connect(ctx)
	if err != nil {
		return nil, opening(url, err)
	}
	base.version = c.version
	base.keep(c)
	return base, nil
}

func opening(url string, err error) error {
	var known *db.Error
	if !errors.As(err, &known) {
		return fmt.Errorf("open %s: %w", driver.Mask(url), err)
	}
	copied := *known
	copied.Message = "open " + driver.Mask(url) + ": " + known.Message
	return &copied
}

func (d *database) Dialect() *db.Dialect   { return d.dialect }
func (d *database) Grammar() guard.Grammar { return nil }

// Info has no warning: a file opened read-only by us cannot be written
// through us, whatever its permissions are.
func (d *database) Info() db.Info {
	return db.Info{Product: d.dialect.Title, Version: d.version, Location: "sqlite:" + d.path}
}

// Session waits for a free connection.
func (d *database) Session(ctx context.Context, profile db.Profile) (db.Session, error) {
	if err := d.pool.Enter(ctx); err != nil {
		return nil, err
	}
	c, err := d.take(ctx)
	if err != nil {
		d.pool.Leave()
		return nil, opening("sqlite:"+d.path, err)
	}
	if err := c.setProfile(profile); err != nil {
		c.close()
		d.pool.Leave()
		return nil, err
	}
	return &session{base: d, conn: c, profile: profile}, nil
}

// take gives an idle connection, or a new one when there is none or the file
// is another by now.
func (d *database) take(ctx context.Context) (*conn, error) {
	c, ok, err := d.pool.Take()
	if err != nil {
		return nil, refusal(db.ErrUnreachable, err.Error())
	}
	if ok {
		if c.usable(d.path) {
			return c, nil
		}
		c.close()
	}
	c, err = d.connect(ctx)
	if err != nil {
		return nil, err
	}
	if err := c.hold(); err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

// usable takes the session's lock and reports whether the connection still
// reads the newest data.
func (c *conn) usable(path string) bool {
	if c.hold() != nil {
		return false
	}
	now, err := look(path)
	return err == nil && c.opened.fresh(now)
}

// keep puts a connection back. One that shares the index of a write-ahead log
// holds a lock even while idle, which keeps other programs from tidying the
// log away when they close, so it is not kept.
func (d *database) keep(c *conn) {
	if c.broken || c.opened.shared {
		c.close()
		return
	}
	d.pool.Keep(c)
}

func (d *database) release(c *conn) {
	c.free()
	d.keep(c)
	d.pool.Leave()
}

// Close closes what is idle; a session that is still open closes its own.
func (d *database) Close() error {
	d.pool.Close()
	return nil
}
