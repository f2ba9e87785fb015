package introspect

import "strings"

// spellings are the short names of types that engines print in full.
var spellings = map[string]string{
	"int8": "bigint", "int4": "integer", "int": "integer", "int2": "smallint", "serial": "integer", "bigserial": "bigint",
	"timestamptz": "timestamp with time zone", "timestamp without time zone": "timestamp", "datetime": "timestamp",
	"timetz": "time with time zone", "time without time zone": "time",
	"varchar": "character varying", "char": "character", "bpchar": "character",
	"decimal": "numeric", "bool": "boolean", "float8": "double precision", "double": "double precision", "float4": "real",
}

// sameType reports whether two spellings mean one type: bigint and INT8,
// timestamptz and timestamp with time zone.
func sameType(a, b string) bool { return a == b || spelled(a) == spelled(b) }

// spelled takes the size out of the middle, timestamp(3) with time zone, and
// spells the rest in full.
func spelled(t string) string {
	t = strings.Join(strings.Fields(strings.ToLower(t)), " ")
	array := ""
	for strings.HasSuffix(t, "[]") {
		t, array = strings.TrimSuffix(t, "[]"), array+"[]"
	}
	name, size := t, ""
	if open := strings.IndexByte(t, '('); open >= 0 {
		if end := strings.IndexByte(t[open:], ')'); end > 0 {
			size = strings.ReplaceAll(t[open:open+end+1], " ", "")
			name = strings.Join(strings.Fields(t[:open]+" "+t[open+end+1:]), " ")
		}
	}
	if full, ok := spellings[name]; ok {
		name = full
	}
	return name + size + array
}
