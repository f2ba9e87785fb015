package semantic_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sqbyl/sqbyl/semantic"
)

func number(s string) semantic.Scalar {
	return semantic.Scalar{Text: s, Kind: semantic.NumberScalar}
}

func TestJSON(t *testing.T) {
	low, rows, shares := number("-0.50"), int64(3), 0.25
	table := semantic.Table{
		Name: "t", Rows: &rows, NoProfile: true, Columns: []semantic.Column{
			{
				Name: "a", Samples: []semantic.Scalar{{Text: "01067"}, number("123456789012345678901234567890"), {Text: "true", Kind: semantic.BoolScalar}, number(".inf")},
				Profile: &semantic.Profile{Distinct: &semantic.Count{N: 318204, Estimate: true}, Min: &low, Top: []semantic.Share{{Value: number("1"), Share: shares}}},
			},
			{Name: "b", NoProfile: true, NoSamples: true},
			{Name: "c", Profile: &semantic.Profile{Distinct: &semantic.Count{N: 3}}},
		},
	}
	want := `{"table":"t","rows":3,"columns":[` +
		`{"name":"a","sample_values":["01067",123456789012345678901234567890,true,{"$float":"inf"}],"profile":{"distinct":"~318204","min":-0.50,"top":[{"value":1,"share":0.25}]}},` +
		`{"name":"b","sample_values":false,"profile":false},` +
		`{"name":"c","profile":{"distinct":3}}],"profile":false}`
	got, err := json.Marshal(table)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
	var back semantic.Table
	if err := json.Unmarshal(got, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(table, back); diff != "" {
		t.Error(diff)
	}
}

func TestJSONRefuses(t *testing.T) {
	if b, err := json.Marshal(number("01067")); err == nil {
		t.Errorf("wrote %s, which is no JSON", b)
	}
	for _, text := range []string{`null`, `[1]`, `{"$float":"x"}`, `{"a":"b"}`} {
		var s semantic.Scalar
		if err := json.Unmarshal([]byte(text), &s); err == nil {
			t.Errorf("read %s as %+v", text, s)
		}
	}
	for _, text := range []string{`-1`, `"many"`, `1.5`} {
		var c semantic.Count
		if err := json.Unmarshal([]byte(text), &c); err == nil {
			t.Errorf("read %s as %v", text, c)
		}
	}
}
