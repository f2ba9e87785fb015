package cli

import (
	"os"

	"github.com/sqbyl/sqbyl/internal/toolkit/heldout"
)

// openInput opens a file that somebody named, unless it is a project's
// held-out benchmark: its questions go to no model and to no terminal.
func openInput(path string) (*os.File, error) {
	if heldout.Is(path) {
		return nil, &os.PathError{Op: "open", Path: path, Err: heldout.ErrIsHeldOut}
	}
	return os.Open(path)
}
