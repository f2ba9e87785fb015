package yamldoc_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sqbyl/sqbyl/internal/toolkit/project/yamldoc"
	"github.com/sqbyl/sqbyl/semantic"
)

func decode(t *testing.T, text string, v any) (mistakes, warnings []string) {
	t.Helper()
	doc, bad := yamldoc.Parse("f.yaml", []byte(text))
	if doc != nil {
		var d yamldoc.Decoder
		d.Decode(doc, v)
		bad = append(bad, d.Mistakes...)
		for _, w := range d.Warnings {
			warnings = append(warnings, w.String())
		}
	}
	for _, m := range bad {
		mistakes = append(mistakes, m.String())
	}
	return mistakes, warnings
}

func TestCoreRules(t *testing.T) {
	for text, want := range map[string]semantic.Scalar{
		"01067":                          {Text: "1067", Kind: semantic.NumberScalar},
		"1_000":                          {Text: "1_000"},
		"0o17":                           {Text: "15", Kind: semantic.NumberScalar},
		"0x1F":                           {Text: "31", Kind: semantic.NumberScalar},
		"0b1":                            {Text: "0b1"},
		"2024-01-01":                     {Text: "2024-01-01"},
		"12:30":                          {Text: "12:30"},
		"yes":                            {Text: "yes"},
		"on":                             {Text: "on"},
		"True":                           {Text: "true", Kind: semantic.BoolScalar},
		"-0.50":                          {Text: "-0.50", Kind: semantic.NumberScalar},
		".5":                             {Text: "0.5", Kind: semantic.NumberScalar},
		"5.":                             {Text: "5.0", Kind: semantic.NumberScalar},
		"+12e3":                          {Text: "12e3", Kind: semantic.NumberScalar},
		".":                              {Text: "."},
		"e5":                             {Text: "e5"},
		"-.inf":                          {Text: "-.inf", Kind: semantic.NumberScalar},
		"123456789012345678901234567890": {Text: "123456789012345678901234567890", Kind: semantic.NumberScalar},
		"'01067'":                        {Text: "01067"},
		`"true"`:                         {Text: "true"},
	} {
		var got struct {
			V semantic.Scalar `json:"v"`
		}
		if bad, _ := decode(t, "v: "+text, &got); bad != nil || got.V != want {
			t.Errorf("%s: got %+v %v, want %+v", text, got.V, bad, want)
		}
	}
}

