package workbench

import (
	"github.com/sqbyl/sqbyl/internal/engine/values"
	"github.com/sqbyl/sqbyl/internal/toolkit/profile"
)

// Values finds stored values by what people call them: those the project's
// files hold and those its last profile has seen. Without a project, and
// where value matching is off, it is empty.
func (w *Workbench) Values() (*values.Index, error) {
	if w.project == nil || !w.project.Manifest.Selection.ValueMatching {
		return values.Build(nil), nil
	}
	entries, err := profile.LoadValues(w.project.Dir, w.project.Semantic, w.project.Manifest.Profile.AllowValues)
	if err != nil {
		return nil, err
	}
	return values.Build(entries), nil
}
