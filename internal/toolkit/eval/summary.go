package eval

import (
	"slices"
	"time"

	"github.com/sqbyl/sqbyl/internal/engine/compare"
	"github.com/sqbyl/sqbyl/internal/engine/meter"
	"github.com/sqbyl/sqbyl/internal/toolkit/stats"
)

// Summary is a row of the table of configurations. Shares are of N.
type Summary struct {
	Solver string
	// Asked counts the questions the solver answered in some way.
	Asked int
	// N counts the questions judged; a broken gold and a question not run are
	// not among them.
	N          int
	GoldBroken int
	NotRun     int
	// Unanswerable counts questions that no SQL answers, Abstained those of
	// them of which the solver said so; neither is in N.
	Unanswerable, Abstained int
	Quarantined             int
	Correct                 int // by the headline
	Interval                stats.Interval
	Bird                    int
	Strict                  int
	Ordered                 int
	Tolerant                int
	Superset                int
	Produced                int // questions with SQL, runnable or not
	Verdicts                map[compare.Verdict]int
	Cost                    meter.USD
	Tokens                  int64
	Turns                   int
	Calls                   int
	P50, P95                time.Duration // of the answers, without the database's scoring
}

// Summarize counts one solver's results.
func Summarize(r Result) Summary {
	s := Summary{Solver: r.Solver, Verdicts: make(map[compare.Verdict]int)}
	var latencies []float64
	for i := range r.Questions {
		q := &r.Questions[i]
		s.Cost += q.Answer.Cost
		s.Tokens += q.Answer.Tokens
		s.Turns += q.Answer.Turns
		s.Calls += q.Answer.Calls
		switch {
		case q.Item.Quarantine != "":
			s.Quarantined++
			continue
		case q.Item.Unanswerable:
			s.Unanswerable++
			s.Asked++
			if q.Answer.Abstained {
				s.Abstained++
			}
			continue
		}
		s.Verdicts[q.Outcome.Verdict]++
		switch q.Outcome.Verdict {
		case compare.GoldBroken:
			s.GoldBroken++
			s.Asked++
			continue
		case compare.NotRun:
			s.NotRun++
			continue
		case compare.NoSQL:
		default:
			s.Produced++
		}
		s.Asked++
		s.N++
		latencies = append(latencies, float64(q.Answer.Latency))
		s.count(q)
	}
	slices.Sort(latencies)
	s.P50 = time.Duration(stats.Quantile(latencies, 0.5))
	s.P95 = time.Duration(stats.Quantile(latencies, 0.95))
	s.Interval = stats.Wilson(s.Correct, s.N)
	return s
}

func (s *Summary) count(q *Question) {
	rules := q.Outcome.Rules
	for _, c := range []struct {
		is bool
		in *int
	}{
		{q.Correct, &s.Correct},
		{rules.Bird, &s.Bird},
		{rules.Strict, &s.Strict},
		{rules.Ordered, &s.Ordered},
		{rules.Tolerant, &s.Tolerant},
		{rules.Superset, &s.Superset},
	} {
		if c.is {
			*c.in++
		}
	}
}

// Share is k of N, 0 of none.
func (s Summary) Share(k int) float64 {
	if s.N == 0 {
		return 0
	}
	return float64(k) / float64(s.N)
}

// PerQuestion divides a total by the questions asked.
func (s Summary) PerQuestion(total float64) float64 {
	if s.Asked == 0 {
		return 0
	}
	return total / float64(s.Asked)
}

// Pair compares two results question by question, as far as both were judged.
func Pair(before, after Result) stats.Paired {
	was := make(map[string]bool)
	for i := range before.Questions {
		if q := &before.Questions[i]; q.Outcome.Verdict.Charged() {
			was[q.key()] = q.Correct
		}
	}
	var a, b []bool
	for i := range after.Questions {
		q := &after.Questions[i]
		if correct, ok := was[q.key()]; ok && q.Outcome.Verdict.Charged() {
			a, b = append(a, correct), append(b, q.Correct)
		}
	}
	return stats.Pair(a, b)
}

func (q *Question) key() string { return q.Item.DB + "\x00" + q.Item.ID }
