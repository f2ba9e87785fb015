package sqlite

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/ncruces/go-sqlite3"

	"github.com/sqbyl/sqbyl/internal/engine/db"
)

const storeBusy = 10 * time.Second

// Store is a state file of the product's own, never a user's database. It is
// safe for many goroutines and processes, and for a process that is killed:
// what Exec or Tx has returned from is there afterwards.
type Store struct {
	mu     sync.Mutex
	native *sqlite3.Conn
	path   string
}

// OpenStore opens or makes a state file and brings it up to date: migration n
// is the SQL that leads from version n to n+1, each run once and whole.
// Migrations are only ever added at the end.
func OpenStore(path string, migrations ...string) (*Store, error) {
	s := &Store{path: path}
	if err := s.open(migrations); err != nil {
		return nil, fmt.Errorf("open %s: %w", path, errors.Join(err, s.Close()))
	}
	return s, nil
}

func (s *Store) open(migrations []string) error {
	if err := os.MkdirAll(filepath.Dir(s.path), 0o755); err != nil {
		return err
	}
	whole, err := filepath.Abs(s.path)
	if err != nil {
		return err
	}
	whole = filepath.ToSlash(whole)
	if !strings.HasPrefix(whole, "/") {
		whole = "/" + whole
	}
	name := (&url.URL{Scheme: "file", Path: whole}).String()
	if err := recovered(func() (err error) { s.native, err = sqlite3.Open(name); return err }); err != nil {
		return err
	}
	if err := s.native.BusyTimeout(storeBusy); err != nil {
		return err
	}
	for _, pragma := range []string{"journal_mode = WAL", "synchronous = NORMAL", "foreign_keys = ON"} {
		if err := s.native.Exec("PRAGMA " + pragma); err != nil {
			return err
		}
	}
	return s.migrate(migrations)
}

func (s *Store) migrate(migrations []string) error {
	return s.Tx(context.Background(), func(tx *Tx) error {
		rows, err := tx.Query("SELECT user_version FROM pragma_user_version")
		if err != nil {
			return err
		}
		version := rows[0][0].Int()
		if version > int64(len(migrations)) {
			return fmt.Errorf("the file is of version %d, this program knows %d: a newer sqbyl wrote it; update sqbyl, or move the file away", version, len(migrations))
		}
		for _, script := range migrations[version:] {
			if err := tx.Script(script); err != nil {
				return fmt.Errorf("migrate from version %d: %w", version, err)
			}
			version++
		}
		return tx.Script("PRAGMA user_version = " + strconv.FormatInt(version, 10))
	})
}

// Exec runs one statement.
func (s *Store) Exec(ctx context.Context, sql string, args ...any) error {
	_, err := s.Query(ctx, sql, args...)
	return err
}

// Query runs one statement and reads all its rows. Arguments are nil, bool,
// int, int64, float64, string, []byte, time.Time (stored as UTC text) or
// db.Value.
func (s *Store) Query(ctx context.Context, sql string, args ...any) ([][]db.Value, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.query(ctx, sql, args)
}

// Tx runs do in one transaction, which is kept when do returns nil and undone
// otherwise. Inside do only the Tx may be used.
func (s *Store) Tx(ctx context.Context, do func(*Tx) error) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := s.query(ctx, "BEGIN IMMEDIATE", nil); err != nil {
		return err
	}
	done := false
	defer func() {
		if !done {
			_, undo := s.query(context.Background(), "ROLLBACK", nil)
			err = errors.Join(err, undo)
		}
	}()
	if err := do(&Tx{s, ctx}); err != nil {
		return err
	}
	if _, err := s.query(ctx, "COMMIT", nil); err != nil {
		return err
	}
	done = true
	return nil
}

// Tx is a transaction of a Store.
type Tx struct {
	store *Store
	ctx   context.Context
}

// Exec is Store.Exec inside the transaction.
func (t *Tx) Exec(sql string, args ...any) error {
	_, err := t.Query(sql, args...)
	return err
}

// Query is Store.Query inside the transaction.
func (t *Tx) Query(sql string, args ...any) ([][]db.Value, error) {
	return t.store.query(t.ctx, sql, args)
}

// Script runs any number of statements without arguments.
func (t *Tx) Script(sql string) error {
	return recovered(func() error { return t.store.native.Exec(sql) })
}

func (s *Store) query(ctx context.Context, sql string, args []any) (rows [][]db.Value, err error) {
	if s.native == nil {
		return nil, errors.New("the store was closed")
	}
	err = recovered(func() (err error) {
		s.native.SetInterrupt(ctx)
		defer s.native.SetInterrupt(context.Background())
		stmt, tail, err := s.native.Prepare(sql)
		if err != nil {
			return err
		}
		defer closeStatement(stmt, &err)
		if stmt == nil || strings.TrimSpace(tail) != "" {
			return fmt.Errorf("one statement is wanted: %s", sql)
		}
		for i, arg := range args {
			value, err := valueOf(arg)
			if err != nil {
				return err
			}
			if err := bind(stmt, i+1, value); err != nil {
				return err
			}
		}
		res, err := read(stmt, db.Caps{})
		if err != nil {
			return err
		}
		rows = res.Rows
		return nil
	})
	if err != nil && ctx.Err() != nil {
		err = errors.Join(ctx.Err(), err)
	}
	return rows, err
}

func valueOf(arg any) (db.Value, error) {
	switch v := arg.(type) {
	case nil:
		return db.Value{}, nil
	case db.Value:
		return v, nil
	case bool:
		return db.BoolValue(v), nil
	case int:
		return db.IntValue(int64(v)), nil
	case int64:
		return db.IntValue(v), nil
	case float64:
		return db.FloatValue(v), nil
	case string:
		return db.TextValue(v), nil
	case []byte:
		return db.BlobValue(v), nil
	case time.Time:
		return db.TextValue(v.UTC().Format("2006-01-02T15:04:05.000000Z")), nil
	}
	return db.Value{}, fmt.Errorf("an argument of type %T cannot be stored", arg)
}

// Close moves the log into the file when no other process has it open.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.native == nil {
		return nil
	}
	native := s.native
	s.native = nil
	return recovered(native.Close)
}

// recovered turns a panic of the engine, out of memory, into an error.
func recovered(do func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: %v", errPanic, r)
		}
	}()
	return do()
}
