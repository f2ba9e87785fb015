package joins

import "strings"

// family is a class of types whose values compare with each other.
type family uint8

const (
	anything family = iota // no type declared
	whole
	fractional
	words // text
	uuids
	never // of types that are no keys: booleans, times, documents, bytes
)

// familyOf reads a type as any of the engines prints it.
func familyOf(t string) family {
	t = strings.ToLower(strings.TrimSpace(t))
	base, args, _ := strings.Cut(t, "(")
	base = strings.TrimSpace(base)
	switch {
	case t == "" || t == "any":
		return anything
	case strings.HasSuffix(t, "[]") || base == "tinyint" && strings.HasPrefix(args, "1)") || base == "bit" || base == "interval":
		return never
	case base == "uuid" || base == "uniqueidentifier":
		return uuids
	case containsAny(base, "bool", "date", "time", "json", "xml", "bytea", "blob", "binary", "money", "point", "polygon", "geo", "range", "vector",
		"inet", "cidr", "macaddr", "struct", "map", "union", "list", "enum", "set"):
		return never
	case strings.Contains(base, "int") || strings.Contains(base, "serial") || base == "year":
		return whole
	case strings.HasPrefix(base, "num") || strings.HasPrefix(base, "dec"):
		if _, scale, ok := strings.Cut(args, ","); ok && strings.TrimSpace(strings.TrimRight(scale, ")")) != "0" {
			return fractional
		}
		return whole
	case strings.HasPrefix(base, "real") || strings.HasPrefix(base, "float") || strings.HasPrefix(base, "double"):
		return fractional
	case containsAny(base, "char", "text", "clob", "string"):
		return words
	}
	return anything
}

func containsAny(s string, parts ...string) bool {
	for _, p := range parts {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}

// agree tells how two families compare: 1 well, 0 after a conversion, -1 not
// at all.
func agree(a, b family) int {
	switch {
	case a == never || b == never:
		return -1
	case a == b || a == anything || b == anything:
		return 1
	case a+b == whole+fractional && (a == whole || b == whole):
		return 1
	case a == uuids && b == words || a == words && b == uuids, a == words || b == words:
		return 0
	}
	return -1
}
