package postgres

import (
	"context"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/driver/internal/pool"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	own "github.com/sqbyl/sqbyl/internal/engine/dialect/postgres"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
)

type database struct {
	dialect *db.Dialect
	config  *pgconn.Config
	url     string
	options driver.Options
	info    db.Info
	grammar guard.Grammar
	pool    *pool.Pool[*pgconn.PgConn]

	mu    sync.Mutex
	types map[uint32]typeName
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

// Session takes a connection and begins its read-only transaction. A
// connection that broke while idle is replaced.
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

func (d *database) begin(ctx context.Context, profile db.Profile) (*session, error) {
	for {
		conn, fresh, err := d.take(ctx)
		if err != nil {
			return nil, err
		}
		s := &session{d: d, conn: conn, profile: profile}
		if err = s.begin(ctx); err == nil {
			return s, nil
		}
		drop(conn)
		if fresh || ctx.Err() != nil {
			return nil, err
		}
	}
}

func (d *database) take(ctx context.Context) (conn *pgconn.PgConn, fresh bool, err error) {
	conn, ok, err := d.pool.Take()
	if err != nil {
		return nil, false, connectError(d.url, err)
	}
	if ok {
		return conn, false, nil
	}
	ctx, cancel := context.WithTimeout(ctx, d.options.ConnectTimeout)
	defer cancel()
	conn, err = pgconn.ConnectConfig(ctx, d.config)
	if err != nil {
		return nil, false, connectError(d.url, err)
	}
	return conn, true, nil
}

// give takes a connection back, reset, or closes it.
func (d *database) give(conn *pgconn.PgConn) {
	defer d.pool.Leave()
	if !d.reset(conn) {
		drop(conn)
		return
	}
	d.pool.Keep(conn)
}

// reset frees what outlives the transaction.
func (d *database) reset(conn *pgconn.PgConn) bool {
	if conn.IsClosed() {
		return false
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	for _, statement := range []db.Own{own.Rollback, own.Discard} {
		d.log(statement.SQL())
		if err := execute(ctx, conn, statement); err != nil {
			return false
		}
	}
	return true
}

// drop closes a connection. One that broke while it waited for the server is
// being closed already and asks the server to stop; that is waited for, not
// long, so that a program about to end leaves no statement running.
func drop(conn *pgconn.PgConn) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	_ = conn.Close(ctx)
	select {
	case <-conn.CleanupDone():
	case <-ctx.Done():
		_ = conn.Conn().Close()
		<-conn.CleanupDone()
	}
}

func (d *database) log(sql string) {
	if d.options.Log != nil {
		d.options.Log(sql)
	}
}
