package edit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sqbyl/sqbyl/internal/toolkit/project"
)

// undoDir keeps what applied plans have replaced.
const undoDir = project.StateDir + "/undo"

// kept is the number of plans that can be undone.
const kept = 100

// ErrNothingToUndo is returned when no applied plan is left.
var ErrNothingToUndo = errors.New("there is nothing to undo")

// journal is one applied plan.
type journal struct {
	Title string     `json:"title"`
	At    time.Time  `json:"at"`
	Files []replaced `json:"files"`
}

// replaced is a file before and after a plan; Before is null for one that the
// plan created.
type replaced struct {
	File   string  `json:"file"`
	Before *[]byte `json:"before"`
	After  string  `json:"after"` // its fingerprint
}

// Apply writes the plan's changes: all of them, or none. It refuses with a
// *ChangedError when a file is no longer as the plan has read it. What it
// replaces is kept for Undo.
func (p *Plan) Apply(at time.Time) error {
	if len(p.Changes) == 0 {
		return nil
	}
	j := journal{Title: p.Title, At: at}
	for _, c := range p.Changes {
		if err := c.unchanged(p.dir, c.Before); err != nil {
			return err
		}
		r := replaced{File: c.File, After: project.Fingerprint(c.After)}
		if c.Before != nil {
			r.Before = &c.Before
		}
		j.Files = append(j.Files, r)
	}
	entry, err := j.save(p.dir)
	if err != nil {
		return err
	}
	for i, c := range p.Changes {
		if err := project.WriteFile(p.dir, c.File, c.After); err != nil {
			return errors.Join(err, restore(p.dir, j.Files[:i]), os.Remove(entry))
		}
	}
	return nil
}

// unchanged holds the file on disk against what it should be.
func (c Change) unchanged(dir string, want []byte) error {
	text, err := project.ReadFile(dir, c.File)
	switch {
	case errors.Is(err, fs.ErrNotExist) && want == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist), err == nil && (want == nil || !bytes.Equal(text, want)):
		return &ChangedError{c.File}
	}
	return err
}

func (j journal) save(dir string) (string, error) {
	folder := filepath.Join(dir, filepath.FromSlash(undoDir))
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", fmt.Errorf("keep what is replaced: %w", err)
	}
	entries, err := journals(folder)
	if err != nil {
		return "", err
	}
	next := 1
	if len(entries) > 0 {
		if _, err := fmt.Sscanf(entries[len(entries)-1], "%d.json", &next); err != nil {
			return "", fmt.Errorf("keep what is replaced: %w", err)
		}
		next++
	}
	for ; len(entries) >= kept; entries = entries[1:] {
		if err := os.Remove(filepath.Join(folder, entries[0])); err != nil {
			return "", fmt.Errorf("keep what is replaced: %w", err)
		}
	}
	text, err := json.Marshal(j)
	if err != nil {
		return "", fmt.Errorf("keep what is replaced: %w", err)
	}
	name := filepath.Join(folder, fmt.Sprintf("%06d.json", next))
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", fmt.Errorf("keep what is replaced: %w", err)
	}
	_, err = f.Write(text)
	if err := errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(fmt.Errorf("keep what is replaced: %w", err), os.Remove(name))
	}
	return name, nil
}

// journals lists the entries, the oldest first.
func journals(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read what was replaced: %w", err)
	}
	var names []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".json") {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names, nil
}

// Undone says what an undo has taken back.
type Undone struct {
	Title string
	At    time.Time // when it was applied
	Files []string
}

// Undo takes back the plan applied last: its files hold the bytes they held
// before. It refuses with a *ChangedError, and changes nothing, when one of
// them has been changed since.
func Undo(dir string) (Undone, error) {
	folder := filepath.Join(dir, filepath.FromSlash(undoDir))
	entries, err := journals(folder)
	if err != nil {
		return Undone{}, err
	}
	if len(entries) == 0 {
		return Undone{}, ErrNothingToUndo
	}
	name := filepath.Join(folder, entries[len(entries)-1])
	text, err := os.ReadFile(name)
	if err != nil {
		return Undone{}, fmt.Errorf("read what was replaced: %w", err)
	}
	var j journal
	if err := json.Unmarshal(text, &j); err != nil {
		return Undone{}, fmt.Errorf("read what was replaced, %s: %w; delete it to go on without", name, err)
	}
	out := Undone{Title: j.Title, At: j.At}
	var applied []replaced
	for _, r := range j.Files {
		now, err := project.ReadFile(dir, r.File)
		missing := errors.Is(err, fs.ErrNotExist)
		switch {
		case err != nil && !missing:
			return Undone{}, err
		case missing && r.Before == nil, !missing && r.Before != nil && bytes.Equal(now, *r.Before):
			continue // as it was: the plan was cut short before this file
		case missing || project.Fingerprint(now) != r.After:
			return Undone{}, &ChangedError{r.File}
		}
		applied = append(applied, r)
		out.Files = append(out.Files, r.File)
	}
	if err := restore(dir, applied); err != nil {
		return Undone{}, err
	}
	return out, os.Remove(name)
}

func restore(dir string, files []replaced) error {
	var errs []error
	for _, r := range files {
		if r.Before == nil {
			errs = append(errs, project.RemoveFile(dir, r.File))
		} else {
			errs = append(errs, project.WriteFile(dir, r.File, *r.Before))
		}
	}
	return errors.Join(errs...)
}
