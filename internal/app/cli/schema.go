package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/sqbyl/sqbyl/internal/app/survey"
	"github.com/sqbyl/sqbyl/internal/app/workbench"
	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/toolkit/joins"
)

type schemaOptions struct {
	url  string
	json jsonFlag
}

func newSchema(p *Program) *cobra.Command {
	var o schemaOptions
	cmd := &cobra.Command{
		Use: "schema [URL]", Short: "Show the tables of a database, free", Args: atMost(1, "one database URL"),
		Example: "  sqbyl schema sqlite:shop.db\n  sqbyl schema postgres://reader@db/shop --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				o.url = args[0]
			}
			return runSchema(cmd.Context(), p, o)
		},
	}
	o.json.add(cmd)
	return cmd
}

func runSchema(ctx context.Context, p *Program, o schemaOptions) (err error) {
	wb, err := workbench.Open(p.Host, workbench.Options{Database: o.url})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, wb.Close()) }()
	schema, found, err := survey.Look(ctx, p.Streams, wb, quick)
	if err != nil {
		return err
	}
	trouble, err := survey.Trouble(ctx, p.Streams, wb)
	if err != nil {
		return err
	}
	if o.json.on {
		return writeJSON(p.Streams.Out, struct {
			Database string `json:"database"`
			catalog.Schema
			Joins    []joins.Candidate `json:"found_joins"`
			Notes    []string          `json:"notes"`
			Warnings []string          `json:"warnings"`
		}{wb.Location(), schema, append([]joins.Candidate{}, found.Candidates...), append([]string{}, found.Notes...), trouble})
	}
	_, err = fmt.Fprint(p.Streams.Out, survey.Schema(p.Streams, schema, found))
	return err
}

// quick bounds the look for joins of a command that only shows something.
var quick = joins.Bounds{Rows: 2000, Values: 100, Statement: time.Second, Total: 3 * time.Second}
