package leak_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
	"github.com/sqbyl/sqbyl/internal/testkit/handed"
	"github.com/sqbyl/sqbyl/internal/toolkit/bench"
	"github.com/sqbyl/sqbyl/internal/toolkit/leak"
)

const revenue = "SELECT country, SUM(amount) FROM orders WHERE placed >= '2025-01-01' AND placed < '2026-01-01' GROUP BY country"

func TestFind(t *testing.T) {
	dev := func(id, question string, sql ...string) leak.Text {
		return leak.Text{Source: leak.Dev, ID: id, Question: question, SQL: sql}
	}
	base := []leak.Text{
		dev("a", "Which country had the highest net revenue in 2025?", revenue),
		dev("b", "How many orders were placed by phone?", "SELECT COUNT(*) FROM orders WHERE channel = 'phone'"),
		dev("c", "How often was SKU-10007 sent back?", "SELECT COUNT(*) FROM refunds WHERE sku = 'SKU-10007'"),
		dev("d", "Revenue?", "SELECT SUM(a) FROM t WHERE d >= :from_day"),
	}
	base[3].Values = []string{"2025-01-01"}
	for _, c := range []struct {
		text leak.Text
		want string
	}{
		{leak.Text{Question: "which  country had the highest NET revenue, in 2025"}, "same question: dev a"},
		{leak.Text{Question: "Which country had the lowest net revenue in 2025?"}, "nearly the same question: dev a"},
		{leak.Text{Question: "Best country", SQL: []string{"SELECT 1", strings.ToLower(revenue) + " -- by country\n;"}}, "same SQL: dev a"},
		{leak.Text{Question: "Best country of 2024", SQL: []string{strings.ReplaceAll(strings.ReplaceAll(revenue, "2025", "2024"), "2026", "2025")}}, "same SQL but for its literals: dev a"},
		{leak.Text{Question: "What came by web?", SQL: []string{"SELECT COUNT(*) FROM orders WHERE channel = 'web'"}}, ""}, // too short a shape
		{leak.Text{Question: "Where is SKU-10007 made?"}, "a rare literal: dev c"},
		{leak.Text{Question: "Total?", SQL: []string{"SELECT SUM(a) FROM t WHERE d >= :from_day"}, Values: []string{"2025-01-01"}}, "same SQL: dev d"},
		{leak.Text{Question: "Total?", SQL: []string{"SELECT SUM(a) FROM t WHERE d >= :from_day"}, Values: []string{"2024-01-01"}}, ""},
		{leak.Text{Question: "Which country had the highest net revenue in 2025?", DB: "another"}, ""},
		{leak.Text{Question: "How many customers have never ordered anything?", SQL: []string{"SELECT COUNT(*) FROM customers WHERE status = 'phone'"}}, ""},
	} {
		c.text.Source, c.text.ID = leak.HeldOut, "h"
		var got []string
		for _, l := range leak.Find(append(base[:len(base):len(base)], c.text), &sqltext.SQLiteRules) {
			got = append(got, string(l.Kind)+": "+string(l.A.Source)+" "+l.A.ID)
			if l.B != (leak.Ref{Source: leak.HeldOut, ID: "h"}) {
				t.Errorf("%+v", l)
			}
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%q %q: %q, want %q", c.text.Question, c.text.SQL, got, c.want)
		}
	}
}

func TestFindSaysNoText(t *testing.T) {
	texts := []leak.Text{
		{Source: leak.Examples, ID: "1", Question: "zebra question", SQL: []string{"SELECT 'zebra literal'"}},
		{Source: leak.HeldOut, ID: "h", Question: "zebra question", SQL: []string{"SELECT 'zebra literal'"}},
	}
	b, err := json.Marshal(leak.Find(texts, &sqltext.SQLiteRules))
	if err != nil || strings.Contains(string(b), "zebra") {
		t.Errorf("%s %v", b, err)
	}
	want := `[{"kind":"same question","a":{"source":"examples","id":"1"},"b":{"source":"held-out","id":"h"}}]`
	if d := cmp.Diff(want, string(b)); d != "" {
		t.Error(d)
	}
}

// TestThresholdOnPublishedQuestions holds the figures that justify the
// threshold.
func TestThresholdOnPublishedQuestions(t *testing.T) {
	path := handed.Data(t, "bird_layout", "mini_dev_sqlite.json")
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	items, err := bench.ReadBIRD(f, path)
	if err != nil {
		t.Fatal(err)
	}
	// Every question against those before it, each as a set of its own.
	pairs, near, same := 0, 0, 0
	for i := range items {
		for j := range i {
			if items[i].DB != items[j].DB {
				continue
			}
			pairs++
			a := leak.Text{Source: leak.Dev, Question: items[i].Question.Question}
			b := leak.Text{Source: leak.HeldOut, Question: items[j].Question.Question}
			if len(leak.Find([]leak.Text{a, b}, &sqltext.SQLiteRules)) == 0 {
				continue
			}
			if near++; sqltext.Scan(items[i].Oracle(), &sqltext.SQLiteRules).Hash() == sqltext.Scan(items[j].Oracle(), &sqltext.SQLiteRules).Hash() {
				same++
			}
		}
	}
	if pairs < 30_000 || near < 10 || near > 60 || same*4 < near {
		t.Errorf("of %d pairs %d are near, %d of them with the same SQL", pairs, near, same)
	}
	t.Logf("of %d pairs %d are near, %d of them with the same SQL", pairs, near, same)
}

// BenchmarkFind compares 1,000 questions with 1,000 others.
func BenchmarkFind(b *testing.B) {
	words := strings.Fields("net revenue order customer product month country channel refund discount review rating total average share highest lowest per each of in by the with without and before after")
	random := rand.New(rand.NewPCG(1, 2))
	texts := make([]leak.Text, 2000)
	for i := range texts {
		from := leak.Dev
		if i%2 == 0 {
			from = leak.HeldOut
		}
		question := "What was"
		for range 6 + random.IntN(8) {
			question += " " + words[random.IntN(len(words))]
		}
		texts[i] = leak.Text{Source: from, ID: strconv.Itoa(i), Question: question, SQL: []string{strings.ReplaceAll(revenue, "country", "c"+strconv.Itoa(i))}}
	}
	for b.Loop() {
		leak.Find(texts, &sqltext.SQLiteRules)
	}
}
