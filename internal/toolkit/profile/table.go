package profile

import (
	"context"

	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/selection"
	"github.com/sqbyl/sqbyl/semantic"
)

const (
	// wholeRows is the number of rows up to which a table is read whole.
	wholeRows = 50_000
	// sampleRows is the size of a sample.
	sampleRows = 20_000
	// maxCells bounds what is drawn of a table, rows times columns.
	maxCells = 1_000_000
	// groupable is the number of different values up to which each is counted.
	groupable = 50
	// maxGroups is how many columns are counted by value in one statement.
	maxGroups = 30
)

// measurer measures tables.
type measurer struct {
	database db.Database
	how      db.Measuring
	schema   catalog.Schema
	options  Options
	targets  []selection.Table
}

// measuring is one table on its way.
type measuring struct {
	*measurer
	ctx     context.Context
	s       *runner
	target  *selection.Table
	live    catalog.Table
	size    db.Size
	whole   bool // every row was drawn
	quiet   bool // no raw values are kept
	columns []*measuredColumn
	drawn   [][]int // places of columns drawn together
}

// measuredColumn is what is found of one column, from the surest source to
// the least.
type measuredColumn struct {
	place   int // in the target's columns
	live    catalog.Column
	said    semantic.Column
	class   db.Class
	drawn   *drawn
	values  []db.Value // as drawn
	counted *db.CountedColumn
	known   *db.Known
	groups  []run // every value, counted over the whole table
	failed  error
	slow    error // why nothing was counted
}

// table measures one table.
func (m *measurer) table(ctx context.Context, target *selection.Table) (Table, error) {
	out := Table{Name: target.Name, Columns: make([]Column, len(target.Columns))}
	for i, c := range target.Columns {
		out.Columns[i] = Column{Name: c.Name, Type: c.Type, OptedOut: c.NoProfile || target.NoProfile}
	}
	if target.NoProfile {
		out.Skipped = "profile: false"
		return out, nil
	}
	live, ok := m.find(target)
	if !ok {
		out.Skipped = "the database has no such table"
		return out, nil
	}
	w := &measuring{measurer: m, ctx: ctx, target: target, live: live, s: &runner{database: m.database, limit: m.options.Timeout}}
	defer func() { _ = w.s.Close() }()
	w.choose()
	if len(w.columns) == 0 {
		out.Skipped = "profile: false for every column"
		if len(target.Columns) == 0 {
			out.Skipped = "no column that may be read"
		}
		return out, nil
	}
	if why := w.unreadable(); why != "" {
		out.Skipped = why
		return out, nil
	}
	err := w.measure()
	if err != nil && fatal(ctx, err) {
		return out, err
	}
	if err != nil {
		out.Skipped = err.Error()
		return out, nil
	}
	w.fill(&out)
	return out, nil
}

func (m *measurer) find(target *selection.Table) (catalog.Table, bool) {
	for _, t := range m.schema.Tables {
		schema := t.Schema
		if schema == m.schema.DefaultSchema {
			schema = ""
		}
		if schema == target.Schema && t.Name == target.Relation {
			return t, true
		}
	}
	return catalog.Table{}, false
}

func (w *measuring) choose() {
	for i, c := range w.target.Columns {
		if c.NoProfile {
			continue
		}
		for _, live := range w.live.Columns {
			if live.Name == c.Name {
				w.columns = append(w.columns, &measuredColumn{place: i, live: live, said: c, class: w.how.Class(live)})
				break
			}
		}
	}
}

// measure asks in the order that costs least: size, sample, statistics of the
// engine, counts.
func (w *measuring) measure() error {
	var err error
	if w.size, err = w.how.Size(w.ctx, w.s, w.live, w.options.MaxRows); err != nil {
		return err
	}
	if err := w.draw(); err != nil {
		return err
	}
	if w.whole {
		return nil
	}
	if err := w.ask(); err != nil {
		return err
	}
	if w.size.Rows > w.options.MaxRows {
		return nil
	}
	if err := w.count(); err != nil {
		return err
	}
	switch {
	case db.Derived(w.live) && !w.size.Exact:
		return nil
	case db.Derived(w.live):
		// Its start was drawn, which need not be like the rest.
		if err := w.drawAs(db.Drawing{Rows: w.sample(), Size: w.size, Limit: w.options.MaxRows}); err != nil {
			return err
		}
	}
	return w.group()
}

// draw reads a small table whole, a sample of a large one, and the start of
// one of unknown size.
func (w *measuring) draw() error {
	d := db.Drawing{Rows: w.sample(), Size: w.size, Limit: w.options.MaxRows}
	if whole := min(wholeRows, w.most()); w.size.Rows <= int64(whole) {
		d.Start, d.Rows = true, whole
	}
	return w.drawAs(d)
}

