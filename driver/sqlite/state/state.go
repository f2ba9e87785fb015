// Package state keeps sqbyl's own small databases: a writable SQLite file
// that several processes share, that survives being killed at any moment, and
// whose form only moves forward. User databases are never opened here.
package state

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/ncruces/go-sqlite3"
)

// busy is how long a statement waits for another process.
const busy = 20 * time.Second

// DB is an open state database. It is safe for concurrent use.
type DB struct {
	name string

	mu    sync.Mutex
	conn  *sqlite3.Conn
	stmts map[string]*sqlite3.Stmt
}

// Open opens the database at path, makes it when there is none, and brings it
// to the newest form: migrations[i] leads from form i to i+1. A file with a
// newer form is refused, and left as it is.
func Open(path string, migrations []string) (*DB, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	d := &DB{name: filepath.Base(path), stmts: map[string]*sqlite3.Stmt{}}
	err := d.guarded(func() (err error) {
		if d.conn, err = sqlite3.OpenFlags(path, sqlite3.OPEN_READWRITE|sqlite3.OPEN_CREATE); err != nil {
			return err
		}
		if err = d.conn.BusyTimeout(busy); err != nil {
			return err
		}
		if err = d.writeAhead(); err != nil {
			return err
		}
		return d.migrate(migrations)
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", path, err), d.Close())
	}
	return d, nil
}

// writeAhead puts the file into WAL mode, which lets others read meanwhile;
// without a sync per commit a power cut may lose the last rows, a killed
// process loses none. Where several processes change a new file's mode at
// once, SQLite answers all but one "busy" without waiting.
func (d *DB) writeAhead() error {
	for giveUp := time.Now().Add(busy); ; time.Sleep(2 * time.Millisecond) {
		err := d.conn.Exec("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON")
		if !errors.Is(err, sqlite3.BUSY) || time.Now().After(giveUp) {
			return err
		}
	}
}

func (d *DB) migrate(migrations []string) (err error) {
	form, err := d.form()
	if err != nil || form == len(migrations) {
		return err
	}
	tx, err := d.conn.BeginImmediate()
	if err != nil {
		return err
	}
	defer tx.End(&err)
	// Another process may have been faster.
	if form, err = d.form(); err != nil {
		return err
	}
	if form > len(migrations) {
		return fmt.Errorf("it was written by a newer sqbyl (form %d, this one knows %d)", form, len(migrations))
	}
	for ; form < len(migrations); form++ {
		if err = d.conn.Exec(migrations[form]); err != nil {
			return fmt.Errorf("bring it from form %d to %d: %w", form, form+1, err)
		}
	}
	return d.conn.Exec(fmt.Sprintf("PRAGMA user_version=%d", form))
}

func (d *DB) form() (n int, err error) {
	s, _, err := d.conn.Prepare("PRAGMA user_version")
	if err != nil {
		return 0, err
	}
	defer s.Close()
	if s.Step() {
		n = s.ColumnInt(0)
	}
	return n, s.Err()
}

// Exec runs one statement and gives the number of rows it changed. Arguments
// are string, int64, float64, bool or nil.
func (d *DB) Exec(ctx context.Context, sql string, args ...any) (changed int64, err error) {
	err = d.run(ctx, sql, args, func(s *sqlite3.Stmt) error {
		before := d.conn.TotalChanges()
		if err := s.Exec(); err != nil {
			return err
		}
		changed = d.conn.TotalChanges() - before
		return nil
	})
	return changed, err
}

// Row is one row of a result.
type Row interface {
	ColumnInt64(column int) int64
	ColumnFloat(column int) float64
	ColumnText(column int) string
}

// Query runs one statement and hands its rows to each until it returns an
// error.
func (d *DB) Query(ctx context.Context, sql string, args []any, each func(Row) error) error {
	return d.run(ctx, sql, args, func(s *sqlite3.Stmt) error {
		for s.Step() {
			if err := each(s); err != nil {
				return err
			}
		}
		return s.Err()
	})
}

func (d *DB) run(ctx context.Context, sql string, args []any, use func(*sqlite3.Stmt) error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.conn == nil {
		return fmt.Errorf("%s is closed", d.name)
	}
	err := d.guarded(func() error {
		old := d.conn.SetInterrupt(ctx)
		defer d.conn.SetInterrupt(old)
		s := d.stmts[sql]
		if s == nil {
			var err error
			if s, _, err = d.conn.Prepare(sql); err != nil {
				return err
			}
			d.stmts[sql] = s
		}
		defer func() { _ = s.Reset() }()
		for i, arg := range args {
			if err := bind(s, i+1, arg); err != nil {
				return err
			}
		}
		return use(s)
	})
	if err != nil {
		return fmt.Errorf("%s: %w", d.name, err)
	}
	return nil
}

func bind(s *sqlite3.Stmt, i int, arg any) error {
	switch v := arg.(type) {
	case nil:
		return s.BindNull(i)
	case string:
		return s.BindText(i, v)
	case int64:
		return s.BindInt64(i, v)
	case float64:
		return s.BindFloat(i, v)
	case bool:
		return s.BindBool(i, v)
	}
	return fmt.Errorf("argument %d is a %T", i, arg)
}

// IsFull tells whether err says that the disk (or the file's own limit) has no
// room left.
func IsFull(err error) bool { return errors.Is(err, sqlite3.FULL) }

// Close closes the database.
func (d *DB) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.conn == nil {
		return nil
	}
	err := d.guarded(func() error {
		var errs []error
		for _, s := range d.stmts {
			errs = append(errs, s.Close())
		}
		return errors.Join(append(errs, d.conn.Close())...)
	})
	d.conn = nil
	return err
}

// guarded turns the panics with which the engine answers a want of memory
// into errors.
func (d *DB) guarded(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%s: out of memory: %v", d.name, r)
		}
	}()
	return f()
}
