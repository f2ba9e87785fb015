package stats

import "math"

// Agreement is how two judges of the same items agree.
type Agreement struct {
	N        int      `json:"n"`
	Observed float64  `json:"observed"` // share of items both put in the same class
	Kappa    float64  `json:"kappa"`
	Interval Interval `json:"interval"` // 95 %, of Kappa
}

// Kappa is Cohen's kappa of a square table: counts[i][j] items that the first
// judge put in class i and the second in j (Cohen, Educ. Psychol. Meas. 20,
// 1960), with the standard error sqrt(po(1-po)/(n(1-pe)²)) given there. Where
// both judges know one class only, kappa is not defined and given as NaN.
func Kappa(counts [][]int) Agreement {
	rows, columns := make([]float64, len(counts)), make([]float64, len(counts))
	n, same := 0.0, 0.0
	for i := range counts {
		for j, c := range counts[i] {
			rows[i] += float64(c)
			columns[j] += float64(c)
			n += float64(c)
			if i == j {
				same += float64(c)
			}
		}
	}
	if n == 0 {
		return Agreement{Kappa: math.NaN(), Interval: Interval{math.NaN(), math.NaN()}}
	}
	chance := 0.0
	for i := range rows {
		chance += rows[i] / n * columns[i] / n
	}
	a := Agreement{N: int(n), Observed: same / n}
	if chance == 1 {
		a.Kappa, a.Interval = math.NaN(), Interval{math.NaN(), math.NaN()}
		return a
	}
	a.Kappa = (a.Observed - chance) / (1 - chance)
	half := z95 * math.Sqrt(a.Observed*(1-a.Observed)/(n*(1-chance)*(1-chance)))
	a.Interval = Interval{max(-1, a.Kappa-half), min(1, a.Kappa+half)}
	return a
}
