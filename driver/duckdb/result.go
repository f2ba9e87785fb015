//go:build cgo && !no_duckdb

package duckdb

import (
	"time"

	duck "github.com/duckdb/duckdb-go-bindings"

	"github.com/sqbyl/sqbyl/internal/engine/db"
	dialect "github.com/sqbyl/sqbyl/internal/engine/dialect/duckdb"
)

// run executes a statement and reads its result as a stream: the engine never
// holds more of it than a buffer, so that a cap on rows caps memory too.
func (s *statement) run(caps db.Caps) (*db.Result, error) {
	start := time.Now()
	var stream duck.Result
	state := duck.ExecutePreparedStreaming(s.handle, &stream)
	defer duck.DestroyResult(&stream)
	if state == duck.StateError {
		return nil, dialect.Classify("", duck.ResultError(&stream))
	}
	r := reader{caps: caps, result: &db.Result{}}
	if err := r.open(&stream); err != nil {
		return nil, err
	}
	for !r.full {
		var chunk duck.DataChunk
		if duck.StreamFetchChunk(stream, &chunk) == duck.StateError {
			if message := duck.ResultError(&stream); message != "" {
				return nil, dialect.Classify("", message)
			}
			break
		}
		rows, err := r.take(chunk)
		duck.DestroyDataChunk(&chunk)
		if err != nil {
			return nil, err
		}
		if rows == 0 {
			break
		}
	}
	r.result.Elapsed = time.Since(start)
	return r.result, nil
}

// reader turns chunks into rows up to the caps.
type reader struct {
	caps    db.Caps
	columns []*column
	result  *db.Result
	bytes   int64
	full    bool
}

func (r *reader) open(stream *duck.Result) error {
	count := int(duck.ColumnCount(stream))
	for i := range count {
		name := duck.ColumnName(stream, duck.IdxT(i))
		t := duck.ColumnLogicalType(stream, duck.IdxT(i))
		c, err := newColumn(t)
		r.result.Columns = append(r.result.Columns, db.Column{Name: name, Type: typeName(t)})
		duck.DestroyLogicalType(&t)
		if err != nil {
			return &db.Error{Kind: db.ErrType, Offset: -1, Name: name, Message: "column " + name + ": " + err.Error()}
		}
		r.columns = append(r.columns, c)
	}
	return nil
}

// take reads the rows of a chunk and returns their number.
func (r *reader) take(chunk duck.DataChunk) (int, error) {
	size := int(duck.DataChunkGetSize(chunk))
	if size == 0 {
		return 0, nil
	}
	for i, c := range r.columns {
		c.load(duck.DataChunkGetVector(chunk, duck.IdxT(i)))
	}
	for row := range size {
		if r.caps.Rows > 0 && len(r.result.Rows) == r.caps.Rows {
			r.full, r.result.Truncated = true, db.ByRows
			return size, nil
		}
		values := make([]db.Value, len(r.columns))
		for i, c := range r.columns {
			// One value may be larger than all caps: look before it is copied.
			if r.caps.Bytes > 0 && r.bytes+c.size(row) > r.caps.Bytes {
				r.full, r.result.Truncated = true, db.ByBytes
				return size, nil
			}
			values[i] = c.value(row)
			r.bytes += values[i].Size()
		}
		r.result.Rows = append(r.result.Rows, values)
	}
	return size, nil
}
