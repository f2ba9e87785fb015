//go:build cgo && !no_duckdb

package duckdb

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	table "github.com/sqbyl/sqbyl/internal/engine/dialect"
	dialect "github.com/sqbyl/sqbyl/internal/engine/dialect/duckdb"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
)

const defaultConnectTimeout = 10 * time.Second

// database is a locked database and a bound on its connections.
type database struct {
	instance *instance
	dialect  *db.Dialect
	info     db.Info
	grammar  *grammar
	options  driver.Options
	slots    chan struct{}
	closed   chan struct{}
}

// Open opens a database file, read-only and locked, or a folder of CSV and
// Parquet files. Its errors are *db.Error.
func Open(ctx context.Context, url string, o driver.Options) (db.Database, error) {
	path := driver.Path(url)
	timeout := o.ConnectTimeout
	if timeout <= 0 {
		timeout = defaultConnectTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	d, err := open(ctx, path, o)
	if err != nil {
		return nil, openError(path, err)
	}
	d.info.Location = driver.Mask(url)
	return d, nil
}

func open(ctx context.Context, path string, o driver.Options) (*database, error) {
	d := &database{options: o, closed: make(chan struct{})}
	var err error
	if d.dialect, err = table.Lookup(table.DuckDB); err != nil {
		return nil, err
	}
	folder := isFolder(path)
	if folder {
		d.instance, err = openFolder(ctx, path)
	} else {
		if err = readable(path); err == nil {
			d.instance, err = openFile(ctx, path)
		}
	}
	if err != nil {
		return nil, err
	}
	connections := o.Connections
	if connections <= 0 {
		connections = max(4, runtime.NumCPU())
	}
	d.slots = make(chan struct{}, connections)
	if err := d.learn(ctx, folder); err != nil {
		d.instance.release()
		return nil, err
	}
	return d, nil
}

// learn reads the version and what the database's own views and macros do.
func (d *database) learn(ctx context.Context, folder bool) error {
	s, err := d.Session(ctx, db.Answer)
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }()
	version, err := s.Own(ctx, dialect.Version)
	if err != nil {
		return err
	}
	d.info = db.Info{Product: d.dialect.Title, Version: version.Rows[0][0].Raw(), Warnings: d.instance.trouble}
	d.grammar = &grammar{objects: map[string][]dialect.Object{}}
	if folder {
		// Its views are this product's own.
		return nil
	}
	objects, err := dialect.Objects(ctx, s)
	for _, o := range objects {
		d.grammar.add(o)
	}
	return err
}

// readable tells a missing or forbidden file apart, which the engine does
// not, and never lets it make a new one.
func readable(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return f.Close()
}

func openError(path string, err error) error {
	e := &db.Error{Kind: db.ErrUnreachable, Offset: -1, Err: err}
	var known *db.Error
	reason := err.Error()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		reason = "no such file or folder"
	case errors.Is(err, fs.ErrPermission):
		e.Kind, reason = db.ErrPermission, "permission denied"
	case errors.Is(err, context.DeadlineExceeded):
		e.Kind, reason = db.ErrTimeout, "it took too long"
	case errors.Is(err, context.Canceled):
		e.Kind = db.ErrCanceled
	case errors.As(err, &known):
		e.Kind, e.Code, reason = known.Kind, known.Code, known.Message
	}
	e.Message = fmt.Sprintf("open %s: %s", path, reason)
	switch e.Kind {
	case db.ErrLocked:
		if strings.Contains(reason, "different configuration") {
			e.Message = fmt.Sprintf("open %s: this program has the file open already, in another way (close it there, or hand that connection over)", path)
			break
		}
		e.Message += " (another program has it open for writing; close it, or open a copy)"
	case db.ErrNotADatabase:
		e.Message += " (wanted: a DuckDB file, or a folder of .csv and .parquet files)"
	}
	return e
}

func (d *database) Dialect() *db.Dialect { return d.dialect }

func (d *database) Info() db.Info { return d.info }

func (d *database) Grammar() guard.Grammar { return d.grammar }

// Session waits for a free slot. Each session has a connection of its own,
// which is dropped at its end with whatever a statement left in it.
func (d *database) Session(ctx context.Context, profile db.Profile) (db.Session, error) {
	select {
	case <-d.closed:
		return nil, &db.Error{Kind: db.ErrUnreachable, Message: "the database is closed", Offset: -1}
	case <-ctx.Done():
		return nil, sessionError(ctx, ctx.Err(), 0)
	case d.slots <- struct{}{}:
	}
	s, err := d.connect(ctx)
	if err != nil {
		<-d.slots
		return nil, sessionError(ctx, err, 0)
	}
	s.limits = profile.Caps()
	return s, nil
}

func (d *database) connect(ctx context.Context) (*session, error) {
	c, err := connect(d.instance.handle, d.options.Log)
	if err != nil {
		return nil, err
	}
	d.instance.hold()
	s := &session{database: d, conn: c}
	var first []db.Own
	if at := d.options.AsOf; !at.IsZero() {
		first = dialect.Clock(at)
	}
	for _, own := range append(first, dialect.Begin) {
		if _, err := c.own(ctx, own); err != nil {
			c.close(d.instance.release)
			return nil, err
		}
	}
	return s, nil
}

// Close lets open sessions end; the file is closed with the last of them.
func (d *database) Close() error {
	select {
	case <-d.closed:
		return nil
	default:
	}
	close(d.closed)
	d.instance.release()
	return nil
}
