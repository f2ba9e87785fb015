package score

import (
	"context"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sqbyl/sqbyl/driver"
	_ "github.com/sqbyl/sqbyl/driver/mysql"
	"github.com/sqbyl/sqbyl/internal/engine/compare"
	"github.com/sqbyl/sqbyl/internal/testkit/servers"
)

// Each id is a database of the server, and one that is not there leaves its
// questions not run.
func TestOnServerAnIDIsADatabase(t *testing.T) {
	one, two := servers.Postgres(t), servers.Postgres(t)
	one.Exec(t, "CREATE TABLE item (n int); INSERT INTO item VALUES (1)")
	two.Exec(t, "CREATE TABLE item (n int); INSERT INTO item VALUES (2)")
	at, err := url.Parse(one.URL)
	if err != nil {
		t.Fatal(err)
	}
	password, _ := at.User.Password()
	at.Path, at.RawQuery = "", "" // no database, and no option
	databases, err := At(at.String(), driver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := databases.Close(); err != nil {
			t.Error(err)
		}
	})
	r := &Runner{Open: databases.Open}
	for _, c := range []struct {
		db, pred string
		want     compare.Verdict
	}{
		{one.Database, "SELECT 1", compare.Exact},
		{one.Database, "SELECT 2", compare.Disjoint},
		{two.Database, "SELECT 2", compare.Exact},
		{"nowhere_at_all", "SELECT 2", compare.NotRun},
		{"../" + one.Database, "SELECT 1", compare.NotRun},
	} {
		out := r.Score(context.Background(), Case{DB: c.db, Golds: []string{"SELECT n FROM item"}}, c.pred)[0]
		if out.Verdict != c.want {
			t.Errorf("%s, %s: %s (%s), want %s", c.db, c.pred, out.Verdict, out.Difference, c.want)
		}
		if strings.Contains(out.Difference, password) {
			t.Errorf("%s: the password is shown: %s", c.db, out.Difference)
		}
	}
	for _, bad := range []string{"postgres://", "http://host/x", "nonsense://host"} {
		if _, err := At(bad, driver.Options{}); err == nil {
			t.Errorf("%s is no server", bad)
		}
	}
}

// eitherTie stands for the two halves of a tie that a LIMIT cuts: one of them
// is the gold's, and the engine decides which.
const eitherTie compare.Verdict = "exact, or else ties"

// keyed are questions whose order key ties, in SQL that every engine speaks.
var keyed = []struct {
	gold, pred string
	ordered    bool
	want       compare.Verdict
}{
	{"SELECT name FROM item ORDER BY price", "SELECT name FROM item ORDER BY price, name DESC", true, compare.Exact},
	{"SELECT name FROM item ORDER BY price", "SELECT name FROM item ORDER BY price DESC", false, compare.RowOrder},
	{"SELECT name, price AS p FROM item ORDER BY p DESC", "SELECT name, price FROM item ORDER BY price DESC, name DESC", true, compare.Exact},
	{"SELECT name, price FROM item ORDER BY 2", "SELECT name, price FROM item ORDER BY price, name DESC", true, compare.Exact},
	{"SELECT kind FROM item GROUP BY kind ORDER BY COUNT(*)", "SELECT kind FROM item GROUP BY kind ORDER BY COUNT(*), kind DESC", true, compare.Exact},
	{"SELECT name FROM item ORDER BY price DESC LIMIT 2", "SELECT name FROM item WHERE name IN ('ant', 'bee') ORDER BY name", true, eitherTie},
	{"SELECT name FROM item ORDER BY price DESC LIMIT 2", "SELECT name FROM item WHERE name IN ('ant', 'cat') ORDER BY name", true, eitherTie},
	{"SELECT name FROM item ORDER BY price DESC LIMIT 2", "SELECT name FROM item WHERE name IN ('ant', 'dog') ORDER BY name", false, compare.Overlap},
	{"WITH x AS (SELECT name, price FROM item) SELECT name FROM x ORDER BY price", "SELECT name FROM item ORDER BY price, name DESC", true, compare.Exact},
	{"SELECT name, sold FROM item WHERE kind = 'a' UNION ALL SELECT name, sold FROM item WHERE kind = 'b' ORDER BY sold", "SELECT name, sold FROM item ORDER BY sold, name DESC", true, compare.Exact},
}

const keyedTable = `CREATE TABLE item (name VARCHAR(10), kind VARCHAR(5), price DECIMAL(6,2), sold INT);
INSERT INTO item VALUES ('ant', 'a', 3, 10), ('bee', 'a', 2, 10), ('cat', 'b', 2, 10), ('dog', 'b', 1, 7);`

func keys(t *testing.T, location, engine string) {
	t.Helper()
	d, err := driver.Open(context.Background(), location, driver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	r := &Runner{Open: One(d)}
	ties := 0
	for _, c := range keyed {
		out := r.Score(context.Background(), Case{Golds: []string{c.gold}}, c.pred)[0]
		if c.want == eitherTie {
			c.want = compare.Exact
			if out.Verdict == compare.Ties {
				c.want = compare.Ties
				ties++
			}
		}
		if out.Verdict != c.want || out.Rules.Ordered != c.ordered {
			t.Errorf("%s\n  %s\n  is %s, in order %v (%s), want %s, %v", c.gold, c.pred, out.Verdict, out.Rules.Ordered, out.Difference, c.want, c.ordered)
		}
	}
	if ties != 1 {
		t.Errorf("of the two halves of a tie %d are another than the gold's", ties)
	}
	windows(t, r, engine)
	pairs(t, r, engine)
}

func TestOrderKeysOnPostgres(t *testing.T) {
	s := servers.Postgres(t)
	s.Exec(t, keyedTable)
	keys(t, s.ReaderURL, "postgres")
}

func TestOrderKeysOnMariaDB(t *testing.T) {
	s := servers.MariaDB(t)
	s.Exec(t, keyedTable)
	keys(t, s.ReaderURL, "mariadb")
}

func TestOrderKeysOnSQLite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "item.sqlite")
	makeSQLite(t, path, keyedTable)
	keys(t, path, "sqlite")
}
