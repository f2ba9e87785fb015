package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// newCost says what a paid command would cost: it is that command with
// --dry-run.
func newCost(p *Program) *cobra.Command {
	return &cobra.Command{
		Use: "cost COMMAND …", Short: "Say what a paid command would cost, spending nothing",
		Long:               "Runs a paid command with --dry-run: everything that it would send is made and counted, and nothing is sent.",
		Example:            "  sqbyl cost ask \"How many orders are open?\"\n  sqbyl cost ask --questions questions.txt",
		DisableFlagParsing: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			root := newRoot(p)
			target, rest, err := root.Find(args)
			if err != nil {
				return err
			}
			if target == root || target.Name() == cmd.Name() {
				if slices.Contains(args, "--help") || slices.Contains(args, "-h") {
					return cmd.Help()
				}
				if name := firstWord(rest); name != "" && target == root {
					return unknown("command", name, paidCommands(root))
				}
				return &usageError{message: "sqbyl cost needs a paid command", hint: "one of " + strings.Join(paidCommands(root), ", ")}
			}
			if target.Flags().Lookup("dry-run") == nil {
				return &usageError{message: fmt.Sprintf("%s spends nothing", target.CommandPath()), hint: "paid commands are " + strings.Join(paidCommands(root), ", ")}
			}
			at := len(args)
			if i := slices.Index(args, "--"); i >= 0 {
				at = i
			}
			root.SetArgs(slices.Insert(slices.Clone(args), at, "--dry-run"))
			root.SetIn(p.Streams.In)
			root.SetOut(p.Streams.Out)
			root.SetErr(p.Streams.Err)
			return root.ExecuteContext(cmd.Context())
		},
	}
}

func firstWord(args []string) string {
	for _, a := range args {
		if !strings.HasPrefix(a, "-") {
			return a
		}
	}
	return ""
}

// paidCommands are the commands that can say what they would cost.
func paidCommands(root *cobra.Command) []string {
	var names []string
	for _, c := range root.Commands() {
		if c.Flags().Lookup("dry-run") != nil {
			names = append(names, c.Name())
		}
	}
	return names
}
