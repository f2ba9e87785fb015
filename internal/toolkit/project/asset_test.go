package project_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sqbyl/sqbyl/internal/toolkit/project"
)

func TestTrustedMistakes(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"type", "-- @name: a\n-- @params: x (date), day ( dat )\nSELECT :x, :day", "trusted/a.sql:2:29  @params: no value can be given to day, of type \"dat\" (did you mean date?)\n"},
		{"type with its size", "-- @name: a\n-- @params: x (decmal(10,2))\nSELECT :x", "trusted/a.sql:2:16  @params: no value can be given to x, of type \"decmal(10,2)\" (did you mean decimal?)\n"},
		{"size", "-- @name: a\n-- @params: x (decimal(n))\nSELECT :x", "trusted/a.sql:2:16  @params: no value can be given to x, of type \"decimal(n)\" (known here: date, time, timestamp, timestamptz, integer, bigint, decimal(10,2), double, text, boolean)\n"},
		{"unknown type", "-- @name: a\n--  @params : x (geometry)\nSELECT :x", "trusted/a.sql:2:18  @params: no value can be given to x, of type \"geometry\" (known here: date, time, timestamp, timestamptz, integer, bigint, decimal(10,2), double, text, boolean)\n"},
		{"no name", "-- @name: a\n-- @params: über (date), from_dya (date)\n\n  SELECT\n  :from_day, :from_day", "trusted/a.sql:2:13  @params: \"über (date)\" is not a name with its type (write month (date))\n"},
		{"parameter of the head", "-- @name: a\n-- @params: to_day (date), from_dya (date)\n\n  SELECT :to_day,\n  :from_day, :from_day", "trusted/a.sql:2:28  @params declares from_dya, but the SQL uses :from_day in line 5 (did you mean from_day?)\n"},
		{"parameter of the SQL", "-- @name: a\n-- @params: from_day (date)\n\n  SELECT 'ü', :from_dya\n  , :from_day", "trusted/a.sql:4:15  the SQL uses :from_dya, which @params does not declare (did you mean from_day?)\n"},
		{"parameter that nothing is near to", "-- @name: a\n-- @params:\nSELECT :x, :x", "trusted/a.sql:3:8  the SQL uses :x, which @params does not declare (write -- @params: x (type))\n"},
		{"twice", "-- @name: a\n-- @params: x (date), x (int)\nSELECT :x", "trusted/a.sql:2:23  @params: x stands twice\n"},
		{"no @", "-- name: a\n-- description: b\n--  params: x (date)\nSELECT :x", "trusted/a.sql:1:4  unknown key \"name\" (did you mean @name?)\ntrusted/a.sql:2:4  unknown key \"description\" (did you mean @description?)\ntrusted/a.sql:3:5  unknown key \"params\" (did you mean @params?)\n"},
		{"another sign", "-- #name: a\n-- d@escription: b\n-- 2params: x (date)\nSELECT :x", "trusted/a.sql:1:4  unknown key \"#name\" (did you mean @name?)\ntrusted/a.sql:2:4  unknown key \"d@escription\" (did you mean @description?)\ntrusted/a.sql:3:4  unknown key \"2params\" (did you mean @params?)\n"},
		{"a comment", "-- @name: a\n-- @description: b\n-- params: none, and name: x\n-- description: c\nSELECT 1", ""},
	} {
		_, err := project.Load(folder(t, map[string]string{"trusted/a.sql": c.text}))
		var mistakes project.Mistakes
		if err != nil && !errors.As(err, &mistakes) {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, lines(mistakes)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}
