package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sqbyl/sqbyl/internal/app/workbench"
	"github.com/sqbyl/sqbyl/internal/engine/prompt"
	"github.com/sqbyl/sqbyl/internal/toolkit/project"
)

type promptsOptions struct {
	name string
	json jsonFlag
}

func newPrompts(p *Program) *cobra.Command {
	var o promptsOptions
	cmd := &cobra.Command{
		Use: "prompts [NAME]", Short: "Show the texts that models are sent", Args: atMost(1, "the name of one prompt"),
		Long: "Lists the product's prompts, or prints one. A project overrides one with prompts/NAME.md, which starts with its version:\n" +
			"three lines, \"---\", \"version: 1\", \"---\". The version is part of the hash that answers are traced by.",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 {
				o.name = args[0]
			}
			return runPrompts(p, o)
		},
	}
	o.json.add(cmd)
	return cmd
}

type promptEntry struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Own     bool   `json:"own"` // the project's
	Text    string `json:"text"`
}

func runPrompts(p *Program, o promptsOptions) error {
	own := map[string]string{}
	wb, err := workbench.Open(p.Host, workbench.Options{})
	switch {
	case err == nil:
		own = wb.Project().Prompts
		err = wb.Close()
	case errors.Is(err, project.ErrNoProject):
		err = nil
	}
	if err != nil {
		return err
	}
	if o.name != "" && !slices.Contains(prompt.Names(), o.name) {
		return unknown("prompt", o.name, prompt.Names())
	}

	var list []promptEntry
	for _, name := range prompt.Names() {
		text, err := prompt.Load(name, own)
		if err != nil {
			return err
		}
		_, isOwn := own[name]
		list = append(list, promptEntry{name, text.Version, isOwn, text.Body})
	}
	if o.name != "" {
		list = slices.DeleteFunc(list, func(e promptEntry) bool { return e.Name != o.name })
	}
	if o.json.on {
		return writeJSON(p.Streams.Out, struct {
			Prompts []promptEntry `json:"prompts"`
		}{list})
	}
	if o.name != "" {
		_, err := fmt.Fprintf(p.Streams.Out, "---\nversion: %s\n---\n%s", list[0].Version, list[0].Text)
		return err
	}
	var b strings.Builder
	for _, e := range list {
		whose := "built in"
		if e.Own {
			whose = "prompts/" + e.Name + ".md"
		}
		fmt.Fprintf(&b, "  %-10s version %-8s %s\n", e.Name, e.Version, p.Streams.Style.Dim(whose))
	}
	_, err = fmt.Fprint(p.Streams.Out, b.String())
	return err
}
