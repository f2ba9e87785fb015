package term_test

import (
	"testing"

	"github.com/sqbyl/sqbyl/internal/app/term"
)

func TestNoHTML(t *testing.T) {
	for _, c := range [][2]string{
		{"p m: <html>\n<head><title>\n502 Bad\n Gateway</title></head>\n<body>x</body></html>\n (HTTP 502)", `p m: a web page, "502 Bad Gateway" (HTTP 502)`},
		{"<!DOCTYPE html><html><body><h1>Not</h1><p>found</p>", `a web page, "Not found"`},
		{"a < b, and <b> is no page", "a < b, and <b> is no page"},
		{"", ""},
	} {
		if got := term.NoHTML(c[0]); got != c[1] {
			t.Errorf("%q, want %q", got, c[1])
		}
	}
}
