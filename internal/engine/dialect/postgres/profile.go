package postgres

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/engine/db"
)

func measuring() db.Measuring {
	return db.Measuring{Class: class, Size: size, Draw: draw, Count: count, Known: known, Frequent: frequent}
}

// classes are by the name of a type without its parameters.
var classes = map[string]db.Class{
	"smallint": db.Numeric, "integer": db.Numeric, "bigint": db.Numeric, "numeric": db.Numeric, "real": db.Numeric, "double precision": db.Numeric, "money": db.Numeric,
	"text": db.Textual, "character varying": db.Textual, "character": db.Textual, "citext": db.Textual, "name": db.Textual, `"char"`: db.Textual,
	"uuid": db.Textual, "inet": db.Textual, "cidr": db.Textual, "macaddr": db.Textual,
	"date": db.Temporal, "timestamp without time zone": db.Temporal, "timestamp with time zone": db.Temporal,
	"time without time zone": db.Temporal, "time with time zone": db.Temporal,
	"boolean": db.Boolean,
}

var parameters = regexp.MustCompile(`\([^()]*\)`)

// plainType is the name of a type without parameters; of a domain, written
// "name (base)", that of its base.
func plainType(typ string) string {
	if _, base, ok := strings.Cut(typ, " ("); ok && strings.HasSuffix(base, ")") {
		typ = strings.TrimSuffix(base, ")")
	}
	return strings.TrimSpace(parameters.ReplaceAllString(typ, ""))
}

func class(c catalog.Column) db.Class {
	typ := plainType(c.Type)
	if c := classes[typ]; c != db.Opaque {
		return c
	}
	if len(c.Enum) > 0 && !strings.HasSuffix(typ, "]") {
		return db.Textual
	}
	return db.Opaque
}

// sizeQuery gives the pages that a table and its partitions have now, and the
// rows and pages of the time they were analyzed.
var sizeQuery = db.OwnSQL(`SELECT coalesce(sum(pg_catalog.pg_relation_size(l.oid)), 0)::bigint / current_setting('block_size')::bigint,
  coalesce(sum(l.reltuples), 0)::float8, coalesce(sum(l.relpages), 0)::bigint, coalesce(bool_and(l.reltuples >= 0), false)
FROM pg_catalog.pg_class l
WHERE l.oid = $1::regclass AND l.relkind <> 'p' OR l.oid IN (SELECT relid FROM pg_catalog.pg_partition_tree($1::regclass) WHERE isleaf)`)

// rowsPerPage is the most rows that a page of 8 kB holds.
const rowsPerPage = 291

// size scales the rows of the last analysis by the pages there are now, as
// the planner does. Where there was none, some pages are looked at.
func size(ctx context.Context, s db.Session, t catalog.Table, limit int64) (db.Size, error) {
	if t.Kind != catalog.BaseTable && t.Kind != catalog.MaterializedView {
		return db.Size{Rows: -1}, nil
	}
	r, err := s.Own(ctx, sizeQuery, db.TextValue(qualified(t.Schema, t.Name)))
	if err != nil {
		return db.Size{}, err
	}
	row := r.Rows[0]
	pages, rows, then := row[0].Int(), row[1].Float(), row[2].Int()
	switch {
	case pages == 0:
		return db.Size{Rows: 0}, nil
	case row[3].Bool() && then > 0:
		return db.Size{Rows: int64(max(rows, rows*float64(pages)/float64(then)))}, nil
	case row[3].Bool() && rows > 0:
		return db.Size{Rows: int64(rows)}, nil
	}
	if most := pages * rowsPerPage; most <= min(limit, 100_000) {
		return db.Size{Rows: most}, nil
	}
	percent := min(100, 100*200/float64(pages))
	looked, err := s.Own(ctx, db.OwnSQL(fmt.Sprintf("SELECT count(*) FROM (SELECT 1 FROM %s TABLESAMPLE SYSTEM (%.6f) REPEATABLE (42) LIMIT %d) t",
		qualified(t.Schema, t.Name), percent, limit)))
	if err != nil {
		return db.Size{}, err
	}
	return db.Size{Rows: int64(float64(looked.Rows[0][0].Int()) * 100 / percent)}, nil
}

