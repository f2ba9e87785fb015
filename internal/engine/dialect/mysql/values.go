package mysql

import (
	"math"
	"strconv"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// Value is a value as the driver gives it, of a type by the driver's name
// ("DECIMAL", "UNSIGNED BIGINT"): numbers as numbers, the rest as text, so
// that 2024-00-00 and 838:59:59 stay what they are.
func Value(typ string, v any) db.Value {
	switch v := v.(type) {
	case nil:
		return db.Value{}
	case int64:
		return db.IntValue(v)
	case uint64:
		if v > math.MaxInt64 {
			return db.LiteralValue(db.Decimal, strconv.FormatUint(v, 10))
		}
		return db.IntValue(int64(v))
	case float32:
		f, err := strconv.ParseFloat(strconv.FormatFloat(float64(v), 'g', -1, 32), 64)
		if err != nil {
			f = float64(v)
		}
		return db.FloatValue(f)
	case float64:
		return db.FloatValue(v)
	case []byte:
		return textual(typ, string(v))
	case string:
		return textual(typ, v)
	}
	return db.Value{}
}

func textual(typ, text string) db.Value {
	switch strings.TrimPrefix(typ, "UNSIGNED ") {
	case "DECIMAL":
		return db.LiteralValue(db.Decimal, text)
	case "TINYINT", "SMALLINT", "MEDIUMINT", "INT", "BIGINT", "YEAR":
		if i, err := strconv.ParseInt(text, 10, 64); err == nil {
			return db.IntValue(i)
		}
		return db.LiteralValue(db.Decimal, text)
	case "FLOAT", "DOUBLE":
		if f, err := strconv.ParseFloat(text, 64); err == nil {
			return db.FloatValue(f)
		}
	case "DATE":
		return db.LiteralValue(db.Date, text)
	case "TIME":
		return db.LiteralValue(db.Clock, text)
	case "DATETIME", "TIMESTAMP":
		return db.LiteralValue(db.Timestamp, text)
	case "JSON":
		return db.LiteralValue(db.JSON, text)
	case "BIT":
		return bits(text)
	case "BINARY", "VARBINARY", "BLOB", "TINYBLOB", "MEDIUMBLOB", "LONGBLOB", "GEOMETRY":
		return db.BlobValue([]byte(text))
	}
	return db.TextValue(text)
}

// bits are at most 64 bits, most significant byte first.
func bits(text string) db.Value {
	var n uint64
	for i := 0; i < len(text); i++ {
		n = n<<8 | uint64(text[i])
	}
	return Value("", n)
}
