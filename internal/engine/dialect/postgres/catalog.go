package postgres

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// relationsQuery lists what can be read from, partitions under their parent
// only. A parent that was never analysed counts its partitions' rows.
var relationsQuery = db.OwnSQL(`SELECT c.oid::bigint, n.nspname::text, c.relname::text, c.relkind::text,
  obj_description(c.oid, 'pg_class'),
  CASE WHEN c.relkind = 'p' AND c.reltuples < 0 THEN
    (SELECT CASE WHEN bool_and(l.reltuples >= 0) THEN sum(l.reltuples) END FROM pg_catalog.pg_partition_tree(c.oid) p
       JOIN pg_catalog.pg_class l ON l.oid = p.relid WHERE p.isleaf)::bigint
    ELSE c.reltuples::bigint END,
  CASE WHEN c.relkind IN ('v', 'm') THEN pg_catalog.pg_get_viewdef(c.oid, true) END,
  c.relrowsecurity,
  CASE WHEN c.relkind = 'p' THEN pg_catalog.pg_get_partkeydef(c.oid) END,
  has_schema_privilege(n.oid, 'USAGE') AND (has_table_privilege(c.oid, 'SELECT') OR has_any_column_privilege(c.oid, 'SELECT')),
  has_table_privilege(c.oid, 'SELECT')
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition AND ` + userSchema + `
ORDER BY n.nspname, c.relname`)

const userSchema = `n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'`

var columnsQuery = db.OwnSQL(`SELECT a.attrelid::bigint, a.attnum::int, a.attname::text, pg_catalog.format_type(a.atttypid, a.atttypmod),
  NOT (a.attnotnull OR t.typtype = 'd' AND t.typnotnull), a.attidentity <> '', a.attgenerated <> '',
  pg_catalog.pg_get_expr(d.adbin, d.adrelid), pg_catalog.col_description(a.attrelid, a.attnum),
  CASE WHEN b.typtype = 'e' THEN (SELECT array_agg(e.enumlabel::text ORDER BY e.enumsortorder) FROM pg_catalog.pg_enum e WHERE e.enumtypid = b.oid) END,
  CASE WHEN t.typtype = 'd' THEN pg_catalog.format_type(t.typbasetype, t.typtypmod) END,
  has_column_privilege(a.attrelid, a.attnum, 'SELECT'),
  CASE WHEN t.typtype = 'd' THEN (SELECT array_agg(pg_catalog.pg_get_constraintdef(k.oid)) FROM pg_catalog.pg_constraint k WHERE k.contypid = t.oid) END
FROM pg_catalog.pg_attribute a
  JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
  JOIN pg_catalog.pg_type b ON b.oid = CASE WHEN t.typtype = 'd' THEN t.typbasetype WHEN t.typcategory = 'A' THEN t.typelem ELSE t.oid END
  LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition AND ` + userSchema + `
ORDER BY 1, 2`)

// keysQuery lists foreign keys and checks from the constraints, primary and
// unique keys from the indexes, which also know unique ones nobody declared.
var keysQuery = db.OwnSQL(`SELECT k.conrelid::bigint, k.contype::text, k.conname::text,
  (SELECT array_agg(a.attname::text ORDER BY o.i) FROM unnest(k.conkey) WITH ORDINALITY o(n, i)
     JOIN pg_catalog.pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = o.n),
  rn.nspname::text, r.relname::text,
  (SELECT array_agg(a.attname::text ORDER BY o.i) FROM unnest(k.confkey) WITH ORDINALITY o(n, i)
     JOIN pg_catalog.pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = o.n),
  CASE WHEN k.contype = 'c' THEN pg_catalog.pg_get_constraintdef(k.oid) END
FROM pg_catalog.pg_constraint k
  JOIN pg_catalog.pg_class c ON c.oid = k.conrelid
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  LEFT JOIN pg_catalog.pg_class r ON r.oid = k.confrelid
  LEFT JOIN pg_catalog.pg_namespace rn ON rn.oid = r.relnamespace
WHERE k.contype IN ('f', 'c') AND k.conparentid = 0 AND NOT c.relispartition AND ` + userSchema + `
UNION ALL
SELECT x.indrelid::bigint, CASE WHEN x.indisprimary THEN 'p' ELSE 'u' END, i.relname::text,
  (SELECT array_agg(a.attname::text ORDER BY o.i) FROM unnest(x.indkey::int2[]) WITH ORDINALITY o(n, i)
     JOIN pg_catalog.pg_attribute a ON a.attrelid = x.indrelid AND a.attnum = o.n WHERE o.i <= x.indnkeyatts),
  NULL, NULL, NULL, NULL
FROM pg_catalog.pg_index x
  JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid
  JOIN pg_catalog.pg_class c ON c.oid = x.indrelid
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE x.indisunique AND x.indisvalid AND x.indpred IS NULL AND x.indexprs IS NULL AND NOT c.relispartition AND ` + userSchema + `
ORDER BY 1, 2, 3`)

var currentSchemaQuery = db.OwnSQL("SELECT current_schema()::text")

