//go:build cgo && !no_duckdb

package duckdb

import (
	"math/big"
	"strconv"
	"strings"

	duck "github.com/duckdb/duckdb-go-bindings"

	"github.com/sqbyl/sqbyl/internal/engine/db"
	dialect "github.com/sqbyl/sqbyl/internal/engine/dialect/duckdb"
)

// readers read the types without members.
var readers = map[duck.Type]func(c *column, row int) db.Value{
	duck.TypeBoolean:   func(c *column, row int) db.Value { return db.BoolValue(at[uint8](c.data, row) != 0) },
	duck.TypeTinyInt:   func(c *column, row int) db.Value { return db.IntValue(int64(at[int8](c.data, row))) },
	duck.TypeSmallInt:  func(c *column, row int) db.Value { return db.IntValue(int64(at[int16](c.data, row))) },
	duck.TypeInteger:   func(c *column, row int) db.Value { return db.IntValue(int64(at[int32](c.data, row))) },
	duck.TypeBigInt:    func(c *column, row int) db.Value { return db.IntValue(at[int64](c.data, row)) },
	duck.TypeUTinyInt:  func(c *column, row int) db.Value { return db.IntValue(int64(at[uint8](c.data, row))) },
	duck.TypeUSmallInt: func(c *column, row int) db.Value { return db.IntValue(int64(at[uint16](c.data, row))) },
	duck.TypeUInteger:  func(c *column, row int) db.Value { return db.IntValue(int64(at[uint32](c.data, row))) },
	duck.TypeUBigInt: func(c *column, row int) db.Value {
		return dialect.WholeValue(new(big.Int).SetUint64(at[uint64](c.data, row)))
	},
	duck.TypeHugeInt: func(c *column, row int) db.Value {
		h := at[hugeT](c.data, row)
		return dialect.WholeValue(huge(h.upper, h.lower))
	},
	duck.TypeUHugeInt: func(c *column, row int) db.Value {
		h := at[uhugeT](c.data, row)
		n := new(big.Int).Lsh(new(big.Int).SetUint64(h.upper), 64)
		return dialect.WholeValue(n.Or(n, new(big.Int).SetUint64(h.lower)))
	},
	duck.TypeFloat:  func(c *column, row int) db.Value { return db.FloatValue(float64(at[float32](c.data, row))) },
	duck.TypeDouble: func(c *column, row int) db.Value { return db.FloatValue(at[float64](c.data, row)) },
	duck.TypeDate:   func(c *column, row int) db.Value { return dialect.DateValue(at[int32](c.data, row)) },
	duck.TypeTime:   func(c *column, row int) db.Value { return dialect.TimeValue(at[int64](c.data, row), 1e6) },
	duck.TypeTimeNS: func(c *column, row int) db.Value { return dialect.TimeValue(at[int64](c.data, row), 1e9) },
	duck.TypeTimeTZ: func(c *column, row int) db.Value { return dialect.TimeTZValue(at[uint64](c.data, row)) },
	duck.TypeTimestamp: func(c *column, row int) db.Value {
		return dialect.TimestampValue(at[int64](c.data, row), 1e6)
	},
	duck.TypeTimestampS:  func(c *column, row int) db.Value { return dialect.TimestampValue(at[int64](c.data, row), 1) },
	duck.TypeTimestampMS: func(c *column, row int) db.Value { return dialect.TimestampValue(at[int64](c.data, row), 1e3) },
	duck.TypeTimestampNS: func(c *column, row int) db.Value { return dialect.TimestampValue(at[int64](c.data, row), 1e9) },
	duck.TypeTimestampTZ: func(c *column, row int) db.Value { return dialect.TimestampTZValue(at[int64](c.data, row)) },
	duck.TypeInterval: func(c *column, row int) db.Value {
		i := at[intervalT](c.data, row)
		return dialect.IntervalValue(i.months, i.days, i.micros)
	},
	duck.TypeUUID: func(c *column, row int) db.Value {
		h := at[hugeT](c.data, row)
		return dialect.UUIDValue(h.upper, h.lower)
	},
	duck.TypeBlob:     func(c *column, row int) db.Value { return db.BlobValue([]byte(c.str(row))) },
	duck.TypeGeometry: func(c *column, row int) db.Value { return db.BlobValue([]byte(c.str(row))) },
	duck.TypeBit:      func(c *column, row int) db.Value { return dialect.BitValue(c.str(row)) },
	duck.TypeBigNum:   func(c *column, row int) db.Value { return dialect.BignumValue(c.str(row)) },
	duck.TypeSQLNull:  func(*column, int) db.Value { return db.Value{} },
}

