package orderkey

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/compare"
	"github.com/sqbyl/sqbyl/internal/engine/compare/cell"
	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// Ask runs the ways to write the query until one of them gives the key, which
// it returns with that one's result.
func (q *Query) Ask(run func(sql string) (*db.Result, error)) (*compare.Key, *db.Result, error) {
	if q.Start != "" {
		r, err := run(q.Start)
		if err == nil {
			err = q.begin(r)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("read how many rows the gold skips: %w", err)
		}
	}
	var failed error
	for _, sql := range q.SQL {
		r, err := run(sql)
		if err == nil {
			var key *compare.Key
			if key, err = q.key(r); err == nil {
				return key, r, nil
			}
		}
		failed = errors.Join(failed, err)
	}
	return nil, nil, failed
}

// begin takes the rows to be skipped from the result of Start, as engines do:
// a fraction is rounded, nothing and less than nothing are none.
func (q *Query) begin(r *db.Result) error {
	if len(r.Rows) != 1 || len(r.Rows[0]) != 1 {
		return fmt.Errorf("%d rows", len(r.Rows))
	}
	v := r.Rows[0][0]
	if v.IsNull() {
		return nil
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(v.String()), 64)
	if err != nil || n > math.MaxInt32 {
		return fmt.Errorf("%s is no number of rows", v)
	}
	q.offset = max(0, int(math.Round(n)))
	return nil
}

// key reads the order key from the result of one of the queries.
func (q *Query) key(r *db.Result) (*compare.Key, error) {
	extra := len(r.Columns) - q.width
	if extra != q.added && extra != q.added+1 {
		return nil, fmt.Errorf("read the gold's order key: %d columns, want %d", len(r.Columns), q.width+q.added)
	}
	ranked := extra == q.added+1
	k := &compare.Key{Offset: q.offset, Limit: q.limit, Cut: r.Truncated != db.Whole, Tie: make([]int32, len(r.Rows))}
	k.Rows = make([][]db.Value, len(r.Rows))
	tie := int32(-1)
	for i, row := range r.Rows {
		if i == 0 || !q.tied(r.Rows[i-1], row, ranked) {
			tie++
			k.Label = append(k.Label, q.label(row))
		}
		k.Rows[i], k.Tie[i] = row[:q.width], tie
	}
	return k, nil
}

func (q *Query) tied(a, b []db.Value, ranked bool) bool {
	if ranked {
		return cell.Exactly.Equal(&a[len(a)-1], &b[len(b)-1])
	}
	for _, j := range q.keys {
		if !cell.Exactly.Equal(&a[j], &b[j]) {
			return false
		}
	}
	return true
}

// KeyColumns are the columns of a query's result that make up the key, the
// first term's first.
func (q *Query) KeyColumns() []int { return q.keys }

func (q *Query) label(row []db.Value) string {
	var cells []string
	for _, j := range q.keys {
		cells = append(cells, row[j].String())
	}
	return strings.Join(cells, ", ")
}
