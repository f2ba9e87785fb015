//go:build cgo && !no_duckdb

package duckdb

import (
	"fmt"
	"math/big"
	"strings"
	"time"

	duck "github.com/duckdb/duckdb-go-bindings"

	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// bind gives parameters their values, each in its own type: the engine
// compares no day with a text.
func (s *statement) bind(args []db.Value) error {
	if want := int(duck.NParams(s.handle)); want != len(args) {
		return &db.Error{Kind: db.ErrType, Offset: -1, Message: fmt.Sprintf("the statement has %d parameters and was given %d values", want, len(args))}
	}
	for i, v := range args {
		if s.bindOne(duck.IdxT(i+1), v) == duck.StateError {
			return &db.Error{Kind: db.ErrType, Offset: -1, Message: fmt.Sprintf("the value of parameter %d cannot be bound", i+1)}
		}
	}
	return nil
}

func (s *statement) bindOne(at duck.IdxT, v db.Value) duck.State {
	switch v.Kind() {
	case db.Null:
		return duck.BindNull(s.handle, at)
	case db.Bool:
		return duck.BindBoolean(s.handle, at, v.Bool())
	case db.Int:
		return duck.BindInt64(s.handle, at, v.Int())
	case db.Float:
		return duck.BindDouble(s.handle, at, v.Float())
	case db.Blob:
		return duck.BindBlob(s.handle, at, []byte(v.Raw()))
	case db.List, db.Struct:
		return duck.StateError
	case db.Decimal:
		if width, scale, digits, ok := decimal(v.Raw()); ok {
			return duck.BindDecimal(s.handle, at, duck.NewDecimal(width, scale, digits))
		}
	case db.Date, db.Clock, db.Timestamp, db.TimestampTZ:
		if t, err := time.Parse(layouts[v.Kind()], v.Raw()); err == nil {
			return s.bindTime(at, v.Kind(), t)
		}
	}
	return duck.BindVarchar(s.handle, at, v.Raw())
}

// layouts are how db spells times.
var layouts = map[db.ValueKind]string{
	db.Date: "2006-01-02", db.Clock: "15:04:05", db.Timestamp: "2006-01-02 15:04:05", db.TimestampTZ: "2006-01-02 15:04:05Z07:00",
}

func (s *statement) bindTime(at duck.IdxT, kind db.ValueKind, t time.Time) duck.State {
	const day = 24 * 60 * 60
	switch kind {
	case db.Date:
		return duck.BindDate(s.handle, at, duck.NewDate(int32(t.Unix()/day)))
	case db.Clock:
		midnight := time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
		return duck.BindTime(s.handle, at, duck.NewTime(t.Sub(midnight).Microseconds()))
	case db.TimestampTZ:
		return duck.BindTimestampTZ(s.handle, at, duck.NewTimestamp(t.UnixMicro()))
	}
	return duck.BindTimestamp(s.handle, at, duck.NewTimestamp(t.UnixMicro()))
}

// decimal reads a literal without an exponent as DuckDB stores it: up to 38
// digits, scale of them behind the point.
func decimal(text string) (width, scale uint8, digits duck.HugeInt, ok bool) {
	whole, fraction, _ := strings.Cut(text, ".")
	n, ok := new(big.Int).SetString(whole+fraction, 10)
	size := len(strings.TrimLeft(whole, "+-")) + len(fraction)
	if !ok || size > 38 {
		return 0, 0, duck.HugeInt{}, false
	}
	// Two's complement in two words.
	low := new(big.Int).And(n, new(big.Int).SetUint64(1<<64-1))
	high := new(big.Int).Rsh(n, 64)
	return uint8(max(size, 1)), uint8(len(fraction)), duck.NewHugeInt(low.Uint64(), high.Int64()), true
}
