// Package shop is the sample project: the files of this folder, embedded, and
// the database they speak of, built from a seed.
package shop

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/ncruces/go-sqlite3"

	"github.com/sqbyl/sqbyl/examples/shop/rows"
	"github.com/sqbyl/sqbyl/internal/toolkit/project"
)

// Files are the project's files, without the database.
//
//go:embed sqbyl.yaml instructions.md .env.example .gitignore semantics examples trusted benchmarks recordings
var Files embed.FS

//go:embed demo.txt
var demo string

// Recording is the path, in Files, of a model's answers to the questions of
// Demo.
const Recording = "recordings/demo.jsonl"

// Demo lists the ids of the dev questions that the demo asks.
func Demo() []string { return strings.Fields(demo) }

// Write puts the project and its database into dir, which must not exist.
func Write(ctx context.Context, dir string) error {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return fmt.Errorf("write the sample project: %w", err)
	}
	if err := os.CopyFS(dir, Files); err != nil {
		return fmt.Errorf("write the sample project: %w", err)
	}
	if err := publishSchemas(dir); err != nil {
		return fmt.Errorf("write the sample project: %w", err)
	}
	return Build(ctx, filepath.Join(dir, Database))
}

// inRepository are the JSON Schemas as the files name them here, where they
// stand beside the examples.
var inRepository = regexp.MustCompile(`# yaml-language-server: \$schema=[./]+/schema/(\w+)\.schema\.json\n`)

// publishSchemas points the files of a written project at the published
// schemas, so that editors find them anywhere.
func publishSchemas(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".yaml" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		text = inRepository.ReplaceAllFunc(text, func(line []byte) []byte {
			return []byte(project.SchemaLine(string(inRepository.FindSubmatch(line)[1])))
		})
		return os.WriteFile(path, text, 0o644)
	})
}

// Database is the name of the database's file beside sqbyl.yaml.
const Database = "shop.db"

//go:embed schema.sql
var ddl string

// Build writes the database to path, which must not exist. The bytes of the
// content are the same every time.
func Build(ctx context.Context, path string) (err error) {
	if _, statErr := os.Stat(path); statErr == nil {
		return fmt.Errorf("build the sample database: %s exists", path)
	}
	conn, err := sqlite3.OpenContext(ctx, path)
	if err != nil {
		return fmt.Errorf("build the sample database: %w", err)
	}
	defer func() {
		if closeErr := conn.Close(); err == nil {
			err = closeErr
		}
	}()
	if err := conn.Exec("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; BEGIN;" + ddl); err != nil {
		return fmt.Errorf("create the sample's tables: %w", err)
	}
	for _, table := range rows.Make() {
		if err := fill(conn, table); err != nil {
			return fmt.Errorf("fill the sample's table %s: %w", table.Name, err)
		}
	}
	return conn.Exec("COMMIT; ANALYZE")
}

func fill(conn *sqlite3.Conn, table rows.Table) (err error) {
	marks := strings.TrimSuffix(strings.Repeat("?,", len(table.Rows[0])), ",")
	stmt, _, err := conn.Prepare(fmt.Sprintf(`INSERT INTO "%s" VALUES (%s)`, table.Name, marks))
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := stmt.Close(); err == nil {
			err = closeErr
		}
	}()
	for _, row := range table.Rows {
		for i, cell := range row {
			if err := bind(stmt, i+1, cell); err != nil {
				return err
			}
		}
		if err := stmt.Exec(); err != nil {
			return err
		}
	}
	return nil
}

func bind(stmt *sqlite3.Stmt, at int, cell any) error {
	switch v := cell.(type) {
	case nil:
		return stmt.BindNull(at)
	case int64:
		return stmt.BindInt64(at, v)
	case float64:
		return stmt.BindFloat(at, v)
	case string:
		return stmt.BindText(at, v)
	}
	return fmt.Errorf("a cell of type %T", cell)
}
