package paid

import (
	"strings"
	"testing"

	"github.com/sqbyl/sqbyl/internal/engine/meter"
	"github.com/sqbyl/sqbyl/internal/toolkit/orchestrate"
)

func TestAPlanSaysWhatIsInItsCap(t *testing.T) {
	const cent = meter.Dollar / 100
	dollars := func(cents meter.USD) *meter.USD { cents *= cent; return &cents }
	for name, c := range map[string]struct {
		high   meter.USD
		budget *meter.USD
		worst  meter.USD
		units  int
		cap    string
		notes  []string
	}{
		"room for all calls":          {48 * cent, nil, 117_000, 200, "$2.36", []string{"$1.88 of the cap is room for calls in flight"}},
		"of large work":               {48 * meter.Dollar, nil, 117_000, 200, "$49.88", nil},
		"a budget that is enough":     {48 * cent, dollars(236), 117_000, 200, "$2.36", nil},
		"a budget that slows":         {48 * cent, dollars(100), 117_000, 200, "$1.00", []string{"only 4 calls in flight at once; with --budget 2.36 there are 16"}},
		"a budget below the estimate": {48 * cent, dollars(20), 117_000, 200, "$0.20", []string{"only 1 call in"}},
		"out of proportion":           {5 * cent, nil, 25 * cent, 20, "$2.05", []string{"$2.00 of the cap", "only 8 calls in flight at once; with --budget 4.05 there are 16"}},
		"nothing to pay":              {0, nil, 117_000, 0, "$0.00", nil},
	} {
		p := Plan{Estimate: orchestrate.Estimate{Low: c.high, High: c.high, Units: c.units}}
		p.Limit(c.budget, c.worst, 16)
		if p.Cap.String() != c.cap || len(p.Notes) != len(c.notes) {
			t.Errorf("%s: cap %s, %q", name, p.Cap, p.Notes)
			continue
		}
		for i, note := range c.notes {
			if !strings.Contains(p.Notes[i], note) {
				t.Errorf("%s: %q does not say %q", name, p.Notes[i], note)
			}
		}
	}
}
