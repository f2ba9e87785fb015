package score

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/sqbyl/sqbyl/driver"
	_ "github.com/sqbyl/sqbyl/driver/sqlite"
)

func TestCasesAnswerLineByLine(t *testing.T) {
	databases := InFolder("", driver.Options{})
	t.Cleanup(func() { _ = databases.Close() })
	r := &Runner{Open: databases.Open}
	in := `{"id": 7, "gold": "SELECT 1", "pred": "SELECT 1.0"}

{"id": "b", "gold": "SELECT 10.5 AS x", "pred": "SELECT 10.0 AS x"}
{"id": "c", "gold": "SELECT nope", "pred": "SELECT 1"}
{"id": "d", "db_id": "shop", "gold": "SELECT 1", "pred": "SELECT 1"}
{"id": "e", "gold": "SELECT 1 WHERE 0"}
{"gold": "", "pred": "SELECT 1"}`
	want := `{"id":7,"rules":{"bird":true,"strict":true,"ordered":true,"tolerant":true,"superset":true},"verdict":"exact","difference":""}
{"id":"b","rules":{"bird":false,"strict":false,"ordered":false,"tolerant":false,"superset":false},"verdict":"disjoint","difference":"1 of 1 row differs; row 1, x: gold 10.5, got 10.0"}
{"id":"c","rules":{"bird":null,"strict":null,"ordered":null,"tolerant":null,"superset":null},"verdict":"gold broken","difference":"no such column: nope"}
{"id":"d","rules":{"bird":null,"strict":null,"ordered":null,"tolerant":null,"superset":null},"verdict":"not run","difference":"database \"shop\": no folder or server of databases is given (--databases)"}
{"id":"e","rules":{"bird":false,"strict":false,"ordered":false,"tolerant":false,"superset":false},"verdict":"no SQL","difference":"there is no SQL"}
{"id":null,"rules":{"bird":null,"strict":null,"ordered":null,"tolerant":null,"superset":null},"verdict":"gold broken","difference":"there is no statement"}
`
	var got strings.Builder
	emit := func(v Verdict) error {
		b, err := json.Marshal(v)
		got.WriteString(string(b) + "\n")
		return err
	}
	if err := r.Cases(context.Background(), strings.NewReader(in), emit); err != nil {
		t.Fatal(err)
	}
	if got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
	err := r.Cases(context.Background(), strings.NewReader("{\"id\":1,\"gold\":\"SELECT 1\",\"pred\":\"SELECT 1\"}\n\nnonsense"), emit)
	if err == nil || !strings.Contains(err.Error(), "line 3") {
		t.Errorf("a line that is no case: %v", err)
	}
}

func TestCasesKeepTheirOrder(t *testing.T) {
	databases := InFolder("", driver.Options{})
	t.Cleanup(func() { _ = databases.Close() })
	r := &Runner{Open: databases.Open, Workers: 4}
	var in strings.Builder
	const n = 2*casesAtOnce + 3
	for i := range n {
		fmt.Fprintf(&in, "{\"id\": %d, \"gold\": \"SELECT %d\", \"pred\": \"SELECT %d\"}\n", i, i, i)
	}
	next := 0
	err := r.Cases(context.Background(), strings.NewReader(in.String()), func(v Verdict) error {
		if string(v.ID) != fmt.Sprint(next) || !*v.Rules.Strict {
			t.Errorf("verdict %d is of %s: %s", next, v.ID, v.Verdict)
		}
		next++
		return nil
	})
	if err != nil || next != n {
		t.Errorf("%d verdicts: %v", next, err)
	}
}
