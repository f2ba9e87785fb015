package sqlite

import (
	"slices"
	"strings"
	"testing"

	"github.com/ncruces/go-sqlite3"

	"github.com/sqbyl/sqbyl/internal/engine/dialect/sqlite"
	"github.com/sqbyl/sqbyl/internal/testkit/golden"
)

// beyondComputing are the engine's functions that do more than compute from
// their arguments: they tell of the connection, fill memory, or take time
// that grows with the square of an argument, where no interrupt reaches.
var beyondComputing = []string{
	"changes", "last_insert_rowid", "load_extension", "randomblob", "subtype", "total_changes", "zeroblob", "json_patch", "jsonb_patch",
}

// TestFunctionListIsTheEngines holds the embedded list against the engine
// that is linked; -update writes it.
func TestFunctionListIsTheEngines(t *testing.T) {
	native, err := sqlite3.Open(":memory:")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = native.Close() }()
	stmt, _, err := native.Prepare(sqlite.FunctionNames.SQL())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = stmt.Close() }()
	lines := []string{"# Functions that only compute, from the engine's own list (go test ./driver/sqlite -update)."}
	for stmt.Step() {
		name := stmt.ColumnText(0)
		long := strings.HasPrefix(name, "decimal") || strings.HasPrefix(name, "ieee754")
		if !slices.Contains(beyondComputing, name) && !strings.HasPrefix(name, "sqlite_") && !long {
			lines = append(lines, name)
		}
	}
	for _, name := range []string{"generate_series", "json_each", "json_tree", "jsonb_each", "jsonb_tree"} {
		lines = append(lines, "table "+name)
	}
	golden.Check(t, "../../../internal/engine/dialect/sqlite/functions.txt", strings.Join(lines, "\n")+"\n")
}

func TestKeywordsAreQuotedAndNamesSurvive(t *testing.T) {
	native, err := sqlite3.Open(":memory:")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = native.Close() }()
	d := sqlite.Dialect()
	for _, name := range append(strings.Fields("select order group key index rowid date rank total_cents ORDER MixedCase _x 1st"),
		`with "quotes"`, "a.b", "semi;colon", "emoji 🛒", "naïve", "日本", "it's", "[x]", "`y`", " lead", "new\nline", "") {
		if name == "" {
			continue
		}
		ident := d.Ident(name)
		if err := native.Exec("CREATE TABLE " + ident + " (" + ident + " INTEGER)"); err != nil {
			t.Errorf("%s: %v", ident, err)
			continue
		}
		stmt, _, err := native.Prepare("SELECT " + ident + " FROM " + ident)
		if err != nil {
			t.Errorf("%s: %v", ident, err)
			continue
		}
		if got := stmt.ColumnName(0); got != name {
			t.Errorf("%s names %q, not %q", ident, got, name)
		}
		_ = stmt.Close()
		if err := native.Exec("DROP TABLE " + ident); err != nil {
			t.Error(err)
		}
	}
}
