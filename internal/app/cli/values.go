package cli

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/app/workbench"
	"github.com/sqbyl/sqbyl/internal/engine/values"
)

type valuesOptions struct {
	term string
	json jsonFlag
}

// valuesShown is how many stored values a term may lead to.
const valuesShown = 10

func newValues(p *Program) *cobra.Command {
	var o valuesOptions
	cmd := &cobra.Command{
		Use: "values TERM", Short: "Find the stored value that a word of a question means", Args: exactly(1, "one term, in quotes when it has several words"),
		Long: "Looks a term up among the values that the last sqbyl profile has seen, through case, accents, plurals, word order and typos,\n" +
			"as is done with the words of a question. Columns that opt out or look personal are not among them.",
		Example: "  sqbyl values emea\n  sqbyl values \"partial refunds\" --json",
		RunE: func(_ *cobra.Command, args []string) error {
			o.term = args[0]
			return runValues(p, o)
		},
	}
	o.json.add(cmd)
	return cmd
}

func runValues(p *Program, o valuesOptions) (err error) {
	wb, err := workbench.Open(p.Host, workbench.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, wb.Close()) }()
	index, err := wb.Values()
	if err != nil {
		return err
	}
	matches := index.Find(o.term, valuesShown)
	if o.json.on {
		if err := writeJSON(p.Streams.Out, struct {
			Term    string         `json:"term"`
			Known   int            `json:"known_values"`
			Matches []values.Match `json:"matches"`
		}{o.term, index.Len(), append([]values.Match{}, matches...)}); err != nil || len(matches) > 0 {
			return err
		}
		return errShown
	}
	if len(matches) == 0 {
		return nothingFound(wb, index, o.term)
	}
	t := term.Table{Header: []string{"value", "column", "how", "score"}, Right: []bool{false, false, false, true}, Indent: 2}
	for _, m := range matches {
		t.Rows = append(t.Rows, []string{m.Value, m.Table + "." + m.Column, string(m.How), strconv.FormatFloat(m.Score, 'f', 2, 64)})
	}
	_, err = fmt.Fprint(p.Streams.Out, t.Render(p.Streams.Width, p.Streams.Style))
	return err
}

func nothingFound(wb *workbench.Workbench, index *values.Index, asked string) error {
	switch {
	case !wb.Project().Manifest.Selection.ValueMatching:
		return errors.New("value matching is off in sqbyl.yaml (selection.value_matching)")
	case index.Len() == 0:
		return errors.New("no values are known yet; sqbyl profile reads them")
	}
	return fmt.Errorf("no stored value comes near %q among the %s that are known", asked, counted(index.Len(), "value"))
}
