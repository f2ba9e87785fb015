// Package runs keeps paid runs in a state folder: what each was asked, and the
// journal of its calls, from which it resumes.
package runs

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"
)

// ID is the number of a run, from 1.
type ID int

func (id ID) String() string { return strconv.Itoa(int(id)) }

// ParseID reads a run's number.
func ParseID(s string) (ID, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%q is not the number of a run", s)
	}
	return ID(n), nil
}

// Question is one question of a run.
type Question struct {
	ID   string `json:"id"`
	Text string `json:"question"`
}

// Head is what a run was started with. It never changes.
type Head struct {
	Command string    `json:"command"`
	Started time.Time `json:"started"`
	// Day is the date that questions count from.
	Day   string `json:"day"`
	Model string `json:"model"` // provider:model
	// Database is where it is, its password masked.
	Database string `json:"database"`
	// Prompt is the hash of the prompt's stable part.
	Prompt    string     `json:"prompt"`
	Questions []Question `json:"questions"`
}

// Run is a run that this process works on, and nobody else meanwhile.
type Run struct {
	ID   ID
	Head Head
	dir  string
	lock *os.File
}

// ErrUnknown is wrapped when there is no run of a number.
var ErrUnknown = errors.New("there is no such run")

// ErrBusy is wrapped when another process works on a run.
var ErrBusy = errors.New("another process works on this run")

const headFile = "run.json"

// Create starts the next run in a state folder.
func Create(state string, h Head) (*Run, error) {
	known, err := List(state)
	if err != nil {
		return nil, err
	}
	id := ID(1)
	if len(known) > 0 {
		id = known[len(known)-1] + 1
	}
	for ; ; id++ {
		// Another process may take the same number: who makes the folder has it.
		err := os.Mkdir(folder(state, id), 0o700)
		if err == nil {
			break
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, fmt.Errorf("make the folder of a run: %w", err)
		}
	}
	r := &Run{ID: id, Head: h, dir: folder(state, id)}
	if err := r.take(); err != nil {
		return nil, err
	}
	if err := r.write(); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

func (r *Run) write() error {
	raw, err := json.MarshalIndent(r.Head, "", " ")
	if err != nil {
		return fmt.Errorf("write run %s: %w", r.ID, err)
	}
	part := filepath.Join(r.dir, headFile+".part")
	if err := os.WriteFile(part, append(raw, '\n'), 0o600); err != nil {
		return fmt.Errorf("write run %s: %w", r.ID, err)
	}
	return os.Rename(part, filepath.Join(r.dir, headFile))
}

// Open takes up a run again.
func Open(state string, id ID) (*Run, error) {
	r := &Run{ID: id, dir: folder(state, id)}
	raw, err := os.ReadFile(filepath.Join(r.dir, headFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, unknown(state, id)
	}
	if err != nil {
		return nil, fmt.Errorf("read run %s: %w", id, err)
	}
	if err := json.Unmarshal(raw, &r.Head); err != nil {
		return nil, fmt.Errorf("read run %s: %s: %w", id, headFile, err)
	}
	if err := r.take(); err != nil {
		return nil, err
	}
	return r, nil
}

func unknown(state string, id ID) error {
	known, err := List(state)
	switch {
	case err != nil:
		return err
	case len(known) == 0:
		return fmt.Errorf("run %s: %w: none was started here yet", id, ErrUnknown)
	}
	return fmt.Errorf("run %s: %w; the last one is %s", id, ErrUnknown, known[len(known)-1])
}

// List gives the runs of a state folder, the oldest first, and makes the
// folder for them when there is none.
func List(state string) ([]ID, error) {
	dir := filepath.Join(state, "runs")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of runs: %w", err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("list the runs: %w", err)
	}
	var out []ID
	for _, e := range entries {
		if id, err := ParseID(e.Name()); err == nil && e.IsDir() {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return out, nil
}

func folder(state string, id ID) string { return filepath.Join(state, "runs", id.String()) }

// Journal is the file of the run's calls.
func (r *Run) Journal() string { return filepath.Join(r.dir, "calls.jsonl") }

// take keeps other processes away from the run, until Close or the end of this
// process.
func (r *Run) take() error {
	f, err := os.OpenFile(filepath.Join(r.dir, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("lock run %s: %w", r.ID, err)
	}
	if err := lock(f); err != nil {
		return errors.Join(fmt.Errorf("run %s: %w", r.ID, err), f.Close())
	}
	r.lock = f
	return nil
}

// Close lets others have the run.
func (r *Run) Close() error {
	if r.lock == nil {
		return nil
	}
	err := r.lock.Close()
	r.lock = nil
	return err
}
