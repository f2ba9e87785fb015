// Package heldout is the sole reader of the held-out benchmark. What it hands
// out never holds a question, SQL or a value of it.
package heldout

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/sqbyl/sqbyl/internal/toolkit/bench"
)

// File is the held-out benchmark's place in a project.
const File = "benchmarks/test.yaml"

// ErrNone is wrapped when a project has no held-out benchmark.
var ErrNone = errors.New("no held-out benchmark")

// Summary is what may be known of the held-out benchmark.
type Summary struct {
	Questions    int
	Unanswerable int
	Quarantined  int
	// Hash identifies the set of questions, whatever their order and layout.
	Hash string
	// Warnings name ids and places only.
	Warnings []bench.Mistake
}

// Validate reads the held-out benchmark of the project in dir. When the file
// is wrong the error is a bench.Mistakes that names ids and places only.
func Validate(dir string) (Summary, error) {
	set, err := read(dir)
	if err != nil {
		return Summary{}, err
	}
	s := Summary{Questions: len(set.Questions), Warnings: set.Warnings}
	for _, q := range set.Questions {
		if q.Unanswerable {
			s.Unanswerable++
		}
		if q.Quarantine != "" {
			s.Quarantined++
		}
	}
	s.Hash, err = bench.Hash(set.Questions)
	return s, err
}

// Hash identifies the questions of the held-out benchmark.
func Hash(dir string) (string, error) {
	s, err := Validate(dir)
	return s.Hash, err
}

func read(dir string) (*bench.Set, error) {
	full := filepath.Join(dir, filepath.FromSlash(File))
	info, err := os.Lstat(full)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w: there is no %s", ErrNone, File)
	case err != nil:
		return nil, fmt.Errorf("read %s: %w", File, err)
	case !info.Mode().IsRegular():
		return nil, bench.Mistakes{{File: File, Message: "this is not a plain file", Suggestion: "links and folders are not read here"}}
	}
	text, err := os.ReadFile(full)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", File, err)
	}
	return bench.ParseHidden(bytes.NewReader(text), File)
}
