package sqlcheck

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ncruces/go-sqlite3"

	_ "github.com/sqbyl/sqbyl/driver/sqlite"
	"github.com/sqbyl/sqbyl/internal/app/workbench"
	"github.com/sqbyl/sqbyl/internal/engine/db"
)

func TestPreparingIsBounded(t *testing.T) {
	file := filepath.Join(t.TempDir(), "shop.db")
	conn, err := sqlite3.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := conn.Exec("CREATE TABLE t (a)"); err != nil {
		t.Fatal(err)
	}
	if err := conn.Close(); err != nil {
		t.Fatal(err)
	}
	c, err := New(t.Context(), workbench.Host{}, "sqlite:"+file, "")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	text := Section{Name: "one", SQL: "SELECT a FROM t"}
	if v := c.Check(t.Context(), text); !v.Allowed {
		t.Errorf("refused: %+v", v)
	}
	c.prepareTime = time.Nanosecond
	if v := c.Check(t.Context(), text); v.Allowed || v.Rule != db.ErrTimeout.String() || !strings.Contains(v.Message, "did not prepare") {
		t.Errorf("without any time: %+v", v)
	}
}
