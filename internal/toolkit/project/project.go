// Package project reads a project's folder: manifest, semantic layer,
// examples, trusted queries, instructions. All mistakes are reported at once,
// each at its place. It never opens the held-out benchmark.
package project

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/toolkit/project/yamldoc"
	"github.com/sqbyl/sqbyl/semantic"
)

// The files of a project, as slash-separated paths in its folder.
const (
	ManifestFile     = "sqbyl.yaml"
	InstructionsFile = "instructions.md"
	EnvFile          = ".env"
	SemanticsDir     = "semantics"
	ExamplesDir      = "examples"
	TrustedDir       = "trusted"
	PromptsDir       = "prompts"
	JudgesDir        = "judges"
	DevFile          = "benchmarks/dev.yaml"
	StateDir         = ".sqbyl"
)

// Mistake is one thing that is wrong in a project's files.
type Mistake = yamldoc.Mistake

// Mistakes is the error of Load when files are wrong: all of it, by file and
// place.
type Mistakes = yamldoc.Mistakes

// ErrNoProject is wrapped when there is no sqbyl.yaml.
var ErrNoProject = errors.New("no project")

// Project is what a project's files say.
type Project struct {
	Dir      string // absolute
	Manifest Manifest
	Semantic semantic.Model
	// Dialect is that of the manifest, nil when only the database's URL tells.
	Dialect *db.Dialect
	// Prompts and Judges override built-in texts, by file name without ".md".
	Prompts map[string]string
	Judges  map[string]string
	// Warnings are what was read but may not be meant.
	Warnings []Mistake

	files  map[string]string // table name → its file
	prints map[string]string // file → its Fingerprint
	spots  manifestSpots

	env      map[string]string // the content of .env
	envSpots map[string]point  // where its names are
}

// Place is the line and column of a setting of the manifest, as
// "model.provider"; 0 where it is not written.
func (p *Project) Place(setting string) (line, column int) { return p.spots.place(setting) }

// FileRead is the fingerprint of a file as it was read, "" for one that was
// not there.
func (p *Project) FileRead(name string) string { return p.prints[name] }

// TableFile is the semantics file of a table, "" for an unknown one.
func (p *Project) TableFile(table string) string { return p.files[table] }

// ExampleFiles are the files that hold examples.
func (p *Project) ExampleFiles() []string {
	var names []string
	for name := range p.prints {
		if path.Dir(name) == ExamplesDir {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Find looks for the folder of a project in from and the folders above it.
func Find(from string) (string, error) {
	start, err := filepath.Abs(from)
	if err != nil {
		return "", fmt.Errorf("find a project from %s: %w", from, err)
	}
	if info, err := os.Stat(start); err != nil {
		return "", fmt.Errorf("find a project: %w", err)
	} else if !info.IsDir() {
		start = filepath.Dir(start)
	}
	for dir := start; ; dir = filepath.Dir(dir) {
		if info, err := os.Stat(filepath.Join(dir, ManifestFile)); err == nil && !info.IsDir() {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", noProject(start, " or in a folder above it")
		}
	}
}

func noProject(dir, above string) error {
	return fmt.Errorf("%w: there is no %s in %s%s; sqbyl init URL makes one, and ask --db URL needs none", ErrNoProject, ManifestFile, dir, above)
}
