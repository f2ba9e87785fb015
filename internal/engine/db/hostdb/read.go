package hostdb

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// read runs a query and converts its rows. It is always sent as a query:
// some drivers send an Exec without arguments over a protocol that takes
// several statements.
func (s *session) read(ctx context.Context, text string, args []db.Value, caps db.Caps) (res *db.Result, err error) {
	plain := make([]any, len(args))
	for i, arg := range args {
		plain[i] = argument(arg)
	}
	s.told(text)
	rows, err := s.conn.QueryContext(ctx, text, plain...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	columns, err := rows.ColumnTypes()
	if err != nil {
		return nil, err
	}
	res = &db.Result{Columns: make([]db.Column, len(columns))}
	cells, into := make([]any, len(columns)), make([]any, len(columns))
	for i, c := range columns {
		res.Columns[i] = db.Column{Name: c.Name(), Type: c.DatabaseTypeName()}
		into[i] = &cells[i]
	}
	var bytes int64
	for rows.Next() {
		if caps.Rows > 0 && len(res.Rows) == caps.Rows {
			res.Truncated = db.ByRows
			return res, nil
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		row := make([]db.Value, len(cells))
		for i, cell := range cells {
			row[i] = s.valueOf(cell, res.Columns[i].Type)
			bytes += row[i].Size()
		}
		if caps.Bytes > 0 && bytes > caps.Bytes {
			res.Truncated = db.ByBytes
			return res, nil
		}
		res.Rows = append(res.Rows, row)
	}
	return res, rows.Err()
}

func argument(v db.Value) any {
	switch v.Kind() {
	case db.Null:
		return nil
	case db.Bool:
		return v.Bool()
	case db.Int:
		return v.Int()
	case db.Float:
		return v.Float()
	case db.Blob:
		return []byte(v.Raw())
	case db.List:
		items := make([]string, len(v.Fields()))
		for i, f := range v.Fields() {
			items[i] = f.Value.Raw()
		}
		return items
	}
	return v.Raw()
}

// valueOf keeps what a driver gave as exactly as its Go type allows; the
// column's type tells kinds of text apart.
func (s *session) valueOf(cell any, typeName string) db.Value {
	if own := s.base.dialect.Host.Cell; own != nil {
		if v, ok := own(cell, typeName); ok {
			return v
		}
	}
	switch v := cell.(type) {
	case nil:
		return db.Value{}
	case bool:
		return db.BoolValue(v)
	case int64:
		return db.IntValue(v)
	case float64:
		return db.FloatValue(v)
	case float32:
		return db.FloatValue(float64(v))
	case string:
		return textOf(v, typeName)
	case []byte:
		return bytesOf(v, typeName)
	case time.Time:
		return timeOf(v, typeName)
	case *big.Int:
		return whole(v)
	case []any:
		items := make([]db.Value, len(v))
		for i, item := range v {
			items[i] = s.valueOf(item, "")
		}
		return db.ListValue(items...)
	case map[string]any:
		var fields []db.Field
		for _, name := range slices.Sorted(maps.Keys(v)) {
			fields = append(fields, db.Field{Name: name, Value: s.valueOf(v[name], "")})
		}
		return db.StructValue(fields...)
	case int, int8, int16, int32, uint8, uint16, uint32, uint, uint64:
		return number(fmt.Sprint(v))
	}
	return textOf(fmt.Sprint(cell), typeName)
}

func number(digits string) db.Value {
	n, ok := new(big.Int).SetString(digits, 10)
	if !ok {
		return db.TextValue(digits)
	}
	return whole(n)
}

func whole(n *big.Int) db.Value {
	if n.IsInt64() {
		return db.IntValue(n.Int64())
	}
	return db.LiteralValue(db.Decimal, n.String())
}

// literalKinds are the kinds of value whose content is text, by what
// their type names begin with.
var literalKinds = []struct {
	word string
	kind db.ValueKind
}{{"DECIMAL", db.Decimal}, {"NUMERIC", db.Decimal}, {"HUGEINT", db.Decimal}, {"UNSIGNED BIGINT", db.Decimal}, {"INTERVAL", db.Interval}, {"JSON", db.JSON}}

func textOf(text, typeName string) db.Value {
	name := strings.ToUpper(typeName)
	for _, k := range literalKinds {
		if strings.HasPrefix(name, k.word) && !strings.HasSuffix(name, "]") {
			return db.LiteralValue(k.kind, text)
		}
	}
	return db.TextValue(text)
}

// bytesOf parts bytes that are text, as some drivers send it, from blobs.
func bytesOf(b []byte, typeName string) db.Value {
	name := strings.ToUpper(typeName)
	binary := name == "" || strings.Contains(name, "BLOB") || strings.Contains(name, "BINARY") || name == "BYTEA" || strings.HasPrefix(name, "BIT")
	if binary || !utf8.Valid(b) && !strings.Contains(name, "CHAR") && !strings.Contains(name, "TEXT") {
		return db.BlobValue(b)
	}
	return textOf(string(b), typeName)
}

func timeOf(t time.Time, typeName string) db.Value {
	switch name := strings.ToUpper(typeName); {
	case name == "DATE":
		return db.LiteralValue(db.Date, t.Format(time.DateOnly))
	case name == "TIME", name == "TIMETZ", name == "TIME WITH TIME ZONE":
		return db.LiteralValue(db.Clock, t.Format("15:04:05.999999999"))
	case strings.Contains(name, "TZ"), strings.Contains(name, "WITH TIME ZONE"):
		return db.LiteralValue(db.TimestampTZ, t.UTC().Format("2006-01-02 15:04:05.999999999-07:00"))
	}
	return db.LiteralValue(db.Timestamp, t.Format("2006-01-02 15:04:05.999999999"))
}
