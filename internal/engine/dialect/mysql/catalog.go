package mysql

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// userSchemas are the connected database, or without one every database that
// is not the engine's own.
const userSchemas = "(%[1]s = DATABASE() OR DATABASE() IS NULL AND %[1]s NOT IN ('mysql', 'information_schema', 'performance_schema', 'sys'))"

func where(column string) string { return fmt.Sprintf(userSchemas, column) }

var (
	tablesQuery = db.OwnSQL(`SELECT COALESCE(DATABASE(), ''), t.table_schema, t.table_name, t.table_type, t.table_comment, t.table_rows, v.view_definition
FROM information_schema.tables t LEFT JOIN information_schema.views v ON v.table_schema = t.table_schema AND v.table_name = t.table_name
WHERE t.table_type IN ('BASE TABLE', 'VIEW', 'SYSTEM VERSIONED') AND ` + where("t.table_schema") + ` ORDER BY 2, 3`)
	columnsQuery = db.OwnSQL(`SELECT table_schema, table_name, column_name, column_type, is_nullable, column_default, extra, column_comment, data_type
FROM information_schema.columns WHERE ` + where("table_schema") + ` ORDER BY table_schema, table_name, ordinal_position`)
	keysQuery = db.OwnSQL(`SELECT table_schema, table_name, IF(index_name = 'PRIMARY', 'p', 'u'), index_name, column_name, NULL, NULL, NULL, seq_in_index
FROM information_schema.statistics WHERE non_unique = 0 AND ` + where("table_schema") + `
UNION ALL SELECT table_schema, table_name, 'f', constraint_name, column_name, referenced_table_schema, referenced_table_name, referenced_column_name, ordinal_position
FROM information_schema.key_column_usage WHERE referenced_table_name IS NOT NULL AND ` + where("table_schema") + `
ORDER BY 1, 2, 3, 4, 9`)
	checksQuery = db.OwnSQL(`SELECT k.constraint_schema, k.constraint_name, k.check_clause, t.table_name FROM information_schema.check_constraints k
JOIN information_schema.table_constraints t ON t.constraint_schema = k.constraint_schema AND t.constraint_name = k.constraint_name AND t.constraint_type = 'CHECK'
WHERE ` + where("k.constraint_schema"))
)

// Catalog reads the schema with four statements. Of what the user may not read
// these engines show nothing; a view on what is gone has no columns.
func Catalog(ctx context.Context, s db.Session) (catalog.Schema, error) {
	var schema catalog.Schema
	tables, err := s.Own(ctx, tablesQuery)
	if err != nil {
		return schema, fmt.Errorf("read the tables: %w", err)
	}
	columns, err := s.Own(ctx, columnsQuery)
	if err != nil {
		return schema, fmt.Errorf("read the columns: %w", err)
	}
	keys, err := s.Own(ctx, keysQuery)
	if err != nil {
		return schema, fmt.Errorf("read the keys: %w", err)
	}
	checks, err := s.Own(ctx, checksQuery)
	if err != nil {
		return schema, fmt.Errorf("read the checks: %w", err)
	}
	byName := map[[2]string]*catalog.Table{}
	schema.Tables = make([]catalog.Table, 0, len(tables.Rows))
	for _, row := range tables.Rows {
		schema.DefaultSchema = text(row[0])
		schema.Tables = append(schema.Tables, table(row))
	}
	for i := range schema.Tables {
		t := &schema.Tables[i]
		byName[[2]string{t.Schema, t.Name}] = t
	}
	find := func(row []db.Value, name int) *catalog.Table { return byName[[2]string{text(row[0]), text(row[name])}] }
	for _, row := range columns.Rows {
		if t := find(row, 1); t != nil {
			t.Columns = append(t.Columns, column(row))
		}
	}
	last := ""
	for _, row := range keys.Rows {
		key := strings.Join([]string{text(row[0]), text(row[1]), text(row[2]), text(row[3])}, "\x00")
		if t := find(row, 1); t != nil {
			addKey(t, row, key != last)
		}
		last = key
	}
	for _, row := range checks.Rows {
		if t := find(row, 3); t != nil {
			addCheck(t, text(row[2]))
		}
	}
	schema.Tables = slices.DeleteFunc(schema.Tables, func(t catalog.Table) bool {
		if len(t.Columns) > 0 {
			return false
		}
		name := t.Name
		if t.Schema != schema.DefaultSchema {
			name = t.Schema + "." + name
		}
		schema.Unreadable = append(schema.Unreadable, name)
		return true
	})
	return schema, nil
}

