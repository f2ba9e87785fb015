package stats

import "math"

// z95 is the two-sided 95 % point of the normal distribution.
const z95 = 1.959963984540054

// Interval is a range of shares, from 0 to 1.
type Interval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Wilson is the 95 % interval of a share of k in n (Wilson, J. Am. Stat.
// Assoc. 22, 1927). Of nothing everything is possible.
func Wilson(k, n int) Interval {
	if n <= 0 {
		return Interval{0, 1}
	}
	p, m := float64(k)/float64(n), float64(n)
	z2 := z95 * z95
	mid := (p + z2/(2*m)) / (1 + z2/m)
	half := z95 / (1 + z2/m) * math.Sqrt(p*(1-p)/m+z2/(4*m*m))
	low, high := max(0, mid-half), min(1, mid+half)
	switch k { // rounding must not move the ends
	case 0:
		low = 0
	case n:
		high = 1
	}
	return Interval{low, high}
}
