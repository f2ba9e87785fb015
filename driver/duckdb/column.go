//go:build cgo && !no_duckdb

package duckdb

import (
	"fmt"
	"math/big"
	"strings"
	"unsafe"

	duck "github.com/duckdb/duckdb-go-bindings"

	"github.com/sqbyl/sqbyl/internal/engine/db"
	dialect "github.com/sqbyl/sqbyl/internal/engine/dialect/duckdb"
)

// column reads the vectors of one column, or of one member of a nested type.
type column struct {
	kind     duck.Type // of decimals and enums the one they are stored as
	read     func(c *column, row int) db.Value
	json     bool
	scale    int
	labels   []string
	width    int // of arrays
	names    []string
	children []*column

	data     unsafe.Pointer
	validity unsafe.Pointer
}

// newColumn plans the reading of a type.
func newColumn(t duck.LogicalType) (*column, error) {
	c := &column{kind: duck.GetTypeId(t)}
	switch c.kind {
	case duck.TypeDecimal:
		c.kind, c.scale, c.read = duck.DecimalInternalType(t), int(duck.DecimalScale(t)), readDecimal
	case duck.TypeEnum:
		c.kind, c.read = duck.EnumInternalType(t), readEnum
		for i := range duck.EnumDictionarySize(t) {
			c.labels = append(c.labels, duck.EnumDictionaryValue(t, duck.IdxT(i)))
		}
	case duck.TypeVarchar:
		c.read, c.json = readText, duck.LogicalTypeGetAlias(t) == "JSON"
	case duck.TypeList:
		c.read = readList
		return c, c.addChild("", duck.ListTypeChildType(t))
	case duck.TypeArray:
		c.read, c.width = readArray, int(duck.ArrayTypeArraySize(t))
		return c, c.addChild("", duck.ArrayTypeChildType(t))
	case duck.TypeMap:
		c.read = readMap
		if err := c.addChild("key", duck.MapTypeKeyType(t)); err != nil {
			return nil, err
		}
		return c, c.addChild("value", duck.MapTypeValueType(t))
	case duck.TypeStruct:
		c.read = readStruct
		for i := range duck.StructTypeChildCount(t) {
			if err := c.addChild(duck.StructTypeChildName(t, i), duck.StructTypeChildType(t, i)); err != nil {
				return nil, err
			}
		}
	case duck.TypeUnion:
		c.read = readUnion
		for i := range duck.UnionTypeMemberCount(t) {
			if err := c.addChild(duck.UnionTypeMemberName(t, i), duck.UnionTypeMemberType(t, i)); err != nil {
				return nil, err
			}
		}
	default:
		c.read = readers[c.kind]
	}
	if c.read == nil {
		return nil, fmt.Errorf("its type %s cannot be read; cast it: CAST(… AS VARCHAR)", typeName(t))
	}
	return c, nil
}

func (c *column) addChild(name string, t duck.LogicalType) error {
	defer duck.DestroyLogicalType(&t)
	child, err := newColumn(t)
	if err != nil {
		return err
	}
	c.names, c.children = append(c.names, name), append(c.children, child)
	return nil
}

// load points the column and its members at a vector. A map is a list of
// pairs, a union a struct behind its tag.
func (c *column) load(v duck.Vector) {
	c.data, c.validity = duck.VectorGetData(v), duck.VectorGetValidity(v)
	switch c.kind {
	case duck.TypeArray:
		c.children[0].load(duck.ArrayVectorGetChild(v))
	case duck.TypeList:
		c.children[0].load(duck.ListVectorGetChild(v))
	case duck.TypeStruct:
		c.loadMembers(v, 0)
	case duck.TypeMap:
		c.loadMembers(duck.ListVectorGetChild(v), 0)
	case duck.TypeUnion:
		c.data = duck.VectorGetData(duck.StructVectorGetChild(v, 0))
		c.loadMembers(v, 1)
	}
}

func (c *column) loadMembers(v duck.Vector, first int) {
	for i, child := range c.children {
		child.load(duck.StructVectorGetChild(v, duck.IdxT(first+i)))
	}
}

func (c *column) valid(row int) bool {
	return c.validity == nil || at[uint64](c.validity, row/64)>>(row%64)&1 == 1
}

func (c *column) value(row int) db.Value {
	if !c.valid(row) {
		return db.Value{}
	}
	return c.read(c, row)
}

