package compare

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/testkit/golden"
)

// Each case of testdata/*.test is a comment, two tables and what is said of
// them. A line of a table is its cells, separated by |, as JSON; a bare number
// with a trailing d is a decimal. "order by N" after gold says that the gold
// has an ORDER BY; "key" is a table of the gold's rows before its LIMIT with the key
// as the last cell.
func TestLadder(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.test"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	seen := make(map[Verdict]bool)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, c := range strings.Split(strings.TrimSpace(string(text)), "\n\n") {
			body, _, _ := strings.Cut(c, "\n----\n")
			r := run(t, body)
			seen[r.Verdict] = true
			out = append(out, body+"\n----\n"+describe(r))
		}
		got := strings.Join(out, "\n\n") + "\n"
		golden.Check(t, filepath.Base(file), got)
	}
	for _, v := range Ladder {
		if v.Rank() < DidNotRun.Rank() && !seen[v] {
			t.Errorf("no case for %q", v)
		}
	}
}

func describe(r Report) string {
	mark := func(name string, is bool) string {
		if is {
			return name + " yes"
		}
		return name + " no"
	}
	line := string(r.Verdict)
	if r.Difference != "" {
		line += ": " + r.Difference
	}
	return line + "\n" + strings.Join([]string{
		mark("bird", r.Rules.Bird), mark("strict", r.Rules.Strict), mark("ordered", r.Rules.Ordered),
		mark("tolerant", r.Rules.Tolerant), mark("superset", r.Rules.Superset), mark("headline", r.Headline),
	}, ", ")
}

func run(t *testing.T, body string) Report {
	t.Helper()
	tables := make(map[string]*db.Result)
	var g Gold
	var o Options
	name := ""
	for _, line := range strings.Split(body, "\n") {
		word, rest, _ := strings.Cut(line, " ")
		switch {
		case strings.HasPrefix(line, "#"):
		case word == "gold" || word == "answer" || word == "key":
			name = word
			tables[name] = &db.Result{}
			for _, column := range strings.Split(rest, "|") {
				if column = strings.TrimSpace(column); column != "" {
					tables[name].Columns = append(tables[name].Columns, db.Column{Name: column})
				}
			}
		case word == "ordered":
			g.Ordered = true
		case word == "columns":
			o.Columns = Columns(rest)
		case word == "order":
			o.Order = Order(rest)
		case word == "tolerance":
			var f float64
			if _, err := fmt.Sscan(rest, &f); err != nil {
				t.Fatal(err)
			}
			o.Tolerance = &f
		default:
			tables[name].Rows = append(tables[name].Rows, cells(t, line))
		}
	}
	g.Result = tables["gold"]
	if key := tables["key"]; key != nil {
		g.Key = func() *Key {
			k := &Key{Limit: len(g.Result.Rows)}
			for i, row := range key.Rows {
				n := len(row) - 1
				if i == 0 || row[n].String() != k.Label[len(k.Label)-1] {
					k.Label = append(k.Label, row[n].String())
				}
				k.Rows, k.Tie = append(k.Rows, row[:n]), append(k.Tie, int32(len(k.Label)-1))
			}
			return k
		}
	}
	if err := o.Check(); err != nil {
		t.Fatal(err)
	}
	return Results(g, tables["answer"], o)
}

func cells(t *testing.T, line string) []db.Value {
	t.Helper()
	var row []db.Value
	for _, cell := range strings.Split(line, "|") {
		cell = strings.TrimSpace(cell)
		if number, ok := strings.CutSuffix(cell, "d"); ok && !strings.HasPrefix(cell, `"`) {
			row = append(row, db.LiteralValue(db.Decimal, number))
			continue
		}
		var v db.Value
		dec := json.NewDecoder(bytes.NewReader([]byte(cell)))
		if err := dec.Decode(&v); err != nil {
			t.Fatalf("cell %q: %v", cell, err)
		}
		row = append(row, v)
	}
	return row
}

func TestFailedTellsOneLine(t *testing.T) {
	r := Failed(GoldBroken, "no such\ntable: \x1b[31mx")
	if r.Verdict != GoldBroken || r.Verdict.Charged() || r.Rules != (Rules{}) || strings.ContainsAny(r.Difference, "\n\x1b") {
		t.Errorf("%+v", r)
	}
	if !DidNotRun.Charged() || !Refused.Charged() || !NoSQL.Charged() || NotRun.Charged() {
		t.Error("who is charged")
	}
}
