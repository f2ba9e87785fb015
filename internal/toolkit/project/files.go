package project

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// The files that the product writes. The held-out benchmark is none of them.
var (
	writableFiles = []string{ManifestFile, InstructionsFile, DevFile, ".gitignore"}
	writableDirs  = map[string]string{SemanticsDir: ".yaml", ExamplesDir: ".yaml", TrustedDir: ".sql", PromptsDir: ".md", JudgesDir: ".md"}
)

// ErrNotWritable is wrapped when a name is not one that the product writes.
var ErrNotWritable = errors.New("not a file that is written here")

// Writable reports whether name, a slash-separated path in the project, is
// one that the product writes.
func Writable(name string) bool {
	if slices.Contains(writableFiles, name) {
		return true
	}
	dir, base := path.Split(name)
	suffix, ok := writableDirs[strings.TrimSuffix(dir, "/")]
	known := path.Ext(base) == suffix || suffix == ".yaml" && path.Ext(base) == ".yml"
	return ok && known && !strings.HasPrefix(base, ".") && !strings.ContainsAny(base, `\:`)
}

// ReadFile reads a file of the project that the product may write.
func ReadFile(dir, name string) ([]byte, error) {
	if !Writable(name) {
		return nil, fmt.Errorf("read %s: %w", name, ErrNotWritable)
	}
	if err := noLink(dir, name); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return text, nil
}

// WriteFile puts text in the place of a file, whole or not at all.
func WriteFile(dir, name string, text []byte) error {
	full, err := place(dir, name)
	if err != nil {
		return err
	}
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(full); err == nil {
		mode = info.Mode().Perm()
	}
	return replace(full, text, mode)
}

// RemoveFile deletes a file that the product may write.
func RemoveFile(dir, name string) error {
	full, err := place(dir, name)
	if err != nil {
		return err
	}
	if err := os.Remove(full); err != nil {
		return fmt.Errorf("remove %s: %w", name, err)
	}
	return nil
}

// place checks a name and makes its folder.
func place(dir, name string) (string, error) {
	if !Writable(name) {
		return "", fmt.Errorf("write %s: %w", name, ErrNotWritable)
	}
	full := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		return "", fmt.Errorf("write %s: %w", name, err)
	}
	return full, noLink(dir, name)
}

// noLink refuses a file or folder that is a symbolic link: it could lead out
// of the project, or to the held-out benchmark.
func noLink(dir, name string) error {
	for part := name; part != "."; part = path.Dir(part) {
		info, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(part)))
		if err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return fmt.Errorf("%s is a symbolic link; a project's files are read and written only where they are", part)
		}
	}
	return nil
}

func replace(full string, text []byte, mode fs.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(full), ".sqbyl-*")
	if err != nil {
		return fmt.Errorf("write %s: %w", full, err)
	}
	_, err = f.Write(text)
	err = errors.Join(err, f.Chmod(mode), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), full)
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return fmt.Errorf("write %s: %w", full, err)
	}
	return nil
}
