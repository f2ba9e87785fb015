package joins

import (
	"context"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// sampledFrom is how many times the wanted rows a sample or lookup may read.
const sampledFrom = 20

// facts are what was read of some columns of a table: values only as hashes,
// but for the few that are looked for in larger tables.
type facts struct {
	hashes  []uint64 // of the distinct values, sorted
	trimmed []uint64 // the same without blanks around them; nil when none has any
	whole   bool     // all rows were read
	repeats Repeats
	sample  [][]db.Value // some of the distinct values
	numbers bool         // all values are whole numbers
}

// read takes a table's first rows or, where it is larger, a sample.
func (m *measuring) read(ctx context.Context, s db.Session, table int) error {
	t := m.schema.Tables[table]
	read, whole, err := m.draw(ctx, s, t, m.columns[table])
	if err != nil {
		return fmt.Errorf("%s: %w", t.Name, err)
	}
	columns := m.columns[table]
	for _, set := range m.sets[table] {
		at := make([]int, len(set))
		for i, c := range set {
			at[i] = slices.Index(columns, c)
		}
		f := gather(read.Rows, at, m.bounds.Values)
		f.whole = whole
		if f.repeats != Repeated && whole {
			f.repeats = UniqueInAll
		}
		m.mu.Lock()
		m.tuples[setKey(table, set)] = f
		m.mu.Unlock()
	}
	return nil
}

// draw gives some rows of a table, and whether they are all.
func (m *measuring) draw(ctx context.Context, s db.Session, t catalog.Table, names []string) (read *db.Result, whole bool, err error) {
	var columns []catalog.Column
	for _, name := range names {
		columns = append(columns, t.Columns[slices.IndexFunc(t.Columns, func(c catalog.Column) bool { return c.Name == name })])
	}
	how := m.database.Dialect().Measure
	d := db.Drawing{Rows: m.bounds.Rows, Size: db.Size{Rows: t.Rows, Exact: t.RowsExact}, Limit: sampledFrom * int64(m.bounds.Rows)}
	if t.Rows <= 2*int64(d.Rows) {
		d.Start = true
		if read, err = how.Draw(ctx, s, t, columns, d); err != nil || len(read.Rows) <= d.Rows {
			return read, err == nil, err
		}
		d.Start = false
	}
	if d.Size.Rows <= int64(d.Rows) {
		if d.Size, err = how.Size(ctx, s, t, d.Limit); err != nil {
			return nil, false, err
		}
	}
	read, err = how.Draw(ctx, s, t, columns, d)
	return read, false, err
}

// gather reads the distinct tuples of some columns; rows in which one of them
// is NULL or empty refer to nothing.
func gather(rows [][]db.Value, at []int, values int) *facts {
	f := &facts{numbers: true, repeats: UniqueInPart}
	seen := make(map[uint64]bool, len(rows))
	var distinct [][]db.Value
	blanks := false
	for _, row := range rows {
		tuple := make([]db.Value, len(at))
		key := ""
		for i, c := range at {
			tuple[i] = row[c]
			k := keyOf(row[c])
			if k == "" {
				tuple = nil
				break
			}
			f.numbers = f.numbers && isWhole(k)
			blanks = blanks || strings.TrimSpace(k) != k
			key += k + "\x1f"
		}
		if tuple == nil {
			continue
		}
		h := hash(key)
		if seen[h] {
			f.repeats = Repeated
			continue
		}
		seen[h] = true
		distinct = append(distinct, tuple)
	}
	for h := range seen {
		f.hashes = append(f.hashes, h)
	}
	slices.Sort(f.hashes)
	if blanks {
		f.trimmed = trimmedHashes(distinct)
	}
	f.sample = spread(distinct, values)
	if len(distinct) == 0 {
		f.numbers, f.repeats = false, NotLooked
	}
	return f
}

func trimmedHashes(distinct [][]db.Value) []uint64 {
	var hashes []uint64
	for _, tuple := range distinct {
		key := ""
		for _, v := range tuple {
			key += strings.TrimSpace(keyOf(v)) + "\x1f"
		}
		hashes = append(hashes, hash(key))
	}
	slices.Sort(hashes)
	return slices.Compact(hashes)
}

// spread picks n items evenly.
func spread[T any](list []T, n int) []T {
	if len(list) <= n {
		return list
	}
	out := make([]T, n)
	for i := range out {
		out[i] = list[i*len(list)/n]
	}
	return out
}

// keyOf is a value as it is compared across types: 7, 7.0 and '7' are one.
func keyOf(v db.Value) string {
	switch v.Kind() {
	case db.Null, db.Blob, db.List, db.Struct:
		return ""
	case db.Float:
		return strings.TrimSuffix(v.String(), ".0")
	case db.Decimal:
		text := v.Raw()
		if strings.Contains(text, ".") {
			text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
		}
		return text
	}
	return v.String()
}

func isWhole(s string) bool {
	digits := strings.TrimPrefix(s, "-")
	return digits != "" && strings.Trim(digits, "0123456789") == ""
}

func hash(s string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(s))
	return h.Sum64()
}

// pair compares the two sides of a pair.
func (m *measuring) pair(ctx context.Context, s db.Session, p Pair) (Measured, error) {
	from, to := m.tuples[setKey(p.from, p.From.Columns)], m.tuples[setKey(p.to, p.To.Columns)]
	if from == nil || to == nil {
		return Measured{}, nil
	}
	out := Measured{FromUnique: from.repeats, ToUnique: to.repeats, Numbers: from.numbers}
	switch {
	case len(from.hashes) == 0:
		return out, nil
	case to.whole:
		out.compare(from, to)
		return out, nil
	case p.Converted:
		return out, nil
	}
	found, whole, err := m.database.Dialect().Evidence.Present(ctx, s, m.schema.Tables[p.to], p.To.Columns, from.sample, sampledFrom*m.bounds.Rows)
	if err != nil {
		return out, fmt.Errorf("%s: %w", m.schema.Tables[p.to].Name, err)
	}
	at := make([]int, len(p.To.Columns))
	for i := range at {
		at[i] = i
	}
	there := gather(found.Rows, at, 0)
	looked := gather(from.sample, at, 0)
	out.compare(looked, there)
	out.Partial, out.Equal = !whole, false
	return out, nil
}

// compare counts the values of from that to holds. A lone 0 or -1 that to
// does not hold stands for "none".
func (m *Measured) compare(from, to *facts) {
	m.Checked, m.Found = len(from.hashes), common(from.hashes, to.hashes)
	m.Equal = m.Found == m.Checked && m.Checked == len(to.hashes) && from.whole && to.whole
	if m.Found < m.Checked && (from.trimmed != nil || to.trimmed != nil) {
		left, right := from.hashes, to.hashes
		if from.trimmed != nil {
			left = from.trimmed
		}
		if to.trimmed != nil {
			right = to.trimmed
		}
		if n := common(left, right); n > m.Found {
			m.Checked, m.Found, m.Trimmed = len(left), n, true
		}
	}
	for _, none := range []string{"0", "-1"} {
		if h := hash(none + "\x1f"); m.Checked > enough && m.Numbers && holds(from.hashes, h) && !holds(to.hashes, h) {
			m.Checked--
		}
	}
}

func holds(sorted []uint64, h uint64) bool {
	_, ok := slices.BinarySearch(sorted, h)
	return ok
}

func common(a, b []uint64) int {
	n := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			n++
			i++
			j++
		case a[i] < b[j]:
			i++
		default:
			j++
		}
	}
	return n
}
