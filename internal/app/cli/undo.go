package cli

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/toolkit/edit"
	"github.com/sqbyl/sqbyl/internal/toolkit/project"
)

func newUndo(p *Program) *cobra.Command {
	var json jsonFlag
	cmd := &cobra.Command{
		Use: "undo", Short: "Take back the newest change to the project's files", Args: exactly(0, "no argument"),
		Long: "Gives the files that sqbyl has changed last the bytes they held before; once more takes back the change before that one.\n" +
			"A file that somebody has changed since stays as it is, and nothing is taken back.",
		RunE: func(*cobra.Command, []string) error { return runUndo(p, json.on) },
	}
	json.add(cmd)
	return cmd
}

// runUndo needs no project that loads: the change may be what broke it.
func runUndo(p *Program, asJSON bool) error {
	dir, err := project.Find(p.Host.Dir)
	if err != nil {
		return err
	}
	undone, err := edit.Undo(dir)
	var changed *edit.ChangedError
	if errors.As(err, &changed) {
		return fmt.Errorf("%s has been changed since by somebody else, so nothing was taken back", changed.File)
	}
	none := errors.Is(err, edit.ErrNothingToUndo)
	if err != nil && !(none && asJSON) {
		return err
	}
	if asJSON {
		doc := struct {
			Undone bool       `json:"undone"`
			Title  string     `json:"title"`
			At     *time.Time `json:"at"`
			Files  []string   `json:"files"`
		}{!none, undone.Title, &undone.At, append([]string{}, undone.Files...)}
		if none {
			doc.At = nil
		}
		if err := writeJSON(p.Streams.Out, doc); err != nil || !none {
			return err
		}
		return errShown
	}
	style := p.Streams.Style
	_, err = fmt.Fprintf(p.Streams.Out, "%s taken back: %s (of %s)\n  restored: %s\n", style.Good(style.OK), term.Clean(undone.Title),
		undone.At.Local().Format("2006-01-02 15:04"), term.Clean(strings.Join(undone.Files, ", ")))
	return err
}
