// Package bench is the vocabulary of benchmarks: questions with what counts
// as a right answer. It reads readers, never paths, so that no function of it
// could be handed the held-out file by mistake.
package bench

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/sqbyl/sqbyl/semantic"
)

// Question is one question of a benchmark.
type Question struct {
	// ID names the question in runs and on the command line.
	ID       string `json:"id"`
	Question string `json:"question"`
	// GoldSQL answers the question. In its place may stand gold_asset, the
	// name of a trusted query, with params for its parameters; or gold, a list
	// of answers of which any one is right.
	GoldSQL   string                     `json:"gold_sql,omitempty"`
	GoldAsset string                     `json:"gold_asset,omitempty"`
	Params    map[string]semantic.Scalar `json:"params,omitempty"`
	Gold      []string                   `json:"gold,omitempty"`
	// Order says whether rows must come in the gold's order.
	Order Order `json:"order,omitempty"`
	// Columns says how columns are matched with the gold's.
	Columns Columns `json:"columns,omitempty"`
	// Tolerance is the relative difference that two numbers may have.
	Tolerance *float64 `json:"tolerance,omitempty" jsonschema:"minimum=0"`
	// EvalNote guides whoever judges an answer that the comparison cannot
	// decide.
	EvalNote   string   `json:"eval_note,omitempty"`
	Difficulty string   `json:"difficulty,omitempty"`
	Tags       []string `json:"tags,omitempty"`
	// Canonical marks the main wording of a question that has variants.
	Canonical bool `json:"canonical,omitempty"`
	// VariantOf is the id of the question that this one words differently.
	VariantOf string `json:"variant_of,omitempty"`
	// Unanswerable is a question that the database cannot answer; saying so is
	// the right answer.
	Unanswerable bool `json:"unanswerable,omitempty"`
	// Quarantine is why the question does not count for now.
	Quarantine string `json:"quarantine,omitempty"`
}

// Golds are the SQL texts of which any one is a right answer; none for a
// question whose gold is a trusted query.
func (q Question) Golds() []string {
	if q.GoldSQL != "" {
		return []string{q.GoldSQL}
	}
	return q.Gold
}

// Order says whether the order of rows counts.
type Order string

// The orders. OrderAuto, also when empty, asks the gold: order counts when
// its outermost query sorts.
const (
	OrderAuto   Order = "auto"
	OrderAny    Order = "any"
	OrderStrict Order = "strict"
)

// Values are the orders there are.
func (Order) Values() []string {
	return []string{string(OrderAuto), string(OrderAny), string(OrderStrict)}
}

// Columns says how the columns of an answer are matched with the gold's.
type Columns string

// The ways of matching; empty leaves the choice to the comparison.
const (
	ColumnsExact    Columns = "exact"
	ColumnsByName   Columns = "by_name"
	ColumnsAnyOrder Columns = "any_order"
	ColumnsSuperset Columns = "superset"
)

// Values are the ways of matching there are.
func (Columns) Values() []string {
	return []string{string(ColumnsExact), string(ColumnsByName), string(ColumnsAnyOrder), string(ColumnsSuperset)}
}

// Hash identifies a set of questions, whatever their order and layout.
func Hash(questions []Question) (string, error) {
	sorted := slices.SortedFunc(slices.Values(questions), func(a, b Question) int { return cmp.Compare(a.ID, b.ID) })
	b, err := json.Marshal(sorted)
	if err != nil {
		return "", fmt.Errorf("hash a benchmark: %w", err)
	}
	sum := sha256.Sum256(b)
	return "sha256:" + hex.EncodeToString(sum[:]), nil
}
