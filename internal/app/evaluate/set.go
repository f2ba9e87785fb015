// Package evaluate is what eval does: it reads a benchmark, lets solvers
// answer it, and shows how often they were right.
package evaluate

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/sqbyl/sqbyl/internal/toolkit/bench"
	"github.com/sqbyl/sqbyl/internal/toolkit/eval"
	"github.com/sqbyl/sqbyl/internal/toolkit/heldout"
	"github.com/sqbyl/sqbyl/semantic"
)

// Set is a benchmark, or a half of one.
type Set struct {
	Name string // for people
	// Split is dev, test or all.
	Split string
	Items []bench.Item
	// Total counts the questions of the file that Items are from.
	Total    int
	Headline eval.Headline
	Warnings []string
}

// The splits.
const (
	Dev  = "dev"
	Test = "test"
	All  = "all"
)

// Layout reads the questions of a benchmark's file.
type Layout func(r io.Reader, name string) ([]bench.Item, error)

// Read reads a whole file in one of the field's layouts.
func Read(path string, layout Layout) (Set, error) {
	f, err := open(path)
	if err != nil {
		return Set{}, err
	}
	defer f.Close()
	items, err := layout(f, path)
	if err != nil {
		return Set{}, err
	}
	return Set{Name: filepath.Base(path), Split: All, Items: items, Total: len(items), Headline: eval.ByBIRD}, nil
}

// ReadOwn reads a file in the project's own format, with the trusted queries
// that may be golds.
func ReadOwn(path string, assets []semantic.Asset) (Set, error) {
	f, err := open(path)
	if err != nil {
		return Set{}, err
	}
	defer f.Close()
	read, err := bench.Parse(f, path)
	if err != nil {
		return Set{}, err
	}
	s := Set{Name: filepath.Base(path), Split: All, Items: bench.Items(read.Questions, assets), Headline: eval.ByOptions}
	s.Total = len(s.Items)
	for _, w := range read.Warnings {
		s.Warnings = append(s.Warnings, w.String())
	}
	return s, nil
}

// errHeldOut is the answer to a path that leads to the held-out benchmark.
var errHeldOut = errors.New("this is the held-out benchmark, which is never read as a file; score it with: sqbyl eval test")

// open opens a benchmark by its path, whatever links it goes through, unless
// it is a project's held-out one.
func open(path string) (*os.File, error) {
	real, err := filepath.EvalSymlinks(path)
	if err == nil {
		real, err = filepath.Abs(real)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, errors.Unwrap(err))
	}
	hidden := filepath.FromSlash(heldout.File)
	if dir := filepath.Dir(filepath.Dir(real)); filepath.Join(dir, hidden) == real {
		return nil, fmt.Errorf("read %s: %w", path, errHeldOut)
	}
	f, err := os.Open(real)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, errors.Unwrap(err))
	}
	return f, nil
}
