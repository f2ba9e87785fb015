// Package trace writes down what happened: one file of OTLP/JSON lines per
// run, and each prompt once under its hash. A span is appended the moment it
// ends, in one write, so what ended survives a killed process. Tracing never
// stands in the way: where a file cannot be written the run goes on, and Err
// says why.
package trace

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// Options describe a Run.
type Options struct {
	// Version is the product's version.
	Version string
	// Now is the clock; nil means the real one.
	Now func() time.Time
}

// Run is the trace file of one run, made when its first span ends. All
// methods work on a nil Run, which writes nothing. A Run is safe for
// concurrent use.
type Run struct {
	dir     string // the state folder: traces/ and prompts/ are in it
	name    string
	version string
	now     func() time.Time

	mu      sync.Mutex
	file    *os.File
	err     error
	closed  bool
	prompts map[string]bool
}

// NewRun prepares a trace in the state folder dir. Nothing is written yet.
func NewRun(dir string, o Options) *Run {
	r := &Run{dir: dir, version: o.Version, now: o.Now, prompts: make(map[string]bool)}
	if r.now == nil {
		r.now = time.Now
	}
	r.name = r.now().UTC().Format("20060102T150405Z") + "-" + randomHex(4)
	return r
}

// Name is the run's name: its start and a random part.
func (r *Run) Name() string {
	if r == nil {
		return ""
	}
	return r.name
}

// Path is the run's trace file.
func (r *Run) Path() string {
	if r == nil {
		return ""
	}
	return filepath.Join(r.dir, "traces", r.name+".jsonl")
}

// Err is the first reason why something could not be written.
func (r *Run) Err() error {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// Prompt stores a prompt under its hash, once.
func (r *Run) Prompt(hash, text string) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil || r.prompts[hash] {
		return
	}
	r.prompts[hash] = true
	if err := writeOnce(PromptPath(r.dir, hash), text); err != nil {
		r.err = fmt.Errorf("store the prompt: %w", err)
	}
}

// PromptPath is where the prompt of a hash is stored in a state folder.
func PromptPath(dir, hash string) string { return filepath.Join(dir, "prompts", hash+".md") }

func writeOnce(path, text string) error {
	if _, err := os.Stat(path); err == nil {
		return nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	part := path + "." + randomHex(4) + ".part"
	if err := os.WriteFile(part, []byte(text), 0o600); err != nil {
		return errors.Join(err, os.Remove(part))
	}
	return os.Rename(part, path)
}

// Close ends the run; spans that end later are lost.
func (r *Run) Close() error {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	if r.file == nil {
		return r.err
	}
	if err := r.file.Close(); err != nil && r.err == nil {
		r.err = fmt.Errorf("close the trace: %w", err)
	}
	r.file = nil
	return r.err
}

func (r *Run) append(line []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil || r.closed {
		return
	}
	if r.file == nil {
		path := filepath.Join(r.dir, "traces", r.name+".jsonl")
		// Traces hold questions and SQL: they stay out of git even where
		// nobody wrote an ignore file for them.
		if err := writeOnce(filepath.Join(r.dir, ".gitignore"), "*\n"); err != nil {
			r.err = fmt.Errorf("make the trace folder: %w", err)
			return
		}
		if r.err = os.MkdirAll(filepath.Dir(path), 0o700); r.err != nil {
			r.err = fmt.Errorf("make the trace folder: %w", r.err)
			return
		}
		if r.file, r.err = os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); r.err != nil {
			r.err = fmt.Errorf("open the trace: %w", r.err)
			return
		}
	}
	if _, err := r.file.Write(line); err != nil {
		r.err = fmt.Errorf("write the trace: %w", err)
	}
}

func randomHex(n int) string {
	b := make([]byte, n)
	// The error is always nil: the function ends the program when the
	// system has no randomness.
	_, _ = rand.Read(b)
	return hex.EncodeToString(b)
}
