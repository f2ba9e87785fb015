package stats

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// Paired counts two runs over the same questions.
type Paired struct {
	Both, Neither int
	// Fixed are right in the second run only, Broken in the first only.
	Fixed, Broken int
}

// Pair counts two runs question by question; the slices have one length.
func Pair(before, after []bool) Paired {
	var p Paired
	for i := range before {
		switch {
		case before[i] && after[i]:
			p.Both++
		case after[i]:
			p.Fixed++
		case before[i]:
			p.Broken++
		default:
			p.Neither++
		}
	}
	return p
}

// McNemar is the exact two-sided p-value of McNemar's test: that of a fair
// coin falling as unevenly as Fixed to Broken. It is 1 when nothing changed.
func (p Paired) McNemar() float64 { return signTest(p.Fixed, p.Broken) }

func signTest(a, b int) float64 {
	n, k := a+b, min(a, b)
	if n == 0 || a == b {
		return 1
	}
	tail := 0.0
	for i := 0; i <= k; i++ {
		tail += math.Exp(logChoose(n, i) - float64(n)*math.Ln2)
	}
	return min(1, 2*tail)
}

func logChoose(n, k int) float64 {
	a, _ := math.Lgamma(float64(n) + 1)
	b, _ := math.Lgamma(float64(k) + 1)
	c, _ := math.Lgamma(float64(n-k) + 1)
	return a - b - c
}

// Bootstrap is the 95 % percentile interval of the mean difference after -
// before over questions, resampled the given number of times (Efron and
// Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13). The same
// seed gives the same interval. Values are a question's score, 0 to 1 or any
// other.
func Bootstrap(before, after []float64, times int, seed uint64) Interval {
	n := len(before)
	if n == 0 || times <= 0 {
		return Interval{}
	}
	rng := rand.New(rand.NewPCG(seed, 0x5ca1ab1e))
	means := make([]float64, times)
	for t := range means {
		sum := 0.0
		for range n {
			i := rng.IntN(n)
			sum += after[i] - before[i]
		}
		means[t] = sum / float64(n)
	}
	slices.Sort(means)
	return Interval{Quantile(means, 0.025), Quantile(means, 0.975)}
}

// Quantile is the q-quantile of sorted values, between two of them in
// proportion (definition 7 of Hyndman and Fan, Am. Stat. 50, 1996).
func Quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	at := q * float64(len(sorted)-1)
	i := min(int(at), len(sorted)-1)
	if i == len(sorted)-1 {
		return sorted[i]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

// Holm adjusts p-values of several tests so that each may be held against the
// same level (Holm, Scand. J. Stat. 6, 1979).
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	out := make([]float64, len(p))
	highest := 0.0
	for rank, i := range order {
		highest = max(highest, min(1, p[i]*float64(len(p)-rank)))
		out[i] = highest
	}
	return out
}
