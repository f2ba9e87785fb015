package sqlite

import "strings"

// Affinity is how a column of a declared type stores what it is given, by
// SQLite's own rules (its documentation, "Datatypes", section 3.1).
type Affinity uint8

// The affinities.
const (
	Blob Affinity = iota
	Text
	Numeric
	Integer
	Real
)

// AffinityOf is the affinity of a declared type.
func AffinityOf(declared string) Affinity {
	t := strings.ToUpper(declared)
	has := func(parts ...string) bool {
		for _, part := range parts {
			if strings.Contains(t, part) {
				return true
			}
		}
		return false
	}
	switch {
	case has("INT"):
		return Integer
	case has("CHAR", "CLOB", "TEXT"):
		return Text
	case t == "" || has("BLOB"):
		return Blob
	case has("REAL", "FLOA", "DOUB"):
		return Real
	}
	return Numeric
}
