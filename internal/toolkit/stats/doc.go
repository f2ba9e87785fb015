// Package stats has the few statistics an evaluation needs: intervals for a
// share, tests for two runs over the same questions, agreement of two judges,
// and how small a change a set of questions can show.
package stats
