package postgres

import (
	"slices"
	"testing"
)

func TestCheckValues(t *testing.T) {
	for def, want := range map[string][]string{
		"CHECK (((status)::text = ANY ((ARRAY['it''s'::character varying, 'b, c'::character varying])::text[])))": {"it's", "b, c"},
		"CHECK ((b = 'a'::text))":                                {"a"},
		"CHECK ((c = ANY (ARRAY[1, -2.5])))":                     {"1", "-2.5"},
		"CHECK ((VALUE = ANY (ARRAY['x'::bpchar])))":             {"x"},
		"CHECK (((a = 'x'::text) OR (b = 'y'::text)))":           nil,
		"CHECK ((a > 0))":                                        nil,
		"CHECK ((a <> ALL (ARRAY['x'::text])))":                  nil,
		"CHECK (((a = ANY (ARRAY['x'::text])) OR (b = 1)))":      nil,
		"CHECK ((lower(a) = ANY (ARRAY['x'::text])))":            nil,
		"CHECK ((a = ANY (ARRAY['x'::text, lower('Y'::text)])))": nil,
	} {
		if got := checkValues(def); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", def, got, want)
		}
	}
}
