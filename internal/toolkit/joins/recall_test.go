package joins

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sqbyl/sqbyl/driver"
	_ "github.com/sqbyl/sqbyl/driver/postgres"
	_ "github.com/sqbyl/sqbyl/driver/sqlite"
	"github.com/sqbyl/sqbyl/examples/shop"
	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/testkit/handed"
	"github.com/sqbyl/sqbyl/internal/testkit/servers"
)

// spider is a record of tables.json.
type spider struct {
	DB      string   `json:"db_id"`
	Tables  []string `json:"table_names_original"`
	Columns [][2]any `json:"column_names_original"`
	Foreign [][2]int `json:"foreign_keys"`
}

func (s spider) column(i int) string {
	return fmt.Sprintf("%s.%s", s.Tables[int(s.Columns[i][0].(float64))], s.Columns[i][1])
}

// hidden takes the declared references out of a schema, and with keys its
// primary and unique keys too.
func hidden(s catalog.Schema, keys bool) catalog.Schema {
	out := s
	out.Tables = nil
	for _, t := range s.Tables {
		t.ForeignKeys = nil
		if keys {
			t.PrimaryKey, t.Unique = nil, nil
		}
		out.Tables = append(out.Tables, t)
	}
	return out
}

func openSchema(t testing.TB, url string) (db.Database, catalog.Schema) {
	t.Helper()
	database, err := driver.Open(t.Context(), url, driver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := database.Close(); err != nil {
			t.Error(err)
		}
	})
	s, err := database.Session(t.Context(), db.Answer)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	schema, err := database.Dialect().Catalog(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return database, schema
}

func arrow(from, to Side) string {
	return fmt.Sprintf("%s.%s → %s.%s", from.Table, strings.Join(from.Columns, ","), to.Table, strings.Join(to.Columns, ","))
}

// tally counts what is found over several databases.
type tally struct{ declared, hits, right, all int }

// judge holds what is found in one database against its declared references
// and the list of those that were read and judged.
func (n *tally) judge(t *testing.T, name string, database db.Database, schema catalog.Schema, wanted map[string]bool, judged map[string]bool) {
	t.Helper()
	found, err := Find(t.Context(), database, schema, Bounds{})
	if err != nil {
		t.Fatal(err)
	}
	if len(found.Notes) > 0 {
		t.Errorf("%s: %v", name, found.Notes)
	}
	n.declared += len(wanted)
	for _, c := range found.Candidates {
		pair := arrow(c.From, c.To)
		folded := strings.ToLower(pair)
		t.Logf("%s: %.2f %s (%s)", name, c.Confidence, pair, strings.Join(c.Evidence, "; "))
		if c.Confidence < SureFrom {
			continue
		}
		n.all++
		verdict, known := judged[name+": "+pair]
		switch {
		case wanted[folded]:
			n.hits++
			n.right++
			delete(wanted, folded)
		case !known:
			t.Errorf("%s: %s (%s) is found and nobody has judged it: add it to docs/joins.md", name, pair, strings.Join(c.Evidence, "; "))
		case verdict:
			n.right++
		}
	}
	for pair := range wanted {
		t.Logf("%s: missed %s", name, pair)
	}
}

func (n *tally) check(t *testing.T) {
	t.Helper()
	t.Logf("%d of %d declared keys found; %d of %d found are right", n.hits, n.declared, n.right, n.all)
	if 10*n.hits < 9*n.declared {
		t.Errorf("%d of %d declared keys found, want 90 %%", n.hits, n.declared)
	}
	if 10*n.right < 8*n.all {
		t.Errorf("%d of %d found are right, want 80 %%", n.right, n.all)
	}
}

func TestHiddenKeysAreFound(t *testing.T) {
	text, err := os.ReadFile(handed.Data(t, "bird_layout", "dev_tables.json"))
	if err != nil {
		t.Fatal(err)
	}
	var records []spider
	if err := json.Unmarshal(text, &records); err != nil {
		t.Fatal(err)
	}
	judged := judgements(t)
	for name, keys := range map[string]bool{"references hidden": false, "all keys hidden": true} {
		t.Run(name, func(t *testing.T) {
			var n tally
			for _, r := range records {
				database, schema := openSchema(t, "sqlite:"+handed.Data(t, "bird_layout", "dev_databases", r.DB, r.DB+".sqlite"))
				wanted := map[string]bool{}
				for _, f := range r.Foreign {
					wanted[strings.ToLower(r.column(f[0])+" → "+r.column(f[1]))] = true
				}
				n.judge(t, r.DB, database, hidden(schema, keys), wanted, judged)
			}
			n.check(t)
			if n.declared != 56 {
				t.Errorf("%d keys are declared", n.declared)
			}
		})
	}
}

func TestHiddenKeysAreFoundOnPostgres(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(handed.Data(t, "postgres"), "*", "*.sql"))
	if err != nil || len(files) != 5 {
		t.Fatal(files, err)
	}
	judged := judgements(t)
	var n tally
	for _, file := range files {
		dump, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		server := servers.Postgres(t)
		server.Exec(t, string(dump)+";\nANALYZE;")
		database, schema := openSchema(t, server.ReaderURL)
		wanted := map[string]bool{}
		for _, table := range schema.Tables {
			for _, k := range table.ForeignKeys {
				pair := arrow(Side{Table: table.Name, Columns: k.Columns}, Side{Table: k.RefTable, Columns: k.RefColumns})
				wanted[strings.ToLower(pair)] = true
			}
		}
		n.judge(t, strings.TrimSuffix(filepath.Base(file), ".sql"), database, hidden(schema, false), wanted, judged)
	}
	n.check(t)
}

// The sample shop was made before there were any rules here.
func TestHiddenKeysOfTheShopAreFound(t *testing.T) {
	path := filepath.Join(t.TempDir(), shop.Database)
	if err := shop.Build(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	database, schema := openSchema(t, "sqlite:"+path)
	for name, keys := range map[string]bool{"references hidden": false, "all keys hidden": true} {
		wanted := map[string]bool{}
		for _, table := range schema.Tables {
			for _, k := range table.ForeignKeys {
				wanted[strings.ToLower(arrow(Side{Table: table.Name, Columns: k.Columns}, Side{Table: k.RefTable, Columns: k.RefColumns}))] = true
			}
		}
		var n tally
		n.judge(t, "shop", database, hidden(schema, keys), wanted, nil)
		if n.hits != 12 || n.declared != 12 || n.all != 12 {
			t.Errorf("%s: %+v", name, n)
		}
	}
}

// judgements reads docs/joins.md: lines "| database: pair | right | why |".
func judgements(t testing.TB) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "joins.md"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(line, "|")
		if len(cells) >= 4 {
			out[strings.Trim(cells[1], " `")] = strings.TrimSpace(cells[2]) == "right"
		}
	}
	return out
}
