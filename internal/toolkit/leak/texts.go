package leak

import (
	"maps"
	"slices"
	"strconv"

	"github.com/sqbyl/sqbyl/internal/toolkit/bench"
	"github.com/sqbyl/sqbyl/semantic"
)

// Texts are the questions of a benchmark.
func Texts(from Source, items []bench.Item) []Text {
	texts := make([]Text, len(items))
	for i, it := range items {
		t := Text{Source: from, ID: it.ID, DB: it.DB, Question: it.Question.Question, SQL: it.Golds()}
		if it.Asset != nil {
			t.SQL = []string{it.Asset.SQL}
			for _, name := range slices.Sorted(maps.Keys(it.Params)) {
				t.Values = append(t.Values, it.Params[name].Text)
			}
		}
		texts[i] = t
	}
	return texts
}

// ExampleTexts are examples, by their number from 1.
func ExampleTexts(examples []semantic.Example) []Text {
	texts := make([]Text, len(examples))
	for i, e := range examples {
		texts[i] = Text{Source: Examples, ID: strconv.Itoa(i + 1), Question: e.Question, SQL: []string{e.SQL}}
	}
	return texts
}
