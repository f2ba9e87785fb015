// Package prompt compiles what a model is sent: a prefix that is the same
// byte for byte as long as the selection is, so that a provider can cache it,
// and a suffix with everything that depends on the question.
package prompt

import (
	"embed"
	"fmt"
	"strings"
)

// The built-in prompts. Each starts with its version, which is part of the
// hash of every prompt compiled from it.
//
//go:embed prompts/*.md
var files embed.FS

// Text is one prompt text: its name, its version and its body, in which
// {{words}} are replaced.
type Text struct {
	Name    string
	Version string
	Body    string
}

// Names of the built-in texts.
const (
	Direct = "direct"
	Repair = "repair"
)

// Names lists the texts.
func Names() []string { return []string{Direct, Repair} }

// Load is the text of a name: a project's own where it has one, by name, else
// the built-in one.
func Load(name string, own map[string]string) (Text, error) {
	if raw, ok := own[name]; ok {
		return Parse(name, raw)
	}
	return Builtin(name)
}

// Builtin is the built-in text of a name.
func Builtin(name string) (Text, error) {
	raw, err := files.ReadFile("prompts/" + name + ".md")
	if err != nil {
		return Text{}, fmt.Errorf("there is no prompt called %q", name)
	}
	return Parse(name, string(raw))
}

// Parse reads a prompt file: its version between two lines of dashes, then
// the body.
func Parse(name, raw string) (Text, error) {
	raw = strings.ReplaceAll(raw, "\r\n", "\n")
	head, found := strings.CutPrefix(raw, "---\nversion: ")
	version, body, closed := strings.Cut(head, "\n---\n")
	if !found || !closed || strings.TrimSpace(version) == "" || strings.Contains(version, "\n") {
		return Text{}, fmt.Errorf("prompt %s does not start with its version (three lines: ---, version: 1, ---)", name)
	}
	return Text{Name: name, Version: strings.TrimSpace(version), Body: strings.TrimSpace(body) + "\n"}, nil
}

// fill replaces {{key}} for each pair of key and value, and nothing inside
// the values.
func (t Text) fill(pairs ...string) string {
	for i := 0; i < len(pairs); i += 2 {
		pairs[i] = "{{" + pairs[i] + "}}"
	}
	return strings.NewReplacer(pairs...).Replace(t.Body)
}
