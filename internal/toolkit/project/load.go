package project

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"go.yaml.in/yaml/v4"

	"github.com/sqbyl/sqbyl/internal/toolkit/project/yamldoc"
	"github.com/sqbyl/sqbyl/semantic"
)

// maxFiles bounds the files of one folder.
const maxFiles = 20_000

// Load reads the project in dir. When files are wrong the error is a Mistakes
// with all of them, and the project is nil.
func Load(dir string) (*Project, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(abs, ManifestFile)); errors.Is(err, fs.ErrNotExist) {
		return nil, noProject(abs, "")
	}
	l := &loading{dir: abs, project: &Project{Dir: abs, files: map[string]string{}, prints: map[string]string{}}}
	l.manifest()
	l.tables()
	l.examples()
	l.trusted()
	l.project.Semantic.Instructions, _ = l.text(InstructionsFile)
	l.project.Prompts = l.texts(PromptsDir)
	l.project.Judges = l.texts(JudgesDir)
	l.checkPrompts()
	l.environment()
	l.crossCheck()
	if len(l.mistakes) > 0 {
		l.mistakes.Sort()
		return nil, l.mistakes
	}
	l.warnings.Sort()
	l.project.Warnings = l.warnings
	return l.project, nil
}

// loading is one run of Load.
type loading struct {
	dir      string
	mu       sync.Mutex // guards project.prints
	project  *Project
	sources  []*source // semantics files, by name
	asked    []*source // examples files, by name
	mistakes Mistakes
	warnings Mistakes
}

// source is a YAML file with what was read from it.
type source struct {
	file     string
	doc      *yamldoc.Document
	table    semantic.Table
	examples []semantic.Example
	nodes    []*yaml.Node // of the examples
	mistakes Mistakes
	warnings Mistakes
}

func (l *loading) wrong(file string, line, column int, message, suggestion string) {
	l.mistakes = append(l.mistakes, Mistake{File: file, Line: line, Column: column, Message: message, Suggestion: suggestion})
}

func (l *loading) warn(file string, line, column int, message, suggestion string) {
	l.warnings = append(l.warnings, Mistake{File: file, Line: line, Column: column, Message: message, Suggestion: suggestion})
}

func (l *loading) manifest() {
	m := NewManifest()
	defer func() { l.project.Manifest = m }()
	text, mistake := l.read(ManifestFile)
	if mistake != nil {
		l.mistakes = append(l.mistakes, *mistake)
		return
	}
	doc, mistakes := yamldoc.Parse(ManifestFile, text)
	l.mistakes = append(l.mistakes, mistakes...)
	if doc == nil {
		return
	}
	if doc.Root == nil {
		l.wrong(ManifestFile, 1, 1, "the file is empty", "it needs at least name: and database: with its url:")
		return
	}
	var d yamldoc.Decoder
	d.Decode(doc, &m)
	l.project.spots = spotsOf(doc)
	l.mistakes, l.warnings = append(l.mistakes, d.Mistakes...), append(l.warnings, d.Warnings...)
	l.checkManifest(&m)
}

func (l *loading) tables() {
	l.sources = l.yamlFiles(SemanticsDir, func(s *source, d *yamldoc.Decoder) {
		if s.doc.Root == nil {
			d.Mistakes = append(d.Mistakes, Mistake{File: s.file, Line: 1, Column: 1, Message: "the file is empty", Suggestion: "it needs at least table:"})
			return
		}
		d.Decode(s.doc, &s.table)
	})
	for _, s := range l.sources {
		if s.table.Name != "" {
			l.project.Semantic.Tables = append(l.project.Semantic.Tables, s.table)
		}
	}
	slices.SortStableFunc(l.project.Semantic.Tables, func(a, b semantic.Table) int { return cmp.Compare(a.Name, b.Name) })
}

func (l *loading) examples() {
	l.asked = l.yamlFiles(ExamplesDir, func(s *source, d *yamldoc.Decoder) {
		d.Items(s.doc, func(n *yaml.Node) {
			var e semantic.Example
			d.Item(n, &e)
			s.examples, s.nodes = append(s.examples, e), append(s.nodes, n)
		})
	})
	for _, s := range l.asked {
		l.project.Semantic.Examples = append(l.project.Semantic.Examples, s.examples...)
	}
}

// yamlFiles reads the YAML files of a folder, several at a time.
func (l *loading) yamlFiles(dir string, decode func(*source, *yamldoc.Decoder)) []*source {
	names := l.list(dir, ".yaml", ".yml")
	sources := make([]*source, len(names))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(names)) {
		wg.Go(func() {
			var d yamldoc.Decoder
			for i := next.Add(1) - 1; i < int64(len(names)); i = next.Add(1) - 1 {
				d.Mistakes, d.Warnings = nil, nil
				sources[i] = l.yamlFile(names[i], &d, decode)
			}
		})
	}
	wg.Wait()
	for _, s := range sources {
		l.mistakes, l.warnings = append(l.mistakes, s.mistakes...), append(l.warnings, s.warnings...)
	}
	return sources
}

