package sqlite_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// BenchmarkSmallQuery is one session, prepare and query on a small file.
func BenchmarkSmallQuery(b *testing.B) {
	for _, journal := range []string{"DELETE", "WAL"} {
		b.Run(journal, func(b *testing.B) {
			d := open(b, file(b, "PRAGMA journal_mode = "+journal, "CREATE TABLE orders (id INTEGER PRIMARY KEY, status TEXT)", "INSERT INTO orders (status) VALUES ('open'), ('open'), ('paid')"), driver.Options{})
			st := checked(b, d, "SELECT status, count(*) FROM orders GROUP BY status ORDER BY 2 DESC")
			for b.Loop() {
				s := session(b, d, db.Answer)
				if _, err := s.Prepare(context.Background(), st); err != nil {
					b.Fatal(err)
				}
				if res, err := s.Query(context.Background(), st, db.Caps{}); err != nil || len(res.Rows) != 2 {
					b.Fatal(res, err)
				}
				_ = s.Close()
			}
		})
	}
}

// BenchmarkCapOn50MillionRows asks for all rows of a table of 50 M under a cap
// of 1,000 and reports the memory it took. Making the table takes minutes and
// 600 MB of disk, so -short leaves it out.
func BenchmarkCapOn50MillionRows(b *testing.B) {
	if testing.Short() {
		b.Skip("makes a table of 50 million rows")
	}
	path := file(b, "PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF", "CREATE TABLE big (id INTEGER PRIMARY KEY, n INTEGER)",
		"INSERT INTO big SELECT value, value % 97 FROM generate_series(1, 50000000)")
	d := open(b, path, driver.Options{})
	for _, sql := range []string{"SELECT * FROM big", "SELECT id, n * 2 FROM big WHERE n <> 5"} {
		b.Run(sql, func(b *testing.B) {
			st := checked(b, d, sql)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for b.Loop() {
				s := session(b, d, db.Answer)
				res, err := s.Query(context.Background(), st, db.Caps{Rows: 1000, Time: time.Minute})
				if err != nil || len(res.Rows) != 1000 || res.Truncated != db.ByRows {
					b.Fatal(fmt.Sprint(res), err)
				}
				_ = s.Close()
			}
			runtime.ReadMemStats(&after)
			b.ReportMetric(float64(after.Sys)/(1<<20), "MB-of-process")
		})
	}
}
