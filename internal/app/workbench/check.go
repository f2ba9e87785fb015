package workbench

import (
	"strings"

	"github.com/sqbyl/sqbyl/internal/toolkit/project"
	"github.com/sqbyl/sqbyl/internal/toolkit/project/yamldoc"
)

// check looks for what is wrong in a project beside its own rules: names that
// only the clients and the environment know.
func (w *Workbench) check() error {
	var known, variables []string
	for _, p := range providers() {
		known, variables = append(known, p.name), append(variables, p.keyVar)
		if p.baseVar != "" {
			variables = append(variables, p.baseVar)
		}
	}
	mistakes := w.project.Misnamed(w.host.Env, variables)
	if name := w.project.Manifest.Model.Provider; name != "" {
		if _, err := providerOf(name); err != nil {
			line, column := w.project.Place("model.provider")
			suggestion := yamldoc.DidYouMean(name, known)
			if suggestion == "" {
				suggestion = "known here: " + strings.Join(known, ", ")
			}
			mistakes = append(mistakes, project.Mistake{File: project.ManifestFile, Line: line, Column: column, Message: "there is no provider " + name, Suggestion: suggestion})
		}
	}
	if len(mistakes) > 0 {
		return mistakes
	}
	return nil
}
