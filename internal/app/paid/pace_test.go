package paid

import (
	"strings"
	"testing"

	"github.com/sqbyl/sqbyl/internal/engine/meter"
	"github.com/sqbyl/sqbyl/internal/toolkit/orchestrate"
)

func TestACapThatSlowsTheWorkSaysSo(t *testing.T) {
	worst := meter.Dollar * 117 / 1000
	p := Plan{Estimate: orchestrate.Estimate{Low: meter.Dollar * 4 / 10, High: meter.Dollar * 48 / 100}}
	p.Cap = p.Estimate.Cap(worst, 16)
	p.SetPace(worst, 16)
	if want := "6 calls run at once; with --budget 2.36, 16 would"; !strings.Contains(p.Pace, want) {
		t.Errorf("pace %q, want %q", p.Pace, want)
	}
	p.Cap, p.Pace = 3*meter.Dollar, ""
	p.SetPace(worst, 16)
	if p.Pace != "" {
		t.Errorf("a roomy cap is said to slow the work: %q", p.Pace)
	}
}