// draw samples pages, or rows where there are few, the same ones while the
// table is the same. A view gives every so many rows.
func draw(ctx context.Context, s db.Session, t catalog.Table, columns []catalog.Column, d db.Drawing) (*db.Result, error) {
	rows := min(int64(d.Rows), d.Limit)
	list, names := make([]string, len(columns)), make([]string, len(columns))
	for i, c := range columns {
		list[i], names[i] = drawn(c), Quote(c.Name)
	}
	from := "SELECT " + strings.Join(list, ", ") + " FROM "
	table := qualified(t.Schema, t.Name)
	switch {
	case d.Start || d.Size.Rows < 0 || d.Size.Rows > d.Limit && t.Kind != catalog.BaseTable && t.Kind != catalog.MaterializedView:
		return s.Own(ctx, db.OwnSQL(fmt.Sprintf("%s%s LIMIT %d", from, table, rows+1)))
	case t.Kind != catalog.BaseTable && t.Kind != catalog.MaterializedView:
		return s.Own(ctx, db.OwnSQL(fmt.Sprintf(`%s(SELECT %s, row_number() OVER () AS " n" FROM %s) t WHERE " n" %% %d = 0`,
			from, strings.Join(names, ", "), table, max(d.Size.Rows/rows, 1))))
	}
	method := "SYSTEM"
	if d.Size.Rows <= min(500_000, d.Limit) {
		method = "BERNOULLI"
	}
	// Statistics may promise more rows than there are.
	percent := min(100, 100*float64(rows)/float64(d.Size.Rows))
	for {
		r, err := s.Own(ctx, db.OwnSQL(fmt.Sprintf("%s%s TABLESAMPLE %s (%.6f) REPEATABLE (42) LIMIT %d", from, table, method, percent, min(2*rows, d.Limit))))
		if err != nil || percent >= 100 || int64(len(r.Rows)) > rows/20 {
			return r, err
		}
		percent = min(100, percent*50)
	}
}

func drawn(c catalog.Column) string {
	name := Quote(c.Name)
	switch class(c) {
	case db.Opaque:
		return "CASE WHEN " + name + " IS NOT NULL THEN true END"
	case db.Textual:
		return fmt.Sprintf("left(%s::text, %d)", name, db.DrawnLength)
	}
	return plain(c)
}

// plain is a column whose values compare and read as its class says.
func plain(c catalog.Column) string {
	switch {
	case plainType(c.Type) == "money":
		return Quote(c.Name) + "::numeric"
	case class(c) == db.Textual:
		return Quote(c.Name) + `::text COLLATE "C"`
	}
	return Quote(c.Name)
}

func count(ctx context.Context, s db.Session, t catalog.Table, columns []db.Counted, limit int64) (db.Counts, error) {
	spelling := db.Spelling{Table: qualified(t.Schema, t.Name), Quote: Quote, Plain: plain}
	r, err := s.Own(ctx, db.OwnSQL(spelling.Count(t, columns, limit)))
	if err != nil {
		return db.Counts{}, err
	}
	return db.CountsOf(r, t, columns, limit), nil
}

// frequent groups by each column at once: one scan for all of them.
func frequent(ctx context.Context, s db.Session, t catalog.Table, columns []catalog.Column) (map[string][]db.Frequency, error) {
	list, names, sets := make([]string, len(columns)), make([]string, len(columns)), make([]string, len(columns))
	for i, c := range columns {
		names[i] = fmt.Sprintf("c%d", i)
		list[i], sets[i] = drawn(c)+" AS "+names[i], "("+names[i]+")"
	}
	joined := strings.Join(names, ", ")
	r, err := s.Own(ctx, db.OwnSQL(fmt.Sprintf("SELECT grouping(%[1]s), %[1]s, count(*) FROM (SELECT %[2]s FROM %[3]s) t GROUP BY GROUPING SETS (%[4]s)",
		joined, strings.Join(list, ", "), qualified(t.Schema, t.Name), strings.Join(sets, ", "))))
	if err != nil {
		return nil, err
	}
	return db.GroupsOf(r, columns), nil
}

// knownQuery reads the statistics of the columns asked for, and of no other.
// A partitioned table has those of all its partitions together.
var knownQuery = db.OwnSQL(`SELECT DISTINCT ON (s.attname) s.attname::text, s.null_frac::float8, s.n_distinct::float8, c.reltuples::float8,
  s.most_common_vals::text::text[], s.most_common_freqs::float8[], s.histogram_bounds::text::text[],
  (SELECT u.n_mod_since_analyze FROM pg_catalog.pg_stat_all_tables u WHERE u.relid = c.oid)::float8
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  JOIN pg_catalog.pg_stats s ON s.schemaname = n.nspname AND s.tablename = c.relname
WHERE c.oid = $1::regclass AND s.attname = ANY ($2::text[])
ORDER BY s.attname, s.inherited DESC`)

