package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sqbyl/sqbyl/internal/app/survey"
	"github.com/sqbyl/sqbyl/internal/app/workbench"
	"github.com/sqbyl/sqbyl/internal/toolkit/profile"
)

type profileOptions struct {
	url  string
	json jsonFlag
}

func newProfile(p *Program) *cobra.Command {
	var o profileOptions
	cmd := &cobra.Command{
		Use: "profile [URL]", Short: "Measure what the columns hold, free", Args: atMost(1, "one database URL"),
		Long: "Measures the columns of the project's tables with read-only SQL and writes the figures into their semantics files:\n" +
			"share of NULL, distinct values, range, percentiles, frequent values, what texts look like. No model is asked.\n" +
			"\"profile: false\" on a table or column keeps it from being read, \"sample_values: false\" keeps its values out of the files;\n" +
			"values of columns that look personal stay out until profile.allow_values in sqbyl.yaml names them.\n" +
			"With a URL it needs no project and writes nothing.",
		Example: "  sqbyl profile\n  sqbyl profile sqlite:shop.db --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				o.url = args[0]
			}
			return runProfile(cmd.Context(), p, o)
		},
	}
	o.json.add(cmd)
	return cmd
}

func runProfile(ctx context.Context, p *Program, o profileOptions) (err error) {
	wb, err := workbench.Open(p.Host, workbench.Options{Database: o.url})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, wb.Close()) }()
	p.Streams.Status("reading the schema …")
	schema, err := wb.Schema(ctx)
	if err != nil {
		return err
	}
	report, err := wb.Profile(ctx, survey.Progress(p.Streams, len(schema.Tables)))
	p.Streams.Status("")
	if err != nil {
		return err
	}
	var files []string
	if wb.Project() != nil {
		if files, err = survey.WriteProfile(wb, report); err != nil {
			return err
		}
	}
	if o.json.on {
		return writeJSON(p.Streams.Out, struct {
			Database string          `json:"database"`
			Tables   []profile.Table `json:"tables"`
			Changed  []string        `json:"changed_files"`
		}{wb.Location(), report.Tables, append([]string{}, files...)})
	}
	var b strings.Builder
	if wb.Project() == nil {
		b.WriteString(survey.Columns(p.Streams, report))
	}
	b.WriteString(survey.Measured(p.Streams, report))
	if wb.Project() != nil {
		b.WriteString(survey.Written(p.Streams, wb, report, files))
	}
	_, err = fmt.Fprint(p.Streams.Out, b.String())
	return err
}
