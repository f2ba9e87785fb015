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
		known = append(known, p.name)
		if !w.asks(p) {
			continue
		}
		variables = append(variables, p.keyVar)
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
	mistakes = append(mistakes, w.modelNames(known)...)
	if len(mistakes) > 0 {
		mistakes.Sort()
		return mistakes
	}
	return nil
}

// asks tells whether the project's models are of a provider: another's variable
// may be meant for another program.
func (w *Workbench) asks(p provider) bool {
	for _, role := range project.Roles() {
		name := w.project.Manifest.Model.For(role)
		if name == "" {
			name = DefaultModel
		}
		if m, err := ParseModel(name, w.fallback()); err == nil && strings.EqualFold(m.Provider, p.name) {
			return true
		}
	}
	_, misspelled := providerOf(w.fallback())
	return misspelled != nil || strings.EqualFold(w.fallback(), p.name)
}

// modelNames reports PROVIDER:MODEL whose provider misses one by a letter.
// Where model ids have colons of their own, what stands before one says nothing.
func (w *Workbench) modelNames(known []string) (mistakes project.Mistakes) {
	m := w.project.Manifest.Model
	if endpoint, err := providerOf(w.fallback()); err != nil || endpoint.keyless || m.BaseURL != "" {
		return nil
	}
	own := map[string]string{"default": m.Default}
	for _, role := range project.Roles() {
		own[string(role)+"_model"] = m.For(role)
	}
	for key, name := range own {
		line, column := w.project.Place("model." + key)
		first, _, found := strings.Cut(name, ":")
		near := yamldoc.OneLetter(first, known)
		if line == 0 || !found || len(near) != 1 {
			continue
		}
		if _, err := providerOf(first); err == nil { // in another case
			continue
		}
		mistakes = append(mistakes, project.Mistake{File: project.ManifestFile, Line: line, Column: column, Message: "there is no provider " + first, Suggestion: "did you mean " + near[0] + ":?"})
	}
	return mistakes
}
