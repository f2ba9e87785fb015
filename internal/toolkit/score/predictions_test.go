package score

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/sqbyl/sqbyl/internal/testkit/handed"
	"github.com/sqbyl/sqbyl/internal/toolkit/bench"
)

// The models' predictions, written as question lists and BIRD prediction files
// and read again, score as the official evaluator says.
func TestPredictionFilesScoreAsOfficially(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(handed.Data(t), "verdicts", "preds_*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no predictions: %v", err)
	}
	r := &Runner{Open: verdictDatabases(t)}
	for _, file := range files {
		byModel := make(map[string][]verdictCase)
		for _, c := range readLines[verdictCase](t, file) {
			byModel[c.Model] = append(byModel[c.Model], c)
		}
		for model, cases := range byModel {
			t.Run(filepath.Base(file)+"/"+model, func(t *testing.T) { predictionFile(t, r, cases) })
		}
	}
}

func predictionFile(t *testing.T, r *Runner, cases []verdictCase) {
	type record struct {
		DB       string `json:"db_id"`
		Question string `json:"question"`
		SQL      string `json:"SQL"`
	}
	records, preds := make([]record, len(cases)), make([]string, len(cases))
	official := 0
	for i, c := range cases {
		records[i], preds[i] = record{c.DB, "question: " + c.Question, c.Gold}, c.Pred
		if c.Official["bird_ex"] == 1.0 {
			official++
		}
	}
	list, err := json.Marshal(records)
	if err != nil {
		t.Fatal(err)
	}
	items, err := bench.ReadBIRD(bytes.NewReader(list), "questions.json")
	if err != nil {
		t.Fatal(err)
	}
	var written bytes.Buffer
	if err := bench.WritePredictions(&written, items, preds); err != nil {
		t.Fatal(err)
	}
	read, err := bench.ReadPredictions(&written, "predictions.json")
	if err != nil {
		t.Fatal(err)
	}
	sql, unknown := read.Of(items, len(items))
	if len(unknown) > 0 {
		t.Errorf("unknown keys %v", unknown)
	}
	right := 0
	for _, out := range r.All(context.Background(), casesOf(items), func(i int) []string { return sql[i : i+1] }) {
		if out[0].Rules.Bird {
			right++
		}
	}
	if right != official {
		t.Errorf("%d of %d right, officially %d", right, len(cases), official)
	}
}
