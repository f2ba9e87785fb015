package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sqbyl/sqbyl/internal/app/survey"
	"github.com/sqbyl/sqbyl/internal/app/workbench"
)

type introspectOptions struct {
	tables       []string
	sync, dryRun bool
	json         jsonFlag
}

func newIntrospect(p *Program) *cobra.Command {
	var o introspectOptions
	cmd := &cobra.Command{
		Use: "introspect [TABLE...]", Short: "Draft semantics files from the database, free",
		Long: "Reads the schema and drafts a semantics file for each table that has none: types, keys, allowed values, comments,\n" +
			"and joins, declared ones and those that names and data give away. Files that exist are left alone.\n\n" +
			"With --sync the files follow a database that has changed: new tables and columns are added, types and other facts\n" +
			"that the database states are put right, what is gone is reported and stays. Nothing else in a file is touched. A table or column that was taken out by hand\n" +
			"stays out until its table is named.",
		Example: "  sqbyl introspect\n  sqbyl introspect --sync --dry-run",
		RunE: func(cmd *cobra.Command, args []string) error {
			o.tables = args
			return runIntrospect(cmd.Context(), p, o)
		},
	}
	cmd.Flags().BoolVar(&o.sync, "sync", false, "merge what the database has changed into the files")
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "show what would be written and write nothing")
	o.json.add(cmd)
	return cmd
}

func runIntrospect(ctx context.Context, p *Program, o introspectOptions) (err error) {
	wb, err := workbench.Open(p.Host, workbench.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, wb.Close()) }()
	out, err := survey.Introspect(ctx, p.Streams, wb, survey.Merging{Sync: o.sync, DryRun: o.dryRun, Tables: o.tables})
	var unknown *survey.UnknownTableError
	if errors.As(err, &unknown) {
		return &usageError{message: unknown.Error(), hint: nearestHint(unknown.Near)}
	}
	if err != nil {
		return err
	}
	if o.json.on {
		return writeJSON(p.Streams.Out, out)
	}
	_, err = fmt.Fprint(p.Streams.Out, out.Render(p.Streams))
	return err
}

func nearestHint(near []string) string {
	if len(near) == 0 {
		return "sqbyl schema shows the tables"
	}
	return "did you mean " + strings.Join(near, " or ") + "?"
}
