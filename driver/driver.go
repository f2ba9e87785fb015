// Package driver opens databases by URL. Each folder below it holds one
// engine's driver and is linked by a build-tagged file of cmd/sqbyl; this
// package knows only their registry.
package driver

import (
	"context"
	"fmt"
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// Options bound an opened database.
type Options struct {
	// Connections is the size of the pool; 0 means one per CPU, at least 4.
	Connections int
	// ConnectTimeout bounds opening; 0 means 10 s.
	ConnectTimeout time.Duration
	// AsOf, when set, is the session's clock where the engine has one.
	AsOf time.Time
	// Log, when set, is told every statement that is sent, the product's own
	// too.
	Log func(sql string)
}

// OpenFunc opens one engine. The URL is whole, scheme included.
type OpenFunc func(ctx context.Context, url string, o Options) (db.Database, error)

var (
	mu      sync.RWMutex
	openers = map[string]OpenFunc{}
)

// Register makes a driver known under a dialect's canonical name. Driver
// packages call it from a func init in one file each; a second call for the
// same name panics.
func Register(dialect string, open OpenFunc) {
	mu.Lock()
	defer mu.Unlock()
	if openers[dialect] != nil {
		panic("driver: registered twice: " + dialect)
	}
	openers[dialect] = open
}

// Registered lists the dialects this build can open.
func Registered() []string {
	mu.RLock()
	defer mu.RUnlock()
	names := make([]string, 0, len(openers))
	for name := range openers {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// Lookup gives the driver of a dialect.
func Lookup(dialect string) (OpenFunc, error) {
	mu.RLock()
	defer mu.RUnlock()
	if open := openers[dialect]; open != nil {
		return open, nil
	}
	return nil, fmt.Errorf("this build has no driver for %s (it has: %s)", dialect, strings.Join(keys(openers), ", "))
}

func keys(m map[string]OpenFunc) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}
