package workbench

import (
	"context"
	"strings"
	"time"

	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/toolkit/introspect"
	"github.com/sqbyl/sqbyl/internal/toolkit/joins"
	"github.com/sqbyl/sqbyl/internal/toolkit/profile"
	"github.com/sqbyl/sqbyl/semantic"
)

// Joins finds joins that the database does not declare. What the project
// keeps from being read is not read for it.
func (w *Workbench) Joins(ctx context.Context, b joins.Bounds) (joins.Found, error) {
	database, err := w.Database(ctx)
	if err != nil {
		return joins.Found{}, err
	}
	schema, err := w.Schema(ctx)
	if err != nil {
		return joins.Found{}, err
	}
	kept := w.unread()
	b.Skip = func(t catalog.Table, column string) bool {
		name := strings.ToLower(introspect.Name(t.Schema, t.Name, schema.DefaultSchema))
		return kept[name] || kept[name+"\x00"+strings.ToLower(column)]
	}
	return joins.Find(ctx, database, schema, b)
}

// Profile measures the tables of the project, all of them without one, under
// the project's limits.
func (w *Workbench) Profile(ctx context.Context, progress func(done, total int, table string)) (*profile.Report, error) {
	database, err := w.Database(ctx)
	if err != nil {
		return nil, err
	}
	schema, err := w.Schema(ctx)
	if err != nil {
		return nil, err
	}
	var model semantic.Model
	o := profile.Options{Progress: progress}
	if p := w.project; p != nil {
		model = p.Semantic
		o.MaxRows, o.Allow = p.Manifest.Profile.MaxRows, p.Manifest.Profile.AllowValues
		o.Timeout = time.Duration(p.Manifest.Defaults.Timeout)
	}
	return profile.Run(ctx, database, schema, model, o)
}

// unread are the tables and columns with "profile: false", under both names
// of a table that stands in the default schema.
func (w *Workbench) unread() map[string]bool {
	kept := map[string]bool{}
	if w.project == nil {
		return kept
	}
	for _, t := range w.project.Semantic.Tables {
		name := strings.ToLower(t.Name)
		names := []string{name}
		if w.schema != nil {
			if rest, ok := strings.CutPrefix(name, strings.ToLower(w.schema.DefaultSchema)+"."); ok {
				names = append(names, rest)
			}
		}
		for _, name := range names {
			kept[name] = kept[name] || t.NoProfile
			for _, c := range t.Columns {
				if c.NoProfile {
					kept[name+"\x00"+strings.ToLower(c.Name)] = true
				}
			}
		}
	}
	return kept
}
