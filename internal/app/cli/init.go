package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sqbyl/sqbyl/internal/app/notice"
	"github.com/sqbyl/sqbyl/internal/app/survey"
	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/app/workbench"
)

type initOptions struct {
	url, name string
	json      jsonFlag
}

func newInit(p *Program) *cobra.Command {
	var o initOptions
	cmd := &cobra.Command{
		Use: "init [URL [NAME]]", Short: "Make a project about a database, free", Args: atMost(2, "a database URL and a name"),
		Long: "Connects, reads the schema, profiles the columns and looks for joins, all with read-only SQL and without a model,\n" +
			"and writes a project of plain files into ./NAME, which must be empty or not there. NAME is what the database is called.\n" +
			"The URL goes into NAME/.env, which git ignores. Without a URL the one in DATABASE_URL is taken, or you are asked.",
		Example: "  sqbyl init postgres://reader@db/shop\n  sqbyl init sqlite:shop.db sales",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				o.url = args[0]
			}
			if len(args) > 1 {
				o.name = args[1]
			}
			return runInit(cmd.Context(), p, o)
		},
	}
	o.json.add(cmd)
	return cmd
}

func runInit(ctx context.Context, p *Program, o initOptions) (err error) {
	if o.url == "" {
		if o.url, err = askURL(ctx, p); err != nil {
			return err
		}
	}
	dir, err := p.Host.Place(o.url, o.name)
	if err != nil {
		return placed(err)
	}
	wb, err := workbench.Open(p.Host, workbench.Options{Database: o.url})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, wb.Close()) }()
	say := func(what, text string) {
		if !o.json.on {
			p.Streams.Status("")
			fmt.Fprintf(p.Streams.Out, "%s %-9s  %s\n", p.Streams.Style.Accent(p.Streams.Style.Step), what, term.Wrap(term.Clean(text), p.Streams.Width, 13, 13))
		}
	}
	out, err := survey.Start(ctx, p.Streams, wb, dir, say)
	if err != nil {
		return placed(err)
	}
	if err := notice.Credential(ctx, p.Streams, wb); err != nil {
		return err
	}
	if o.json.on {
		return writeJSON(p.Streams.Out, out)
	}
	_, err = fmt.Fprint(p.Streams.Out, out.Render(p.Streams, p.Host.Dir))
	return err
}

// placed says what to do about a folder that is taken.
func placed(err error) error {
	var taken *workbench.PlaceError
	if errors.As(err, &taken) {
		return &usageError{message: taken.Error(), hint: "name another folder: sqbyl init URL NAME"}
	}
	return err
}

// askURL finds a database when the command line names none.
func askURL(ctx context.Context, p *Program) (string, error) {
	if url := p.Host.DatabaseVariable(); url != "" {
		return url, nil
	}
	url, err := p.Streams.Ask(ctx, "database URL (postgres://…, mysql://…, sqlite:path, duckdb:path)")
	switch {
	case errors.Is(err, term.ErrNoTerminal), err == nil && url == "":
		return "", &usageError{message: "sqbyl init needs a database URL", hint: "usage: sqbyl init URL [NAME]"}
	case err != nil:
		return "", err
	}
	return url, nil
}
