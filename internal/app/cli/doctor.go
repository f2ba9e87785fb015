package cli

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/sqbyl/sqbyl/internal/app/health"
	"github.com/sqbyl/sqbyl/internal/app/workbench"
	"github.com/sqbyl/sqbyl/internal/toolkit/project"
)

type doctorOptions struct {
	database string
	model    string
	json     jsonFlag
}

func newDoctor(p *Program) *cobra.Command {
	var o doctorOptions
	cmd := &cobra.Command{
		Use: "doctor", Short: "Check project, database, model and build, free", Args: exactly(0, "no argument"),
		Long: "Looks at everything that an answer needs and says what is wrong and what to do. It asks no model a question.\n" +
			"Exits 1 when something does not work.",
		RunE: func(cmd *cobra.Command, _ []string) error { return runDoctor(cmd.Context(), p, o) },
	}
	cmd.Flags().StringVar(&o.database, "db", "", "check the database at `URL`, without a project")
	cmd.Flags().StringVar(&o.model, "model", "", "check `PROVIDER:MODEL` instead of the project's")
	o.json.add(cmd)
	return cmd
}

func runDoctor(ctx context.Context, p *Program, o doctorOptions) error {
	if o.model != "" {
		if _, err := workbench.ParseModel(o.model, ""); err != nil {
			return usage("--model: %v", err)
		}
	}
	e := health.Examination{Explain: func(err error) (string, []string) {
		_, message, hints := explain(ctx, err)
		return message, hints
	}}
	e.Build()
	wb, err := workbench.Open(p.Host, workbench.Options{Database: o.database, Model: o.model})
	switch {
	case errors.Is(err, project.ErrNoProject):
		e.Add("project", health.Warning, "none in this folder or above it", "sqbyl ask --db URL works without one")
	case err != nil:
		e.Fail("project", err)
	}
	if err != nil {
		// Model and traces can be looked at without a project.
		if wb, err = workbench.Open(p.Host, workbench.Options{Database: noDatabase, Model: o.model}); err != nil {
			return err
		}
	} else {
		e.Project(wb)
		e.Database(ctx, wb)
	}
	e.Model(ctx, wb)
	e.State(wb)
	err = wb.Close()
	if ctx.Err() != nil {
		return ctx.Err()
	}

	if o.json.on {
		err = errors.Join(err, writeJSON(p.Streams.Out, struct {
			OK       bool             `json:"ok"`
			Version  string           `json:"version"`
			Findings []health.Finding `json:"findings"`
		}{!e.Failed(), p.Host.Version, e.Findings}))
	} else {
		_, werr := io.WriteString(p.Streams.Out, health.Render(p.Streams, e.Findings))
		err = errors.Join(err, werr)
	}
	if err == nil && e.Failed() {
		return errShown
	}
	return err
}
