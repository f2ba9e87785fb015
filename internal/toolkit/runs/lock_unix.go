//go:build unix

package runs

import (
	"errors"
	"os"
	"syscall"
)

// lock fails with ErrBusy when another process holds the file. The system lets
// go of it when its process ends, however it ends.
func lock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrBusy
	}
	return err
}
