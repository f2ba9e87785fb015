package project

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/sqbyl/sqbyl/internal/toolkit/project/yamldoc"
	"github.com/sqbyl/sqbyl/semantic"
)

// schemaBase is where the JSON Schemas of the file formats are published.
const schemaBase = "https://raw.githubusercontent.com/sqbyl/sqbyl/main/schema/"

// SchemaLine is the comment by which editors find the schema of a file
// format: sqbyl, semantics, examples or benchmarks.
func SchemaLine(format string) string {
	return "# yaml-language-server: $schema=" + schemaBase + format + ".schema.json\n"
}

// Create writes the manifest of a new project and keeps its state and secrets
// out of version control. It changes no manifest that exists.
func Create(dir string, m Manifest) error {
	text, err := yamldoc.WriteChanged(m, blank())
	if err != nil {
		return err
	}
	if err := createFile(dir, ManifestFile, SchemaLine("sqbyl")+string(text)); err != nil {
		return err
	}
	return Ignore(dir)
}

// blank is a new manifest but for the settings that each project should see
// in its file.
func blank() Manifest {
	m := NewManifest()
	m.Database.ReadOnly = false
	return m
}

// Ignore adds the lines for .sqbyl/ and .env to the folder's .gitignore where
// they are missing.
func Ignore(dir string) error {
	name := filepath.Join(dir, ".gitignore")
	old, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read %s: %w", name, err)
	}
	text := string(old)
	lines := strings.Fields(text)
	for _, line := range []string{StateDir + "/", EnvFile} {
		if slices.Contains(lines, line) || slices.Contains(lines, strings.TrimSuffix(line, "/")) || slices.Contains(lines, "/"+line) {
			continue
		}
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		text += line + "\n"
	}
	if text == string(old) {
		return nil
	}
	return WriteFile(dir, ".gitignore", []byte(text))
}

// CreateTable writes the semantics file of a table that has none yet, and
// returns its name.
func CreateTable(dir string, t semantic.Table) (string, error) {
	text, err := yamldoc.Write(t)
	if err != nil {
		return "", fmt.Errorf("write table %s: %w", t.Name, err)
	}
	return createNumbered(dir, SemanticsDir, FileStem(t.Name), ".yaml", SchemaLine("semantics")+string(text))
}

// CreateExamples writes a new examples file and returns its name.
func CreateExamples(dir, stem string, examples []semantic.Example) (string, error) {
	text, err := yamldoc.Write(examples)
	if err != nil {
		return "", fmt.Errorf("write examples %s: %w", stem, err)
	}
	return createNumbered(dir, ExamplesDir, FileStem(stem), ".yaml", SchemaLine("examples")+string(text))
}

// CreateAsset writes a new trusted query and returns its file's name.
func CreateAsset(dir string, a semantic.Asset) (string, error) {
	return createNumbered(dir, TrustedDir, FileStem(a.Name), ".sql", AssetText(a))
}

// AssetText renders a trusted query as its file holds it.
func AssetText(a semantic.Asset) string {
	var b strings.Builder
	fmt.Fprintf(&b, "-- @name: %s\n", a.Name)
	var params []string
	for _, p := range a.Params {
		params = append(params, p.Name+" ("+p.Type+")")
	}
	if len(params) > 0 {
		fmt.Fprintf(&b, "-- @params: %s\n", strings.Join(params, ", "))
	}
	if a.Description != "" {
		fmt.Fprintf(&b, "-- @description: %s\n", strings.Join(strings.Fields(a.Description), " "))
	}
	return b.String() + strings.TrimSpace(a.SQL) + "\n"
}

// FileStem makes a file name of a table's name that every file system takes:
// what is no letter, digit, dot, dash or underscore becomes %XX.
func FileStem(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || (r == '.' || r == '-') && i > 0 {
			b.WriteRune(r)
			continue
		}
		for _, c := range []byte(string(r)) {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	stem := b.String()
	if first, _, _ := strings.Cut(strings.ToLower(stem), "."); reserved(first) {
		stem = "_" + stem
	}
	for len(stem) > 200 {
		_, size := lastRune(stem)
		stem = stem[:len(stem)-size]
	}
	return stem
}

func lastRune(s string) (rune, int) {
	r := []rune(s)
	last := r[len(r)-1]
	return last, len(string(last))
}

// reserved reports the device names of Windows.
func reserved(stem string) bool {
	if slices.Contains([]string{"", "con", "prn", "aux", "nul"}, stem) {
		return true
	}
	return len(stem) == 4 && (strings.HasPrefix(stem, "com") || strings.HasPrefix(stem, "lpt")) && stem[3] >= '1' && stem[3] <= '9'
}

// createNumbered finds a free name: two tables may differ in case only, and
// some file systems do not.
func createNumbered(dir, folder, stem, suffix, text string) (string, error) {
	for i := 1; ; i++ {
		name := path.Join(folder, stem+suffix)
		if i > 1 {
			name = path.Join(folder, stem+"-"+strconv.Itoa(i)+suffix)
		}
		err := createFile(dir, name, text)
		if err == nil {
			return name, nil
		}
		if !errors.Is(err, fs.ErrExist) || i == 100 {
			return "", err
		}
	}
}

func createFile(dir, name, text string) error {
	full, err := place(dir, name)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(full, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return fmt.Errorf("create %s: %w", name, err)
	}
	_, err = f.WriteString(text)
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("create %s: %w", name, err)
	}
	return nil
}
