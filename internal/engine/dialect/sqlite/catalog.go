package sqlite

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// The catalogue is read with these four statements, whatever the number of
// tables; the last one only where ANALYZE has run.
var (
	relationsSQL = db.OwnSQL(`SELECT name, type, sql, NULL FROM sqlite_schema WHERE type IN ('table', 'view')
		UNION ALL SELECT name, type, NULL, wr FROM pragma_table_list WHERE schema = 'main' AND (type = 'shadow' OR wr = 1)`)
	columnsSQL      = db.OwnSQL(columnsOf + " ORDER BY m.rowid, x.cid")
	columnsSQLOfOne = db.OwnSQL(columnsOf + " AND m.name = ?1 ORDER BY x.cid")
	keysSQL         = db.OwnSQL(`SELECT 'f', m.name, f.id, f.seq, f."from", f."table", f."to"
		FROM sqlite_schema AS m CROSS JOIN pragma_foreign_key_list(m.name) AS f WHERE m.type = 'table'
		UNION ALL
		SELECT 'u', m.name, i.seq, c.seqno, c.name, i.name, NULL
		FROM sqlite_schema AS m CROSS JOIN pragma_index_list(m.name) AS i CROSS JOIN pragma_index_info(i.name) AS c
		WHERE m.type = 'table' AND i."unique" = 1 AND i.partial = 0 AND i.origin <> 'pk'
		ORDER BY 2, 1, 3, 4`)
	statsSQL = db.OwnSQL("SELECT tbl, stat FROM sqlite_stat1 WHERE stat IS NOT NULL")
)

const columnsOf = `SELECT m.name, x.name, x.type, x."notnull", x.dflt_value, x.pk, x.hidden
	FROM sqlite_schema AS m CROSS JOIN pragma_table_xinfo(m.name) AS x
	WHERE m.type IN ('table', 'view') AND x.hidden <> 1`

// Catalog reads tables, views, columns, keys, and the comments and allowed
// values that the text of the DDL holds.
func Catalog(ctx context.Context, s db.Session) (catalog.Schema, error) {
	r := &reader{ctx: ctx, s: s, at: map[string]int{}, unnumbered: map[string]bool{}}
	for _, step := range []func() error{r.relations, r.columns, r.keys, r.stats} {
		if err := step(); err != nil {
			return catalog.Schema{}, fmt.Errorf("read the catalogue: %w", err)
		}
	}
	return catalog.Schema{Tables: r.tables, Unreadable: r.unreadable}, nil
}

type reader struct {
	ctx        context.Context
	s          db.Session
	tables     []catalog.Table
	ddl        []string       // the CREATE statement of each table
	at         map[string]int // the place of a folded name in tables
	unreadable []string
	unnumbered map[string]bool // tables WITHOUT ROWID
	analyzed   bool
}

func (r *reader) relations() error {
	res, err := r.s.Own(r.ctx, relationsSQL)
	if err != nil {
		return err
	}
	shadow := map[string]bool{}
	for _, row := range res.Rows {
		if !row[3].IsNull() {
			name := strings.ToLower(row[0].Raw())
			shadow[name], r.unnumbered[name] = row[1].Raw() == "shadow", row[3].Int() == 1
		}
	}
	for _, row := range res.Rows {
		name, folded := row[0].Raw(), strings.ToLower(row[0].Raw())
		r.analyzed = r.analyzed || folded == "sqlite_stat1"
		if !row[3].IsNull() || shadow[folded] || strings.HasPrefix(folded, "sqlite_") {
			continue
		}
		t := catalog.Table{Name: name, Kind: catalog.BaseTable, Rows: -1}
		if row[1].Raw() == "view" {
			t.Kind, t.Definition = catalog.View, row[2].Raw()
		}
		r.at[folded] = len(r.tables)
		r.tables = append(r.tables, t)
		r.ddl = append(r.ddl, row[2].Raw())
	}
	return nil
}

func (r *reader) columns() error {
	res, err := r.s.Own(r.ctx, columnsSQL)
	if err != nil {
		return r.columnsOneByOne(err)
	}
	r.addColumns(res)
	return nil
}

// columnsOneByOne leaves out what cannot be read: a view of a table that is
// gone fails the statement for all.
func (r *reader) columnsOneByOne(first error) error {
	for _, t := range slices.Clone(r.tables) {
		res, err := r.s.Own(r.ctx, columnsSQLOfOne, db.TextValue(t.Name))
		switch {
		case r.ctx.Err() != nil:
			return first
		case err != nil:
			r.unreadable = append(r.unreadable, t.Name)
		default:
			r.addColumns(res)
		}
	}
	var kept []catalog.Table
	for _, t := range r.tables {
		if !slices.Contains(r.unreadable, t.Name) {
			kept = append(kept, t)
		}
	}
	r.tables = kept
	clear(r.at)
	for i, t := range r.tables {
		r.at[strings.ToLower(t.Name)] = i
	}
	return nil
}