func TestMistakes(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"typo", "table: t\nsynonims: [a]", `f.yaml:2:1  unknown key "synonims" (did you mean synonyms?)`},
		{"typo in a required key", "tabel: t", `f.yaml:1:1  unknown key "tabel" (did you mean table?)`},
		{"missing", "description: x", `f.yaml:1:1  this entry lacks the key table`},
		{"nothing near", "table: t\nzzzzzz: 1", `f.yaml:2:1  unknown key "zzzzzz" (known here: table, description, comment, synonyms, kind, rows, primary_key, profile, columns, joins, measures, filters)`},
		{"there already", "table: t\ntabel: u", `f.yaml:2:1  unknown key "tabel" (did you mean table? it stands here already)`},
		{"twice", "table: t\njoins: []\ntable: u", `f.yaml:3:1  key "table" stands twice; the first is in line 1 (merge the two)`},
		{"twice in flow", "table: t\ncolumns: [{ name: a, name: b }]", `f.yaml:2:22  key "name" stands twice; the first is in line 2 (merge the two)`},
		{"value for list", "table: t\nsynonyms: purchases", `f.yaml:2:11  synonyms holds a single value, a list is wanted (write [purchases])`},
		{"list for value", "table: [a]", `f.yaml:1:8  table holds a list, one value is wanted`},
		{"enumeration", "table: t\njoins:\n  - {to: x, on: y, type: many_to_on}", `f.yaml:3:26  joins[1].type is "many_to_on", which it cannot be (did you mean many_to_one?)`},
		{"bounds", "table: t\ncolumns: [{name: a, profile: {nulls: 1.5}}]", `f.yaml:2:38  columns[1].profile.nulls is 1.5, it must be from 0 to 1`},
		{"count", "table: t\ncolumns: [{name: a, profile: {distinct: many}}]", `f.yaml:2:41  columns[1].profile.distinct: "many" is not a count, such as 4210 or ~4210 for an estimate`},
		{"whole number", "table: t\nrows: 1.5", `f.yaml:2:7  rows is 1.5, a whole number is wanted`},
		{"boolean", "table: t\ncolumns: [{name: a, unique: yes}]", `f.yaml:2:29  columns[1].unique is "yes", true or false is wanted`},
		{"on", "table: t\nprofile: true", `f.yaml:2:10  profile is on unless it says false (remove the line)`},
		{"empty item", "table: t\nsynonyms: [a, ]\nprimary_key:\n  -\n", `f.yaml:4:4  primary_key[1] is empty (remove the item)`},
		{"empty required", "table: ''", `f.yaml:1:8  table is empty`},
		{"tab", "table: t\ncolumns:\n\t- name: a", "f.yaml:3:1  a tab indents this line; YAML allows only spaces there (replace it by spaces)"},
		{"second document", "table: t\n---\ntable: u", "f.yaml:2:1  a second document starts here; a project file holds one (remove the \"---\" line or split the file)"},
		{"alias", "table: &a t\ndescription: *a", "f.yaml:2:14  *a is an alias; project files are read without anchors and aliases (write the value out)"},
		{"merge", "<<: {table: t}\ntable: u", `f.yaml:1:1  "<<" merges an anchor; project files are read without anchors and aliases (write the keys out)`},
		{"tag", "table: !!binary aGk=", "f.yaml:1:8  the tag !!binary is not read in project files (remove it)"},
		{"zero byte", "table: \x00", "f.yaml  this is not a text file: it holds a zero byte"},
		{"not UTF-8", "table: t\ncomment: \xff", "f.yaml:2:10  a byte here is not UTF-8 (save the file as UTF-8)"},
		{"UTF-16", "\xff\xfet\x00", "f.yaml  the file is UTF-16 (save it as UTF-8)"},
		{"colon in text", "table: t\ndescription: a: b", `f.yaml:2:15  not valid YAML: mapping values are not allowed in this context (text that holds ": " must be quoted)`},
		{"unclosed", "table: 'x", "f.yaml:1:10  not valid YAML: found unexpected end of stream"},
		{"a word", "table", "f.yaml:1:1  this entry holds a single value, keys with values are wanted"},
		{"wide characters", "table: t\ncolumns: [{name: 名前, tipe: x}]", `f.yaml:2:22  unknown key "tipe" (did you mean type?)`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var table semantic.Table
			mistakes, _ := decode(t, c.text, &table)
			if diff := cmp.Diff(c.want, strings.Join(mistakes, "\n")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestHuge(t *testing.T) {
	mistakes, _ := decode(t, strings.Repeat("#", yamldoc.MaxBytes+1), new(semantic.Table))
	if len(mistakes) != 1 || !strings.Contains(mistakes[0], "more than 8 MB") {
		t.Error(mistakes)
	}
	deep, _ := decode(t, strings.Repeat("[", 200_000), new(semantic.Table))
	if len(deep) != 1 {
		t.Error(deep)
	}
}

func TestReads(t *testing.T) {
	var got semantic.Table
	mistakes, warnings := decode(t, "\ufeff# head\r\ntable: 2024\r\nsynonyms:\r\nrows: 12\r\ncolumns:\r\n"+
		"  - { name: zip, sample_values: [01067, '01067', no], profile: { distinct: ~3, min: 1e400 } }\r\n"+
		"  - { name: email, profile: false, sample_values: false }\r\nprofile: false\r\n", &got)
	if mistakes != nil {
		t.Fatal(mistakes)
	}
	rows := int64(12)
	num := func(s string) semantic.Scalar { return semantic.Scalar{Text: s, Kind: semantic.NumberScalar} }
	low := num("1e400")
	want := semantic.Table{
		Name: "2024", Rows: &rows, NoProfile: true, Columns: []semantic.Column{
			{
				Name: "zip", Samples: []semantic.Scalar{num("1067"), {Text: "01067"}, {Text: "no"}},
				Profile: &semantic.Profile{Distinct: &semantic.Count{N: 3, Estimate: true}, Min: &low},
			},
			{Name: "email", NoProfile: true, NoSamples: true},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{`f.yaml:6:34  columns[1].sample_values[1]: 01067 is the number 1067 (if it is a code, quote it: "01067")`}, warnings); diff != "" {
		t.Error(diff)
	}
}

func TestNearest(t *testing.T) {
	known := []string{"customers", "orders", "p05", "p25", "p50", "analytics.orders"}
	for word, want := range map[string][]string{
		"customer": {"customers"}, "Orders": {"orders"}, "ordres": {"orders"}, "p52": {"p50"}, "p35": {"p05", "p25"}, "shipments": nil, "": nil,
	} {
		if word == "p52" {
			want = []string{"p25", "p50"}
		}
		if diff := cmp.Diff(want, yamldoc.Nearest(word, known)); diff != "" {
			t.Errorf("%s: %s", word, diff)
		}
	}
}
