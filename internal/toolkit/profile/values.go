package profile

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/values"
	"github.com/sqbyl/sqbyl/internal/toolkit/project"
	"github.com/sqbyl/sqbyl/semantic"
)

const (
	// valuesFile keeps the values that a profile has seen. It is a cache: what
	// the semantics files hold is known without it.
	valuesFile = project.StateDir + "/values.jsonl"
	// columnValues is the most values kept of one column, the frequent ones
	// first, allValues of a database.
	columnValues = 2000
	allValues    = 100_000
	// valueLength is the length of the longest one, in characters.
	valueLength = 60
)

// Entries are the values that the report has seen and that may be kept, for
// the value index.
func (r *Report) Entries() []values.Entry {
	var out []values.Entry
	for _, t := range r.Tables {
		for _, c := range t.Columns {
			if c.Personal != "" || len(c.texts) == 0 || c.prose() {
				continue
			}
			for _, v := range frequent(c.texts, columnValues) {
				if tellable(v.value) && utf8.RuneCountInString(v.value.Text) <= valueLength {
					out = append(out, values.Entry{Table: t.Name, Column: c.Name, Value: v.value.Text, Share: share(float64(v.n), float64(c.rows))})
				}
			}
		}
	}
	return out[:min(len(out), allValues)]
}

// prose reports a column whose texts name nothing that a question could: long
// ones, and keys of machines.
func (c *Column) prose() bool {
	switch c.Profile.Shape {
	case "uuid", "hash", "url", "json":
		return true
	}
	length := 0
	for _, v := range c.texts {
		length += utf8.RuneCountInString(v.value.Text)
	}
	return length > valueLength*len(c.texts)
}

// SaveValues keeps entries in a project's state.
func SaveValues(dir string, entries []values.Entry) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for _, entry := range entries {
		if err := e.Encode(entry); err != nil {
			return fmt.Errorf("keep the values: %w", err)
		}
	}
	name := filepath.Join(dir, filepath.FromSlash(valuesFile))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return fmt.Errorf("keep the values: %w", err)
	}
	ignore := filepath.Join(filepath.Dir(name), ".gitignore")
	if _, err := os.Stat(ignore); errors.Is(err, fs.ErrNotExist) {
		if err := os.WriteFile(ignore, []byte("*\n"), 0o644); err != nil {
			return fmt.Errorf("keep the values out of version control: %w", err)
		}
	}
	if err := os.WriteFile(name+".new", b.Bytes(), 0o600); err != nil {
		return fmt.Errorf("keep the values: %w", err)
	}
	if err := os.Rename(name+".new", name); err != nil {
		return fmt.Errorf("keep the values: %w", err)
	}
	return nil
}

// LoadValues gives the values of a project: those its files hold, then those
// that its last profile kept. What the files opt out of by now stays out, and
// so do columns that look personal and hold no values in the files.
func LoadValues(dir string, model semantic.Model, allow []string) ([]values.Entry, error) {
	known := map[string]bool{}
	open, closed := map[string]bool{}, map[string]bool{} // a name in another case is as closed
	var out []values.Entry
	for _, t := range model.Tables {
		for _, c := range t.Columns {
			if t.NoProfile || c.NoProfile || c.NoSamples {
				closed[strings.ToLower(t.Name+"\x00"+c.Name)] = true
				continue
			}
			key := strings.ToLower(t.Name + "\x00" + c.Name)
			open[key] = len(c.Samples) > 0 || personalName(t.Name, c.Name, db.Textual) == "" || allowed(allow, t.Name, c.Name)
			for _, e := range said(t.Name, c) {
				if id := key + "\x00" + e.Value; !known[id] {
					known[id] = true
					out = append(out, e)
				}
			}
		}
	}
	f, err := os.Open(filepath.Join(dir, filepath.FromSlash(valuesFile)))
	if errors.Is(err, fs.ErrNotExist) {
		return out, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the values: %w", err)
	}
	defer func() { _ = f.Close() }()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var e values.Entry
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			continue // a line that was cut short; the next profile writes it anew
		}
		key := strings.ToLower(e.Table + "\x00" + e.Column)
		if id := key + "\x00" + e.Value; open[key] && !closed[key] && !known[id] {
			known[id] = true
			out = append(out, e)
		}
	}
	return out, nil
}

// said are the texts that a semantics file holds of a column.
func said(table string, c semantic.Column) []values.Entry {
	var out []values.Entry
	add := func(text string, share float64) {
		if text != "" && utf8.RuneCountInString(text) <= valueLength {
			out = append(out, values.Entry{Table: table, Column: c.Name, Value: text, Share: share})
		}
	}
	if c.Profile != nil {
		for _, s := range c.Profile.Top {
			if s.Value.Kind == semantic.StringScalar {
				add(s.Value.Text, s.Share)
			}
		}
	}
	for _, s := range c.Samples {
		if s.Kind == semantic.StringScalar {
			add(s.Text, 0)
		}
	}
	for _, label := range c.Enum {
		add(label, 0)
	}
	return out
}
