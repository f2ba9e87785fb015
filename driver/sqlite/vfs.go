package sqlite

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/vfs"
)

const (
	readOnlyVFS  = "sqbyl-readonly"
	privateParam = "private"
)

// reader is a file layer that cannot write to a database, create anything
// beside it, or delete anything. What SQLite's own mode=ro leaves open is the
// write-ahead log: with it, readers create a -wal and a -shm file, which stay.
type reader struct{}

func (reader) FullPathname(path string) (string, error) { return system().FullPathname(path) }

func (reader) Access(path string, flags vfs.AccessFlag) (bool, error) {
	return system().Access(path, flags)
}

func (reader) Delete(string, bool) error { return sqlite3.IOERR_DELETE }

func (reader) Open(string, vfs.OpenFlag) (vfs.File, vfs.OpenFlag, error) {
	return nil, 0, sqlite3.CANTOPEN
}

func (reader) OpenFilename(name *vfs.Filename, flags vfs.OpenFlag) (vfs.File, vfs.OpenFlag, error) {
	if name.String() == "" {
		return system().OpenFilename(name, flags) // a sorter's spill, in the folder for temporary files
	}
	flags = flags&^(vfs.OPEN_CREATE|vfs.OPEN_READWRITE|vfs.OPEN_DELETEONCLOSE) | vfs.OPEN_READONLY
	file, flags, err := system().OpenFilename(name, flags)
	switch {
	case err != nil && flags&vfs.OPEN_WAL != 0 && errors.Is(err, fs.ErrNotExist):
		return noLog{}, flags, nil
	case err != nil:
		return nil, flags, err
	}
	if id := name.URIParameter(privateParam); id != "" && flags&vfs.OPEN_MAIN_DB != 0 {
		return privately(id, file, flags)
	}
	return file, flags, nil
}

func system() vfs.VFSFilename { return vfs.Find("").(vfs.VFSFilename) }

// private is a database whose index of the write-ahead log is ours alone, in
// a folder of its own. SQLite would hold its lock for as long as it is open;
// this one is held by hold and free, for a session, so that an idle
// connection is in nobody's way.
type private struct {
	vfs.File
	id     string
	index  vfs.SharedMemory
	folder string
}

// privates are the open ones, by the number in their URI: SQLite hands its
// files to nobody else.
var privates sync.Map

func privately(id string, file vfs.File, flags vfs.OpenFlag) (vfs.File, vfs.OpenFlag, error) {
	folder, err := os.MkdirTemp("", "sqbyl-*")
	if err != nil {
		return nil, flags, errors.Join(err, file.Close())
	}
	p := &private{file, id, vfs.NewSharedMemory(filepath.Join(folder, "index"), flags), folder}
	privates.Store(id, p)
	return p, flags, nil
}

func (p *private) SharedMemory() vfs.SharedMemory   { return p.index }
func (p *private) Lock(vfs.LockLevel) error         { return nil }
func (p *private) Unlock(vfs.LockLevel) error       { return nil }
func (p *private) CheckReservedLock() (bool, error) { return false, nil }

// hold keeps others from moving the log into the file when they close.
func (p *private) hold() error { return p.File.Lock(vfs.LOCK_SHARED) }
func (p *private) free() error { return p.File.Unlock(vfs.LOCK_NONE) }

func (p *private) Close() error {
	privates.Delete(p.id)
	var err error
	if p.index != nil {
		err = p.index.Close()
	}
	return errors.Join(err, p.File.Close(), os.RemoveAll(p.folder))
}

// noLog is the write-ahead log that is not there.
type noLog struct{}

func (noLog) ReadAt([]byte, int64) (int, error)               { return 0, io.EOF }
func (noLog) WriteAt([]byte, int64) (int, error)              { return 0, sqlite3.READONLY }
func (noLog) Truncate(int64) error                            { return sqlite3.READONLY }
func (noLog) Sync(vfs.SyncFlag) error                         { return nil }
func (noLog) Size() (int64, error)                            { return 0, nil }
func (noLog) Lock(vfs.LockLevel) error                        { return nil }
func (noLog) Unlock(vfs.LockLevel) error                      { return nil }
func (noLog) CheckReservedLock() (bool, error)                { return false, nil }
func (noLog) SectorSize() int                                 { return 0 }
func (noLog) DeviceCharacteristics() vfs.DeviceCharacteristic { return 0 }
func (noLog) Close() error                                    { return nil }