func (r *reader) addColumns(res *db.Result) {
	keys := map[int]map[int64]string{}
	var touched []int
	for _, row := range res.Rows {
		i, ok := r.at[strings.ToLower(row[0].Raw())]
		if !ok {
			continue
		}
		pk, hidden := row[5].Int(), row[6].Int()
		c := catalog.Column{
			Name: row[1].Raw(), Type: row[2].Raw(), Nullable: row[3].Int() == 0,
			Default: row[4].Raw(), Generated: hidden == 2 || hidden == 3,
		}
		if keys[i] == nil {
			keys[i] = map[int64]string{}
			touched = append(touched, i)
		}
		if pk > 0 {
			keys[i][pk] = c.Name
		}
		r.tables[i].Columns = append(r.tables[i].Columns, c)
	}
	for _, i := range touched {
		t := &r.tables[i]
		for n := int64(1); n <= int64(len(keys[i])); n++ {
			t.PrimaryKey = append(t.PrimaryKey, keys[i][n])
		}
		markRowid(t, r.unnumbered[strings.ToLower(t.Name)])
		annotate(t, r.ddl[i])
	}
}

// markRowid knows the one key that fills itself and is never NULL: a lone
// INTEGER PRIMARY KEY. In tables WITHOUT ROWID no key column is NULL.
func markRowid(t *catalog.Table, unnumbered bool) {
	for i := range t.Columns {
		c := &t.Columns[i]
		switch {
		case !slices.Contains(t.PrimaryKey, c.Name):
		case unnumbered:
			c.Nullable = false
		case len(t.PrimaryKey) == 1 && strings.EqualFold(c.Type, "INTEGER"):
			c.Nullable, c.Identity = false, true
		}
	}
}

func (r *reader) keys() error {
	res, err := r.s.Own(r.ctx, keysSQL)
	if err != nil {
		return err
	}
	var last string
	for _, row := range res.Rows {
		i, ok := r.at[strings.ToLower(row[1].Raw())]
		if !ok {
			continue
		}
		t := &r.tables[i]
		group := row[0].Raw() + "\x00" + row[1].Raw() + "\x00" + strconv.FormatInt(row[2].Int(), 10)
		if row[0].Raw() == "f" {
			r.addForeign(t, row, group != last)
		} else {
			addUnique(t, row, group != last)
		}
		last = group
	}
	for i := range r.tables {
		r.finishKeys(&r.tables[i])
	}
	return nil
}

func (r *reader) addForeign(t *catalog.Table, row []db.Value, first bool) {
	if first {
		name := row[5].Raw()
		if i, ok := r.at[strings.ToLower(name)]; ok {
			name = r.tables[i].Name
		}
		t.ForeignKeys = append(t.ForeignKeys, catalog.ForeignKey{RefTable: name})
	}
	k := &t.ForeignKeys[len(t.ForeignKeys)-1]
	k.Columns = append(k.Columns, row[4].Raw())
	if !row[6].IsNull() {
		k.RefColumns = append(k.RefColumns, row[6].Raw())
	}
}

// addUnique marks an index over an expression, which names no column, with an
// empty name for finishKeys to drop.
func addUnique(t *catalog.Table, row []db.Value, first bool) {
	if first {
		t.Unique = append(t.Unique, nil)
	}
	u := &t.Unique[len(t.Unique)-1]
	*u = append(*u, row[4].Raw())
}

// finishKeys puts the keys in the order they were written, gives references
// without columns the columns of the key they mean, and spells columns as
// their tables do.
func (r *reader) finishKeys(t *catalog.Table) {
	slices.Reverse(t.ForeignKeys)
	for i := range t.ForeignKeys {
		k := &t.ForeignKeys[i]
		target, ok := r.at[strings.ToLower(k.RefTable)]
		if !ok {
			continue
		}
		if len(k.RefColumns) == 0 {
			k.RefColumns = append(k.RefColumns, r.tables[target].PrimaryKey...)
		}
		spell(k.RefColumns, r.tables[target].Columns)
		spell(k.Columns, t.Columns)
	}
	kept := t.Unique[:0]
	for _, u := range t.Unique {
		if !slices.Contains(u, "") {
			kept = append(kept, u)
		}
	}
	t.Unique = kept
	slices.Reverse(t.Unique)
	if len(t.Unique) == 0 {
		t.Unique = nil
	}
}

func (r *reader) stats() error {
	if !r.analyzed {
		return nil
	}
	res, err := r.s.Own(r.ctx, statsSQL)
	if err != nil {
		return err
	}
	for _, row := range res.Rows {
		i, ok := r.at[strings.ToLower(row[0].Raw())]
		if !ok {
			continue
		}
		first, _, _ := strings.Cut(row[1].String(), " ")
		if n, err := strconv.ParseInt(first, 10, 64); err == nil {
			r.tables[i].Rows = n
		}
	}
	return nil
}

func spell(names []string, columns []catalog.Column) {
	for i, name := range names {
		for _, c := range columns {
			if strings.EqualFold(c.Name, name) {
				names[i] = c.Name
			}
		}
	}
}