func (l *loading) yamlFile(name string, d *yamldoc.Decoder, decode func(*source, *yamldoc.Decoder)) *source {
	s := &source{file: name}
	text, mistake := l.read(name)
	if mistake != nil {
		s.mistakes = Mistakes{*mistake}
		return s
	}
	if s.doc, s.mistakes = yamldoc.Parse(name, text); s.doc == nil {
		return s
	}
	decode(s, d)
	s.mistakes, s.warnings = append(s.mistakes, d.Mistakes...), d.Warnings
	return s
}

func (l *loading) trusted() {
	rules := rulesOf(l.project.Dialect)
	named := map[string]string{}
	for _, file := range l.list(TrustedDir, ".sql") {
		text, ok := l.text(file)
		if !ok {
			continue
		}
		r := readAsset(file, text, rules)
		l.mistakes, l.warnings = append(l.mistakes, r.mistakes...), append(l.warnings, r.warnings...)
		if first := named[strings.ToLower(r.asset.Name)]; first != "" && r.asset.Name != "" {
			l.wrong(file, r.seen["name"], 1, "the name "+r.asset.Name+" is taken by "+first, "")
		}
		named[strings.ToLower(r.asset.Name)] = file
		l.project.Semantic.Assets = append(l.project.Semantic.Assets, r.asset)
	}
}

// text reads one text file that may be missing.
func (l *loading) text(name string) (string, bool) {
	if _, err := os.Lstat(filepath.Join(l.dir, filepath.FromSlash(name))); errors.Is(err, fs.ErrNotExist) {
		return "", false
	}
	raw, mistake := l.read(name)
	if mistake == nil {
		if bad, found := yamldoc.NotText(name, raw); found {
			mistake = &bad
		}
	}
	if mistake != nil {
		l.mistakes = append(l.mistakes, *mistake)
		return "", false
	}
	return strings.TrimPrefix(string(raw), "\uFEFF"), true
}

func (l *loading) texts(dir string) map[string]string {
	out := map[string]string{}
	for _, file := range l.list(dir, ".md") {
		if text, ok := l.text(file); ok {
			out[strings.TrimSuffix(path.Base(file), ".md")] = text
		}
	}
	return out
}

// list names the files of a folder with one of the suffixes, sorted. Hidden
// files and editors' copies are passed over.
func (l *loading) list(dir string, suffixes ...string) []string {
	full := filepath.Join(l.dir, dir)
	info, err := os.Lstat(full)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		l.wrong(dir, 0, 0, "this is a symbolic link; a project's files are read only where they are", "move the folder here")
		return nil
	}
	if err == nil && !info.IsDir() {
		l.wrong(dir, 0, 0, "this is a file; a folder is wanted", "")
		return nil
	}
	entries, err := os.ReadDir(full)
	if err != nil {
		l.wrong(dir, 0, 0, "cannot be listed: "+reason(err), "")
		return nil
	}
	if len(entries) > maxFiles {
		l.wrong(dir, 0, 0, "the folder holds too many files to be a project's", "")
		return nil
	}
	var names []string
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		switch {
		case strings.HasPrefix(e.Name(), "."):
		case e.IsDir():
			l.warn(name, 0, 0, "a folder inside "+dir+" is not read", "move its files up")
		case slices.Contains(suffixes, path.Ext(e.Name())):
			names = append(names, name)
		}
	}
	return names
}

// read reads a file and keeps its fingerprint.
func (l *loading) read(name string) ([]byte, *Mistake) {
	text, mistake := read(l.dir, name)
	if mistake == nil {
		l.mu.Lock()
		l.project.prints[name] = Fingerprint(text)
		l.mu.Unlock()
	}
	return text, mistake
}

// read reads one regular file of the project, never through a link: a link
// could lead to the held-out benchmark, or out of the project.
func read(dir, name string) ([]byte, *Mistake) {
	full := filepath.Join(dir, filepath.FromSlash(name))
	info, err := os.Lstat(full)
	switch {
	case err != nil:
		return nil, &Mistake{File: name, Message: "cannot be read: " + reason(err)}
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, &Mistake{File: name, Message: "this is a symbolic link; a project's files are read only where they are", Suggestion: "copy the file here"}
	case !info.Mode().IsRegular():
		return nil, &Mistake{File: name, Message: "this is not a file"}
	case info.Size() > yamldoc.MaxBytes:
		return nil, &Mistake{File: name, Message: yamldoc.TooLarge}
	}
	raw, err := os.ReadFile(full)
	if err != nil {
		return nil, &Mistake{File: name, Message: "cannot be read: " + reason(err)}
	}
	return raw, nil
}

// reason is an error without the path, which stands before it anyway.
func reason(err error) string {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		return pathErr.Err.Error()
	}
	return err.Error()
}
