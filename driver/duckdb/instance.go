//go:build cgo && !no_duckdb

package duckdb

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"

	duck "github.com/duckdb/duckdb-go-bindings"
	engine "github.com/duckdb/duckdb-go/v2"

	"github.com/sqbyl/sqbyl/internal/engine/db"
	dialect "github.com/sqbyl/sqbyl/internal/engine/dialect/duckdb"
)

// instance is one open database of the engine. A process opens a file once:
// the engine refuses a second time with other options, and can hang on it.
type instance struct {
	handle duck.Database
	key    string // the file's real path, "" for a database in memory
	users  int
	memory int64 // bytes that it may use, 0 for half of what it would take
	// trouble names the files of a folder that could not be read.
	trouble []db.Warning
}

var instances = struct {
	sync.Mutex
	open map[string]*instance
}{open: map[string]*instance{}}

// openFile opens a database file, or joins the instance that has it open.
func openFile(ctx context.Context, path string) (*instance, error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	if real, err = filepath.Abs(real); err != nil {
		return nil, err
	}
	instances.Lock()
	defer instances.Unlock()
	if i := instances.open[real]; i != nil {
		i.users++
		return i, nil
	}
	i := &instance{key: real, users: 1}
	if err := i.start(ctx, real, nil); err != nil {
		return nil, err
	}
	instances.open[real] = i
	return i, nil
}

// start opens, runs setup and locks, with nothing but setup's files in reach.
func (i *instance) start(ctx context.Context, path string, setup func(*conn) ([]string, error)) error {
	options := [][2]string{
		{"autoinstall_known_extensions", "false"},
		{"autoload_known_extensions", "false"},
		{"allow_unsigned_extensions", "false"},
	}
	if path != "" {
		options = append(options, [2]string{"access_mode", "READ_ONLY"})
	}
	var config duck.Config
	if duck.CreateConfig(&config) == duck.StateError {
		return &db.Error{Kind: db.ErrResource, Message: "DuckDB gave no configuration", Offset: -1}
	}
	for _, o := range options {
		if duck.SetConfig(config, o[0], o[1]) == duck.StateError {
			duck.DestroyConfig(&config)
			return &db.Error{Kind: db.ErrUnknown, Message: "DuckDB refuses the setting " + o[0], Offset: -1}
		}
	}
	if err := i.open(ctx, path, config); err != nil {
		return err
	}
	c, err := connect(i.handle, nil)
	if err == nil {
		defer c.close(nil)
		var paths []string
		if setup != nil {
			paths, err = setup(c)
		}
		if err == nil {
			err = i.lock(ctx, c, paths)
		}
	}
	if err != nil {
		duck.Close(&i.handle)
	}
	return err
}

// open takes files from the cache that all users of DuckDB in this process
// share: it refuses a file that the host of this process has open in another
// way, whose lock a second instance would break. The engine waits for a file
// that is being closed, and for ever when its last statement never ends.
func (i *instance) open(ctx context.Context, path string, config duck.Config) error {
	type opened struct {
		handle  duck.Database
		state   duck.State
		message string
	}
	result := make(chan opened, 1)
	go func() {
		var o opened
		if path == "" {
			o.state = duck.OpenExt(path, &o.handle, config, &o.message)
		} else {
			o.state = duck.GetOrCreateFromCache(engine.GetInstanceCache(), path, &o.handle, config, &o.message)
		}
		duck.DestroyConfig(&config)
		if o.state == duck.StateError {
			duck.Close(&o.handle)
		}
		result <- o
	}()
	select {
	case o := <-result:
		if o.state == duck.StateError {
			return dialect.Classify("", o.message)
		}
		i.handle = o.handle
		return nil
	case <-ctx.Done():
		go func() {
			if o := <-result; o.state != duck.StateError {
				duck.Close(&o.handle)
			}
		}()
		return ctx.Err()
	}
}

// lock gives the engine half of the memory that it would take by itself,
// which depends on what the machine or its container has, and no more than
// maxMemory.
func (i *instance) lock(ctx context.Context, c *conn, paths []string) error {
	memory := i.memory
	if memory == 0 {
		found, err := c.own(ctx, dialect.MemoryLimit)
		if err != nil {
			return err
		}
		memory = min(maxMemory, max(minMemory, bytesOf(found.Rows[0][0].Raw())/2))
	}
	for _, own := range dialect.Lock(dialect.Bounds{Memory: memory, Threads: runtime.NumCPU(), Paths: paths}) {
		if _, err := c.own(ctx, own); err != nil {
			return fmt.Errorf("lock the database (%s): %w", own.SQL(), err)
		}
	}
	return nil
}

// 50 million groups fit into maxMemory; the process may take a third more
// while the engine gives blocks back.
const (
	minMemory = 512 << 20
	maxMemory = 3 << 30
)

// bytesOf reads "18.8 GiB".
func bytesOf(text string) int64 {
	number, unit, _ := strings.Cut(text, " ")
	f, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return 0
	}
	for k, name := range []string{"bytes", "KiB", "MiB", "GiB", "TiB"} {
		if unit == name {
			return int64(f * float64(uint64(1)<<(10*k)))
		}
	}
	return 0
}

// release closes the instance when its last user is gone.
func (i *instance) release() {
	instances.Lock()
	defer instances.Unlock()
	if i.users--; i.users > 0 {
		return
	}
	if i.key != "" {
		delete(instances.open, i.key)
	}
	duck.Close(&i.handle)
}

// hold adds a user: a connection that is still busy keeps its instance open.
func (i *instance) hold() {
	instances.Lock()
	defer instances.Unlock()
	i.users++
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
