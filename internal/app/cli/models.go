package cli

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/sqbyl/sqbyl/internal/app/pricelist"
	"github.com/sqbyl/sqbyl/internal/app/workbench"
	"github.com/sqbyl/sqbyl/internal/toolkit/project"
)

type modelsOptions struct {
	model  string
	prices []string
	json   jsonFlag
}

func newModels(p *Program) *cobra.Command {
	var o modelsOptions
	cmd := &cobra.Command{
		Use: "models", Short: "Show which model has which role, prices, and what endpoints cannot do", Args: exactly(0, "no argument"),
		Long: "Shows the model of each role, the prices in force in dollars per million tokens, with their source and the day they\n" +
			"were checked, and what endpoints have been found not to know. Asks nobody; sqbyl doctor checks the key.",
		RunE: func(cmd *cobra.Command, _ []string) error { return runModels(cmd.Context(), p, o) },
	}
	cmd.Flags().StringVar(&o.model, "model", "", "show the roles with `PROVIDER:MODEL` instead of the project's")
	cmd.Flags().StringArrayVar(&o.prices, "price", nil, "price of a model, `P:M=IN/OUT` in dollars per million tokens")
	o.json.add(cmd)
	return cmd
}

func runModels(_ context.Context, p *Program, o modelsOptions) (err error) {
	flags := modelFlags{model: o.model, prices: o.prices}
	options, err := flags.options()
	if err != nil {
		return err
	}
	wb, err := workbench.Open(p.Host, options)
	if errors.Is(err, project.ErrNoProject) {
		options.Database = noDatabase
		wb, err = workbench.Open(p.Host, options)
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, wb.Close()) }()
	doc, err := pricelist.Collect(wb)
	if err != nil {
		return err
	}
	if o.json.on {
		return writeJSON(p.Streams.Out, doc)
	}
	_, err = io.WriteString(p.Streams.Out, doc.Render(p.Streams))
	return err
}

// noDatabase opens a workbench without a project that no database is asked of.
const noDatabase = "none:"
