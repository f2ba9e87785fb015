// Package dialect is the one table of SQL dialects. Nothing else spells a
// dialect's name; what a dialect knows stands in its folder, with the same
// file names in each.
package dialect

import (
	"fmt"
	"sort"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/dialect/duckdb"
	"github.com/sqbyl/sqbyl/internal/engine/dialect/mysql"
	"github.com/sqbyl/sqbyl/internal/engine/dialect/postgres"
	"github.com/sqbyl/sqbyl/internal/engine/dialect/sqlite"
)

// The canonical names.
const (
	SQLite   = "sqlite"
	DuckDB   = "duckdb"
	Postgres = "postgresql"
	MySQL    = "mysql"
	MariaDB  = "mariadb"
)

type entry struct {
	name    string
	aliases []string
	schemes []string
	make    func() db.Dialect
}

var table = []entry{
	{SQLite, []string{"lite", "sqlite3"}, []string{"sqlite", "sqlite3", "file"}, sqlite.Dialect},
	{DuckDB, []string{"duck"}, []string{"duckdb"}, duckdb.Dialect},
	{Postgres, []string{"postgres", "pg"}, []string{"postgres", "postgresql"}, postgres.Dialect},
	{MySQL, []string{"my"}, []string{"mysql"}, mysql.Dialect},
	{MariaDB, []string{"maria"}, []string{"mariadb"}, mysql.MariaDialect},
}

var dialects = build()

func build() map[string]*db.Dialect {
	m := make(map[string]*db.Dialect)
	for _, e := range table {
		d := e.make()
		d.Name, d.Aliases, d.Schemes = e.name, e.aliases, e.schemes
		m[e.name] = &d
		for _, alias := range e.aliases {
			m[alias] = &d
		}
	}
	return m
}

// Lookup finds a dialect by its name or an alias, without regard to case.
func Lookup(name string) (*db.Dialect, error) {
	if d := dialects[strings.ToLower(name)]; d != nil {
		return d, nil
	}
	return nil, fmt.Errorf("unknown dialect %q (known: %s)", name, strings.Join(Names(), ", "))
}

// ByScheme finds a dialect by the scheme of a database URL.
func ByScheme(scheme string) (*db.Dialect, bool) {
	for _, e := range table {
		for _, s := range e.schemes {
			if strings.EqualFold(s, scheme) {
				return dialects[e.name], true
			}
		}
	}
	return nil, false
}

// Names lists the canonical names.
func Names() []string {
	names := make([]string, 0, len(table))
	for _, e := range table {
		names = append(names, e.name)
	}
	sort.Strings(names)
	return names
}
