package sqlcheck

import (
	"strings"
	"testing"
)

func TestSections(t *testing.T) {
	for text, want := range map[string]string{
		"SELECT 1":                          "f=SELECT 1",
		"### a\nSELECT 1\n### b c \nX\nY\n": "a=SELECT 1|b c=X\nY",
		"\n### a\n":                         "a=",
		"SELECT 0\n### a\nSELECT 1":         "f=SELECT 0|a=SELECT 1",
		"":                                  "f=",
		"### a\r\nSELECT 1\r\n":             "a=SELECT 1",
	} {
		var got []string
		for _, s := range Sections(text, "f") {
			got = append(got, s.Name+"="+s.SQL)
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q: %q, want %q", text, strings.Join(got, "|"), want)
		}
	}
}
