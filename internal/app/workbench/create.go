package workbench

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/dialect"
	"github.com/sqbyl/sqbyl/internal/engine/values"
	"github.com/sqbyl/sqbyl/internal/toolkit/introspect"
	"github.com/sqbyl/sqbyl/internal/toolkit/profile"
	"github.com/sqbyl/sqbyl/internal/toolkit/project"
	"github.com/sqbyl/sqbyl/semantic"
)

// urlVariable holds the database's URL of a project.
const urlVariable = "DATABASE_URL"

// DatabaseVariable is the URL in the environment, "" when it is not set.
func (h Host) DatabaseVariable() string {
	v, _ := h.Env(urlVariable)
	return v
}

// Place finds the folder for a new project about the database at url: name,
// or else what the database is called. A folder that holds anything is
// refused.
func (h Host) Place(url, name string) (string, error) {
	if name == "" {
		name = databaseName(url)
	}
	dir, err := filepath.Abs(filepath.Join(h.Dir, name))
	if filepath.IsAbs(name) {
		dir, err = filepath.Clean(name), nil
	}
	if err != nil {
		return "", fmt.Errorf("find a place for the project: %w", err)
	}
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return dir, nil
	case err != nil:
		return "", &PlaceError{dir, "it is no folder"}
	case len(entries) > 0:
		return "", &PlaceError{dir, "it is not empty"}
	}
	return dir, nil
}

// PlaceError refuses a place for a new project.
type PlaceError struct{ Dir, Why string }

func (e *PlaceError) Error() string {
	return fmt.Sprintf("no project is made in %s: %s", e.Dir, e.Why)
}

// databaseName makes a folder's name of what a URL calls its database.
func databaseName(url string) string {
	name, _, _ := strings.Cut(driver.Path(driver.Mask(url)), "?")
	if isServer(url) {
		_, name, _ = strings.Cut(strings.TrimPrefix(name, "//"), "/")
	} else {
		name = strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
	}
	name = strings.Trim(strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>| `, r) || r < ' ' {
			return '-'
		}
		return r
	}, name), ".-")
	if name == "" {
		return "project"
	}
	return name
}

func isServer(url string) bool {
	d, err := driver.Dialect(url)
	return err == nil && d.Name != dialect.SQLite && d.Name != dialect.DuckDB
}

// portable is a URL that means the same from another folder.
func portable(url string) (string, error) {
	d, err := driver.Dialect(url)
	if err != nil || isServer(url) {
		return url, err
	}
	path, query, asked := strings.Cut(driver.Path(url), "?")
	if path == "" || strings.HasPrefix(path, ":") {
		return url, nil
	}
	full, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("find %s: %w", path, err)
	}
	if asked {
		full += "?" + query
	}
	return d.Schemes[0] + ":" + full, nil
}

// New is a project to be made.
type New struct {
	Dir    string
	Tables []semantic.Table
	Values []values.Entry
}

// Create makes a project about the workbench's database, whole or not at all,
// and gives the variable that holds the URL: one of its own where the usual
// one means another database.
func (w *Workbench) Create(ctx context.Context, n New) (variable string, err error) {
	database, err := w.Database(ctx)
	if err != nil {
		return "", err
	}
	url, err := portable(w.options.Database)
	if err != nil {
		return "", err
	}
	variable = urlVariable
	if set := w.host.DatabaseVariable(); set != "" && set != w.options.Database && set != url {
		variable = variableName(filepath.Base(n.Dir)) + "_" + urlVariable
	}
	m := project.NewManifest()
	m.Name, m.Database.URL, m.Database.Dialect = filepath.Base(n.Dir), "env:"+variable, database.Dialect().Name

	parent := filepath.Dir(n.Dir)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return "", fmt.Errorf("make the project: %w", err)
	}
	draft, err := os.MkdirTemp(parent, ".sqbyl-init-*")
	if err != nil {
		return "", fmt.Errorf("make the project: %w", err)
	}
	defer func() { _ = os.RemoveAll(draft) }() // gone already when all went well
	if err := fill(draft, m, variable, url, n); err != nil {
		return "", err
	}
	if err := errors.Join(os.Chmod(draft, 0o755), move(draft, n.Dir)); err != nil {
		return "", fmt.Errorf("make the project: %w", err)
	}
	return variable, nil
}

// move puts a folder in the place of one that is missing or empty. An empty
// one stays itself: it may be the folder somebody is in.
func move(from, to string) error {
	entries, err := os.ReadDir(to)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return os.Rename(from, to)
	case err != nil:
		return err
	case len(entries) > 0:
		return &PlaceError{to, "it is not empty"}
	}
	if entries, err = os.ReadDir(from); err != nil {
		return err
	}
	for _, e := range entries {
		if err := os.Rename(filepath.Join(from, e.Name()), filepath.Join(to, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

func fill(dir string, m project.Manifest, variable, url string, n New) error {
	if err := project.Create(dir, m); err != nil {
		return err
	}
	if err := project.CreateEnv(dir, variable, url); err != nil {
		return err
	}
	for _, t := range n.Tables {
		if _, err := project.CreateTable(dir, t); err != nil {
			return err
		}
	}
	if err := introspect.Remember(n.Tables).Save(dir); err != nil {
		return err
	}
	return profile.SaveValues(dir, n.Values)
}

// variableName spells a name as variables of the environment are.
func variableName(name string) string {
	word := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			return r
		}
		return '_'
	}, name)
	if word[0] >= '0' && word[0] <= '9' {
		return "_" + word
	}
	return word
}
