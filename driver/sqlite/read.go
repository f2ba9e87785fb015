package sqlite

import (
	"fmt"
	"strconv"

	"github.com/ncruces/go-sqlite3"

	"github.com/sqbyl/sqbyl/internal/engine/db"
)

func columnsOf(stmt *sqlite3.Stmt) []db.Column {
	columns := make([]db.Column, stmt.ColumnCount())
	for i := range columns {
		columns[i] = db.Column{Name: stmt.ColumnName(i), Type: stmt.ColumnDeclType(i)}
	}
	return columns
}

// read steps through a statement; caps of 0 do not bind.
func read(stmt *sqlite3.Stmt, caps db.Caps) (*db.Result, error) {
	res := &db.Result{Columns: columnsOf(stmt)}
	cells := make([]any, len(res.Columns))
	var bytes int64
	for stmt.Step() {
		if caps.Rows > 0 && len(res.Rows) == caps.Rows {
			res.Truncated = db.ByRows
			return res, nil
		}
		if err := stmt.ColumnsRaw(cells...); err != nil {
			return nil, err
		}
		if bytes += rowSize(cells); caps.Bytes > 0 && bytes > caps.Bytes {
			res.Truncated = db.ByBytes
			return res, nil
		}
		row, err := values(stmt, cells)
		if err != nil {
			return nil, err
		}
		res.Rows = append(res.Rows, row)
	}
	return res, stmt.Err()
}

// rowSize counts a row as db.Value.Size does, before anything is copied.
func rowSize(cells []any) int64 {
	n := int64(8 * len(cells))
	for _, c := range cells {
		if b, ok := c.([]byte); ok {
			n += int64(len(b))
		}
	}
	return n
}

// values copies a row out of the engine's memory as it is stored: no type is
// guessed from a column's declaration.
func values(stmt *sqlite3.Stmt, cells []any) ([]db.Value, error) {
	row := make([]db.Value, len(cells))
	for i, c := range cells {
		switch v := c.(type) {
		case nil:
		case int64:
			row[i] = db.IntValue(v)
		case float64:
			row[i] = db.FloatValue(v)
		case []byte:
			if stmt.ColumnType(i) == sqlite3.BLOB {
				row[i] = db.BlobValue(v)
			} else {
				row[i] = db.TextValue(string(v))
			}
		default:
			return nil, fmt.Errorf("column %d: a value of unknown kind %T", i+1, v)
		}
	}
	return row, nil
}

func bindAll(stmt *sqlite3.Stmt, args []db.Value) error {
	for i, arg := range args {
		if err := bind(stmt, i+1, arg); err != nil {
			return err
		}
	}
	return nil
}

// bind gives a parameter its value. A decimal is bound as a number: as text it
// would be larger than every number.
func bind(stmt *sqlite3.Stmt, at int, v db.Value) error {
	switch v.Kind() {
	case db.Null:
		return stmt.BindNull(at)
	case db.Bool:
		return stmt.BindBool(at, v.Bool())
	case db.Int:
		return stmt.BindInt64(at, v.Int())
	case db.Float:
		return stmt.BindFloat(at, v.Float())
	case db.Decimal:
		if i, err := strconv.ParseInt(v.Raw(), 10, 64); err == nil {
			return stmt.BindInt64(at, i)
		}
		f, err := strconv.ParseFloat(v.Raw(), 64)
		if err != nil {
			return fmt.Errorf("bind %q as a number: %w", v.Raw(), err)
		}
		return stmt.BindFloat(at, f)
	case db.Blob:
		return stmt.BindBlob(at, []byte(v.Raw()))
	}
	return stmt.BindText(at, v.Raw())
}