// stale is the share of rows changed since the last analysis from which its
// statistics are not used.
const stale = 0.1

// known reads pg_stats: what the last ANALYZE found in a sample.
func known(ctx context.Context, s db.Session, t catalog.Table, columns []catalog.Column) (map[string]db.Known, error) {
	if t.Kind != catalog.BaseTable && t.Kind != catalog.MaterializedView {
		return nil, nil
	}
	names := make([]db.Value, len(columns))
	byName := map[string]catalog.Column{}
	for i, c := range columns {
		names[i] = db.TextValue(c.Name)
		byName[c.Name] = c
	}
	r, err := s.Own(ctx, knownQuery, db.TextValue(qualified(t.Schema, t.Name)), db.ListValue(names...))
	if err != nil {
		return nil, err
	}
	out := map[string]db.Known{}
	for _, row := range r.Rows {
		if changed := row[7]; !changed.IsNull() && changed.Float() > stale*max(row[3].Float(), 1) {
			continue
		}
		if c, ok := byName[row[0].Raw()]; ok {
			out[c.Name] = statistics(c, row)
		}
	}
	return out, nil
}

// statistics reads one row of pg_stats. A negative n_distinct is a share of
// the rows; the histogram leaves the most common values out.
func statistics(c catalog.Column, row []db.Value) db.Known {
	nulls, distinct, rows := row[1].Float(), row[2].Float(), row[3].Float()
	k := db.Known{Nulls: &nulls, Distinct: int64(distinct)}
	if distinct < 0 {
		k.Distinct = int64(-distinct * max(rows, 0))
	}
	kind := class(c)
	typ := plainType(c.Type)
	if kind == db.Opaque || typ == "money" {
		return k
	}
	if kind == db.Textual {
		typ = "text"
	}
	common := 0.0
	frequencies := row[5].Fields()
	for i, f := range row[4].Fields() {
		if i < len(frequencies) {
			share := frequencies[i].Value.Float()
			k.Top = append(k.Top, db.Frequency{Value: Value(typ, f.Value.Raw()), Share: share})
			common += share
		}
	}
	var bounds []db.Value
	for _, f := range row[6].Fields() {
		bounds = append(bounds, Value(typ, f.Value.Raw()))
	}
	k.Complete = len(bounds) == 0 && len(k.Top) > 0 && int64(len(k.Top)) == k.Distinct && common+nulls > 0.9999
	if kind == db.Numeric || kind == db.Temporal {
		k.Quantiles = merged(k.Top, bounds, 1-nulls-common)
	}
	if n := len(k.Quantiles); n > 0 {
		k.Min, k.Max = k.Quantiles[0], k.Quantiles[n-1]
	}
	return k
}

// quantileSteps is the number of equal steps that merged gives.
const quantileSteps = 20

// merged puts the common values, each with its share, and the bounds of a
// histogram of equal parts, which share the rest, into one order, and reads
// values off it at equal steps.
func merged(common []db.Frequency, bounds []db.Value, rest float64) []db.Value {
	list := slices.Clone(common)
	for i, b := range bounds {
		part := 0.0
		if i > 0 {
			part = max(rest, 0) / float64(len(bounds)-1)
		}
		list = append(list, db.Frequency{Value: b, Share: part})
	}
	if len(list) == 0 {
		return nil
	}
	slices.SortStableFunc(list, func(a, b db.Frequency) int { return compareValues(a.Value, b.Value) })
	total := 0.0
	for _, f := range list {
		total += f.Share
	}
	out := make([]db.Value, 0, quantileSteps+1)
	at, seen := 0, list[0].Share
	for i := range quantileSteps + 1 {
		for wanted := total * float64(i) / quantileSteps; at < len(list)-1 && (seen < wanted-1e-9 || i == quantileSteps); {
			at++
			seen += list[at].Share
		}
		out = append(out, list[at].Value)
	}
	return out
}

func compareValues(a, b db.Value) int {
	x, xerr := strconv.ParseFloat(a.String(), 64)
	y, yerr := strconv.ParseFloat(b.String(), 64)
	if xerr == nil && yerr == nil {
		return cmp.Compare(x, y)
	}
	return cmp.Compare(a.String(), b.String())
}
