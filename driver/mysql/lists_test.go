package mysql_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	own "github.com/sqbyl/sqbyl/internal/engine/dialect/mysql"
	"github.com/sqbyl/sqbyl/internal/testkit/servers"
)

func lists(t testing.TB, names ...string) []string {
	t.Helper()
	var all []string
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join("..", "..", "internal", "engine", "dialect", "mysql", name))
		if err != nil {
			t.Fatal(err)
		}
		functions, _ := db.FunctionList(string(text))
		for function := range functions {
			all = append(all, function)
		}
	}
	slices.Sort(all)
	return all
}

// The server knows every function on its lists: called without arguments it
// complains of those, or of the syntax where the name is a part of that, and
// not of the name.
func TestListsAreTheLiveServers(t *testing.T) {
	session := begin(t, open(t, servers.MariaDB(t).URL, driver.Options{}))
	unknown := func(name string) bool {
		_, err := session.Own(t.Context(), own.Probe(name))
		var e *db.Error
		return errors.As(err, &e) && (e.Kind == db.ErrUnknownFunction || strings.Contains(e.Message, "does not exist"))
	}
	for _, name := range lists(t, "functions.txt", "functions_mariadb.txt") {
		if unknown(name) {
			t.Errorf("the server has no %s", name)
		}
	}
	if !unknown("no_such_function") {
		t.Error("an unknown function passes for a known one")
	}
}

func TestListsLeaveOutWhatDoesMore(t *testing.T) {
	all := lists(t, "functions.txt", "functions_mariadb.txt", "functions_mysql.txt")
	for _, name := range strings.Fields(`sleep benchmark load_file get_lock release_lock release_all_locks is_free_lock master_pos_wait
		master_gtid_wait last_insert_id uuid_short nextval setval lastval sys_exec sys_eval user version connection_id current_user
		found_rows row_count name_const extractvalue updatexml values default password des_encrypt`) {
		if slices.Contains(all, name) {
			t.Errorf("%s is on a list", name)
		}
	}
}
