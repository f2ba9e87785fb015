// Package cli is the command line: one file per command, each an options
// struct and a run. Flags in, one call, the result shown.
package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/app/workbench"
	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// Program is the process a command line runs in.
type Program struct {
	Streams *term.Streams
	Host    workbench.Host
}

// Main runs a command line and gives its exit code. Whatever happens, a
// person gets a message and no stack trace.
func Main(ctx context.Context, args []string, p Program) (code int) {
	defer func() {
		if r := recover(); r != nil {
			p.Streams.Status("")
			fmt.Fprintf(p.Streams.Err, "%s This is a mistake in sqbyl, not in what you did: %v\n  Please report it, with the command and what sqbyl version says.\n", p.Streams.ErrStyle.Wrong(p.Streams.ErrStyle.Bad), r)
			code = exitFailed
		}
	}()
	root := newRoot(&p)
	root.SetArgs(args)
	root.SetIn(p.Streams.In)
	root.SetOut(p.Streams.Out)
	root.SetErr(p.Streams.Err)
	err := root.ExecuteContext(ctx)
	p.Streams.Status("")
	return p.finish(ctx, err)
}

func newRoot(p *Program) *cobra.Command {
	root := &cobra.Command{
		Use:   "sqbyl",
		Short: "Build, measure and ship agents that answer questions with SQL",
		Long: "sqbyl answers questions about a database with checked, read-only SQL, measures how often it is right,\n" +
			"and improves what the model is told until it is right often enough to ship.",
		SilenceErrors: true, SilenceUsage: true, Version: p.Host.Version,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return unknown("command", args[0], commandNames(cmd))
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetVersionTemplate("sqbyl {{.Version}}\n")
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetHelpCommand(&cobra.Command{Hidden: true, Use: "help [command]", Short: "Help about a command", RunE: func(cmd *cobra.Command, args []string) error {
		found, rest, err := root.Find(args)
		if err != nil || len(rest) > 0 {
			return unknown("command", strings.Join(args, " "), commandNames(root))
		}
		return found.Help()
	}})
	root.SetFlagErrorFunc(flagError)
	root.PersistentFlags().StringVarP(&p.Host.Dir, "directory", "C", p.Host.Dir, "look for the project in `DIR` instead of here")
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		for name, wanted := range map[string]string{"db": "a database URL, such as sqlite:shop.db", "model": "PROVIDER:MODEL"} {
			if f := cmd.Flags().Lookup(name); f != nil && f.Changed && strings.TrimSpace(f.Value.String()) == "" {
				return &usageError{message: "the value of --" + name + " is empty", hint: "give " + wanted + ", or leave --" + name + " out"}
			}
		}
		if info, err := os.Stat(p.Host.Dir); err != nil || !info.IsDir() {
			return usage("-C names no folder: %s", p.Host.Dir)
		}
		return nil
	}
	root.AddCommand(newAsk(p), newDemo(p), newSchema(p), newGuard(p), newCompare(p), newDoctor(p), newPrompts(p), newVersion(p))
	root.AddCommand(newProfile(p), newValues(p))
	root.AddCommand(newInit(p), newIntrospect(p), newUndo(p))
	root.AddCommand(newEval(p), newBench(p))
	root.AddCommand(newCost(p), newModels(p))
	return root
}

// usageError is a command line that cannot be run.
type usageError struct{ message, hint string }

func (e *usageError) Error() string { return e.message }

func usage(format string, args ...any) error {
	return &usageError{message: fmt.Sprintf(format, args...)}
}

func unknown(what, name string, known []string) error {
	e := &usageError{message: fmt.Sprintf("there is no %s %q", what, name), hint: "sqbyl --help lists the commands"}
	if near := db.Nearest(name, known, 3); len(near) > 0 {
		e.hint = "did you mean " + strings.Join(near, " or ") + "?"
	}
	return e
}

func commandNames(root *cobra.Command) []string {
	var names []string
	for _, c := range root.Commands() {
		if !c.Hidden {
			names = append(names, c.Name())
		}
	}
	return names
}

// flagError names the nearest flag for one that does not exist, and says what
// the value of one has to be.
func flagError(cmd *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		f := invalid.GetFlag()
		e := &usageError{message: fmt.Sprintf("--%s cannot be %q", f.Name, invalid.GetValue()), hint: invalid.Unwrap().Error()}
		switch f.Value.Type() {
		case "bool":
			e.hint = "write --" + f.Name + " or leave it out"
		case "int":
			e.hint = "write a whole number"
		}
		return e
	}
	var missing *pflag.NotExistError
	if !errors.As(err, &missing) {
		return &usageError{message: err.Error(), hint: cmd.CommandPath() + " --help lists its flags"}
	}
	var known []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, "--"+f.Name) })
	name := missing.GetSpecifiedName()
	if len(name) > 1 {
		name = "--" + name
	} else {
		name = "-" + name
	}
	e := &usageError{message: fmt.Sprintf("%s has no flag %s", cmd.CommandPath(), name), hint: cmd.CommandPath() + " --help lists its flags"}
	if near := db.Nearest(name, known, 3); len(near) > 0 {
		e.hint = "did you mean " + strings.Join(near, " or ") + "?"
	}
	return e
}

// exactly takes n arguments, what they are being named for the message.
func exactly(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < n:
			return &usageError{message: fmt.Sprintf("%s needs %s", cmd.CommandPath(), what), hint: "usage: " + cmd.UseLine()}
		case len(args) > n:
			return &usageError{message: fmt.Sprintf("%s takes %s and nothing more, but there is %q", cmd.CommandPath(), what, args[n]), hint: "usage: " + cmd.UseLine()}
		}
		return nil
	}
}

// atMost takes up to n arguments.
func atMost(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) <= n {
			return nil
		}
		return &usageError{message: fmt.Sprintf("%s takes %s and nothing more, but there is %q", cmd.CommandPath(), what, args[n]), hint: "usage: " + cmd.UseLine()}
	}
}

func counted(n int, noun string) string { return term.Counted(n, noun) }
