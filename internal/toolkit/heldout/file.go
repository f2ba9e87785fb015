package heldout

import (
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

// OpenFile reads a benchmark of one file, a layout's, and holds back its part
// of it (bench.Split).
func OpenFile(path string, layout Layout, p Place) (*OneFile, error) {
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
