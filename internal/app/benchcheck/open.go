package benchcheck

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/app/evaluate"
	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/app/workbench"
	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
	"github.com/sqbyl/sqbyl/internal/toolkit/bench"
	"github.com/sqbyl/sqbyl/internal/toolkit/goldlint"
	"github.com/sqbyl/sqbyl/internal/toolkit/heldout"
	"github.com/sqbyl/sqbyl/internal/toolkit/project"
	"github.com/sqbyl/sqbyl/internal/toolkit/score"
)

// Source is where benchmarks come from: a file of the field, or the project
// of a host.
type Source struct {
	Host   workbench.Host
	Path   string // "" for the project's
	Layout heldout.Layout
	// Databases is where the databases of a file of the field are.
	Databases string
}

// FileError is about a file or folder that the caller named.
type FileError struct{ Err error }

func (e *FileError) Error() string { return e.Err.Error() }
func (e *FileError) Unwrap() error { return e.Err }

// open reads the benchmarks. The workbench is nil without a project.
func (s Source) open() (Sets, *workbench.Workbench, error) {
	if s.Layout != nil {
		file, err := heldout.OpenFile(s.Path, s.Layout, heldout.Place{})
		if err != nil {
			return Sets{}, nil, &FileError{err}
		}
		return Sets{Dev: file.Dev(), HeldOut: file.HeldOut()}, nil, nil
	}
	wb, err := workbench.Open(s.Host, workbench.Options{})
	if err != nil {
		return Sets{}, nil, err
	}
	sets, err := Read(wb.Project())
	if err != nil {
		return sets, nil, errors.Join(err, wb.Close())
	}
	return sets, wb, nil
}

// Read reads both benchmarks of a project. What is wrong in either is one
// bench.Mistakes; of the held-out one it names ids and places only.
func Read(own *project.Project) (Sets, error) {
	sets := Sets{Examples: own.Semantic.Examples}
	var mistakes, more bench.Mistakes
	dev, err := evaluate.ReadDev(own)
	switch {
	case errors.As(err, &mistakes):
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return sets, err
	}
	sets.Dev = dev.Items
	sets.HeldOut, err = heldout.Open(own.Dir, own.Semantic.Assets, heldout.InProject(own.Dir))
	switch {
	case errors.As(err, &more):
		mistakes = append(mistakes, more...)
	case err != nil && !errors.Is(err, heldout.ErrNone):
		return sets, err
	}
	if len(mistakes) > 0 {
		return sets, mistakes
	}
	return sets, nil
}

// Trouble says in a line that a project's benchmarks hold mistakes, "" when
// they hold none. What they are is for bench lint to tell.
func Trouble(own *project.Project) string {
	if own == nil {
		return ""
	}
	_, err := Read(own)
	var mistakes bench.Mistakes
	if !errors.As(err, &mistakes) {
		return ""
	}
	var files []string
	for _, m := range mistakes {
		if !slices.Contains(files, m.File) {
			files = append(files, m.File)
		}
	}
	return fmt.Sprintf("%s in %s: sqbyl bench lint tells more", term.Counted(len(mistakes), "mistake"), strings.Join(files, " and "))
}

// Lint runs the golds of a source.
func (s Source) Lint(ctx context.Context) (report *LintReport, err error) {
	var runner score.Runner
	linter := &goldlint.Linter{Each: runner.Each}
	sets, wb, err := s.open()
	if err != nil {
		return nil, err
	}
	if wb != nil {
		defer func() { err = errors.Join(err, wb.Close()) }()
		database, err := wb.Database(ctx)
		if err != nil {
			return nil, err
		}
		own := wb.Project().Manifest.Database
		linter.Open, linter.Functions, linter.Schemas = score.One(database), own.AllowFunctions, own.AllowSchemas
	} else {
		databases, err := score.At(s.Databases, driver.Options{})
		if err != nil {
			return nil, &FileError{fmt.Errorf("--%w", err)}
		}
		defer func() { err = errors.Join(err, databases.Close()) }()
		linter.Open = databases.Open
	}
	return Lint(ctx, sets, linter)
}

// Leaks compares the texts of a source.
func (s Source) Leaks(ctx context.Context) (report *LeakReport, err error) {
	sets, wb, err := s.open()
	if err != nil {
		return nil, err
	}
	// Without a database the dialect is that of most files of the field.
	rules := &sqltext.SQLiteRules
	if wb != nil {
		defer func() { err = errors.Join(err, wb.Close()) }()
		if d := wb.Project().Dialect; d != nil {
			rules = &d.Policy.Rules
		} else if database, err := wb.Database(ctx); err == nil {
			rules = &database.Dialect().Policy.Rules
		} else {
			return nil, err
		}
	}
	return Leaks(sets, rules), nil
}
