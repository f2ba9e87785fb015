package values

import (
	"testing"
)

var sample = []Entry{
	{Table: "accounts", Column: "region", Value: "emea"}, {Table: "accounts", Column: "region", Value: "apac"},
	{Table: "accounts", Column: "country", Value: "US"}, {Table: "cities", Column: "name", Value: "New York"},
	{Table: "orders", Column: "status", Value: "partial_refund"}, {Table: "orders", Column: "status", Value: "confirmed"},
	{Table: "people", Column: "name", Value: "O'Brien"}, {Table: "cities", Column: "name", Value: "Köln"},
	{Table: "categories", Column: "name", Value: "Board Games"}, {Table: "categories", Column: "name", Value: "Cycling"},
	{Table: "channels", Column: "name", Value: "in"}, {Table: "years", Column: "year", Value: "2025"},
	{Table: "people", Column: "name", Value: "Maria Andersen"}, {Table: "people", Column: "name", Value: "Mario Andersson"},
	{Table: "cities", Column: "name", Value: "東京"}, {Table: "cities", Column: "name", Value: "津"}, {Table: "cities", Column: "name", Value: "サンパウロ"},
	{Table: "cities", Column: "name", Value: "Điện Biên"}, {Table: "cities", Column: "name", Value: "Αθήνα"},
}

func TestFindSeesThroughWriting(t *testing.T) {
	x := Build(sample)
	for _, c := range []struct {
		term, want string
		how        How
	}{
		{"emea", "emea", Exact}, {"EMEA", "emea", Case}, {"us", "US", Case}, {"new york", "New York", Case},
		{"partial refunds", "partial_refund", Plural}, {"partialrefund", "partial_refund", Compact},
		{"york new", "New York", Order}, {"Koln", "Köln", Case}, {"obrien", "O'Brien", Case},
		{"board game", "Board Games", Plural}, {"Cyclign", "Cycling", Typo}, {"confirmd", "confirmed", Typo},
		{"Andersen Maria", "Maria Andersen", Order}, {"Brien O", "O'Brien", ""}, {"york", "New York", Part},
		{"東京", "東京", Exact}, {"京", "東京", Part}, {"京東", "東京", Part}, {"dien bien", "Điện Biên", Case}, {"αθηνα", "Αθήνα", Case},
	} {
		got := x.Find(c.term, 3)
		if c.how == "" {
			continue
		}
		if len(got) == 0 || got[0].Value != c.want || got[0].How != c.how {
			t.Errorf("Find(%q) = %+v, want %q by %s", c.term, got, c.want, c.how)
		}
	}
	for _, nothing := range []string{"", "?!", "zzzz", "u"} {
		if got := x.Find(nothing, 3); len(got) > 0 {
			t.Errorf("Find(%q) = %+v, want nothing", nothing, got)
		}
	}
}

func TestSpotPrefersSilence(t *testing.T) {
	x := Build(sample)
	for _, c := range []struct {
		question string
		want     []string
	}{
		{"Net revenue in EMEA last year?", []string{"emea"}},
		{"How many confirmed orders from New York?", []string{"confirmed", "New York"}},
		{"Which orders had a partial refund in 2025?", []string{"partial_refund"}},
		{"Tell us how many there are in the US", []string{"US"}},
		{"tell us about it", nil},
		{"昨年の東京での売上は?", []string{"東京"}}, {"2025年のサンパウロと東京の比較", []string{"サンパウロ", "東京"}}, {"津波の被害", nil},
		{"orders of maria andersen", []string{"Maria Andersen"}},
		{"Board game sales of Marja Andersen", []string{"Board Games", "Maria Andersen"}},
		{"what did O'Brien's team sell in Koeln", []string{"O'Brien", "Köln"}},
	} {
		var got []string
		for _, m := range x.Spot(c.question, 1) {
			got = append(got, m.Value)
		}
		if len(got) != len(c.want) {
			t.Errorf("Spot(%q) = %q, want %q", c.question, got, c.want)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("Spot(%q) = %q, want %q", c.question, got, c.want)
			}
		}
	}
}

func FuzzFind(f *testing.F) {
	f.Add("partial refunds", "How many confirmed orders?")
	f.Add("'\xff’", "İ ß")
	x := Build(sample)
	f.Fuzz(func(t *testing.T, term, question string) {
		x.Find(term, 3)
		for _, m := range x.Spot(question, 2) {
			if m.Score <= 0 || m.Score > 1 {
				t.Errorf("score %v of %q", m.Score, m.Value)
			}
		}
		Build([]Entry{{Value: term}, {Value: question}})
	})
}
