package db

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/catalog"
)

// Measuring is how a dialect's tables are measured: what their columns hold,
// at a bounded price. None of its statements names a column that it was not
// given, and none of them reads more rows than it is told to.
type Measuring struct {
	// Class tells what the values of a column are, by its type in the
	// catalog.
	Class func(c catalog.Column) Class
	// Size tells how many rows a table has, reading at most limit of them.
	Size func(ctx context.Context, s Session, t catalog.Table, limit int64) (Size, error)
	// Draw reads some columns of about so many rows, the same ones while the
	// data is the same.
	// Long texts are cut at DrawnLength characters; of an Opaque column it
	// tells only which values are NULL.
	Draw func(ctx context.Context, s Session, t catalog.Table, columns []catalog.Column, d Drawing) (*Result, error)
	// Count reads a table in one statement: whole, or of a view or a foreign
	// table limit rows at most.
	Count func(ctx context.Context, s Session, t catalog.Table, columns []Counted, limit int64) (Counts, error)
	// Known gives what the engine's own statistics say of columns, by name;
	// nil where the engine keeps none.
	Known func(ctx context.Context, s Session, t catalog.Table, columns []catalog.Column) (map[string]Known, error)
	// Frequent counts the rows of each value of some columns, in one statement
	// that reads the table whole; nil where that costs too much.
	Frequent func(ctx context.Context, s Session, t catalog.Table, columns []catalog.Column) (map[string][]Frequency, error)
}

// DrawnLength is the number of characters that Draw gives of a text.
const DrawnLength = 256

// Class is what the values of a column are, as far as it decides which
// statistics make sense.
type Class uint8

// The classes. Opaque values are only counted: documents, lists, shapes,
// bytes.
const (
	Opaque Class = iota
	Numeric
	Textual
	Temporal
	Boolean
)

// Size is the number of rows of a table.
type Size struct {
	Rows  int64 // -1: unknown
	Exact bool
}

// Drawing says what to draw.
type Drawing struct {
	Rows  int   // about so many
	Size  Size  // of the table
	Limit int64 // no statement may read more rows than that
	// Start wants the first rows, one more than Rows where there are more.
	Start bool
}

// Counted is a column to count; the least and the greatest value are wanted
// where Range is set.
type Counted struct {
	Column catalog.Column
	Range  bool
}

// Counts are what Count gives, the columns in the order asked for.
type Counts struct {
	Rows    int64
	Columns []CountedColumn
	Cut     bool // there may be more rows
}

// CountedColumn is the number of values that are not NULL, and the least and
// greatest of them.
type CountedColumn struct {
	Values   int64
	Min, Max Value
}

// Spelling is how a dialect writes a table and its columns.
type Spelling struct {
	Table string
	Quote func(name string) string
	// Plain is a column whose values compare as its class says.
	Plain func(c catalog.Column) string
}

// Count is the text of a statement for Measuring.Count.
func (p Spelling) Count(t catalog.Table, columns []Counted, limit int64) string {
	list, names := []string{"count(*)"}, make([]string, len(columns))
	for i, c := range columns {
		names[i] = p.Quote(c.Column.Name)
		list = append(list, "count("+names[i]+")")
		if c.Range {
			list = append(list, "min("+p.Plain(c.Column)+")", "max("+p.Plain(c.Column)+")")
		}
	}
	from := p.Table
	if Derived(t) {
		from = fmt.Sprintf("(SELECT %s FROM %s LIMIT %d) t", strings.Join(names, ", "), p.Table, limit)
	}
	return "SELECT " + strings.Join(list, ", ") + " FROM " + from
}

// Derived reports a table whose rows are made when they are read.
func Derived(t catalog.Table) bool {
	return t.Kind != catalog.BaseTable && t.Kind != catalog.MaterializedView
}

// CountsOf reads the row of a statement that Spelling.Count made.
func CountsOf(r *Result, t catalog.Table, columns []Counted, limit int64) Counts {
	row := r.Rows[0]
	rows := row[0].Int()
	c := Counts{Rows: rows, Columns: make([]CountedColumn, len(columns)), Cut: Derived(t) && rows >= limit}
	at := 1
	for i := range columns {
		c.Columns[i].Values = row[at].Int()
		at++
		if columns[i].Range {
			c.Columns[i].Min, c.Columns[i].Max = row[at], row[at+1]
			at += 2
		}
	}
	return c
}

// Known is what an engine's statistics say of a column. A nil or zero field
// is not known.
type Known struct {
	Nulls    *float64 // share of rows
	Distinct int64
	Min, Max Value
	// Quantiles are values at equal steps of the ordered column, NULLs left
	// out, the first being the least.
	Quantiles []Value
	// Top are frequent values by share, which is of all rows.
	Top []Frequency
	// Complete says that Top holds every value.
	Complete bool
}

// Frequency is a value and how often it stands there: a number of rows, or a
// share of them.
type Frequency struct {
	Value Value
	Rows  int64
	Share float64
}

// GroupsOf reads the rows of GROUPING SETS of one column each: the grouping's
// number, which has a bit for each column that a row is not grouped by, the
// first one highest; the columns; the number of rows.
func GroupsOf(r *Result, columns []catalog.Column) map[string][]Frequency {
	counts := map[string][]Frequency{}
	for _, row := range r.Rows {
		for i, c := range columns {
			if row[0].Int()&(1<<(len(columns)-1-i)) == 0 && !row[1+i].IsNull() {
				counts[c.Name] = append(counts[c.Name], Frequency{Value: row[1+i], Rows: row[len(row)-1].Int()})
			}
		}
	}
	return counts
}

// blockSeed is fixed, so that the same table gives the same blocks.
const blockSeed = 42

// Blocks picks different blocks of size numbers between low and high, at
// random places that are always the same, as the starts of them in order:
// enough for rows numbers, or all there are.
func Blocks(low, high, size, rows int64) []int64 {
	if high-low < 0 { // more than 63 bits: the middle half will do
		low, high = low/2, high/2
	}
	total := (high-low)/size + 1
	want := min((rows+size-1)/size, total)
	random := rand.New(rand.NewPCG(blockSeed, blockSeed))
	picked := make(map[int64]bool, want)
	for int64(len(picked)) < want {
		picked[random.Int64N(total)] = true
	}
	starts := make([]int64, 0, want)
	for block := range picked {
		starts = append(starts, low+block*size)
	}
	slices.Sort(starts)
	return starts
}

// Each runs a statement over several columns. When it fails, halves are tried
// until the columns that are at fault are found: each of those costs only
// itself. Errors of the connection, of time and of a stop are not the fault
// of a column and end it.
func Each[C any](columns []C, run func([]C) error, fault func(C, error)) error {
	if len(columns) == 0 {
		return nil
	}
	err := run(columns)
	if err == nil {
		return nil
	}
	if !ofColumn(err) {
		return err
	}
	if len(columns) == 1 {
		fault(columns[0], err)
		return nil
	}
	half := len(columns) / 2
	if err := Each(columns[:half], run, fault); err != nil {
		return err
	}
	return Each(columns[half:], run, fault)
}

func ofColumn(err error) bool {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return false
	}
	var e *Error
	if !errors.As(err, &e) {
		return true
	}
	switch e.Kind {
	case ErrTimeout, ErrCanceled, ErrUnreachable, ErrAuth, ErrLocked, ErrNotADatabase, ErrUnknownTable:
		return false
	}
	return true
}
