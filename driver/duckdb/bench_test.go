//go:build cgo && !no_duckdb

package duckdb

import (
	"context"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// BenchmarkFiftyMillionRows reads a table of 50 million rows under the caps
// of an answer; peak-MB is what the process grew by at most.
func BenchmarkFiftyMillionRows(b *testing.B) {
	path := makeFile(b, "CREATE TABLE big AS SELECT i AS id, i % 1000 AS k, 'customer ' || (i % 100000) AS name FROM range(50000000) r(i)")
	for _, q := range []struct{ name, sql string }{
		{"all", "SELECT * FROM big"},
		{"filtered", "SELECT * FROM big WHERE k < 900"},
		{"ordered", "SELECT * FROM big ORDER BY name DESC, id LIMIT 1001"},
		{"grouped", "SELECT k, count(*), min(name) FROM big GROUP BY k"},
	} {
		b.Run(q.name, func(b *testing.B) {
			d := openTest(b, path, driver.Options{})
			st := mustCheck(b, d, q.sql)
			_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
			start := resident(b, "VmRSS:")
			for b.Loop() {
				s := newSession(b, d)
				result, err := s.Query(context.Background(), st, db.AnswerCaps)
				if err != nil || len(result.Rows) != 1000 {
					b.Fatal(err)
				}
				_ = s.Close()
			}
			b.ReportMetric(resident(b, "VmHWM:")-start, "peak-MB")
		})
	}
}

// resident reads a line of Linux's account of this process, in MB.
func resident(b *testing.B, line string) float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		b.Skip("memory is measured on Linux only")
	}
	_, rest, _ := strings.Cut(string(status), line)
	kB, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
	if err != nil {
		b.Fatal(err)
	}
	return kB / 1024
}

func BenchmarkExamine(b *testing.B) {
	sql := `WITH monthly AS (
  SELECT date_trunc('month', created_at) AS m, customer_id, sum(amount_cents) AS s, count(*) FILTER (WHERE status = 'refunded') AS r
  FROM orders WHERE created_at >= current_date - INTERVAL 12 MONTH GROUP BY ALL),
ranked AS (SELECT *, rank() OVER (PARTITION BY m ORDER BY s DESC) AS k, lag(s) OVER (PARTITION BY customer_id ORDER BY m) AS before FROM monthly)
SELECT r.m, c.region, r.s, r.s - r.before AS growth FROM ranked r JOIN customers c USING (customer_id)
LEFT JOIN wide w ON w.id = r.customer_id WHERE r.k <= 10 AND EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.customer_id) ORDER BY 1, 3 DESC LIMIT 100`
	policy := newPolicy()
	for b.Loop() {
		if _, err := Grammar().Examine(context.Background(), sql, &policy); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSession(b *testing.B) {
	d := openTest(b, makeFile(b, shop), driver.Options{})
	st := mustCheck(b, d, "SELECT count(*) FROM orders")
	for b.Loop() {
		s := newSession(b, d)
		if _, err := s.Query(context.Background(), st, db.AnswerCaps); err != nil {
			b.Fatal(err)
		}
		_ = s.Close()
	}
}
