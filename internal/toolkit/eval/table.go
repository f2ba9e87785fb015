package eval

import (
	"fmt"
	"time"

	"github.com/sqbyl/sqbyl/internal/engine/meter"
	"github.com/sqbyl/sqbyl/internal/toolkit/stats"
)

// Header names the columns of the table of configurations.
var Header = []string{"configuration", "EX", "strict", "SQL", "turns", "tokens", "$/question", "p50", "n", "95 %"}

// Row is a summary as cells under Header. EX is the headline.
func (s Summary) Row() []string {
	percent := func(k int) string {
		if s.N == 0 {
			return "-"
		}
		return fmt.Sprintf("%.1f %%", 100*s.Share(k))
	}
	often := func(format string, total float64) string {
		if total == 0 || s.Asked == 0 {
			return "-"
		}
		return fmt.Sprintf(format, s.PerQuestion(total))
	}
	p50 := "-"
	if s.P50 > 0 {
		p50 = s.P50.Round(10 * time.Millisecond).String()
	}
	return []string{
		s.Solver, percent(s.Correct), percent(s.Strict), percent(s.Produced),
		often("%.1f", float64(s.Turns)), often("%.0f", float64(s.Tokens)), often("%.4f", float64(s.Cost)/float64(meter.Dollar)), p50,
		fmt.Sprint(s.N), interval(s.Interval),
	}
}

// interval is in percent, with a digit behind the point where it is narrow.
func interval(i stats.Interval) string {
	format := "%.0f - %.0f"
	if i.High-i.Low < 0.05 {
		format = "%.1f - %.1f"
	}
	return fmt.Sprintf(format, 100*i.Low, 100*i.High)
}

// Table summarizes results as rows under Header: the harness's own two first.
func Table(results []Result) [][]string {
	var own, others [][]string
	for _, r := range results {
		row := Summarize(r).Row()
		if r.Solver == OracleName || r.Solver == MuteName {
			own = append(own, row)
		} else {
			others = append(others, row)
		}
	}
	return append(own, others...)
}

// WithOwn adds the oracle and the mute solver where they are missing.
func WithOwn(solvers []Solver) []Solver {
	has := func(name string) bool {
		for _, s := range solvers {
			if s.Name() == name {
				return true
			}
		}
		return false
	}
	var own []Solver
	if !has(OracleName) {
		own = append(own, Oracle())
	}
	if !has(MuteName) {
		own = append(own, Mute())
	}
	return append(own, solvers...)
}
