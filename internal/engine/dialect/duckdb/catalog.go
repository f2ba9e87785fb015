package duckdb

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/engine/db"
)

const defaultSchema = "main"

const tablesQuery = `
SELECT schema_name, table_name, 'table', comment, estimated_size, sql, false
FROM duckdb_tables()
WHERE database_name = current_database() AND NOT internal AND NOT temporary
UNION ALL
SELECT schema_name, view_name, 'view', comment, -1, sql,
       (SELECT path IS NULL FROM duckdb_databases() WHERE database_name = current_database())
FROM duckdb_views()
WHERE database_name = current_database() AND NOT internal AND NOT temporary
ORDER BY 1, 2`

const columnsQuery = `
SELECT schema_name, table_name, column_name, data_type, is_nullable, column_default, comment
FROM duckdb_columns()
WHERE database_name = current_database() AND NOT internal
ORDER BY schema_name, table_name, column_index`

const constraintsQuery = `
SELECT schema_name, table_name, constraint_type, constraint_column_names, expression,
       referenced_table, referenced_column_names
FROM duckdb_constraints()
WHERE database_name = current_database()
  AND constraint_type IN ('PRIMARY KEY', 'UNIQUE', 'FOREIGN KEY', 'CHECK')
ORDER BY schema_name, table_name, constraint_index`

var (
	// fileView is a view that stands for files in a database over files.
	fileView = regexp.MustCompile(`(?s)^CREATE VIEW .* AS SELECT \* FROM read_(?:csv|parquet)\(`)
	// readsFiles is a view of a database file that leaves it, and that a locked
	// engine does not run.
	readsFiles = regexp.MustCompile(`(?i)\b(?:read_\w+|\w+_scan|glob|sniff_csv|delta_scan)\s*\(|\b(?:FROM|JOIN)\s+'|\b(?:FROM|JOIN)\s+"[^"]*[./\\*][^"]*(?:csv|parquet|json|gz)"`)
)

// Catalog reads the schema with three statements.
func Catalog(ctx context.Context, s db.Session) (catalog.Schema, error) {
	schema := catalog.Schema{DefaultSchema: defaultSchema}
	tables, err := s.Own(ctx, db.OwnSQL(tablesQuery))
	if err != nil {
		return schema, fmt.Errorf("read the list of tables: %w", err)
	}
	columns, err := s.Own(ctx, db.OwnSQL(columnsQuery))
	if err != nil {
		return schema, fmt.Errorf("read the list of columns: %w", err)
	}
	constraints, err := s.Own(ctx, db.OwnSQL(constraintsQuery))
	if err != nil {
		return schema, fmt.Errorf("read the list of constraints: %w", err)
	}

	schema.Tables = make([]catalog.Table, 0, len(tables.Rows))
	byName := make(map[string]int, len(tables.Rows))
	ddl := make([]string, 0, len(tables.Rows))
	for _, row := range tables.Rows {
		if t := tableOf(row); t.Kind == catalog.View && readsFiles.MatchString(t.Definition) {
			schema.Unreadable = append(schema.Unreadable, t.Schema+"."+t.Name)
			continue
		}
		byName[key(row)] = len(schema.Tables)
		schema.Tables = append(schema.Tables, tableOf(row))
		ddl = append(ddl, row[5].Raw())
	}
	for _, row := range columns.Rows {
		if i, ok := byName[key(row)]; ok {
			schema.Tables[i].Columns = append(schema.Tables[i].Columns, columnOf(row, ddl[i]))
		}
	}
	for _, row := range constraints.Rows {
		if i, ok := byName[key(row)]; ok {
			addConstraint(&schema.Tables[i], row)
		}
	}
	return schema, nil
}

func key(row []db.Value) string { return row[0].Raw() + "\x00" + row[1].Raw() }

func tableOf(row []db.Value) catalog.Table {
	t := catalog.Table{Schema: row[0].Raw(), Name: row[1].Raw(), Kind: catalog.BaseTable, Comment: row[3].Raw(), Rows: row[4].Int()}
	if row[2].Raw() == "view" {
		t.Kind, t.Definition = catalog.View, row[5].Raw()
		if row[6].Bool() && fileView.MatchString(t.Definition) {
			t.Kind = catalog.ForeignTable
		}
	}
	return t
}

func columnOf(row []db.Value, ddl string) catalog.Column {
	c := catalog.Column{
		Name: row[2].Raw(), Type: row[3].Raw(), Nullable: row[4].Bool(), Default: row[5].Raw(), Comment: row[6].Raw(),
	}
	if labels, rest, ok := literals(strings.TrimPrefix(c.Type, "ENUM")); ok && rest == "" {
		c.Enum = labels
	}
	c.Identity = strings.HasPrefix(c.Default, "nextval(")
	// The catalog does not tell a generated column from one with a default;
	// the table's own text does.
	if c.Default != "" {
		for _, name := range []string{Ident(c.Name), Quote(c.Name)} {
			c.Generated = c.Generated || strings.Contains(ddl, name+" "+c.Type+" GENERATED ALWAYS AS(")
		}
	}
	return c
}

func addConstraint(t *catalog.Table, row []db.Value) {
	names := texts(row[3])
	switch row[2].Raw() {
	case "PRIMARY KEY":
		t.PrimaryKey = names
	case "UNIQUE":
		t.Unique = append(t.Unique, names)
	case "FOREIGN KEY":
		// References across schemas do not exist in DuckDB.
		t.ForeignKeys = append(t.ForeignKeys, catalog.ForeignKey{
			Columns: names, RefSchema: t.Schema, RefTable: row[5].Raw(), RefColumns: texts(row[6]),
		})
	case "CHECK":
		if len(names) == 1 {
			addCheck(t, names[0], row[4].Raw())
		}
	}
}

// addCheck keeps the values of a check that is a plain list:
// (status IN ('new', 'paid')).
func addCheck(t *catalog.Table, column, expression string) {
	rest := strings.TrimSuffix(strings.TrimPrefix(expression, "("), ")")
	for _, name := range []string{Ident(column), Quote(column)} {
		list, ok := strings.CutPrefix(rest, name+" IN ")
		if !ok {
			continue
		}
		if values, left, ok := literals(list); ok && left == "" {
			for i := range t.Columns {
				if t.Columns[i].Name == column {
					t.Columns[i].Checks = values
				}
			}
		}
		return
	}
}

var literal = regexp.MustCompile(`^\s*(?:'((?:[^']|'')*)'|(-?[0-9.]+))\s*([,)])`)

// literals reads ('a', 'b') or (1, 2) at the start of s.
func literals(s string) (values []string, rest string, ok bool) {
	rest, ok = strings.CutPrefix(s, "(")
	for ok {
		m := literal.FindStringSubmatch(rest)
		if m == nil {
			return nil, s, false
		}
		rest = rest[len(m[0]):]
		values = append(values, strings.ReplaceAll(m[1], "''", "'")+m[2])
		if m[3] == ")" {
			return values, rest, true
		}
	}
	return nil, s, false
}

func texts(v db.Value) []string {
	var list []string
	for _, f := range v.Fields() {
		list = append(list, f.Value.Raw())
	}
	return list
}
