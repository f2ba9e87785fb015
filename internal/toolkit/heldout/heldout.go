// Package heldout is the sole reader of the held-out benchmark. What it hands
// out never holds a question, SQL or a value of it, but for rows that a person
// asked to see, which are on record before they are shown.
package heldout

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/sqbyl/sqbyl/internal/toolkit/bench"
	"github.com/sqbyl/sqbyl/semantic"
)

// File is the held-out benchmark's place in a project, LooksFile that of the
// record of who looked at it.
const (
	File      = "benchmarks/test.yaml"
	LooksFile = "benchmarks/looks.jsonl"
)

// ErrNone is wrapped when a project has no held-out benchmark.
var ErrNone = errors.New("no held-out benchmark")

// Set is a held-out benchmark, opened. Its questions are of a type that no
// other package can name.
type Set struct {
	name     string
	place    Place
	items    []question
	total    int // questions of the file that the items are from
	hash     string
	warnings []bench.Mistake
}

// question is a held-out question.
type question struct{ item bench.Item }

// Place says where the record of looks and the state of runs are kept.
type Place struct {
	// Looks is the file of the record, State the folder in which a folder
	// "heldout" holds runs, traces, recordings and checkpoints.
	Looks, State string
	// Now is the clock, nil the real one.
	Now func() time.Time
}

// InProject is the place of a project's held-out benchmark.
func InProject(dir string) Place {
	return Place{Looks: filepath.Join(dir, filepath.FromSlash(LooksFile)), State: filepath.Join(dir, ".sqbyl")}
}

// Open reads the held-out benchmark of the project in dir, with the trusted
// queries that may be golds. When the file is wrong the error is a
// bench.Mistakes that names ids and places only.
func Open(dir string, assets []semantic.Asset, p Place) (*Set, error) {
	set, err := read(dir, assets)
	if err != nil {
		return nil, err
	}
	s := &Set{name: File, place: p, total: len(set.Questions), warnings: set.Warnings}
	if s.hash, err = bench.Hash(set.Questions); err != nil {
		return nil, err
	}
	for _, it := range bench.Items(set.Questions, assets) {
		s.items = append(s.items, question{it})
	}
	return s, nil
}

// StateDir is the folder for everything that work on held-out questions
// writes: it holds their texts, and nothing that tunes reads there.
func (s *Set) StateDir() string { return filepath.Join(s.place.State, "heldout") }

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

// Summary counts.
func (s *Set) Summary() Summary {
	sum := Summary{Questions: len(s.items), Hash: s.hash, Warnings: s.warnings}
	for _, q := range s.items {
		if q.item.Unanswerable {
			sum.Unanswerable++
		}
		if q.item.Quarantine != "" {
			sum.Quarantined++
		}
	}
	return sum
}

// Validate reads the held-out benchmark of the project in dir, with the
// trusted queries that may be golds. When the file is wrong the error is a
// bench.Mistakes that names ids and places only.
func Validate(dir string, assets []semantic.Asset) (Summary, error) {
	s, err := Open(dir, assets, InProject(dir))
	if err != nil {
		return Summary{}, err
	}
	return s.Summary(), nil
}

// Hash identifies the questions of the held-out benchmark.
func Hash(dir string, assets []semantic.Asset) (string, error) {
	s, err := Validate(dir, assets)
	return s.Hash, err
}

func read(dir string, assets []semantic.Asset) (*bench.Set, error) {
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
	return bench.ParseHidden(bytes.NewReader(text), File, assets)
}
