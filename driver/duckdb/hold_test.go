//go:build cgo && !no_duckdb

package duckdb

import (
	"database/sql"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// hold keeps a file open for writing until its input ends.
func hold(t *testing.T, path string) {
	admin, err := sql.Open("duckdb", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = admin.Close() }()
	if _, err := admin.Exec("CREATE TABLE held (x INTEGER)"); err != nil {
		t.Fatal(err)
	}
	_, _ = os.Stdout.WriteString("!")
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// listing is the names, times and contents of all files below a folder.
func listing(t testing.TB, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		b.WriteString(path + " " + info.Mode().String() + " " + info.ModTime().Format(time.RFC3339Nano))
		if info.Mode().IsRegular() {
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			b.Write(content)
		}
		b.WriteByte('\n')
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
