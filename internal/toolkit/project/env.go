package project

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/dialect"
	"github.com/sqbyl/sqbyl/internal/toolkit/project/yamldoc"
)

const envPrefix = "env:"

// Origin says where a value comes from.
type Origin uint8

// The origins.
const (
	Nowhere     Origin = iota
	Environment        // of the process
	InProject          // a file of the project: sqbyl.yaml or .env
)

// Lookup finds a variable in the environment: os.LookupEnv in the product.
type Lookup func(name string) (string, bool)

// Variable is the value of a variable. The environment goes before .env; an
// empty value counts as unset.
func (p *Project) Variable(env Lookup, name string) (string, Origin) {
	if v, ok := env(name); ok && v != "" {
		return v, Environment
	}
	if v := p.env[name]; v != "" {
		return v, InProject
	}
	return "", Nowhere
}

// UnsetError is a setting env:NAME whose variable is not set.
type UnsetError struct {
	Setting string // "database.url"
	Name    string // the variable
	Place   string // file:line:column
}

func (e *UnsetError) Error() string {
	return fmt.Sprintf("%s  %s is env:%s, and %s is not set; set it in the environment or in .env beside %s",
		e.Place, e.Setting, e.Name, e.Name, ManifestFile)
}

// resolve reads a setting: env:NAME or the value itself.
func (p *Project) resolve(env Lookup, setting, value string) (string, Origin, error) {
	name, ok := strings.CutPrefix(value, envPrefix)
	if !ok {
		if value == "" {
			return "", Nowhere, nil
		}
		return value, InProject, nil
	}
	v, from := p.Variable(env, name)
	if from == Nowhere {
		line, column := p.spots.place(setting)
		return "", Nowhere, &UnsetError{setting, name, Mistake{File: ManifestFile, Line: line, Column: column}.Place()}
	}
	return v, from, nil
}

// DatabaseURL is where the project's database is, ready to be opened: the
// variable replaced, a relative path of a file made absolute.
func (p *Project) DatabaseURL(env Lookup) (string, error) {
	url, _, err := p.resolve(env, "database.url", p.Manifest.Database.URL)
	if err != nil {
		return "", err
	}
	scheme, path, hasScheme := strings.Cut(url, ":")
	if !hasScheme || len(scheme) < 2 {
		if filepath.IsAbs(url) {
			return url, nil
		}
		return filepath.Join(p.Dir, url), nil
	}
	d, ok := dialect.ByScheme(scheme)
	if !ok || d.Name != dialect.SQLite && d.Name != dialect.DuckDB {
		return url, nil
	}
	path = strings.TrimPrefix(path, "//")
	if path == "" || strings.HasPrefix(path, ":") || filepath.IsAbs(path) {
		return url, nil
	}
	return scheme + ":" + filepath.Join(p.Dir, path), nil
}

// OTLP is the address of the collector that traces go to, "" for none.
func (p *Project) OTLP(env Lookup) (string, error) {
	url, _, err := p.resolve(env, "traces.otlp", p.Manifest.Traces.OTLP)
	return url, err
}

// Access is a key and an address for a model provider; both may be empty.
type Access struct {
	Key     string
	BaseURL string
}

// ForeignKeyError refuses to send a key of the environment to an address that
// a project names: a project from elsewhere could collect keys that way.
type ForeignKeyError struct {
	BaseURL string
	Place   string
}

func (e *ForeignKeyError) Error() string {
	return fmt.Sprintf("%s  the address %s comes from this project, but the key from the environment: a key is not sent to an address that a project names; "+
		"put the key into .env beside %s, or set the address in the environment", e.Place, e.BaseURL, ManifestFile)
}

// ModelAccess resolves api_key and base_url. Where the manifest has none, the
// variables keyVar and urlVar are taken, "" for none.
func (p *Project) ModelAccess(env Lookup, keyVar, urlVar string) (Access, error) {
	m := p.Manifest.Model
	key, keyFrom, err := p.setting(env, "model.api_key", m.APIKey, keyVar)
	if err != nil {
		return Access{}, err
	}
	base, baseFrom, err := p.setting(env, "model.base_url", m.BaseURL, urlVar)
	if err != nil {
		return Access{}, err
	}
	if baseFrom == InProject && keyFrom == Environment {
		line, column := p.spots.place("model.base_url")
		file := ManifestFile
		if line == 0 {
			file = EnvFile
		}
		return Access{}, &ForeignKeyError{base, Mistake{File: file, Line: line, Column: column}.Place()}
	}
	return Access{key, base}, nil
}

