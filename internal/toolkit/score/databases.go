package score

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// Databases opens databases by their db_id, each once. The empty id is an
// empty SQLite database.
type Databases struct {
	location string
	server   *url.URL // each id is a database of it; nil for a folder
	options  driver.Options

	mu    sync.Mutex
	open  map[string]*opened
	blank string // file of the empty database
}

type opened struct {
	once     sync.Once
	database db.Database
	err      error
}

// InFolder finds databases in a folder, as ID/ID.sqlite or ID.sqlite (.db and
// .duckdb too). An empty folder name has no database but the empty one.
func InFolder(dir string, o driver.Options) *Databases {
	return &Databases{location: dir, options: o, open: make(map[string]*opened)}
}

// OnServer takes each id for a database of a server, whose URL may name any
// of them.
func OnServer(server string, o driver.Options) (*Databases, error) {
	u, err := url.Parse(server)
	if err != nil || u.Host == "" {
		// The parser's error would repeat the password.
		return nil, fmt.Errorf("databases %s: not a server's URL (postgres://host/name)", driver.Mask(server))
	}
	if _, err := driver.Dialect(server); err != nil {
		return nil, fmt.Errorf("databases %s: %w", driver.Mask(server), err)
	}
	return &Databases{location: driver.Mask(server), server: u, options: o, open: make(map[string]*opened)}, nil
}

// One takes a single database for every id.
func One(database db.Database) func(ctx context.Context, id string) (db.Database, error) {
	return func(context.Context, string) (db.Database, error) { return database, nil }
}

// At is InFolder for a folder and OnServer for a URL.
func At(location string, o driver.Options) (*Databases, error) {
	if strings.Contains(location, "://") {
		return OnServer(location, o)
	}
	if location != "" {
		info, err := os.Stat(location)
		switch {
		case err != nil:
			return nil, fmt.Errorf("databases: %w", err)
		case !info.IsDir():
			return nil, fmt.Errorf("databases: %s is not a folder", location)
		}
	}
	return InFolder(location, o), nil
}

// Open gives the database of an id. Every caller gets the same one.
func (d *Databases) Open(ctx context.Context, id string) (db.Database, error) {
	d.mu.Lock()
	o := d.open[id]
	if o == nil {
		o = new(opened)
		d.open[id] = o
	}
	d.mu.Unlock()
	o.once.Do(func() { o.database, o.err = d.connect(ctx, id) })
	return o.database, o.err
}

func (d *Databases) connect(ctx context.Context, id string) (db.Database, error) {
	where, err := d.find(id)
	if err != nil {
		return nil, err
	}
	return driver.Open(ctx, where, d.options)
}

// find is the URL or path of an id. An id is a name and never a path: it comes
// from a file somebody else wrote.
func (d *Databases) find(id string) (string, error) {
	switch {
	case id == "":
		return d.empty()
	case strings.ContainsAny(id, `/\:`) || id == "." || id == "..":
		return "", fmt.Errorf("database %q: not a plain name", id)
	case d.server != nil:
		u := *d.server
		u.Path = "/" + id
		return u.String(), nil
	case d.location == "":
		return "", fmt.Errorf("database %q: no folder or server of databases is given (--databases)", id)
	}
	for _, ext := range []string{".sqlite", ".db", ".duckdb", ".sqlite3"} {
		for _, path := range []string{filepath.Join(d.location, id, id+ext), filepath.Join(d.location, id+ext)} {
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				return path, nil
			}
		}
	}
	return "", fmt.Errorf("database %q: neither %s nor %s is there: %w", id,
		filepath.Join(d.location, id, id+".sqlite"), filepath.Join(d.location, id+".sqlite"), fs.ErrNotExist)
}

// empty makes the empty database.
func (d *Databases) empty() (string, error) {
	f, err := os.CreateTemp("", "empty-*.sqlite")
	if err != nil {
		return "", fmt.Errorf("make an empty database: %w", err)
	}
	d.mu.Lock()
	d.blank = f.Name()
	d.mu.Unlock()
	_, err = f.Write(emptySQLite())
	if err := errors.Join(err, f.Close()); err != nil {
		return "", fmt.Errorf("make an empty database: %w", err)
	}
	return "sqlite:" + f.Name(), nil
}

// emptySQLite is a database of one page without a table, after the file format
// of SQLite (https://sqlite.org/fileformat2.html).
func emptySQLite() []byte {
	const size = 512
	page := make([]byte, size)
	copy(page, "SQLite format 3\x00")
	binary.BigEndian.PutUint16(page[16:], size)
	copy(page[18:], []byte{1, 1, 0, 64, 32, 32})
	for _, at := range []int{24, 28, 56, 92} { // change counter, pages, UTF-8, the counter again
		binary.BigEndian.PutUint32(page[at:], 1)
	}
	binary.BigEndian.PutUint32(page[44:], 4) // schema format
	page[100] = 13                           // a leaf with no cells
	binary.BigEndian.PutUint16(page[105:], size)
	return page
}

// Close closes all of them.
func (d *Databases) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	var errs []error
	for _, o := range d.open {
		if o.database != nil {
			errs = append(errs, o.database.Close())
		}
	}
	if d.blank != "" {
		errs = append(errs, os.Remove(d.blank))
	}
	d.open, d.blank = make(map[string]*opened), ""
	return errors.Join(errs...)
}
