package joins

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// Bounds limit what is read as evidence; 0 takes the default.
type Bounds struct {
	// Rows is the most rows that one statement takes of a table: 10,000. A
	// sample or a lookup may read twenty times as many.
	Rows int
	// Values is the number of distinct values that are looked for: 200.
	Values int
	// Workers is the number of sessions: 4.
	Workers int
	// Statement is the time of one statement, 5 s; Total that of all, 60 s.
	// What is not read by then counts as not known.
	Statement, Total time.Duration
	// Skip names columns that no statement may read.
	Skip func(t catalog.Table, column string) bool
}

func (b Bounds) filled() Bounds {
	def := func(n *int, v int) {
		if *n <= 0 {
			*n = v
		}
	}
	def(&b.Rows, 10_000)
	def(&b.Values, 200)
	def(&b.Workers, 4)
	if b.Statement <= 0 {
		b.Statement = 5 * time.Second
	}
	if b.Total <= 0 {
		b.Total = time.Minute
	}
	if b.Skip == nil {
		b.Skip = func(catalog.Table, string) bool { return false }
	}
	return b
}

// Found is what Find gives.
type Found struct {
	Candidates []Candidate
	// Notes say what could not be read and why; it costs confidence only.
	Notes []string
}

// Find proposes, measures and scores the joins of a database. Views are not
// read. It fails only when no session can be had or ctx ends.
func Find(ctx context.Context, database db.Database, schema catalog.Schema, b Bounds) (Found, error) {
	pairs := Propose(schema)
	if len(pairs) == 0 {
		return Found{}, nil
	}
	measured, notes, err := Measure(ctx, database, schema, pairs, b)
	if err != nil {
		return Found{}, err
	}
	return Found{Candidates: Score(schema, database.Dialect(), pairs, measured), Notes: notes}, nil
}

// Measure reads the data behind pairs: each table's columns once, values that
// are looked for in a table too large to be read whole in one statement each.
func Measure(ctx context.Context, database db.Database, schema catalog.Schema, pairs []Pair, b Bounds) ([]Measured, []string, error) {
	b = b.filled()
	limited, cancel := context.WithTimeout(ctx, b.Total)
	defer cancel()
	m := &measuring{database: database, schema: schema, bounds: b, columns: map[int][]string{}, sets: map[int][][]string{}, tuples: map[string]*facts{}}
	for _, p := range pairs {
		m.want(p.from, p.From.Columns)
		m.want(p.to, p.To.Columns)
	}
	if err := m.each(limited, len(m.order), func(ctx context.Context, s db.Session, i int) error { return m.read(ctx, s, m.order[i]) }); err != nil {
		return nil, nil, err
	}
	out := make([]Measured, len(pairs))
	if err := m.each(limited, len(pairs), func(ctx context.Context, s db.Session, i int) (err error) {
		out[i], err = m.pair(ctx, s, pairs[i])
		return err
	}); err != nil {
		return nil, nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	slices.Sort(m.notes)
	return out, slices.Compact(m.notes), nil
}

type measuring struct {
	database db.Database
	schema   catalog.Schema
	bounds   Bounds
	columns  map[int][]string   // table → columns to read
	sets     map[int][][]string // table → lists of columns whose facts are wanted
	order    []int              // tables to read

	mu     sync.Mutex
	tuples map[string]*facts // setKey → facts
	notes  []string
}

func setKey(table int, columns []string) string {
	return strconv.Itoa(table) + "\x00" + strings.Join(columns, "\x00")
}

func (m *measuring) want(table int, columns []string) {
	t := m.schema.Tables[table]
	for _, c := range t.Columns {
		if slices.Contains(columns, c.Name) && (m.bounds.Skip(t, c.Name) || m.database.Dialect().Measure.Class(c) == db.Opaque) {
			return
		}
	}
	key := setKey(table, columns)
	if m.tuples[key] != nil {
		return
	}
	m.tuples[key] = &facts{}
	m.sets[table] = append(m.sets[table], columns)
	if m.columns[table] == nil {
		m.order = append(m.order, table)
	}
	for _, c := range columns {
		if !slices.Contains(m.columns[table], c) {
			m.columns[table] = append(m.columns[table], c)
		}
	}
}

// unit is a piece of work on one session.
type unit func(ctx context.Context, s db.Session, i int) error

// each runs n units over a few sessions. A unit that fails is noted, and its
// session is not used again.
func (m *measuring) each(ctx context.Context, n int, u unit) error {
	var wg sync.WaitGroup
	next := make(chan int)
	errs := make([]error, min(m.bounds.Workers, n))
	for w := range errs {
		wg.Go(func() {
			errs[w] = m.work(ctx, next, u)
			for range next { // so that the sender ends
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
	if ctx.Err() != nil {
		return nil
	}
	return errors.Join(errs...)
}

func (m *measuring) work(ctx context.Context, next <-chan int, u unit) (err error) {
	var s db.Session
	for i := range next {
		if s == nil {
			if s, err = m.database.Session(ctx, db.Answer); err != nil {
				return err
			}
		}
		if err := m.bounded(ctx, s, i, u); err != nil {
			m.note(err)
			_ = s.Close() // whatever broke it has been noted
			s = nil
		}
	}
	if s == nil {
		return nil
	}
	return s.Close()
}

func (m *measuring) bounded(ctx context.Context, s db.Session, i int, u unit) error {
	if ctx.Err() != nil {
		return fmt.Errorf("looking for joins took longer than %s; the rest counts by its names only", m.bounds.Total)
	}
	ctx, cancel := context.WithTimeout(ctx, m.bounds.Statement)
	defer cancel()
	return u(ctx, s, i)
}

func (m *measuring) note(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.notes = append(m.notes, err.Error())
}
