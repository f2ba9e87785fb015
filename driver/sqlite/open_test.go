package sqlite_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ncruces/go-sqlite3"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/db"
)

func TestOpenSaysWhatIsWrongWithAFile(t *testing.T) {
	folder := t.TempDir()
	put := func(name string, content []byte) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	noise := make([]byte, 8192)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	whole, err := os.ReadFile(file(t, "CREATE TABLE t (x)", "INSERT INTO t VALUES (1)"))
	if err != nil {
		t.Fatal(err)
	}
	damaged := slices.Clone(whole)
	for i := 100; i < 400; i++ {
		damaged[i] = 0xAA
	}
	for _, c := range []struct {
		url, says string
		kind      db.ErrorKind
	}{
		{"sqlite:" + filepath.Join(folder, "none.db"), "no such file", db.ErrUnreachable},
		{"sqlite:" + folder, "folder", db.ErrNotADatabase},
		{"sqlite:" + put("empty.db", nil), "empty", db.ErrNotADatabase},
		{"sqlite:" + put("text.db", []byte("hello")), "encrypted", db.ErrNotADatabase},
		{"sqlite:" + put("noise.db", noise), "encrypted", db.ErrNotADatabase},
		{"sqlite:" + put("head.db", whole[:200]), "damaged", db.ErrNotADatabase},
		{"sqlite:" + put("damaged.db", damaged), "damaged", db.ErrNotADatabase},
		{"sqlite:", "path", db.ErrUnreachable},
		{"sqlite::memory:", "path", db.ErrUnreachable},
		{"sqlite:" + filepath.Join(folder, "text.db") + "?mode=rw", "parameters", db.ErrUnreachable},
	} {
		d, err := driver.Open(context.Background(), c.url, driver.Options{})
		var e *db.Error
		if !errors.As(err, &e) {
			t.Errorf("%s: %v, %v", c.url, d, err)
			continue
		}
		if e.Kind != c.kind || !strings.Contains(e.Message, c.says) || !strings.Contains(e.Message, "open sqlite:") {
			t.Errorf("%s: %s (%s), want %q (%s)", c.url, e.Message, e.Kind, c.says, c.kind)
		}
	}
	if _, err := os.Stat(filepath.Join(folder, "none.db")); err == nil {
		t.Error("opening made a file")
	}
}

func TestOpenReadsAnyName(t *testing.T) {
	source, err := os.ReadFile(file(t, "CREATE TABLE t (x)", "INSERT INTO t VALUES (7)"))
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for _, name := range []string{"a b.db", "100%.db", "q?.db", "h#.db", "日本 🛒.db", "it's.db", "a.db?mode=memory", "no suffix", "&vfs=os.db"} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, source, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, url := range []string{path, "sqlite:" + path, "sqlite://" + path} {
			d, err := driver.Open(context.Background(), url, driver.Options{})
			if err != nil {
				t.Errorf("%s: %v", url, err)
				continue
			}
			if res, err := ask(t, d, "SELECT x FROM t"); err != nil || res.Rows[0][0].Int() != 7 {
				t.Errorf("%s: %v, %v", url, res, err)
			}
			_ = d.Close()
		}
	}
	link := filepath.Join(t.TempDir(), "link.db")
	if err := os.Symlink(filepath.Join(folder, "a b.db"), link); err == nil {
		if res, err := ask(t, open(t, link, driver.Options{}), "SELECT x FROM t"); err != nil {
			t.Errorf("through a link: %v, %v", res, err)
		}
	}
}

func TestALockedDatabaseIsReported(t *testing.T) {
	path := file(t, "CREATE TABLE t (x)")
	d := open(t, path, driver.Options{})
	native, err := sqlite3.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = native.Close() }()
	if err := native.Exec("BEGIN EXCLUSIVE"); err != nil {
		t.Fatal(err)
	}
	st := checked(t, d, "SELECT count(*) FROM t")
	s := session(t, d, db.Answer)
	if _, err := s.Query(context.Background(), st, db.Caps{Time: 50 * time.Millisecond}); kindOf(err) != db.ErrLocked || !strings.Contains(err.Error(), "locked") {
		t.Fatalf("got %v", err)
	}
	if err := native.Exec("COMMIT"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Query(context.Background(), st, db.Caps{}); err != nil {
		t.Fatalf("after the lock: %v", err)
	}
}

