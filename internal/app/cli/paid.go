package cli

import (
	"github.com/spf13/cobra"

	"github.com/sqbyl/sqbyl/internal/app/paid"
	"github.com/sqbyl/sqbyl/internal/app/workbench"
	"github.com/sqbyl/sqbyl/internal/engine/meter"
)

// paidFlags are shared by commands that may spend money.
type paidFlags struct {
	modelFlags
	dryRun, yes, auto, quiet bool
}

func (f *paidFlags) add(cmd *cobra.Command) {
	f.modelFlags.add(cmd)
	cmd.Flags().BoolVar(&f.dryRun, "dry-run", false, "only say what it would cost")
	cmd.Flags().BoolVar(&f.yes, "yes", false, "agree to the estimate, which is then the limit")
	cmd.Flags().BoolVar(&f.auto, "auto", false, "ask nothing; needs --budget")
	cmd.Flags().BoolVar(&f.quiet, "quiet", false, "show no progress")
}

func (f *paidFlags) check() error {
	if f.auto && f.budget == "" {
		return &usageError{message: "--auto needs --budget", hint: "nobody is asked then, so say what may be spent: --budget USD"}
	}
	return nil
}

// consent is what the flags say about spending. o are the options that they
// gave; where programs read the output, the work stops at its budget and asks
// nobody.
func (f *paidFlags) consent(o workbench.Options, json bool) paid.Consent {
	return paid.Consent{Yes: f.yes, Auto: f.auto, Quiet: f.quiet, Unguided: json, Budget: o.Budget}
}

// modelFlags are shared by commands that ask models.
type modelFlags struct {
	model, replay, record string
	budget                string
	prices                []string
}

func (f *modelFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.model, "model", "", "ask `PROVIDER:MODEL` instead of the project's")
	cmd.Flags().StringVar(&f.replay, "replay", "", "take the model's answers from the recording `FILE`; costs nothing")
	cmd.Flags().StringVar(&f.record, "record", "", "keep the model's answers in the recording `FILE`")
	cmd.Flags().StringVar(&f.budget, "budget", "", "spend at most `USD`")
	cmd.Flags().StringArrayVar(&f.prices, "price", nil, "price of a model, `P:M=IN/OUT` in dollars per million tokens")
}

func (f *modelFlags) options() (workbench.Options, error) {
	if f.replay != "" && f.record != "" {
		return workbench.Options{}, usage("--replay and --record exclude each other")
	}
	o := workbench.Options{Model: f.model, Replay: f.replay, Record: f.record}
	if f.budget != "" {
		amount, err := meter.ParseUSD(f.budget)
		if err != nil {
			return o, usage("--budget: %v", err)
		}
		o.Budget = &amount
	}
	for _, text := range f.prices {
		price, err := meter.ParsePrice(text)
		if err != nil {
			return o, usage("--price: %v", err)
		}
		o.Prices = append(o.Prices, price)
	}
	if f.model != "" {
		if _, err := workbench.ParseModel(f.model, ""); err != nil {
			return o, usage("--model: %v", err)
		}
	}
	return o, nil
}