func (p *Project) setting(env Lookup, setting, value, variable string) (string, Origin, error) {
	if value != "" {
		return p.resolve(env, setting, value)
	}
	if variable == "" {
		return "", Nowhere, nil
	}
	v, from := p.Variable(env, variable)
	return v, from, nil
}

// environment reads .env: NAME=value lines, "#" comments, an optional
// "export", values in single or double quotes.
func (l *loading) environment() {
	text, ok := l.text(EnvFile)
	if !ok {
		return
	}
	l.project.env, l.project.envSpots = map[string]string{}, map[string]point{}
	for i, line := range strings.Split(text, "\n") {
		at := point{i + 1, 1 + len(line) - len(strings.TrimLeft(line, " \t"))}
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		assignment, exported := strings.CutPrefix(line, "export ")
		if exported {
			at.column += len(line) - len(strings.TrimLeft(assignment, " \t"))
		}
		name, value, ok := strings.Cut(assignment, "=")
		name = strings.TrimSpace(name)
		if !ok || !isWord(name) {
			l.wrong(EnvFile, i+1, 1, "this line is not NAME=value", "")
			continue
		}
		l.project.env[name], l.project.envSpots[name] = unquoted(strings.TrimSpace(value)), at
	}
}

// Misnamed reports names of variables that miss another's by a letter: those
// that the manifest reads and that are set nowhere, against the known ones; and
// those of .env that nothing reads, against those that are read and set
// nowhere. A number behind a name makes it another one.
func (p *Project) Misnamed(env Lookup, known []string) Mistakes {
	var mistakes Mistakes
	read := slices.Clone(known)
	wanted := map[string]string{} // what is read and not set, with its place in the manifest
	want := func(name, place string) {
		read = append(read, name)
		if _, from := p.Variable(env, name); from == Nowhere {
			wanted[name] = place
		}
	}
	for _, name := range known {
		want(name, "")
	}
	m := p.Manifest
	for setting, value := range map[string]string{"database.url": m.Database.URL, "model.api_key": m.Model.APIKey, "model.base_url": m.Model.BaseURL, "traces.otlp": m.Traces.OTLP} {
		name, ok := strings.CutPrefix(value, envPrefix)
		if !ok {
			continue
		}
		line, column := p.spots.place(setting)
		at := Mistake{File: ManifestFile, Line: line, Column: column, Message: "no variable " + name + " is set"}
		_, inFile := p.env[name]
		_, from := p.Variable(env, name)
		if near := missed(name, known); near != "" && from == Nowhere && !inFile {
			at.Suggestion = "did you mean env:" + near + "?"
			mistakes = append(mistakes, at)
			continue
		}
		want(name, "; "+at.Place()+" reads it")
	}
	for name, at := range p.envSpots {
		if slices.Contains(read, name) {
			continue
		}
		free := slices.DeleteFunc(slices.Sorted(maps.Keys(wanted)), func(w string) bool { _, there := p.env[w]; return there })
		if near := missed(name, free); near != "" {
			mistakes = append(mistakes, Mistake{
				File: EnvFile, Line: at.line, Column: at.column, Message: "nothing reads the variable " + name, Suggestion: "did you mean " + near + "?" + wanted[near],
			})
		}
	}
	mistakes.Sort()
	return mistakes
}

// missed is the one known name that name misses by a letter, "" for none.
func missed(name string, known []string) string {
	near := yamldoc.OneLetter(name, known)
	if len(near) != 1 || strings.TrimRight(name, "0123456789") != name {
		return ""
	}
	return near[0]
}

func unquoted(value string) string {
	if len(value) >= 2 && (value[0] == '"' || value[0] == '\'') && value[len(value)-1] == value[0] {
		return value[1 : len(value)-1]
	}
	if i := strings.Index(value, " #"); i >= 0 {
		return strings.TrimSpace(value[:i])
	}
	return value
}
