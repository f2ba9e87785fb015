package project

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/prompt"
	"github.com/sqbyl/sqbyl/internal/toolkit/project/yamldoc"
)

// checkPrompts reports a file of prompts/ that takes the place of none, and a
// head that is not the one it needs.
func (l *loading) checkPrompts() {
	for _, name := range slices.Sorted(maps.Keys(l.project.Prompts)) {
		file := PromptsDir + "/" + name + ".md"
		if !slices.Contains(prompt.Names(), name) {
			suggestion := yamldoc.DidYouMean(name, prompt.Names())
			if suggestion == "" {
				suggestion = "known here: " + strings.Join(prompt.Names(), ", ")
			}
			l.wrong(file, 0, 0, "there is no prompt of this name", suggestion)
		}
		_, err := prompt.Load(name, l.project.Prompts)
		if err == nil {
			continue
		}
		head := strings.SplitN(l.project.Prompts[name], "\n", 3)
		key, _, isKey := "", "", false
		if len(head) == 3 && strings.TrimSpace(head[0]) == "---" {
			key, _, isKey = strings.Cut(head[1], ":")
		}
		if isKey && key != "version" {
			l.wrong(file, 2, 1, fmt.Sprintf("unknown key %q", clip([]byte(key))), "did you mean version?")
			continue
		}
		l.wrong(file, 1, 1, "the file does not start with its version", "three lines: ---, version: 1, ---")
	}
}