// typeNames are the types without parameters.
var typeNames = map[duck.Type]string{
	duck.TypeBoolean: "BOOLEAN", duck.TypeTinyInt: "TINYINT", duck.TypeSmallInt: "SMALLINT", duck.TypeInteger: "INTEGER",
	duck.TypeBigInt: "BIGINT", duck.TypeUTinyInt: "UTINYINT", duck.TypeUSmallInt: "USMALLINT", duck.TypeUInteger: "UINTEGER",
	duck.TypeUBigInt: "UBIGINT", duck.TypeHugeInt: "HUGEINT", duck.TypeUHugeInt: "UHUGEINT", duck.TypeFloat: "FLOAT",
	duck.TypeDouble: "DOUBLE", duck.TypeDate: "DATE", duck.TypeTime: "TIME", duck.TypeTimeNS: "TIME_NS",
	duck.TypeTimeTZ: "TIME WITH TIME ZONE", duck.TypeTimestamp: "TIMESTAMP", duck.TypeTimestampS: "TIMESTAMP_S",
	duck.TypeTimestampMS: "TIMESTAMP_MS", duck.TypeTimestampNS: "TIMESTAMP_NS", duck.TypeTimestampTZ: "TIMESTAMP WITH TIME ZONE",
	duck.TypeInterval: "INTERVAL", duck.TypeUUID: "UUID", duck.TypeBlob: "BLOB", duck.TypeGeometry: "GEOMETRY",
	duck.TypeBit: "BIT", duck.TypeBigNum: "BIGNUM", duck.TypeSQLNull: "\"NULL\"", duck.TypeVarchar: "VARCHAR", duck.TypeVariant: "VARIANT",
}

// typeName spells a type as the engine prints it.
func typeName(t duck.LogicalType) string {
	id := duck.GetTypeId(t)
	if alias := duck.LogicalTypeGetAlias(t); alias != "" && id != duck.TypeEnum {
		return alias
	}
	of := func(child duck.LogicalType) string {
		defer duck.DestroyLogicalType(&child)
		return typeName(child)
	}
	switch id {
	case duck.TypeDecimal:
		return "DECIMAL(" + strconv.Itoa(int(duck.DecimalWidth(t))) + "," + strconv.Itoa(int(duck.DecimalScale(t))) + ")"
	case duck.TypeEnum:
		labels := make([]string, duck.EnumDictionarySize(t))
		for i := range labels {
			labels[i] = "'" + strings.ReplaceAll(duck.EnumDictionaryValue(t, duck.IdxT(i)), "'", "''") + "'"
		}
		return "ENUM(" + strings.Join(labels, ", ") + ")"
	case duck.TypeList:
		return of(duck.ListTypeChildType(t)) + "[]"
	case duck.TypeArray:
		return of(duck.ArrayTypeChildType(t)) + "[" + strconv.Itoa(int(duck.ArrayTypeArraySize(t))) + "]"
	case duck.TypeMap:
		return "MAP(" + of(duck.MapTypeKeyType(t)) + ", " + of(duck.MapTypeValueType(t)) + ")"
	case duck.TypeStruct, duck.TypeUnion:
		return memberTypes(t, id, of)
	}
	if name := typeNames[id]; name != "" {
		return name
	}
	return "type " + strconv.Itoa(int(id))
}

func memberTypes(t duck.LogicalType, id duck.Type, of func(duck.LogicalType) string) string {
	word, count := "STRUCT", duck.StructTypeChildCount
	name, child := duck.StructTypeChildName, duck.StructTypeChildType
	if id == duck.TypeUnion {
		word, count, name, child = "UNION", duck.UnionTypeMemberCount, duck.UnionTypeMemberName, duck.UnionTypeMemberType
	}
	members := make([]string, count(t))
	for i := range members {
		member := name(t, duck.IdxT(i))
		if member != "" {
			member = dialect.Ident(member) + " "
		}
		members[i] = member + of(child(t, duck.IdxT(i)))
	}
	return word + "(" + strings.Join(members, ", ") + ")"
}
