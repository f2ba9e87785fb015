package duckdb

import (
	"context"
	"fmt"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// Object is a view or macro that the owner of a database made: what it does
// when a statement names it is in its body.
type Object struct {
	Schema, Name string
	// Body is a query, or of a scalar macro an expression.
	Body string
	// Macro is set for macros, Scalar for those that stand in expressions.
	Macro, Scalar bool
}

// A connection's own temporary macros are the product's clock, not objects of
// the database.
const objectsQuery = `
SELECT schema_name, view_name, sql, 'view' FROM duckdb_views()
WHERE database_name = current_database() AND NOT internal
UNION ALL
SELECT schema_name, function_name, macro_definition, function_type FROM duckdb_functions()
WHERE database_name = current_database() AND NOT internal AND function_type IN ('macro', 'table_macro')`

// Objects lists the views and macros of a database.
func Objects(ctx context.Context, s db.Session) ([]Object, error) {
	found, err := s.Own(ctx, db.OwnSQL(objectsQuery))
	if err != nil {
		return nil, fmt.Errorf("read the bodies of views and macros: %w", err)
	}
	objects := make([]Object, 0, len(found.Rows))
	for _, row := range found.Rows {
		o := Object{Schema: row[0].Raw(), Name: row[1].Raw(), Body: row[2].Raw()}
		switch row[3].Raw() {
		case "view":
			o.Body = viewBody(o.Body)
		case "macro":
			o.Macro, o.Scalar = true, true
		default:
			o.Macro = true
		}
		objects = append(objects, o)
	}
	return objects, nil
}

// viewBody cuts "CREATE VIEW name (a, b) AS " off; what it cannot read stays
// whole, and no grammar then takes it for a query.
func viewBody(ddl string) string {
	depth, quoted := 0, false
	for i := 0; i < len(ddl); i++ {
		switch c := ddl[i]; {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '(':
			depth++
		case c == ')':
			depth--
		case depth == 0 && strings.HasPrefix(ddl[i:], " AS "):
			return strings.TrimRight(ddl[i+4:], "; \n")
		}
	}
	return ddl
}

// FileTable is a table of a database over files.
type FileTable struct {
	Name  string
	Files []string // absolute
	// Parquet files, or text with separators.
	Parquet bool
	// Whole reads every row before it decides on a text file's types.
	Whole bool
}

// CreateFileTable makes the view that stands for a table's files.
func CreateFileTable(t FileTable) db.Own {
	read := "read_csv(" + textList(t.Files)
	switch {
	case t.Parquet:
		read = "read_parquet(" + textList(t.Files)
	case t.Whole:
		read += ", sample_size = -1"
	}
	if len(t.Files) > 1 {
		read += ", union_by_name = true, hive_partitioning = true"
	}
	return db.OwnSQL("CREATE VIEW " + Quote(t.Name) + " AS SELECT * FROM " + read + ")")
}
