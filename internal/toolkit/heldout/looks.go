package heldout

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Look is a line of the record of looks: every time that results on the
// held-out benchmark were shown. A set that was looked at often is worn: what
// was kept because it did well there is no longer measured by it.
type Look struct {
	Time    time.Time `json:"time"`
	Command string    `json:"command"`
	Set     string    `json:"set"`
	Hash    string    `json:"hash"`
	// N counts the questions of the set.
	N        int        `json:"n"`
	Headline []Headline `json:"headline"`
	// Revealed is set when rows with their questions were shown.
	Revealed bool `json:"revealed"`
}

// Headline is what a look showed of one solver.
type Headline struct {
	Solver  string `json:"solver"`
	Correct int    `json:"correct"`
	N       int    `json:"n"` // questions judged
}

// look puts a look on record. What it is of is shown only after that.
func (s *Set) look(command string, headline []Headline, revealed bool) error {
	now := time.Now
	if s.place.Now != nil {
		now = s.place.Now
	}
	if headline == nil {
		headline = []Headline{}
	}
	line, err := json.Marshal(Look{now().UTC().Truncate(time.Second), command, s.name, s.hash, len(s.items), headline, revealed})
	if err == nil {
		err = appendLine(s.place.Looks, line)
	}
	if err != nil {
		return fmt.Errorf("put the look at %s on record, without which nothing of it is shown: %w", s.name, err)
	}
	return nil
}

// appendLine writes a line in one piece, on a line of its own also behind one
// that a crash cut off.
func appendLine(path string, line []byte) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	last := make([]byte, 1)
	if end, err := f.Seek(0, io.SeekEnd); err != nil {
		return err
	} else if end > 0 {
		if _, err := f.ReadAt(last, end-1); err != nil {
			return err
		}
		if last[0] != '\n' {
			line = append([]byte("\n"), line...)
		}
	}
	_, err = f.Write(append(line, '\n'))
	return err
}

// Record reads the record of looks, the oldest first; a line that is no record is left
// out.
func (p Place) Record() ([]Look, error) {
	text, err := os.ReadFile(p.Looks)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the record of looks: %w", err)
	}
	var looks []Look
	for line := range bytes.Lines(text) {
		var l Look
		if json.Unmarshal(line, &l) == nil && l.Set != "" {
			looks = append(looks, l)
		}
	}
	return looks, nil
}
