package stats

import (
	"math"
	"testing"
)

func near(t *testing.T, what string, got, want, by float64) {
	t.Helper()
	if math.IsNaN(got) || math.Abs(got-want) > by {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func TestWilsonGivesPublishedIntervals(t *testing.T) {
	// Newcombe, Two-sided confidence intervals for the single proportion,
	// Statistics in Medicine 17 (1998), table I, method 3.
	for _, c := range []struct {
		k, n      int
		low, high float64
	}{
		{81, 263, 0.2553, 0.3662},
		{15, 148, 0.0624, 0.1605},
		{0, 20, 0, 0.1611},
		{1, 29, 0.0061, 0.1718},
	} {
		w := Wilson(c.k, c.n)
		near(t, "low", w.Low, c.low, 5e-5)
		near(t, "high", w.High, c.high, 5e-5)
	}
	if w := Wilson(20, 20); w.High != 1 || w.Low < 0.83 || w.Low > 0.84 {
		t.Errorf("20 of 20: %v", w)
	}
	if w := Wilson(0, 0); w != (Interval{0, 1}) {
		t.Errorf("none: %v", w)
	}
}

func TestMcNemarIsExact(t *testing.T) {
	// Agresti, Categorical Data Analysis (2nd ed. 2002), section 10.1: 86 and
	// 150 approval ratings changed; Fay, "Exact McNemar's test and matching
	// confidence intervals" (R package exact2x2) gives p = 3.7e-05 for them.
	near(t, "Agresti", Paired{Fixed: 150, Broken: 86}.McNemar(), 3.716e-05, 5e-08)
	// The sign test's table (Siegel, Nonparametric Statistics, 1956, table D,
	// doubled): 0 of 5, 1 of 8, 3 of 13.
	near(t, "0 of 5", Paired{Fixed: 5}.McNemar(), 0.0625, 1e-9)
	near(t, "1 of 8", Paired{Fixed: 7, Broken: 1}.McNemar(), 2*0.035, 1e-3)
	near(t, "3 of 13", Paired{Fixed: 3, Broken: 10}.McNemar(), 2*0.046, 1e-3)
	near(t, "nothing", Paired{Both: 7}.McNemar(), 1, 0)
	near(t, "even", Paired{Fixed: 4, Broken: 4}.McNemar(), 1, 0)
	near(t, "thousands", Paired{Fixed: 5000, Broken: 5100}.McNemar(), 0.3247, 2e-3)
}

func TestPairCounts(t *testing.T) {
	got := Pair([]bool{true, true, false, false, false}, []bool{true, false, true, true, false})
	if got != (Paired{Both: 1, Neither: 1, Fixed: 2, Broken: 1}) {
		t.Errorf("%+v", got)
	}
}

func TestKappaGivesPublishedValues(t *testing.T) {
	// Cohen (1960), table 1: kappa = 0.492 of a 3 × 3 table of 200.
	a := Kappa([][]int{{88, 14, 18}, {10, 40, 10}, {2, 6, 12}})
	near(t, "Cohen", a.Kappa, 0.492, 1e-3)
	near(t, "observed", a.Observed, 0.70, 1e-9)
	// Fleiss, Levin and Paik, Statistical Methods for Rates and Proportions
	// (3rd ed. 2003), table 18.1: kappa = 0.676 of 100 in three classes.
	near(t, "Fleiss", Kappa([][]int{{75, 1, 4}, {5, 4, 1}, {0, 0, 10}}).Kappa, 0.676, 1e-3)
	if k := Kappa([][]int{{9, 0}, {0, 0}}).Kappa; !math.IsNaN(k) {
		t.Errorf("one class: %v", k)
	}
}

func TestHolmAdjusts(t *testing.T) {
	// The worked example of R's p.adjust and of Holm's rule: 4 tests.
	got := Holm([]float64{0.01, 0.04, 0.03, 0.005})
	for i, want := range []float64{0.03, 0.06, 0.06, 0.02} {
		near(t, "p", got[i], want, 1e-12)
	}
	for _, p := range Holm([]float64{0.6, 0.7}) {
		near(t, "capped", p, 1, 0)
	}
}

func TestBootstrapCoversAndRepeats(t *testing.T) {
	before, after := make([]float64, 200), make([]float64, 200)
	for i := range after {
		if i%5 == 0 {
			after[i] = 1
		}
	}
	got := Bootstrap(before, after, 4000, 1)
	// The normal interval of a share of 0.2 in 200: 0.2 ± 1.96·0.0283.
	near(t, "low", got.Low, 0.145, 0.01)
	near(t, "high", got.High, 0.255, 0.01)
	if again := Bootstrap(before, after, 4000, 1); again != got {
		t.Errorf("the same seed: %v, then %v", got, again)
	}
	if other := Bootstrap(before, after, 4000, 2); other == got {
		t.Error("another seed changes nothing")
	}
}

func TestQuantileIsTypeSeven(t *testing.T) {
	// R: quantile(c(1, 2, 4, 8), c(.25, .5, .95)) = 1.75, 3, 7.4.
	values := []float64{1, 2, 4, 8}
	near(t, "25 %", Quantile(values, 0.25), 1.75, 1e-12)
	near(t, "median", Quantile(values, 0.5), 3, 1e-12)
	near(t, "95 %", Quantile(values, 0.95), 7.4, 1e-12)
}

func TestPowerAgreesWithSimulationByHand(t *testing.T) {
	// Without breaking anything 6 fixes are needed for p < 0.05 (2/2^6).
	if signTest(5, 0) <= 0.05 || signTest(6, 0) > 0.05 {
		t.Error("sign test at 5 and 6")
	}
	for _, gain := range []float64{0.05, 0.1, 0.2, 0.5} {
		n := Needed(gain)
		if shown(n, gain) < power || Smallest(n) > gain+1.0/float64(n) {
			t.Errorf("gain %v: n = %d shows %v, smallest %v", gain, n, shown(n, gain), Smallest(n))
		}
	}
	if a, b := Smallest(50), Smallest(200); a <= b {
		t.Errorf("50 questions show %v, 200 show %v", a, b)
	}
	if Smallest(5) != 1 {
		t.Errorf("5 questions show %v", Smallest(5))
	}
}

func TestReachIsASentence(t *testing.T) {
	for n, want := range map[int]string{
		0: "no questions: nothing can be shown",
		5: "this set of 5 cannot show any change; write 43 more to see 20 points",
	} {
		if got := Reach(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
	for _, n := range []int{10, 36, 100, 142, 500, 944} {
		t.Log(n, Reach(n))
	}
}
