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
	// NoGold are the ids of the questions without a gold.
	NoGold []string

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
	// The same file under another name of it in its project, or another
	// spelling, as a file system without case has.
	for dir := filepath.Dir(real); ; dir = filepath.Dir(dir) {
		file, err := os.Stat(filepath.Join(dir, filepath.FromSlash(File)))
		switch {
		case err == nil && os.SameFile(mine, file):
			return true
		case dir == filepath.Dir(dir):
			return false
		}
	}
}

// OpenFile reads a benchmark of one file, a layout's, and holds back its part
// of it (bench.Split).
func OpenFile(path string, layout Layout, p Place) (*OneFile, error) {
	if Is(path) {
		return nil, fmt.Errorf("read %s: %w", path, ErrIsHeldOut)
	}
	in, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read the benchmark: %w", err)
	}
	defer in.Close()
	items, err := layout(in, filepath.Base(path))
	if err != nil {
		return nil, placed(path, err)
	}
	dev, back, warnings := bench.Split(items)
	f := &OneFile{Warnings: warnings, dev: dev, all: items}
	for _, it := range items {
		if len(it.Golds()) == 0 {
			f.NoGold = append(f.NoGold, it.ID)
		}
	}
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
	f.heldOut = s
	return f, nil
}

// Dev is the half that tuning may read.
func (f *OneFile) Dev() []bench.Item { return f.dev }

// HeldOut is the half that is held back.
func (f *OneFile) HeldOut() *Set { return f.heldOut }

// Unknown lists the keys of predictions that belong to no question of the file.
func (f *OneFile) Unknown(p *bench.Predictions) []string {
	_, unknown := p.Of(f.all, len(f.all))
	return unknown
}

// Total counts the questions of the file.
func (f *OneFile) Total() int { return len(f.all) }
