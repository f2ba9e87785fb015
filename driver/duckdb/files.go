//go:build cgo && !no_duckdb

package duckdb

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/db"
	dialect "github.com/sqbyl/sqbyl/internal/engine/dialect/duckdb"
)

// sniffWhole is the size up to which all rows of text files are read to find
// their types; beyond it the engine's sample decides.
const sniffWhole = 64 << 20

// formats are the file names that make a table; true stands for Parquet.
var formats = map[string]bool{".csv": false, ".tsv": false, ".parquet": true}

// openFolder opens a folder as a database: each CSV or Parquet file is a
// table, and so is each folder in it that holds files of one kind only. The
// engine is then locked to exactly these files.
func openFolder(ctx context.Context, folder string) (*instance, error) {
	root, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return nil, err
	}
	if root, err = filepath.Abs(root); err != nil {
		return nil, err
	}
	tables, err := fileTables(root)
	if err != nil {
		return nil, err
	}
	if len(tables) == 0 {
		return nil, &db.Error{Kind: db.ErrNotADatabase, Message: "the folder holds no .csv, .tsv or .parquet file", Offset: -1}
	}
	i := &instance{users: 1}
	err = i.start(ctx, "", func(c *conn) ([]string, error) { return i.createTables(ctx, c, tables) })
	if err != nil {
		return nil, err
	}
	return i, nil
}

// createTables returns the files that the tables read. One unreadable file
// costs its own table only.
func (i *instance) createTables(ctx context.Context, c *conn, tables []dialect.FileTable) ([]string, error) {
	var paths []string
	for _, t := range tables {
		_, err := c.own(ctx, dialect.CreateFileTable(t))
		var bad *db.Error
		switch {
		case errors.As(err, &bad):
			i.trouble = append(i.trouble, db.Warning{Message: "the table " + t.Name + " is missing, its files cannot be read: " + bad.Message})
		case err != nil:
			return nil, err
		default:
			paths = append(paths, t.Files...)
		}
	}
	if len(paths) == 0 {
		return nil, &db.Error{Kind: db.ErrNotADatabase, Message: i.trouble[0].Message, Offset: -1}
	}
	return paths, nil
}

// fileTables finds the tables of a folder, by name.
func fileTables(root string) ([]dialect.FileTable, error) {
	entries, err := os.ReadDir(root)
	if err != nil {
		return nil, err
	}
	var tables []dialect.FileTable
	for _, e := range entries {
		path := filepath.Join(root, e.Name())
		if strings.HasPrefix(e.Name(), ".") {
			continue
		}
		if e.IsDir() {
			if t, ok := folderTable(root, path); ok {
				tables = append(tables, t)
			}
			continue
		}
		if base, parquet, ok := format(e.Name()); ok && inside(root, path) {
			tables = append(tables, dialect.FileTable{Name: base, Files: []string{path}, Parquet: parquet, Whole: size(path) <= sniffWhole})
		}
	}
	sort.Slice(tables, func(a, b int) bool { return tables[a].Files[0] < tables[b].Files[0] })
	return distinct(tables), nil
}

// folderTable makes one table of a folder's files, when they are all of one
// kind: a data set in parts.
func folderTable(root, folder string) (dialect.FileTable, bool) {
	t := dialect.FileTable{Name: filepath.Base(folder)}
	total, uniform := int64(0), true
	err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasPrefix(e.Name(), ".") || strings.HasPrefix(e.Name(), "_") {
			return err
		}
		_, parquet, ok := format(e.Name())
		uniform = uniform && ok && (len(t.Files) == 0 || t.Parquet == parquet)
		if uniform && inside(root, path) {
			t.Files, t.Parquet = append(t.Files, path), parquet
			total += size(path)
		}
		return nil
	})
	t.Whole = total <= sniffWhole
	return t, err == nil && uniform && len(t.Files) > 0
}

// format is a file's name without what tells its format.
func format(name string) (base string, parquet, ok bool) {
	base = name
	for _, packed := range []string{".gz", ".zst"} {
		base = strings.TrimSuffix(base, packed)
	}
	ext := filepath.Ext(base)
	parquet, ok = formats[strings.ToLower(ext)]
	return strings.TrimSuffix(base, ext), parquet, ok
}

// inside follows links: a file that lies outside the folder is not part of
// it.
func inside(root, path string) bool {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return false
	}
	rel, err := filepath.Rel(root, real)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// distinct names apart what would be one table: sales.csv and sales.parquet
// are sales_csv and sales_parquet.
func distinct(tables []dialect.FileTable) []dialect.FileTable {
	count := map[string]int{}
	for _, t := range tables {
		count[strings.ToLower(t.Name)]++
	}
	for i, t := range tables {
		if count[strings.ToLower(t.Name)] > 1 {
			tables[i].Name = strings.NewReplacer(".", "_").Replace(filepath.Base(t.Files[0]))
		}
	}
	return tables
}

func size(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}
