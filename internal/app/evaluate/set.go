// Package evaluate is what eval does: it reads a benchmark, lets solvers
// answer it, and shows how often they were right.
package evaluate

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/sqbyl/sqbyl/internal/toolkit/bench"
	"github.com/sqbyl/sqbyl/internal/toolkit/eval"
	"github.com/sqbyl/sqbyl/internal/toolkit/heldout"
	"github.com/sqbyl/sqbyl/internal/toolkit/project"
	"github.com/sqbyl/sqbyl/semantic"
)

// Set is a benchmark, or a half of one.
type Set struct {
	Name string // for people
	// Split is dev, test or all.
	Split string
	// Items are the questions that may be seen: those of all are its dev half.
	Items []bench.Item
	// Total counts the questions of the file that Items are from.
	Total    int
	Headline eval.Headline
	Warnings []string
	// HeldOut has the questions that nobody sees: those of test, and of all
	// where the benchmark is one file.
	HeldOut *heldout.Set

	file *heldout.OneFile
}

// Len counts the questions.
func (s Set) Len() int {
	if s.HeldOut != nil {
		return len(s.Items) + s.HeldOut.Summary().Questions
	}
	return len(s.Items)
}

// The splits.
const (
	Dev  = "dev"
	Test = "test"
	All  = "all"
)

// Read reads a file in one of the field's layouts, all of it or the half that
// split names. Looks at what is held back go on record at place.
func Read(path string, layout heldout.Layout, split string, place heldout.Place) (Set, error) {
	file, err := heldout.OpenFile(path, layout, place)
	if err != nil {
		return Set{}, err
	}
	s := Set{Name: filepath.Base(path), Split: split, Total: file.Total(), Headline: eval.ByBIRD, file: file}
	switch split {
	case Dev:
		s.Items, s.Warnings = file.Dev(), file.Warnings
	case Test:
		s.HeldOut, s.Warnings = file.HeldOut(), file.Warnings
	default:
		s.Split, s.Items, s.HeldOut = All, file.Dev(), file.HeldOut()
	}
	switch none := file.NoGold; len(none) {
	case 0:
	case s.Total:
		return Set{}, fmt.Errorf("read %s: no question has a gold, question %s first: answers are compared with golds, SQL or sql in BIRD's layout, query in Spider's, a column sql in a CSV", s.Name, none[0])
	default:
		s.Warnings = append(s.Warnings, fmt.Sprintf("%s: %d of %d questions have no gold and are not run, question %s first", s.Name, len(none), s.Total, none[0]))
	}
	return s, nil
}

// ReadHeldOut opens a project's held-out benchmark.
func ReadHeldOut(dir string, assets []semantic.Asset, place heldout.Place) (Set, error) {
	held, err := heldout.Open(dir, assets, place)
	if err != nil {
		return Set{}, err
	}
	s := Set{Name: Test, Split: Test, HeldOut: held, Headline: eval.ByOptions}
	s.Total = s.Len()
	for _, w := range held.Summary().Warnings {
		s.Warnings = append(s.Warnings, w.String())
	}
	return s, nil
}

// ReadDev reads a project's own benchmark that tuning may read.
func ReadDev(own *project.Project) (Set, error) {
	set, err := readOwn(filepath.Join(own.Dir, filepath.FromSlash(project.DevFile)), project.DevFile, own.Semantic.Assets)
	set.Name, set.Split = Dev, Dev
	return set, err
}

// readOwn reads a file in the project's own format, with the trusted queries
// that its golds may name. What is wrong in it is told under name.
func readOwn(path, name string, assets []semantic.Asset) (Set, error) {
	f, err := open(path)
	if err != nil {
		return Set{}, err
	}
	defer f.Close()
	read, err := bench.ParseOwn(f, name, assets)
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

// open opens a benchmark by its path, unless it is a project's held-out one.
func open(path string) (*os.File, error) {
	if heldout.Is(path) {
		return nil, fmt.Errorf("read %s: %w", path, heldout.ErrIsHeldOut)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, errors.Unwrap(err))
	}
	return f, nil
}
