package yamldoc_test

import (
	"bytes"
	"testing"

	"github.com/sqbyl/sqbyl/internal/toolkit/project/yamldoc"
	"github.com/sqbyl/sqbyl/semantic"
)

// FuzzDecode reads any bytes: mistakes lie inside the file, and what reads
// without one is written and read back the same.
func FuzzDecode(f *testing.F) {
	for _, text := range []string{"table: t\nrows: 1\n", "{table: t, columns: [{name: a, profile: {min: 01, top: [{value: x, share: 1}]}}]}", "table: 'a\n\n b'\n", "? [a]\n: b\n", "- a\n", "table: !!str t\n", "%YAML 1.2\n---\ntable: t\n", "table: \"\\u0085\\x00\"\n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		doc, mistakes := yamldoc.Parse("f", text)
		var d yamldoc.Decoder
		var table semantic.Table
		if doc != nil {
			d.Decode(doc, &table)
		}
		lines := 1 + bytes.Count(text, []byte("\n")) + bytes.Count(text, []byte("\r")) + bytes.Count(text, []byte("\xc2\x85")) + bytes.Count(text, []byte("\xe2\x80"))
		for _, m := range append(mistakes, d.Mistakes...) {
			if m.Line > lines+1 || m.Line > 0 && m.Column < 1 || m.Message == "" {
				t.Fatalf("%+v in %q", m, text)
			}
		}
		if len(mistakes)+len(d.Mistakes) > 0 || doc.Root == nil {
			return
		}
		out, err := yamldoc.Write(table)
		if err != nil {
			t.Fatalf("%v for %q", err, text)
		}
		again, mistakes := yamldoc.Parse("f", out)
		var back semantic.Table
		var e yamldoc.Decoder
		if mistakes == nil {
			e.Decode(again, &back)
		}
		if len(mistakes)+len(e.Mistakes) > 0 {
			t.Fatalf("%v %v: %q from %q", mistakes, e.Mistakes, out, text)
		}
		if twice, err := yamldoc.Write(back); err != nil || !bytes.Equal(twice, out) {
			t.Fatalf("%q reads back as %q, %v", out, twice, err)
		}
	})
}