// hot leaves a database as a crash in the middle of a write does.
func hot(t *testing.T) string {
	path := file(t, "CREATE TABLE t (x)", "INSERT INTO t VALUES (1), (2)")
	native, err := sqlite3.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{"PRAGMA cache_size = 1", "PRAGMA cache_spill = 1", "BEGIN", "UPDATE t SET x = printf('%.*c', 9000, 'x')"} {
		if err := native.Exec(s); err != nil {
			t.Fatal(err)
		}
	}
	if err := native.CacheFlush(); err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "shop.db")
	for _, suffix := range []string{"", "-journal"} {
		content, err := os.ReadFile(path + suffix)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(copied+suffix, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := native.Close(); err != nil {
		t.Fatal(err)
	}
	return copied
}

func TestAnInterruptedWriteIsReportedAndLeftAlone(t *testing.T) {
	path := hot(t)
	before := digest(t, filepath.Dir(path))
	_, err := driver.Open(context.Background(), path, driver.Options{})
	if err == nil || !strings.Contains(err.Error(), "in the middle of writing") {
		t.Errorf("got %v", err)
	}
	if after := digest(t, filepath.Dir(path)); after != before {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
}

// logged gives a database with a write-ahead log that holds a row the file
// does not, as a copy taken while a program had it open.
func logged(t *testing.T, suffixes ...string) string {
	path := file(t, "PRAGMA journal_mode = WAL", "CREATE TABLE t (x)", "INSERT INTO t VALUES (1)")
	native, err := sqlite3.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := native.Exec("INSERT INTO t VALUES (2)"); err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "shop.db")
	for _, suffix := range suffixes {
		content, err := os.ReadFile(path + suffix)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(copied+suffix, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := native.Close(); err != nil {
		t.Fatal(err)
	}
	return copied
}

func TestALogIsReadAndNothingIsLeftBesideIt(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for _, c := range []struct {
		suffixes []string
		want     int64
	}{{[]string{""}, 1}, {[]string{"", "-wal"}, 2}} {
		path := logged(t, c.suffixes...)
		folder := filepath.Dir(path)
		if err := os.Chmod(folder, 0o500); err != nil { // a folder that only root could write to
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(folder, 0o700) })
		before := digest(t, folder)
		d := open(t, path, driver.Options{})
		for range 3 {
			res, err := ask(t, d, "SELECT count(*) FROM t")
			if err != nil || res.Rows[0][0].Int() != c.want {
				t.Errorf("%v: %v, %v; want %d", c.suffixes, res, err, c.want)
			}
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
		if after := digest(t, folder); after != before {
			t.Errorf("%v: before:\n%s\nafter:\n%s", c.suffixes, before, after)
		}
	}
	left, err := filepath.Glob(filepath.Join(os.TempDir(), "sqbyl-*", "index"))
	if err != nil || len(left) > 0 {
		t.Errorf("indexes are left: %v, %v", left, err)
	}
}

func TestALogThatAnotherProgramUsesIsShared(t *testing.T) {
	path := file(t, "PRAGMA journal_mode = WAL", "CREATE TABLE t (x)", "INSERT INTO t VALUES (1)")
	native, err := sqlite3.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := native.Exec("INSERT INTO t VALUES (2)"); err != nil {
		t.Fatal(err)
	}
	d := open(t, path, driver.Options{})
	count := func() int64 {
		res, err := ask(t, d, "SELECT count(*) FROM t")
		if err != nil {
			t.Fatal(err)
		}
		return res.Rows[0][0].Int()
	}
	if got := count(); got != 2 {
		t.Errorf("counted %d, want 2", got)
	}
	if err := native.Exec("INSERT INTO t VALUES (3)"); err != nil {
		t.Fatal(err)
	}
	if got := count(); got != 3 {
		t.Errorf("counted %d after another insert, want 3", got)
	}
	if err := native.Close(); err != nil {
		t.Fatal(err)
	}
	// The other program tidied up when it closed, which an idle connection of
	// ours would have kept it from.
	for _, suffix := range []string{"-wal", "-shm"} {
		if _, err := os.Stat(path + suffix); err == nil {
			t.Errorf("%s is left", suffix)
		}
	}
	if got := count(); got != 3 {
		t.Errorf("counted %d at the end, want 3", got)
	}
}

// TestAWriterThatComesMeanwhileIsNoticed moves the log into the file while a
// session without a shared index has shown rows of the older state.
func TestAWriterThatComesMeanwhileIsNoticed(t *testing.T) {
	path := file(t, "PRAGMA journal_mode = WAL", "CREATE TABLE t (x)", "INSERT INTO t VALUES (1)")
	d := open(t, path, driver.Options{})
	st := checked(t, d, "SELECT count(*) FROM t")
	s := session(t, d, db.Answer)
	if res, err := s.Query(context.Background(), st, db.Caps{}); err != nil || res.Rows[0][0].Int() != 1 {
		t.Fatal(res, err)
	}
	write(t, path, "INSERT INTO t VALUES (2)", "PRAGMA wal_checkpoint(TRUNCATE)")
	if _, err := s.Query(context.Background(), st, db.Caps{}); kindOf(err) != db.ErrLocked {
		t.Fatalf("the session goes on: %v", err)
	}
	_ = s.Close()
	if res, err := ask(t, d, "SELECT count(*) FROM t"); err != nil || res.Rows[0][0].Int() != 2 {
		t.Fatal(res, err)
	}
}

func TestAReplacedFileIsReadAnew(t *testing.T) {
	path := file(t, "CREATE TABLE t (x)", "INSERT INTO t VALUES (1)")
	d := open(t, path, driver.Options{})
	if res, err := ask(t, d, "SELECT x FROM t"); err != nil || res.Rows[0][0].Int() != 1 {
		t.Fatal(res, err)
	}
	if err := os.Rename(file(t, "CREATE TABLE t (x)", "INSERT INTO t VALUES (2)"), path); err != nil {
		t.Fatal(err)
	}
	if res, err := ask(t, d, "SELECT x FROM t"); err != nil || res.Rows[0][0].Int() != 2 {
		t.Fatal(res, err)
	}
	if err := os.Remove(path); err != nil && runtime.GOOS != "windows" {
		t.Fatal(err)
	}
	if _, err := d.Session(context.Background(), db.Answer); kindOf(err) != db.ErrUnreachable {
		t.Errorf("a file that is gone: %v", err)
	}
}
