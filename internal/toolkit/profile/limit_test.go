package profile_test

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"github.com/ncruces/go-sqlite3"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/testkit/servers"
	"github.com/sqbyl/sqbyl/internal/toolkit/profile"
	"github.com/sqbyl/sqbyl/semantic"
)

// told is a database that keeps the statements of its sessions.
type told struct {
	db.Database
	mu   sync.Mutex
	sent []statement
}

type statement struct {
	own  db.Own
	args []db.Value
}

func (d *told) Session(ctx context.Context, p db.Profile) (db.Session, error) {
	s, err := d.Database.Session(ctx, p)
	return &toldSession{s, d}, err
}

type toldSession struct {
	db.Session
	d *told
}

func (s *toldSession) Own(ctx context.Context, own db.Own, args ...db.Value) (*db.Result, error) {
	s.d.mu.Lock()
	s.d.sent = append(s.d.sent, statement{own, args})
	s.d.mu.Unlock()
	return s.Session.Own(ctx, own, args...)
}

const (
	claimed = 200_000_000 // what the statistics say
	most    = 30_000      // rows that a statement may read; there are 100,000
)

// limited profiles people and gives the statements that were sent about it.
func limited(t testing.TB, url string) (db.Database, []statement) {
	t.Helper()
	database, schema := open(t, url, driver.Options{})
	for _, table := range schema.Tables {
		if table.Name == "people" && table.Rows < claimed {
			t.Fatalf("the catalogue says %d rows", table.Rows)
		}
	}
	d := &told{Database: database}
	r, err := profile.Run(context.Background(), d, schema, semantic.Model{Tables: []semantic.Table{{Name: "people"}}}, profile.Options{MaxRows: most})
	if err != nil {
		t.Fatal(err)
	}
	x := r.Tables[0]
	if x.Skipped != "" || x.Exact || x.Rows == nil || *x.Rows < most {
		t.Errorf("the table: %s", asJSON(t, x))
	}
	if p := column(t, r, "people", "region").Profile; !p.Sampled || !p.Distinct.Estimate || len(p.Top) != 3 {
		t.Errorf("region: %s", asJSON(t, p))
	}
	return database, d.sent
}

// TestSQLiteReadsNoMoreThanItMay counts the steps of scans, by the engine's
// own counter, and the rows that come back.
func TestSQLiteReadsNoMoreThanItMay(t *testing.T) {
	url := lite(t, append(append([]string{}, people...), "ANALYZE", "UPDATE sqlite_stat1 SET stat = '200000000' WHERE tbl = 'people'")...)
	_, sent := limited(t, url)
	conn, err := sqlite3.OpenFlags(strings.TrimPrefix(url, "sqlite:"), sqlite3.OPEN_READONLY)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	for _, s := range sent {
		stmt, _, err := conn.Prepare(s.own.SQL())
		if err != nil {
			t.Fatal(err)
		}
		for i, arg := range s.args {
			if err := stmt.BindText(i+1, arg.Raw()); err != nil {
				t.Fatal(err)
			}
		}
		rows := 0
		for stmt.Step() {
			rows++
		}
		if n := stmt.Status(sqlite3.STMTSTATUS_FULLSCAN_STEP, false); n > most || rows > most {
			t.Errorf("%d steps, %d rows: %s", n, rows, s.own.SQL())
		}
		if err := stmt.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestPostgresReadsNoMoreThanItMay runs each statement under EXPLAIN ANALYZE.
func TestPostgresReadsNoMoreThanItMay(t *testing.T) {
	s := servers.Postgres(t)
	s.Exec(t, strings.Join(people, ";\n")+";\nANALYZE people;\nUPDATE pg_class SET reltuples = 2e8 WHERE relname = 'people';\nGRANT SELECT ON ALL TABLES IN SCHEMA public TO "+s.Reader+";\n")
	database, sent := limited(t, s.ReaderURL)
	session, err := database.Session(context.Background(), db.Answer)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = session.Close() }()
	scanned := 0
	for _, s := range sent {
		r, err := session.Own(context.Background(), db.OwnSQL("EXPLAIN (ANALYZE, FORMAT JSON) "+s.own.SQL()), s.args...)
		if err != nil {
			t.Fatal(err)
		}
		var plans []struct{ Plan node }
		if err := json.Unmarshal([]byte(r.Rows[0][0].Raw()), &plans); err != nil {
			t.Fatal(err)
		}
		n := plans[0].Plan.read()
		scanned += int(n)
		if n > most {
			t.Errorf("%.0f rows: %s", n, s.own.SQL())
		}
	}
	if scanned < 1000 {
		t.Errorf("only %d rows were read in all: the counter does not count", scanned)
	}
}

// node is a node of a plan of PostgreSQL.
type node struct {
	Relation string  `json:"Relation Name"`
	Rows     float64 `json:"Actual Rows"`
	Loops    float64 `json:"Actual Loops"`
	Filtered float64 `json:"Rows Removed by Filter"`
	Plans    []node
}

// read sums the rows that scans of people read.
func (n node) read() float64 {
	sum := 0.0
	if n.Relation == "people" {
		sum = (n.Rows + n.Filtered) * max(n.Loops, 1)
	}
	for _, p := range n.Plans {
		sum += p.read()
	}
	return sum
}

// TestMariaDBReadsNoMoreThanItMay counts the calls of the storage engine.
func TestMariaDBReadsNoMoreThanItMay(t *testing.T) {
	s := servers.MariaDB(t)
	s.Exec(t, strings.Join(people, ";\n")+";\nALTER TABLE people STATS_PERSISTENT = 1, STATS_AUTO_RECALC = 0;\nANALYZE TABLE people;\nUPDATE mysql.innodb_table_stats SET n_rows = 200000000 WHERE database_name = DATABASE() AND table_name = 'people';\nFLUSH TABLE people;\nRENAME TABLE people TO p2;\nRENAME TABLE p2 TO people;\n")
	database, sent := limited(t, s.ReaderURL)
	session, err := database.Session(context.Background(), db.Answer)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = session.Close() }()
	handler := func() int64 {
		r, err := session.Own(context.Background(), db.OwnSQL("SHOW SESSION STATUS LIKE 'Handler_read%'"))
		if err != nil {
			t.Fatal(err)
		}
		sum := int64(0)
		for _, row := range r.Rows {
			var n int64
			if err := json.Unmarshal([]byte(row[1].Raw()), &n); err != nil {
				t.Fatal(err)
			}
			sum += n
		}
		return sum
	}
	own := handler()
	own = handler() - own
	for _, s := range sent {
		before := handler()
		if _, err := session.Own(context.Background(), s.own, s.args...); err != nil {
			t.Fatal(err)
		}
		if n := handler() - before - own; n > most {
			t.Errorf("%d calls: %.200s", n, s.own.SQL())
		}
	}
}
