// Package score runs golds and predictions and compares what they return. It
// knows no model and no project: who wrote a prediction is its caller's
// business. A broken gold and a question that could not be run are told apart
// from a wrong answer, and charged to nobody.
package score
