package score

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// pairs holds the pairs of values.test that an engine has against what is
// written there.
func pairs(t *testing.T, r *Runner, engine string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "values.test"))
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for line := range strings.Lines(string(text)) {
		engines, pair, ok := strings.Cut(strings.TrimSpace(line), " | ")
		if !ok || strings.HasPrefix(line, "#") || !strings.Contains(engines, engine) {
			continue
		}
		parts := strings.Split(pair, " => ")
		if len(parts) != 3 {
			t.Fatal(line)
		}
		ran++
		out := r.Score(context.Background(), Case{Golds: []string{parts[0]}}, parts[1])[0]
		got := "-"
		if out.Verdict.Charged() {
			got = ""
			for _, right := range []bool{out.Rules.Bird, out.Rules.Strict, out.Rules.Ordered, out.Rules.Tolerant, out.Rules.Superset} {
				got += map[bool]string{true: "1", false: "0"}[right]
			}
		}
		if got += " " + string(out.Verdict); got != parts[2] {
			t.Errorf("%s: %s\n  %s\n  is %s (%s), want %s", engine, parts[0], parts[1], got, out.Difference, parts[2])
		}
	}
	if ran < 20 {
		t.Errorf("%d pairs for %s", ran, engine)
	}
}
