package sqlite

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/db"
)

const magic = "SQLite format 3\x00"

// snapshot is what the folder said of a database at one moment.
type snapshot struct {
	info fs.FileInfo
	// logged says that the database uses a write-ahead log, shared that
	// another program has its index open or left it behind.
	logged, shared bool
	// log is the head of the log, which changes when it starts anew; "" for
	// an empty or absent one.
	log     string
	logSize int64
	logTime time.Time
}

// private says how the log is read. With an index beside the database other
// programs may be at work, and the index is what keeps us apart from them: it
// is shared. Without one nobody has the database open, and an index of our
// own, elsewhere, reads the log as well; SQLite's immutable=1 would not. That
// nobody came in the meantime is checked afterwards, by same.
func (s snapshot) private() bool { return s.logged && !s.shared }

// same reports that what was read without locks between two moments is one
// state: a program that came in the meantime may have added to the log, but
// has neither moved it into the database nor started it anew.
func (s snapshot) same(later snapshot) bool {
	a, b := s.info, later.info
	if !os.SameFile(a, b) || a.Size() != b.Size() || !a.ModTime().Equal(b.ModTime()) {
		return false
	}
	return s.log == "" || s.log == later.log && s.logSize <= later.logSize
}

// fresh reports that a connection of the earlier moment still reads the
// newest data at the later one. A rollback journal is SQLite's own business;
// where an index is shared the connection is not kept at all.
func (s snapshot) fresh(later snapshot) bool {
	if s.logged != later.logged || s.shared || later.shared {
		return false
	}
	if !s.logged {
		return os.SameFile(s.info, later.info)
	}
	return s.same(later) && s.log == later.log && s.logSize == later.logSize && s.logTime.Equal(later.logTime)
}

// look reads a database's header and what lies beside it.
func look(path string) (snapshot, error) {
	var s snapshot
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s, refusal(db.ErrUnreachable, "no such file: "+path)
	case err != nil:
		return s, pathError(err, path)
	case info.IsDir():
		return s, refusal(db.ErrNotADatabase, path+" is a folder")
	case !info.Mode().IsRegular():
		return s, refusal(db.ErrNotADatabase, path+" is not a regular file")
	case info.Size() == 0:
		return s, refusal(db.ErrNotADatabase, path+" is empty (0 bytes): no database has been written to it yet")
	}
	f, err := os.Open(filepath.Clean(path))
	if err != nil {
		return s, pathError(err, path)
	}
	defer func() { _ = f.Close() }()
	head := make([]byte, 20)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return s, pathError(err, path)
	}
	if n < len(head) || !bytes.HasPrefix(head, []byte(magic)) {
		return s, refusal(db.ErrNotADatabase, path+" is not a SQLite database, or it is encrypted (encrypted databases cannot be opened)")
	}
	s.info, s.logged = info, head[18] == 2 || head[19] == 2
	if s.logged {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
		_, err = os.Stat(path + "-shm")
		s.shared = err == nil
		s.readLog(path + "-wal")
	}
	return s, nil
}

// readLog keeps the log's header, which holds a number of its own for each
// time the log was started.
func (s *snapshot) readLog(path string) {
	f, err := os.Open(filepath.Clean(path))
	if err != nil {
		return
	}
	defer func() { _ = f.Close() }()
	head := make([]byte, 32)
	n, _ := io.ReadFull(f, head)
	if info, err := f.Stat(); err == nil {
		s.log, s.logSize, s.logTime = string(head[:n]), info.Size(), info.ModTime()
	}
}

func pathError(err error, path string) error {
	if errors.Is(err, fs.ErrPermission) {
		return refusal(db.ErrPermission, "permission denied: "+path)
	}
	return refusal(db.ErrUnreachable, err.Error())
}

// uri is the name SQLite opens; id, where there is one, asks for a private
// index.
func uri(path, id string) (string, error) {
	whole, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("open %s: %w", path, err)
	}
	whole = filepath.ToSlash(whole)
	if !strings.HasPrefix(whole, "/") {
		whole = "/" + whole // C:/shop.db
	}
	u := url.URL{Scheme: "file", Path: whole, RawQuery: "mode=ro&vfs=" + readOnlyVFS}
	if id != "" {
		u.RawQuery += "&" + privateParam + "=" + id
	}
	return u.String(), nil
}

// pathOf is the path a URL names. A file: URL is percent-encoded, the others
// are taken as they are.
func pathOf(raw string) (string, error) {
	path := driver.Path(raw)
	if strings.HasPrefix(strings.ToLower(raw), "file:") {
		path, _, _ = strings.Cut(path, "?")
		plain, err := url.PathUnescape(path)
		if err != nil {
			return "", refusal(db.ErrUnreachable, err.Error())
		}
		path = plain
	}
	if path == "" || path == ":memory:" {
		return "", refusal(db.ErrUnreachable, "a path to a file is needed, as in sqlite:shop.db")
	}
	if name, params, ok := strings.Cut(path, "?"); ok {
		if _, err := os.Stat(path); err != nil {
			return "", refusal(db.ErrUnreachable, fmt.Sprintf("parameters are not taken (%s); write sqlite:%s, which is opened read-only", params, name))
		}
	}
	return path, nil
}

func refusal(kind db.ErrorKind, message string) *db.Error {
	return &db.Error{Kind: kind, Message: message, Offset: -1}
}
