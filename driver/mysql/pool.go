package mysql

import (
	"context"
	sqldriver "database/sql/driver"
	"strings"
	"time"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/driver/internal/pool"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	own "github.com/sqbyl/sqbyl/internal/engine/dialect/mysql"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
)

type database struct {
	connector sqldriver.Connector
	dialect   *db.Dialect
	url, name string
	options   driver.Options
	info      db.Info
	grammar   guard.Grammar
	pool      *pool.Pool[*conn]
}

// conn is a connection and what it said when it was opened.
type conn struct {
	d             *database
	raw           sqldriver.Conn
	id            int64
	maria         bool
	version, user string
	lock          own.Lock
	broken        bool
}

func (d *database) Dialect() *db.Dialect   { return d.dialect }
func (d *database) Info() db.Info          { return d.info }
func (d *database) Grammar() guard.Grammar { return d.grammar }

// Close closes the idle connections; those in use are closed by their
// sessions.
func (d *database) Close() error {
	d.pool.Close()
	return nil
}

// Session takes a connection and begins its read-only snapshot.
func (d *database) Session(ctx context.Context, profile db.Profile) (db.Session, error) {
	if err := d.pool.Enter(ctx); err != nil {
		return nil, err
	}
	s, err := d.begin(ctx, profile)
	if err != nil {
		d.pool.Leave()
		return nil, err
	}
	return s, nil
}

// begin replaces a connection that broke while it was idle.
func (d *database) begin(ctx context.Context, profile db.Profile) (*session, error) {
	for {
		c, fresh, err := d.take(ctx)
		if err != nil {
			return nil, err
		}
		s := &session{d: d, conn: c, profile: profile}
		if err = s.free(ctx); err == nil {
			err = c.exec(ctx, own.Begin)
		}
		if err == nil {
			return s, nil
		}
		c.close()
		if fresh || ctx.Err() != nil {
			return nil, connectError(d.url, err)
		}
	}
}

func (d *database) take(ctx context.Context) (c *conn, fresh bool, err error) {
	c, ok, err := d.pool.Take()
	if err != nil {
		return nil, false, connectError(d.url, err)
	}
	if ok {
		return c, false, nil
	}
	c, err = d.dial(ctx)
	return c, true, err
}

func (d *database) dial(ctx context.Context) (*conn, error) {
	ctx, cancel := context.WithTimeout(ctx, d.options.ConnectTimeout)
	defer cancel()
	raw, err := d.connector.Connect(ctx)
	if err != nil {
		return nil, connectError(d.url, err)
	}
	c := &conn{d: d, raw: raw}
	ready, err := c.query(ctx, own.Ready.SQL())
	if err != nil {
		c.close()
		return nil, connectError(d.url, err)
	}
	row := ready.Rows[0]
	c.id, c.version, c.user = row[0].Int(), row[2].Raw(), row[3].Raw()
	c.maria = strings.Contains(c.version, "MariaDB")
	c.lock = own.Lock{Maria: c.maria, Modes: own.Modes(row[1].Raw()), AsOf: d.options.AsOf}
	return c, nil
}

// give takes back a connection that no model statement has touched; others
// are closed, since variables and named locks would live on.
func (d *database) give(c *conn, touched bool) {
	defer d.pool.Leave()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if !c.broken && touched {
		// A server notices that a client has gone when it gets to it.
		_ = c.exec(ctx, own.Release)
	}
	if touched || c.broken || c.exec(ctx, own.Rollback) != nil {
		c.close()
		return
	}
	d.pool.Keep(c)
}

// kill has the server stop what a connection runs: closing the socket alone
// leaves the query running.
func (d *database) kill(id int64) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	raw, err := d.connector.Connect(ctx)
	if err != nil {
		return // the server's own time limit remains
	}
	killer := &conn{d: d, raw: raw}
	defer killer.close()
	_ = killer.exec(ctx, own.Kill(id)) // it may have ended by itself
}

func (d *database) log(sql string) {
	if d.options.Log != nil {
		d.options.Log(sql)
	}
}

func (c *conn) close() {
	c.broken = true
	_ = c.raw.Close()
}

// exec runs a statement of the product's own that gives no rows.
func (c *conn) exec(ctx context.Context, statement db.Own) error {
	c.d.log(statement.SQL())
	_, err := c.raw.(sqldriver.ExecerContext).ExecContext(ctx, statement.SQL(), nil)
	return err
}
