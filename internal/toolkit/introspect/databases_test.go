package introspect_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/ncruces/go-sqlite3"

	"github.com/sqbyl/sqbyl/driver"
	_ "github.com/sqbyl/sqbyl/driver/postgres"
	_ "github.com/sqbyl/sqbyl/driver/sqlite"
	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/testkit/handed"
	"github.com/sqbyl/sqbyl/internal/testkit/servers"
	"github.com/sqbyl/sqbyl/internal/toolkit/introspect"
	"github.com/sqbyl/sqbyl/internal/toolkit/joins"
	"github.com/sqbyl/sqbyl/semantic"
)

func open(t testing.TB, url string) db.Database {
	t.Helper()
	database, err := driver.Open(t.Context(), url, driver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = database.Close() })
	return database
}

func read(t testing.TB, database db.Database) catalog.Schema {
	t.Helper()
	s, err := database.Session(t.Context(), db.Answer)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	schema, err := database.Dialect().Catalog(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// draftAll reads a database and drafts its files, which load without a
// mistake and agree with it.
func draftAll(t *testing.T, url string) {
	database := open(t, url)
	schema := read(t, database)
	if len(schema.Tables) == 0 {
		t.Fatal("no tables")
	}
	found, err := joins.Find(t.Context(), database, schema, joins.Bounds{})
	if err != nil || len(found.Notes) > 0 {
		t.Fatal(err, found.Notes)
	}
	drafts := introspect.Draft(schema, database.Dialect(), found.Candidates)
	p := drafted(t, drafts)
	for _, w := range p.Warnings {
		t.Errorf("warning: %s", w)
	}
	if len(p.Semantic.Tables) != len(schema.Tables) {
		t.Errorf("%d tables drafted, %d are there", len(p.Semantic.Tables), len(schema.Tables))
	}
	m, err := introspect.Sync(p, drafts, nil)
	if err != nil || len(m.Changes) > 0 {
		t.Errorf("a sync at once finds %v %v", m.Changes, err)
	}
}

func TestDatabasesOfBIRDDraft(t *testing.T) {
	folders, err := filepath.Glob(filepath.Join(handed.Data(t, "bird_layout", "dev_databases"), "*"))
	if err != nil || len(folders) != 16 {
		t.Fatal(folders, err)
	}
	for _, folder := range folders {
		name := filepath.Base(folder)
		t.Run(name, func(t *testing.T) { draftAll(t, "sqlite:"+filepath.Join(folder, name+".sqlite")) })
	}
}

func TestDatabasesOnPostgresDraft(t *testing.T) {
	folders, err := filepath.Glob(filepath.Join(handed.Data(t, "postgres"), "*", "*.sql"))
	if err != nil || len(folders) != 5 {
		t.Fatal(folders, err)
	}
	for _, file := range folders {
		t.Run(filepath.Base(file), func(t *testing.T) {
			dump, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			server := servers.Postgres(t)
			server.Exec(t, string(dump))
			draftAll(t, server.ReaderURL)
		})
	}
}

// A database that changes under a project: what the server then says is
// merged, and a second sync finds nothing.
func TestSyncFollowsAServer(t *testing.T) {
	server := servers.Postgres(t)
	server.Exec(t, `CREATE TYPE mood AS ENUM ('good', 'bad');
		CREATE TABLE people (id int PRIMARY KEY, name varchar(20) NOT NULL, mood mood, old text);
		CREATE TABLE pets (id int PRIMARY KEY, owner int);
		COMMENT ON TABLE people IS 'Who we know.';`)
	draft := func() []semantic.Table {
		database := open(t, server.URL)
		return introspect.Draft(read(t, database), database.Dialect(), nil)
	}
	p := drafted(t, draft())
	server.Exec(t, `ALTER TABLE people ALTER name TYPE varchar(40), ALTER name DROP NOT NULL, DROP old, ADD born date NOT NULL DEFAULT now();
		ALTER TYPE mood ADD VALUE 'odd';
		COMMENT ON TABLE people IS 'Whom we know.';
		ALTER TABLE pets ADD FOREIGN KEY (owner) REFERENCES people;
		CREATE TABLE toys (id int PRIMARY KEY, "Pet" int REFERENCES pets);`)
	m, err := introspect.Sync(p, draft(), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"fact_changed people comment: Who we know. → Whom we know.",
		"fact_changed people.name type: character varying(20) → character varying(40)",
		"fact_changed people.name nullable: false → true",
		"fact_changed people.mood enum: good, bad → good, bad, odd",
		"column_added people.born:  → date",
		"column_dropped people.old",
		"join_added pets pets.owner = people.id:  → people",
		"table_added toys",
	}
	if diff := cmp.Diff(want, summary(m.Changes)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if err := m.Plan.Apply(time.Unix(0, 0)); err != nil {
		t.Fatal(err)
	}
	again, err := introspect.Sync(load(t, p.Dir), draft(), nil)
	if err != nil || len(again.Plan.Changes) != 0 || len(again.Changes) != 1 {
		t.Errorf("%v %v", again.Changes, err)
	}
}

const (
	manyTables  = 1000
	manyColumns = 20
)

// manyDDL is a schema of 1,000 tables of 20 columns, each referring to the
// one before it.
func manyDDL() string {
	var b strings.Builder
	for i := range manyTables {
		fmt.Fprintf(&b, "CREATE TABLE entity_%d (entity_%d_id INTEGER PRIMARY KEY", i, i)
		if i > 0 {
			fmt.Fprintf(&b, ", entity_%d_id INTEGER REFERENCES entity_%d", i-1, i-1)
		}
		for c := 2; c < manyColumns; c++ {
			fmt.Fprintf(&b, ", attribute_%d VARCHAR(20) NOT NULL", c)
		}
		b.WriteString(");\n")
	}
	return b.String()
}

func benchmarkMany(b *testing.B, url string) {
	database := open(b, url)
	for b.Loop() {
		schema := read(b, database)
		drafts := introspect.Draft(schema, database.Dialect(), nil)
		if len(drafts) != manyTables || len(drafts[7].Columns) != manyColumns || len(drafts[7].Joins) != 1 {
			b.Fatalf("%d tables, %+v", len(drafts), drafts[7])
		}
	}
}

func BenchmarkManyTables(b *testing.B) {
	b.Run("SQLite", func(b *testing.B) { benchmarkMany(b, "sqlite:"+manyFile(b)) })
	b.Run("PostgreSQL", func(b *testing.B) {
		server := servers.Postgres(b)
		server.Exec(b, manyDDL())
		benchmarkMany(b, server.ReaderURL)
	})
}

// BenchmarkManyJoins is the whole of it: files written, and joins looked for
// with no reference declared.
func BenchmarkManyJoins(b *testing.B) {
	database := open(b, "sqlite:"+manyFile(b))
	schema := read(b, database)
	for i := range schema.Tables {
		schema.Tables[i].ForeignKeys = nil
	}
	for b.Loop() {
		found, err := joins.Find(b.Context(), database, schema, joins.Bounds{})
		if err != nil || len(found.Candidates) < manyTables-1 {
			b.Fatal(len(found.Candidates), err, found.Notes)
		}
	}
}

func BenchmarkManyFiles(b *testing.B) {
	database := open(b, "sqlite:"+manyFile(b))
	drafts := introspect.Draft(read(b, database), database.Dialect(), nil)
	for b.Loop() {
		drafted(b, drafts)
	}
}

func BenchmarkManySync(b *testing.B) {
	database := open(b, "sqlite:"+manyFile(b))
	drafts := introspect.Draft(read(b, database), database.Dialect(), nil)
	p := drafted(b, drafts)
	for b.Loop() {
		if m, err := introspect.Sync(p, drafts, nil); err != nil || len(m.Changes) > 0 {
			b.Fatal(m.Changes, err)
		}
	}
}

func manyFile(b *testing.B) string {
	path := filepath.Join(b.TempDir(), "many.db")
	c, err := sqlite3.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	if err := c.Exec("BEGIN;" + manyDDL() + "COMMIT"); err != nil {
		b.Fatal(err)
	}
	if err := c.Close(); err != nil {
		b.Fatal(err)
	}
	return path
}
