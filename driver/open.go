package driver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/dialect"
)

// Open opens a database by URL (sqlite:path, duckdb:path, postgres://…,
// mysql://…, mariadb://…) or by the path of a SQLite or DuckDB file. Its
// errors are *db.Error and never hold the password.
func Open(ctx context.Context, url string, o Options) (db.Database, error) {
	d, whole, err := resolve(url)
	if err != nil {
		return nil, err
	}
	open, err := Lookup(d.Name)
	if err != nil {
		return nil, &db.Error{Kind: db.ErrUnreachable, Message: "open " + Mask(url) + ": " + err.Error(), Offset: -1, Err: err}
	}
	database, err := open(ctx, whole, o)
	if err != nil {
		return nil, scrubbed(err, whole)
	}
	return database, nil
}

// Dialect tells which dialect a URL or path speaks; a path is opened to read
// its first bytes.
func Dialect(url string) (*db.Dialect, error) {
	d, _, err := resolve(url)
	return d, err
}

// Path is the part of a URL behind its scheme, for engines whose databases
// are files: sqlite:shop.db, sqlite://shop.db, sqlite:///srv/shop.db. The
// form sqlite:///shop.db of other tools means a relative path; it is read so
// when only that file exists.
func Path(url string) string {
	_, path, ok := splitScheme(url)
	if !ok {
		return url
	}
	path = strings.TrimPrefix(path, "//")
	if relative, ok := strings.CutPrefix(path, "/"); ok && relative != "" && !exists(path) && exists(relative) {
		return relative
	}
	return path
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func resolve(url string) (*db.Dialect, string, error) {
	if strings.TrimSpace(url) == "" {
		return nil, "", &db.Error{Kind: db.ErrUnreachable, Message: "open a database: the URL is empty; write sqlite:path, duckdb:path, postgres://…, mysql://… or mariadb://…", Offset: -1}
	}
	if scheme, _, ok := splitScheme(url); ok {
		if d, ok := dialect.ByScheme(scheme); ok {
			return d, url, nil
		}
		if _, err := os.Stat(url); err != nil {
			return nil, "", &db.Error{Kind: db.ErrUnreachable, Offset: -1,
				Message: fmt.Sprintf("open %s: unknown scheme %q (known: sqlite:path, duckdb:path, postgres://…, mysql://…, mariadb://…)", Mask(url), scheme)}
		}
	}
	name, err := sniff(url)
	if err != nil {
		return nil, "", err
	}
	d, err := dialect.Lookup(name)
	if err != nil {
		return nil, "", err
	}
	return d, d.Schemes[0] + ":" + url, nil
}

// splitScheme takes no drive letter for a scheme.
func splitScheme(url string) (scheme, rest string, ok bool) {
	scheme, rest, ok = strings.Cut(url, ":")
	if !ok || len(scheme) < 2 || strings.ContainsAny(scheme, `/\ ?=@`) {
		return "", url, false
	}
	return scheme, rest, true
}

// sniff tells a SQLite file from a DuckDB one by its header.
func sniff(path string) (string, error) {
	refuse := func(kind db.ErrorKind, err error, format string, args ...any) (string, error) {
		return "", &db.Error{Kind: kind, Message: "open " + Mask(path) + ": " + fmt.Sprintf(format, args...), Offset: -1, Err: err}
	}
	// Looked at before it is opened: opening a pipe would wait for a writer.
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return refuse(db.ErrUnreachable, err, "no such file")
	case err != nil:
		return refuse(db.ErrUnreachable, err, "%v", err)
	case info.IsDir():
		return refuse(db.ErrNotADatabase, nil, "is a folder; duckdb:%s opens its CSV and Parquet files", path)
	case !info.Mode().IsRegular():
		return refuse(db.ErrNotADatabase, nil, "is not a regular file")
	}
	f, err := os.Open(filepath.Clean(path))
	switch {
	case errors.Is(err, fs.ErrPermission):
		return refuse(db.ErrPermission, err, "permission denied")
	case err != nil:
		return refuse(db.ErrUnreachable, err, "%v", err)
	}
	defer func() { _ = f.Close() }()
	head := make([]byte, 16)
	n, err := io.ReadFull(f, head)
	switch {
	case n == 0:
		return refuse(db.ErrNotADatabase, err, "the file is empty")
	case bytes.Equal(head, []byte("SQLite format 3\x00")):
		return dialect.SQLite, nil
	case n >= 12 && string(head[8:12]) == "DUCK":
		return dialect.DuckDB, nil
	}
	return refuse(db.ErrNotADatabase, nil, "neither a SQLite nor a DuckDB database (an encrypted one cannot be opened)")
}

// scrubbed hides the password in whatever text a driver's error carries.
func scrubbed(err error, url string) error {
	copied := db.Error{Kind: db.ErrUnreachable, Message: err.Error(), Offset: -1}
	var known *db.Error
	if errors.As(err, &known) {
		copied = *known
	}
	copied.Message, copied.Err = Scrub(copied.Message, url), nil
	for _, cause := range []error{context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, cause) {
			copied.Err = cause
		}
	}
	return &copied
}