// most is the number of rows that may be drawn.
func (w *measuring) most() int {
	return int(min(int64(max(maxCells/len(w.columns), 1000)), w.options.MaxRows-1))
}

func (w *measuring) sample() int { return min(sampleRows, w.most()) }

func (w *measuring) drawAs(d db.Drawing) error {
	complete, rows := d.Start, int64(-1)
	w.drawn = nil
	columns := w.usable(func(*measuredColumn) bool { return true })
	err := db.Each(columns, func(columns []*measuredColumn) error {
		r, err := w.how.Draw(w.ctx, w.s, w.live, lives(columns), d)
		if err != nil {
			return err
		}
		if d.Start && len(r.Rows) > d.Rows {
			complete, r.Rows = false, r.Rows[:d.Rows]
		}
		rows = int64(len(r.Rows))
		places := make([]int, len(columns))
		for i, c := range columns {
			c.values, places[i] = make([]db.Value, len(r.Rows)), c.place
			for j, row := range r.Rows {
				c.values[j] = row[i]
			}
			c.drawn = look(c.class, c.values)
		}
		w.drawn = append(w.drawn, places)
		return nil
	}, func(c *measuredColumn, err error) { c.failed = err })
	if w.whole = complete && err == nil; w.whole {
		w.size = db.Size{Rows: rows, Exact: rows >= 0}
	}
	return err
}

func lives(columns []*measuredColumn) []catalog.Column {
	out := make([]catalog.Column, len(columns))
	for i, c := range columns {
		out[i] = c.live
	}
	return out
}

// usable are the columns that did not fail.
func (w *measuring) usable(also func(*measuredColumn) bool) []*measuredColumn {
	var out []*measuredColumn
	for _, c := range w.columns {
		if c.failed == nil && also(c) {
			out = append(out, c)
		}
	}
	return out
}

// ask takes what the engine's statistics know. They are a help: where they
// cannot be read, counts and sample stand.
func (w *measuring) ask() error {
	if w.how.Known == nil {
		return nil
	}
	columns := w.usable(func(*measuredColumn) bool { return true })
	known, err := w.how.Known(w.ctx, w.s, w.live, lives(columns))
	if err != nil {
		if fatal(w.ctx, err) {
			return err
		}
		return nil
	}
	for _, c := range columns {
		if k, ok := known[c.live.Name]; ok {
			c.known = &k
		}
	}
	return nil
}

// count reads the table once. A column that cannot be counted keeps what the
// sample shows.
func (w *measuring) count() error {
	columns := w.usable(func(*measuredColumn) bool { return true })
	err := db.Each(columns, func(columns []*measuredColumn) error {
		list := make([]db.Counted, len(columns))
		for i, c := range columns {
			list[i] = db.Counted{Column: c.live, Range: c.ranged()}
		}
		counts, err := w.how.Count(w.ctx, w.s, w.live, list, w.options.MaxRows)
		if err != nil {
			return err
		}
		if counts.Cut {
			return nil
		}
		w.size = db.Size{Rows: counts.Rows, Exact: true}
		for i, c := range columns {
			c.counted = &counts.Columns[i]
		}
		return nil
	}, func(*measuredColumn, error) {})
	if err != nil && fatal(w.ctx, err) {
		return err
	}
	for _, c := range columns {
		c.slow = err
	}
	return nil
}

// ranged reports a column whose least and greatest value mean something to
// the engine.
func (c *measuredColumn) ranged() bool {
	switch c.drawn.class {
	case db.Numeric, db.Temporal:
		return c.class != db.Opaque
	case db.Textual:
		return c.drawn.shape.sorted
	}
	return false
}

// group counts each value of the columns that have few.
func (w *measuring) group() error {
	if w.how.Frequent == nil {
		return nil
	}
	few := w.usable(func(c *measuredColumn) bool {
		if c.known != nil && c.known.Complete || c.class == db.Opaque || c.drawn.others > 0 || c.slow != nil {
			return false
		}
		return len(c.drawn.runs) > 0 && len(c.drawn.runs) <= groupable
	})
	err := db.Each(few[:min(len(few), maxGroups)], func(columns []*measuredColumn) error {
		counts, err := w.how.Frequent(w.ctx, w.s, w.live, lives(columns))
		if err != nil {
			return err
		}
		for _, c := range columns {
			c.groups = groupsOf(counts[c.live.Name])
		}
		return nil
	}, func(*measuredColumn, error) {})
	if err != nil && fatal(w.ctx, err) {
		return err
	}
	return nil
}