// Catalog reads the schema with four statements. Tables and columns that the
// role may not read are left out and named in Unreadable.
func Catalog(ctx context.Context, s db.Session) (catalog.Schema, error) {
	var schema catalog.Schema
	current, err := s.Own(ctx, currentSchemaQuery)
	if err != nil {
		return schema, fmt.Errorf("read the current schema: %w", err)
	}
	if len(current.Rows) == 1 {
		schema.DefaultSchema = text(current.Rows[0][0])
	}
	relations, err := s.Own(ctx, relationsQuery)
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
	tables := map[int64]*catalog.Table{}
	var order []int64
	for _, row := range relations.Rows {
		t := relation(row)
		if !row[9].Bool() {
			schema.Unreadable = append(schema.Unreadable, unreadableName(schema.DefaultSchema, t.Schema, t.Name))
			continue
		}
		tables[row[0].Int()] = &t
		order = append(order, row[0].Int())
	}
	for _, row := range columns.Rows {
		if t := tables[row[0].Int()]; t != nil {
			if row[11].Bool() {
				t.Columns = append(t.Columns, column(row))
			} else {
				schema.Unreadable = append(schema.Unreadable, unreadableName(schema.DefaultSchema, t.Schema, t.Name)+"."+text(row[2]))
			}
		}
	}
	for _, row := range keys.Rows {
		if t := tables[row[0].Int()]; t != nil {
			addKey(t, row)
		}
	}
	for _, oid := range order {
		schema.Tables = append(schema.Tables, *tables[oid])
	}
	return schema, nil
}

func unreadableName(defaultSchema, schema, name string) string {
	if schema == defaultSchema {
		return name
	}
	return schema + "." + name
}

func relation(row []db.Value) catalog.Table {
	t := catalog.Table{
		Schema: text(row[1]), Name: text(row[2]), Kind: catalog.BaseTable, Comment: text(row[4]), Rows: -1,
		Definition: text(row[6]), RowSecurity: row[7].Bool(), Partitioned: text(row[8]),
	}
	switch text(row[3]) {
	case "v":
		t.Kind = catalog.View
	case "m":
		t.Kind = catalog.MaterializedView
	case "f":
		t.Kind = catalog.ForeignTable
	}
	if !row[5].IsNull() && t.Kind != catalog.View {
		t.Rows = row[5].Int()
	}
	return t
}

func column(row []db.Value) catalog.Column {
	c := catalog.Column{
		Name: text(row[2]), Type: text(row[3]), Nullable: row[4].Bool(), Identity: row[5].Bool(), Generated: row[6].Bool(),
		Default: text(row[7]), Comment: text(row[8]), Enum: texts(row[9]),
	}
	if base := text(row[10]); base != "" {
		c.Type += " (" + base + ")"
	}
	for _, def := range texts(row[12]) {
		if values := checkValues(def); values != nil {
			c.Checks = values
		}
	}
	return c
}

func addKey(t *catalog.Table, row []db.Value) {
	columns := texts(row[3])
	readable := func(names []string) bool {
		for _, name := range names {
			if find(t, name) == nil {
				return false
			}
		}
		return len(names) > 0
	}
	if !readable(columns) {
		return
	}
	switch text(row[1]) {
	case "p":
		t.PrimaryKey = columns
	case "u":
		t.Unique = append(t.Unique, columns)
	case "f":
		t.ForeignKeys = append(t.ForeignKeys, catalog.ForeignKey{Columns: columns, RefSchema: text(row[4]), RefTable: text(row[5]), RefColumns: texts(row[6])})
	case "c":
		if len(columns) == 1 {
			if values := checkValues(text(row[7])); values != nil {
				find(t, columns[0]).Checks = values
			}
		}
	}
}

func find(t *catalog.Table, name string) *catalog.Column {
	for i := range t.Columns {
		if t.Columns[i].Name == name {
			return &t.Columns[i]
		}
	}
	return nil
}

// The printed form of CHECK (x IN ('a', 'b')) and of CHECK (x = 'a').
var (
	checkIn  = regexp.MustCompile(`^CHECK \(\(*(?:VALUE|"?\w+"?)\)?(?:::[a-z ]+)? = ANY \(+ARRAY\[(.*?)\]\)?(?:::[a-z ]+\[\])?\)+$`)
	checkOne = regexp.MustCompile(`^CHECK \(\(*(?:VALUE|"?\w+"?)\)?(?:::[a-z ]+)? = ('(?:[^']|'')*'(?:::[a-z ]+)?|-?[0-9.]+)\)+$`)
	literal  = regexp.MustCompile(`^'((?:[^']|'')*)'(?:::[a-z ]+)?(?:, |$)|^(-?[0-9.]+)(?:, |$)`)
)

// checkValues are the values that a printed check allows, nil when it is of
// another form.
func checkValues(def string) []string {
	m := checkIn.FindStringSubmatch(def)
	if m == nil {
		m = checkOne.FindStringSubmatch(def)
	}
	if m == nil {
		return nil
	}
	var values []string
	for rest := unwrapped(m[1]); rest != ""; {
		l := literal.FindStringSubmatch(rest)
		if l == nil {
			return nil
		}
		if l[2] != "" {
			values = append(values, l[2])
		} else {
			values = append(values, strings.ReplaceAll(l[1], "''", "'"))
		}
		rest = rest[len(l[0]):]
	}
	return values
}

// unwrapped drops the casts that the server wraps each literal in:
// ('a'::character varying)::text.
func unwrapped(items string) string {
	return wrappedItem.ReplaceAllString(items, "$1")
}

var wrappedItem = regexp.MustCompile(`\(('(?:[^']|'')*'(?:::[a-z ]+)?)\)(?:::[a-z ]+)?`)

func text(v db.Value) string {
	if v.IsNull() {
		return ""
	}
	return v.Raw()
}

// texts are the items of a text array; a host's driver gives its literal.
func texts(v db.Value) []string {
	var out []string
	if strings.HasPrefix(v.Raw(), "{") {
		v = Value("text[]", v.Raw())
	}
	for _, f := range v.Fields() {
		out = append(out, f.Value.Raw())
	}
	return out
}
