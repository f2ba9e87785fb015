package postgres_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	own "github.com/sqbyl/sqbyl/internal/engine/dialect/postgres"
	"github.com/sqbyl/sqbyl/internal/testkit/golden"
	"github.com/sqbyl/sqbyl/internal/testkit/servers"
)

// listMajor is the version whose lists are in the tree. Later servers have
// more functions; a server without one of the list's says so itself.
const listMajor = "15"

func TestListsAreTheLiveServers(t *testing.T) {
	s := open(t, servers.Postgres(t).ReaderURL, driver.Options{})
	if major, _, _ := strings.Cut(s.Info().Version, "."); major != listMajor {
		t.Skipf("the lists are of PostgreSQL %s, the server is %s", listMajor, s.Info().Version)
	}
	session := begin(t, s)
	// Of testdata, where golden files stand.
	folder := filepath.Join("..", "..", "..", "internal", "engine", "dialect", "postgres")
	for file, query := range map[string]db.Own{"functions.txt": own.FunctionNames, "keywords.txt": own.Keywords, "operators.txt": own.OperatorNames} {
		result, err := session.Own(t.Context(), query)
		if err != nil {
			t.Fatal(err)
		}
		var lines []string
		for _, row := range result.Rows {
			lines = append(lines, row[0].Raw())
		}
		golden.Check(t, filepath.Join(folder, file), strings.Join(lines, "\n")+"\n")
	}
}

func TestNoBuiltInOperatorIsVolatile(t *testing.T) {
	result, err := begin(t, open(t, servers.Postgres(t).ReaderURL, driver.Options{})).Own(t.Context(), own.VolatileOperators)
	if err != nil || len(result.Rows) > 0 {
		t.Errorf("%v, %v", result, err)
	}
}

// Every dangerous function that the notes on safety name stays off the list.
func TestListLeavesOutWhatDoesMore(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "internal", "engine", "dialect", "postgres", "functions.txt"))
	if err != nil {
		t.Fatal(err)
	}
	functions, tables := db.FunctionList(string(text))
	for _, name := range strings.Fields(`pg_read_file pg_sleep pg_ls_dir lo_import lo_export lo_create lo_from_bytea set_config current_setting
		nextval setval currval query_to_xml table_to_xml database_to_xml cursor_to_xml schema_to_xml query_to_xmlschema ts_stat txid_current
		pg_notify pg_advisory_lock pg_terminate_backend version inet_server_addr dblink dblink_exec has_table_privilege textin
		array_in pg_stat_get_activity pg_logical_emit_message ri_fkey_cascade_del suppress_redundant_updates_trigger`) {
		if functions[name] || tables[name] {
			t.Errorf("%s is on the list", name)
		}
	}
	for _, name := range strings.Fields(`count sum avg lower date_trunc to_char round row_number lag string_agg percentile_cont
		regexp_replace jsonb_agg random now timezone extract like_escape`) {
		if !functions[name] {
			t.Errorf("%s is not on the list", name)
		}
	}
	for _, name := range strings.Fields(`generate_series unnest regexp_matches jsonb_each json_array_elements string_to_table`) {
		if !tables[name] {
			t.Errorf("%s is not on the list of table functions", name)
		}
	}
}