func table(row []db.Value) catalog.Table {
	t := catalog.Table{Schema: text(row[1]), Name: text(row[2]), Kind: catalog.BaseTable, Comment: text(row[4]), Rows: -1, Definition: text(row[6])}
	if text(row[3]) == "VIEW" {
		t.Kind, t.Comment = catalog.View, ""
	} else if row[5].Kind() == db.Int {
		t.Rows = row[5].Int()
	}
	return t
}

func column(row []db.Value) catalog.Column {
	extra := strings.ToUpper(text(row[6]))
	c := catalog.Column{
		Name: text(row[2]), Type: text(row[3]), Nullable: text(row[4]) == "YES", Comment: text(row[7]),
		Identity:  strings.Contains(extra, "AUTO_INCREMENT"),
		Generated: strings.Contains(extra, "STORED GENERATED") || strings.Contains(extra, "VIRTUAL GENERATED"),
	}
	// MariaDB spells a missing default NULL.
	if d := text(row[5]); d != "NULL" {
		c.Default = d
	}
	if kind := strings.ToLower(text(row[8])); kind == "enum" || kind == "set" {
		c.Enum = labels(c.Type)
	}
	return c
}

// addKey adds one column to a key; first says that the key begins with it.
func addKey(t *catalog.Table, row []db.Value, first bool) {
	name := text(row[4])
	switch text(row[2]) {
	case "p":
		t.PrimaryKey = append(t.PrimaryKey, name)
	case "u":
		if first {
			t.Unique = append(t.Unique, nil)
		}
		last := &t.Unique[len(t.Unique)-1]
		*last = append(*last, name)
	case "f":
		if first {
			t.ForeignKeys = append(t.ForeignKeys, catalog.ForeignKey{RefSchema: text(row[5]), RefTable: text(row[6])})
		}
		last := &t.ForeignKeys[len(t.ForeignKeys)-1]
		last.Columns = append(last.Columns, name)
		last.RefColumns = append(last.RefColumns, text(row[7]))
	}
}

var (
	checkIn = regexp.MustCompile("(?i)^\\(*`([^`]+)`\\)* in \\((.*?)\\)+$")
	quoted  = regexp.MustCompile(`^(?:_\w+ ?)?\\?'((?:[^'\\]|''|\\.)*?)\\?'(?:,\s*|$)|^(-?[0-9.]+)(?:,\s*|$)`)
)

func addCheck(t *catalog.Table, clause string) {
	m := checkIn.FindStringSubmatch(clause)
	if m == nil {
		return
	}
	values := list(m[2])
	for i := range t.Columns {
		if t.Columns[i].Name == m[1] {
			t.Columns[i].Checks = values
		}
	}
}

// labels are the values of enum('a','b').
func labels(typ string) []string {
	_, rest, ok := strings.Cut(typ, "(")
	if !ok {
		return nil
	}
	return list(strings.TrimSuffix(rest, ")"))
}

// list reads literals between commas, nil when something else is there.
func list(text string) []string {
	var values []string
	for text != "" {
		m := quoted.FindStringSubmatch(text)
		if m == nil {
			return nil
		}
		if m[2] != "" {
			values = append(values, m[2])
		} else {
			values = append(values, strings.ReplaceAll(m[1], "''", "'"))
		}
		text = text[len(m[0]):]
	}
	return values
}

func text(v db.Value) string {
	if v.IsNull() {
		return ""
	}
	return v.Raw()
}
