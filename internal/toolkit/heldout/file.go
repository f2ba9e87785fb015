package heldout

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/sqbyl/sqbyl/internal/toolkit/bench"
)

// Layout reads the questions of a file that holds a whole benchmark.
type Layout func(r io.Reader, name string) ([]bench.Item, error)

// OneFile is a benchmark that comes as one file, split.
type OneFile struct {
	// Warnings name a half that is too small to mean anything.
	Warnings []string

	dev     []bench.Item
	heldOut *Set
	all     []bench.Item
}

// ErrIsHeldOut is the answer to a path that leads to a project's held-out
// benchmark.
var ErrIsHeldOut = errors.New("this is the held-out benchmark, which is never read as a file; score it with: sqbyl eval test")

// Is reports a path that leads, through whatever links, to a project's
// held-out benchmark.
func Is(path string) bool {
	real, err := filepath.EvalSymlinks(path)
	if err == nil {
		real, err = filepath.Abs(real)
	}
	if err != nil {
		return false
	}
	mine, err := os.Stat(real)
	if err != nil {
		return false
	}
	// The same file under another spelling, as a file system without case has.
	file, err := os.Stat(filepath.Join(filepath.Dir(filepath.Dir(real)), filepath.FromSlash(File)))
	return err == nil && os.SameFile(mine, file)
}

// OpenFile reads a benchmark of one file, a layout's, and holds back its part
// of it (bench.Split).
func OpenFile(path string, layout Layout, p Place) (*OneFile, error) {
	if Is(path) {
		return nil, fmt.Errorf("read %s: %w", path, ErrIsHeldOut)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read the benchmark: %w", err)
	}
	defer f.Close()
	items, err := layout(f, filepath.Base(path))
	if err != nil {
		return nil, err
	}
	dev, back, warnings := bench.Split(items)
	s := &Set{name: filepath.Base(path), place: p, total: len(items)}
	questions := make([]bench.Question, len(back))
	for i, it := range back {
		s.items = append(s.items, question{it})
		questions[i] = it.Question
		questions[i].ID = it.DB + ":" + it.ID
	}
	if s.hash, err = bench.Hash(questions); err != nil {
		return nil, err
	}
	return &OneFile{Warnings: warnings, dev: dev, heldOut: s, all: items}, nil
}

// Dev is the half that tuning may read.
func (f *OneFile) Dev() []bench.Item { return f.dev }

// HeldOut is the half that is held back.
func (f *OneFile) HeldOut() *Set { return f.heldOut }

// All is the whole file, for a benchmark that nothing is tuned on. Where a
// record is kept, taking it is a look at the half that is held back.
func (f *OneFile) All(command string) ([]bench.Item, error) {
	if f.heldOut.place.Looks == "" {
		return f.all, nil
	}
	if err := f.heldOut.look(command, nil, true); err != nil {
		return nil, err
	}
	return f.all, nil
}

// Total counts the questions of the file.
func (f *OneFile) Total() int { return len(f.all) }
