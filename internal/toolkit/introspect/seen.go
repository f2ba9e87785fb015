package introspect

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/sqbyl/sqbyl/internal/toolkit/project"
	"github.com/sqbyl/sqbyl/semantic"
)

// seenFile remembers what a project's files have been drafted from.
const seenFile = project.StateDir + "/introspected.json"

// Seen are the tables, each with its columns, that were there when the files
// were drafted: what is among them and not in the files was taken out by hand.
// Without it everything that the files lack is new.
type Seen map[string][]string

// Remember gives what there is to remember of drafts that became files.
func Remember(drafts []semantic.Table) Seen {
	s := Seen{}
	for _, t := range drafts {
		s[t.Name] = columnNames(t)
	}
	return s
}

func columnNames(t semantic.Table) []string {
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = c.Name
	}
	return names
}

// LoadSeen reads what Save has written; a project without it has seen nothing.
func LoadSeen(dir string) (Seen, error) {
	text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(seenFile)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read what was introspected: %w", err)
	}
	var s Seen
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, fmt.Errorf("read what was introspected: %w; delete %s to go on without", err, seenFile)
	}
	return s, nil
}

// Save keeps what was seen in a project's state.
func (s Seen) Save(dir string) error {
	text, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("keep what was introspected: %w", err)
	}
	name := filepath.Join(dir, filepath.FromSlash(seenFile))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return fmt.Errorf("keep what was introspected: %w", err)
	}
	next := name + ".next"
	if err := os.WriteFile(next, append(text, '\n'), 0o644); err != nil {
		return fmt.Errorf("keep what was introspected: %w", err)
	}
	return os.Rename(next, name)
}
