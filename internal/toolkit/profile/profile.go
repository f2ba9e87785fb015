// Package profile measures what the columns of a database hold, with SQL only
// and at a bounded price: what the engine's own statistics say, one pass that
// counts, and a sample with a fixed seed. The same data gives the same bytes.
package profile

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/selection"
	"github.com/sqbyl/sqbyl/semantic"
)

// DefaultMaxRows is the most rows that one statement reads.
const DefaultMaxRows = 5_000_000

// DefaultTimeout is how long one statement may take.
const DefaultTimeout = 30 * time.Second

// Options bound a profile; the zero value means the defaults.
type Options struct {
	// MaxRows is the most rows that one statement may read; a larger table is
	// estimated from a sample.
	MaxRows int64
	// Timeout is the limit of one statement.
	Timeout time.Duration
	// Workers is the number of tables measured at once; 0 means 4.
	Workers int
	// Allow names columns, as table.column or table.*, whose values may be
	// kept although they look personal.
	Allow []string
	// Progress, when set, is told that a table begins, or that all are done
	// ("").
	Progress func(done, total int, table string)
}

// Report is what a profile found.
type Report struct {
	Tables []Table `json:"tables"`
	// Elapsed is the time it took; it is no part of the JSON, which is the
	// same while the data is.
	Elapsed time.Duration `json:"-"`
}

// Table is a measured table.
type Table struct {
	Name string `json:"table"` // as the project writes it
	// Rows is the number of rows, nil where it is not known.
	Rows    *int64   `json:"rows,omitempty"`
	Exact   bool     `json:"rows_exact,omitempty"`
	Skipped string   `json:"skipped,omitempty"` // why nothing was measured
	Columns []Column `json:"columns,omitempty"`
	// Notes are what is worth a look.
	Notes []Note `json:"worth_a_look,omitempty"`
}

// Column is a measured column.
type Column struct {
	Name    string            `json:"name"`
	Type    string            `json:"type,omitempty"`
	Profile *semantic.Profile `json:"profile,omitempty"`
	// Samples are raw values worth showing to a model.
	Samples []semantic.Scalar `json:"sample_values,omitempty"`
	// Personal says what hints at a person; raw values are left out then.
	Personal string `json:"personal,omitempty"`
	// OptedOut marks "profile: false": no statement named the column.
	OptedOut bool   `json:"opted_out,omitempty"`
	Failed   string `json:"failed,omitempty"` // why it could not be measured

	texts []run // different texts, for the value index
	rows  int   // rows that texts were drawn from
}

// Note is something to look at.
type Note struct {
	Column string `json:"column"`
	Text   string `json:"text"`
}

// Run measures the tables of a schema that the model offers: all of them when
// it names none. One table or column that fails costs only itself; the error
// is that of the connection, or of ctx.
func Run(ctx context.Context, database db.Database, schema catalog.Schema, model semantic.Model, o Options) (*Report, error) {
	started := time.Now()
	if o.MaxRows <= 0 {
		o.MaxRows = DefaultMaxRows
	}
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	if o.Workers <= 0 {
		o.Workers = 4
	}
	if database.Dialect().Measure.Size == nil {
		return nil, fmt.Errorf("profile: tables of %s cannot be measured", database.Dialect().Title)
	}
	targets := selection.Combine(schema, model).Tables
	m := &measurer{database: database, how: database.Dialect().Measure, schema: schema, options: o, targets: targets}
	report := &Report{Tables: make([]Table, len(targets))}
	errs := make([]error, len(targets))

	var next, done atomic.Int64
	var telling sync.Mutex
	tell := func(table string) {
		if o.Progress != nil {
			telling.Lock()
			defer telling.Unlock()
			o.Progress(int(done.Load()), len(targets), table)
		}
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var wg sync.WaitGroup
	for range min(o.Workers, len(targets)) {
		wg.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(targets)); i = next.Add(1) - 1 {
				tell(targets[i].Name)
				report.Tables[i], errs[i] = m.table(ctx, &targets[i])
				done.Add(1)
				if errs[i] != nil {
					stop()
					return
				}
			}
		})
	}
	wg.Wait()
	tell("")
	if err := first(targets, errs); err != nil {
		return nil, err
	}
	report.Elapsed = time.Since(started)
	return report, ctx.Err()
}

// first is the error that ended a profile, not one of those it ended.
func first(targets []selection.Table, errs []error) error {
	var stopped error
	for i, err := range errs {
		if err == nil {
			continue
		}
		err = fmt.Errorf("profile %s: %w", targets[i].Name, err)
		if !errors.Is(err, context.Canceled) {
			return err
		}
		if stopped == nil {
			stopped = err
		}
	}
	return stopped
}
