package bench_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sqbyl/sqbyl/internal/toolkit/bench"
)

func TestReadBIRD(t *testing.T) {
	list := `[{"question_id": 137, "db_id": "financial", "question": "How many?", "evidence": "A11 is salary", "SQL": "SELECT 1", "difficulty": "simple", "more": [1]},
	          {"question_id": 138, "db_id": "financial", "question": "And?", "sql": "SELECT 2", "alternatives": ["SELECT 2", "SELECT 3"]}]`
	lines := "\xef\xbb\xbf" + `{"question_id": 137, "db_id": "financial", "question": "How many?", "evidence": "A11 is salary", "SQL": "SELECT 1", "difficulty": "simple"}

{"question_id": "138", "db_id": "financial", "question": "And?", "sql": "SELECT 2", "alternatives": ["SELECT 2", "SELECT 3"]}`
	want := []bench.Item{
		{DB: "financial", Evidence: "A11 is salary", Question: bench.Question{ID: "137", Question: "How many?", GoldSQL: "SELECT 1", Difficulty: "simple"}},
		{DB: "financial", Position: 1, Question: bench.Question{ID: "138", Question: "And?", Gold: []string{"SELECT 2", "SELECT 3"}}},
	}
	for name, text := range map[string]string{"list": list, "lines": lines} {
		got, err := bench.ReadBIRD(strings.NewReader(text), name)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

func TestRepeatedIDsBecomePositions(t *testing.T) {
	text := `[{"question_id": 137, "question": "a", "SQL": "SELECT 1"}, {"question_id": 138, "question": "b", "SQL": "SELECT 2"}, {"question_id": 137, "question": "c", "SQL": "SELECT 3"}]`
	items, err := bench.ReadBIRD(strings.NewReader(text), "x")
	if err != nil {
		t.Fatal(err)
	}
	for i, it := range items {
		if it.ID != fmt.Sprint(i) {
			t.Errorf("item %d has id %q", i, it.ID)
		}
	}
}

func TestPredictionsGoByPosition(t *testing.T) {
	items := []bench.Item{
		{Question: bench.Question{ID: "137"}}, {Position: 1, Question: bench.Question{ID: "0"}}, {Position: 2, Question: bench.Question{ID: "7"}},
	}
	for _, c := range []struct {
		text    string
		want    []string
		unknown int
	}{
		{"{\"0\": \"SELECT 1\\t----- bird -----\\tdb\", \"1\": 7, \"2\": \"SELECT 3\"}", []string{"SELECT 1", "", "SELECT 3"}, 0},
		{`{"137": "SELECT 1", "0": "SELECT 2"}`, []string{"SELECT 1", "SELECT 2", ""}, 0},
		{`{"1": "SELECT 1", "99": "SELECT 2"}`, []string{"", "", ""}, 2},
	} {
		p, err := bench.ReadPredictions(strings.NewReader(c.text), "preds.json")
		if err != nil {
			t.Fatal(err)
		}
		got, unknown := p.Of(items, len(items))
		if d := cmp.Diff(c.want, got); d != "" || len(unknown) != c.unknown {
			t.Errorf("%s: unknown %v (-want +got):\n%s", c.text, unknown, d)
		}
		// A half of the questions has its own of them, and cannot tell which
		// keys are nobody's.
		half, unknown := p.Of(items[1:], len(items))
		if d := cmp.Diff(c.want[1:], half); d != "" || len(unknown) != 0 {
			t.Errorf("%s, of a half: unknown %v (-want +got):\n%s", c.text, unknown, d)
		}
	}
	for text, says := range map[string]string{
		`["SELECT 1"]`:                   "not an object",
		``:                               "not an object",
		`{"0": "SELECT 1", "0": "x"}`:    "question 0 stands twice",
		`{"0": "SELECT 1"} {"1": "x"}`:   "something follows",
		`{"0": "SELECT 1", "1": "x`:      "of question 1: unexpected EOF",
		`{"0": "SELECT 1"`:               "ends within its object",
		`{"0": "SELECT 1" "1": "zebra"}`: "preds.json",
	} {
		if _, err := bench.ReadPredictions(strings.NewReader(text), "preds.json"); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %s", text, err, says)
		}
	}
}

func TestWrittenPredictionsAreRead(t *testing.T) {
	items := []bench.Item{{DB: "a"}, {DB: "b", Position: 1}, {DB: "c", Position: 2}}
	want := []string{"SELECT '\t\"<é>'\n--x", "", "SELECT 2"}
	var file strings.Builder
	if err := bench.WritePredictions(&file, items, want); err != nil {
		t.Fatal(err)
	}
	p, err := bench.ReadPredictions(strings.NewReader(file.String()), "x")
	if err != nil {
		t.Fatalf("%v\n%s", err, file.String())
	}
	got, _ := p.Of(items, len(items))
	for i := range got {
		got[i] = strings.TrimSpace(got[i])
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestReadSpiderAndCSV(t *testing.T) {
	want := []bench.Item{
		{DB: "pets", Question: bench.Question{ID: "0", Question: "How many, \"all\"?", GoldSQL: "SELECT 1,\n2"}},
		{DB: "pets", Position: 1, Question: bench.Question{ID: "1", Question: "Why?", GoldSQL: "SELECT 2"}},
	}
	spider, err := bench.ReadSpider(strings.NewReader(`[{"db_id":"pets","question":"How many, \"all\"?","query":"SELECT 1,\n2","query_toks":["SELECT"],"sql":{"from":{}}},
		{"db_id":"pets","question":"Why?","query":"SELECT 2"}]`), "dev.json")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, spider); d != "" {
		t.Errorf("spider (-want +got):\n%s", d)
	}
	table, err := bench.ReadCSV(strings.NewReader("DB_ID,Question,Query\r\npets,\"How many, \"\"all\"\"?\",\"SELECT 1,\n2\"\r\npets,Why?,SELECT 2\r\n"), "q.csv")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, table); d != "" {
		t.Errorf("csv (-want +got):\n%s", d)
	}
}

func TestUnreadableLayoutsSayWhere(t *testing.T) {
	for text, want := range map[string]string{
		"":   "empty",
		"[]": "no question",
		"{\"question\": \"a\"}\n{\"question\": 1}": "line 2",
		`[{"db_id": "x"}]`:                         "question 0 has no text",
	} {
		if _, err := bench.ReadBIRD(strings.NewReader(text), "x.json"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q in it", text, err, want)
		}
	}
	if _, err := bench.ReadCSV(strings.NewReader("question,gold_query\na,b\n"), "x.csv"); err == nil || !strings.Contains(err.Error(), `"sql"`) {
		t.Errorf("csv without sql: %v", err)
	}
}

func TestSplitIsStableAndWarnsOfSmallHalves(t *testing.T) {
	var items []bench.Item
	for i := range 1000 {
		items = append(items, bench.Item{DB: "d", Question: bench.Question{ID: fmt.Sprint(i), Question: fmt.Sprintf("question %d", i)}})
	}
	dev, held, warnings := bench.Split(items)
	if len(dev)+len(held) != 1000 || len(held) < 350 || len(held) > 450 || len(warnings) != 0 {
		t.Errorf("%d dev, %d held out, warnings %v", len(dev), len(held), warnings)
	}
	// The hash has no salt: these two stay where they are for ever.
	if bench.HeldBack("shop", "q1", "How many orders?") || !bench.HeldBack("shop", "q2", "How many orders?") {
		t.Error("the split moved")
	}
	if _, _, warnings := bench.Split(items[:40]); len(warnings) != 2 {
		t.Errorf("40 questions: warnings %v", warnings)
	}
}

func TestMisspelledKeysOfALayout(t *testing.T) {
	for text, want := range map[string]string{
		"[{\"question\": \"a\", \"SQL\": \"s\"},\n {\"question\": \"ü\", \"evidnce\": \"x\", \"SQL\": \"s\"}]": "read x.json:2:20: unknown key \"evidnce\" (did you mean evidence?)",
		"\ufeff\n{\"question\": \"a\", \"SLQ\": \"s\"}\n{\"qestion\": \"b\", \"SQL\": \"s\"}\n":                "read x.json:2:19: unknown key \"SLQ\" (did you mean SQL?)\nread x.json:3:2: unknown key \"qestion\" (did you mean question?)",
		// Keys inside of a value, further ones, and a second like one that is there.
		"[{\"question\": \"a\", \"sql\": \"s\", \"more\": {\"evidnce\": [{\"qestion\": 1}]}, \"toks\": [\"dificulty\"], \"questions\": 2}]": "",
	} {
		_, err := bench.ReadBIRD(strings.NewReader(text), "x.json")
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
