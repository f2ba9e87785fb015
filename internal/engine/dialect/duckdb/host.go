package duckdb

import (
	"encoding/binary"
	"math/big"
	"reflect"
	"time"

	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// hostCell reads what the driver for database/sql gives in types of its own,
// which the engine must not import: structs are known by their fields.
func hostCell(cell any, typeName string) (db.Value, bool) {
	switch v := cell.(type) {
	case time.Time:
		return hostTime(v, typeName)
	case []byte:
		if typeName == "UUID" && len(v) == 16 {
			return UUIDValue(int64(binary.BigEndian.Uint64(v[:8])^1<<63), binary.BigEndian.Uint64(v[8:])), true
		}
		return db.Value{}, false
	}
	r := reflect.ValueOf(cell)
	if r.Kind() != reflect.Struct {
		return db.Value{}, false
	}
	months, days, micros := r.FieldByName("Months"), r.FieldByName("Days"), r.FieldByName("Micros")
	if months.IsValid() && days.IsValid() && micros.IsValid() && months.CanInt() && days.CanInt() && micros.CanInt() {
		return IntervalValue(int32(months.Int()), int32(days.Int()), micros.Int()), true
	}
	scale, unscaled := r.FieldByName("Scale"), r.FieldByName("Value")
	if scale.IsValid() && scale.CanUint() && unscaled.IsValid() {
		if n, ok := unscaled.Interface().(*big.Int); ok && n != nil {
			return DecimalValue(n, int(scale.Uint())), true
		}
	}
	return db.Value{}, false
}

// hostTime gives back what the driver made a time of, infinity included.
func hostTime(t time.Time, typeName string) (db.Value, bool) {
	switch typeName {
	case "DATE":
		return DateValue(int32(t.Unix() / 86400)), true
	case "TIMETZ":
		return db.LiteralValue(db.Clock, t.Format("15:04:05.999999999-07:00")), true
	case "TIMESTAMP":
		return TimestampValue(t.UnixMicro(), 1_000_000), true
	case "TIMESTAMPTZ":
		return TimestampTZValue(t.UnixMicro()), true
	}
	return db.Value{}, false
}
