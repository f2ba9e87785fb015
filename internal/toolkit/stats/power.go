package stats

import (
	"fmt"
	"math"
)

// The level and power that Smallest and Needed speak of.
const (
	level = 0.05
	power = 0.8
)

// Smallest is the smallest gain, as a share of n, that a paired run over n
// questions shows: one that McNemar's exact test calls significant at 5 % in
// 80 % of runs, when for every ten questions the change fixes it breaks one.
// It is 1 where even the best change cannot be shown.
func Smallest(n int) float64 {
	for fixed := 1; fixed <= n; fixed++ {
		gain := float64(fixed) / float64(n)
		if shown(n, gain) >= power {
			return gain
		}
	}
	return 1
}

// Needed is the number of questions in which a gain is shown in the same
// sense; 0 for a gain that is none.
func Needed(gain float64) int {
	if gain <= 0 {
		return 0
	}
	gain = min(gain, 1)
	high := 8
	for ; shown(high, gain) < power; high *= 2 {
		if high > 1<<20 {
			return high
		}
	}
	low := high / 2
	for low+1 < high {
		if mid := (low + high) / 2; shown(mid, gain) >= power {
			high = mid
		} else {
			low = mid
		}
	}
	return high
}

// breakage is how many questions a change breaks for every one it fixes.
const breakage = 0.1

// shown is the probability that a gain is significant: the sum over the number
// of changed questions and over how many of those are fixed.
func shown(n int, gain float64) float64 {
	fixes := gain / (1 - breakage)
	breaks := fixes * breakage
	changed := fixes + breaks
	if changed >= 1 {
		changed = 1
	}
	total := 0.0
	for d := 0; d <= n; d++ {
		weight := binomial(n, d, changed)
		if weight < 1e-12 {
			continue
		}
		total += weight * significant(d, 1/(1+breakage))
	}
	return total
}

// significant is the probability that of d changed questions so many are
// fixed that the test sees it, each being fixed with probability p.
func significant(d int, p float64) float64 {
	sum := 0.0
	for fixed := d; 2*fixed > d; fixed-- {
		if signTest(fixed, d-fixed) > level {
			break
		}
		sum += binomial(d, fixed, p)
	}
	return sum
}

func binomial(n, k int, p float64) float64 {
	switch {
	case p <= 0:
		return boolToFloat(k == 0)
	case p >= 1:
		return boolToFloat(k == n)
	}
	return math.Exp(logChoose(n, k) + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
}

func boolToFloat(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// Reach says in words what a set of n questions can show, and how many more
// would halve that or reach 5 points.
func Reach(n int) string {
	if n == 0 {
		return "no questions: nothing can be shown"
	}
	smallest := Smallest(n)
	if smallest >= 1 {
		return fmt.Sprintf("this set of %d cannot show any change; write %d more to see 20 points", n, max(0, Needed(0.20)-n))
	}
	points := int(math.Ceil(100*smallest - 1e-9))
	target := 5
	for _, t := range []int{20, 10, 5} {
		if points > t {
			target = t
			break
		}
	}
	if points <= target {
		return fmt.Sprintf("this set can show a change of %s", countPoints(points))
	}
	return fmt.Sprintf("this set can show a change of %s; write %d more to see %d", countPoints(points), max(0, Needed(float64(target)/100)-n), target)
}

func countPoints(n int) string {
	if n == 1 {
		return "1 point"
	}
	return fmt.Sprintf("%d points", n)
}