// size is what a text, blob or list would take at least, before it is copied.
func (c *column) size(row int) int64 {
	if !c.valid(row) {
		return 0
	}
	switch c.kind {
	case duck.TypeVarchar, duck.TypeBlob:
		return int64(at[stringT](c.data, row).length)
	case duck.TypeList, duck.TypeMap:
		return 8 * int64(at[spanT](c.data, row).length)
	}
	return 0
}

// at is element i of an array of the engine's.
func at[T any](base unsafe.Pointer, i int) T {
	return *(*T)(unsafe.Add(base, i*int(unsafe.Sizeof(*new(T)))))
}

// The engine's own layouts.
type (
	stringT struct {
		length uint32
		prefix [4]byte
		rest   uint64 // the remaining bytes of up to 12, else a pointer
	}
	hugeT struct {
		lower uint64
		upper int64
	}
	uhugeT struct {
		lower, upper uint64
	}
	intervalT struct {
		months, days int32
		micros       int64
	}
	spanT struct {
		offset, length uint64
	}
)

// str copies a text or blob.
func (c *column) str(row int) string {
	s := (*stringT)(unsafe.Add(c.data, row*int(unsafe.Sizeof(stringT{}))))
	data := unsafe.Pointer(&s.prefix)
	if s.length > 12 {
		data = *(*unsafe.Pointer)(unsafe.Pointer(&s.rest))
	}
	return strings.Clone(unsafe.String((*byte)(data), int(s.length)))
}

func huge(upper int64, lower uint64) *big.Int {
	n := new(big.Int).Lsh(big.NewInt(upper), 64)
	return n.Or(n, new(big.Int).SetUint64(lower))
}

func readText(c *column, row int) db.Value {
	if c.json {
		return db.LiteralValue(db.JSON, c.str(row))
	}
	return db.TextValue(c.str(row))
}

func readDecimal(c *column, row int) db.Value {
	var unscaled *big.Int
	switch c.kind {
	case duck.TypeSmallInt:
		unscaled = big.NewInt(int64(at[int16](c.data, row)))
	case duck.TypeInteger:
		unscaled = big.NewInt(int64(at[int32](c.data, row)))
	case duck.TypeBigInt:
		unscaled = big.NewInt(at[int64](c.data, row))
	default:
		h := at[hugeT](c.data, row)
		unscaled = huge(h.upper, h.lower)
	}
	return dialect.DecimalValue(unscaled, c.scale)
}

func readEnum(c *column, row int) db.Value {
	var i int
	switch c.kind {
	case duck.TypeUTinyInt:
		i = int(at[uint8](c.data, row))
	case duck.TypeUSmallInt:
		i = int(at[uint16](c.data, row))
	default:
		i = int(at[uint32](c.data, row))
	}
	return db.TextValue(c.labels[i])
}

func readList(c *column, row int) db.Value {
	span := at[spanT](c.data, row)
	items := make([]db.Value, span.length)
	for i := range items {
		items[i] = c.children[0].value(int(span.offset) + i)
	}
	return db.ListValue(items...)
}

func readArray(c *column, row int) db.Value {
	items := make([]db.Value, c.width)
	for i := range items {
		items[i] = c.children[0].value(row*c.width + i)
	}
	return db.ListValue(items...)
}

func readStruct(c *column, row int) db.Value {
	fields := make([]db.Field, len(c.children))
	values := make([]db.Value, len(c.children))
	for i, child := range c.children {
		values[i] = child.value(row)
		fields[i] = db.Field{Name: c.names[i], Value: values[i]}
	}
	// row(1, 2) has members without names.
	if len(c.names) > 0 && c.names[0] == "" {
		return db.ListValue(values...)
	}
	return db.StructValue(fields...)
}

func readMap(c *column, row int) db.Value {
	span := at[spanT](c.data, row)
	fields := make([]db.Field, span.length)
	for i := range fields {
		entry := int(span.offset) + i
		fields[i] = db.Field{Name: c.children[0].value(entry).String(), Value: c.children[1].value(entry)}
	}
	return db.StructValue(fields...)
}

// readUnion is a struct of the one member that is set.
func readUnion(c *column, row int) db.Value {
	tag := int(at[uint8](c.data, row))
	return db.StructValue(db.Field{Name: c.names[tag], Value: c.children[tag].value(row)})
}
