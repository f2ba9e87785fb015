package edit

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	udiff "github.com/aymanbagabas/go-udiff"

	"github.com/sqbyl/sqbyl/internal/toolkit/bench"
	"github.com/sqbyl/sqbyl/internal/toolkit/edit/splice"
	"github.com/sqbyl/sqbyl/internal/toolkit/project"
	"github.com/sqbyl/sqbyl/semantic"
)

// ChangedError refuses to touch a file that is not as it was read.
type ChangedError struct{ File string }

func (e *ChangedError) Error() string {
	return "change " + e.File + ": it has been changed on disk since it was read; load the project again"
}

// Change is what becomes of one file.
type Change struct {
	File   string
	Before []byte // nil for a file that is not there yet
	After  []byte
}

// Diff shows a change line by line, "" when there is none.
func (c Change) Diff() string {
	return udiff.Unified(c.File, c.File, string(c.Before), string(c.After))
}

// Plan is what edits do to the files of a project.
type Plan struct {
	Title   string
	Changes []Change // by file, those only that change something
	dir     string
}

// NewPlan works out what edits do to the project, one after another, and
// writes nothing. A file that has changed on disk since p was loaded gives a
// *ChangedError, one whose layout cannot be followed a *splice.Refusal.
func NewPlan(p *project.Project, edits ...Edit) (*Plan, error) {
	w := &planning{p: p, files: map[string]*Change{}, placed: map[string]string{}, assets: slices.Clone(p.Semantic.Assets)}
	title := ""
	for _, e := range edits {
		if err := w.edit(e); err != nil {
			return nil, fmt.Errorf("%s: %w", e.Title(), err)
		}
		if title == "" {
			title = e.Title()
		}
	}
	if c := w.files[project.DevFile]; c != nil {
		// An edit behind the question's may have added what its gold names.
		if _, err := bench.ParseOwn(bytes.NewReader(c.After), c.File, w.assets); err != nil {
			return nil, fmt.Errorf("%s: %w", title, err)
		}
	}
	if len(edits) > 1 {
		title = fmt.Sprintf("%s and %d more", title, len(edits)-1)
	}
	plan := &Plan{Title: title, dir: p.Dir}
	slices.Sort(w.order)
	for _, name := range w.order {
		if c := w.files[name]; string(c.Before) != string(c.After) {
			plan.Changes = append(plan.Changes, *c)
		}
	}
	return plan, nil
}

// planning is one run of NewPlan.
type planning struct {
	p      *project.Project
	files  map[string]*Change
	order  []string
	placed map[string]string // table → file, of tables created here
	assets []semantic.Asset  // of the project and added
}

func (w *planning) edit(e Edit) error {
	switch e := e.(type) {
	case PutTable:
		return w.putTable(e.Table)
	case tableEdit:
		return w.table(e.table(), func(t *semantic.Table) error { return e.change(t, w.p) })
	case PutExample:
		return w.putExample(e)
	case DropExample:
		return w.dropExample(e)
	case instructionEdit:
		return w.instructions(e)
	case AddAsset:
		return w.addAsset(e.Asset)
	case PutQuestion:
		return w.questions(func(qs []bench.Question) ([]bench.Question, error) { return putQuestion(qs, e.Question) })
	case DropQuestion:
		return w.questions(func(qs []bench.Question) ([]bench.Question, error) { return dropQuestion(qs, e.ID) })
	}
	return fmt.Errorf("%T is not an edit", e)
}

// open gives the file as the edits so far leave it; a file that is not there
// is empty.
func (w *planning) open(name string) (*Change, error) {
	if c := w.files[name]; c != nil {
		return c, nil
	}
	if !project.Writable(name) {
		return nil, fmt.Errorf("change %s: %w", name, project.ErrNotWritable)
	}
	c := &Change{File: name}
	text, err := project.ReadFile(w.p.Dir, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if w.p.FileRead(name) != "" {
			return nil, &ChangedError{name}
		}
	case err != nil:
		return nil, err
	case name != project.DevFile && w.p.FileRead(name) != project.Fingerprint(text):
		return nil, &ChangedError{name}
	default:
		c.Before = append([]byte{}, text...)
	}
	c.After = c.Before
	w.files[name], w.order = c, append(w.order, name)
	return c, nil
}

// table changes one table's file.
func (w *planning) table(name string, change func(*semantic.Table) error) error {
	file := w.placed[name]
	if file == "" {
		file = w.p.TableFile(name)
	}
	if file == "" {
		return &UnknownError{"table", name, w.tables()}
	}
	c, err := w.open(file)
	if err != nil {
		return err
	}
	var t semantic.Table
	if err := splice.Read(file, c.After, &t); err != nil {
		return err
	}
	t = clone(t)
	if err := change(&t); err != nil {
		return err
	}
	return rewrite(c, t)
}

func rewrite(c *Change, want any) error {
	after, err := splice.Rewrite(c.File, c.After, want)
	if err == nil {
		c.After = after
	}
	return err
}

func (w *planning) tables() []string {
	var names []string
	for _, t := range w.p.Semantic.Tables {
		names = append(names, t.Name)
	}
	return names
}

func (w *planning) putTable(t semantic.Table) error {
	if w.p.TableFile(t.Name) != "" || w.placed[t.Name] != "" {
		return w.table(t.Name, func(old *semantic.Table) error { *old = t; return nil })
	}
	c, err := w.fresh(project.SemanticsDir, project.FileStem(t.Name), ".yaml", project.SchemaLine("semantics"))
	if err != nil {
		return err
	}
	w.placed[t.Name] = c.File
	return rewriteNew(c, t)
}

// rewriteNew fills a file that holds a comment only.
func rewriteNew(c *Change, want any) error {
	text, err := splice.New(want)
	if err == nil {
		c.After = append(c.After, text...)
	}
	return err
}

// fresh opens a file that is not there yet, beginning with a head.
func (w *planning) fresh(dir, stem, suffix, head string) (*Change, error) {
	for i := 1; i < 100; i++ {
		name := dir + "/" + stem + suffix
		if i > 1 {
			name = fmt.Sprintf("%s/%s-%d%s", dir, stem, i, suffix)
		}
		if _, err := os.Lstat(filepath.Join(w.p.Dir, filepath.FromSlash(name))); !errors.Is(err, fs.ErrNotExist) || w.files[name] != nil {
			continue
		}
		c, err := w.open(name)
		if err != nil {
			return nil, err
		}
		c.After = []byte(head)
		return c, nil
	}
	return nil, fmt.Errorf("no free name for %s in %s", stem, dir)
}

func (w *planning) addAsset(a semantic.Asset) error {
	for _, other := range w.assets {
		if other.Name == a.Name {
			return &TakenError{"trusted query", a.Name}
		}
	}
	if err := project.CheckAsset(a, w.p.Dialect); err != nil {
		return err
	}
	w.assets = append(w.assets, a)
	_, err := w.fresh(project.TrustedDir, project.FileStem(a.Name), ".sql", project.AssetText(a))
	return err
}
