package score

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/testkit/handed"
)

// BenchmarkOracle runs the 944 golds, each beside itself, and in turn with it
// testdata/oracle.py, which does the same in plain Python with as many
// workers. x-python is how many times longer it takes here, database-% the
// share of the time that is spent in the database.
func BenchmarkOracle(b *testing.B) {
	folder := filepath.Join(handed.Data(b), "bird_layout")
	const list = "mini_dev_sqlite.json"
	items, r := layout(b, folder, list, driver.Options{})
	cases := casesOf(items)
	score := func() (database time.Duration) {
		for i, out := range r.All(context.Background(), cases, func(i int) []string { return cases[i].Golds[:1] }) {
			if !out[0].Rules.Bird {
				b.Fatalf("question %d: %s: %s", i, out[0].Verdict, out[0].Difference)
			}
			database += out[0].Database
		}
		return database
	}
	score()
	var here, there, database float64
	for b.Loop() {
		started := time.Now()
		// A gold takes as long as its prediction.
		database += 2 * score().Seconds()
		here += time.Since(started).Seconds()
		b.StopTimer()
		there += python(b, filepath.Join(folder, list), filepath.Join(folder, "dev_databases"))
		b.StartTimer()
	}
	b.ReportMetric(100*database/(here*float64(runtime.GOMAXPROCS(0))), "database-%")
	if there > 0 {
		b.ReportMetric(here/there, "x-python")
	}
}

// python is the seconds the script takes, 0 where there is no Python.
func python(b *testing.B, list, databases string) float64 {
	b.Helper()
	interpreter, err := exec.LookPath("python3")
	if err != nil {
		return 0
	}
	out, err := exec.CommandContext(b.Context(), interpreter, filepath.Join("testdata", "oracle.py"), list, databases, strconv.Itoa(runtime.GOMAXPROCS(0))).Output()
	if err != nil {
		b.Fatal(err)
	}
	var seconds float64
	var agree int
	if _, err := fmt.Sscan(string(out), &seconds, &agree); err != nil || agree == 0 {
		b.Fatalf("the script says %q: %v", out, err)
	}
	return seconds
}
