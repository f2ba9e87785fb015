package cli

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sqbyl/sqbyl/internal/app/sqlcheck"
	"github.com/sqbyl/sqbyl/internal/engine/dialect"
)

type guardOptions struct {
	file     string
	dialect  string
	database string
	json     bool
}

func newGuard(p *Program) *cobra.Command {
	var o guardOptions
	cmd := &cobra.Command{
		Use: "guard FILE|-", Short: "Say which SQL may run, and why the rest may not", Args: exactly(1, "a file of SQL, or - for the standard input"),
		Long: "Holds SQL against the rules that model SQL is held against. A file may hold several texts, each below a line\n" +
			"\"### name\"; each must be one statement. No query is run; with --db each is also prepared on the live\n" +
			"schema, for a few seconds at most: some engines compute constants while they prepare. Exits 1 when any text was refused.",
		Example: "  sqbyl guard --dialect postgres query.sql\n  sqbyl guard --db sqlite:shop.db - --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			o.file = args[0]
			return runGuard(cmd.Context(), p, o)
		},
	}
	cmd.Flags().StringVar(&o.dialect, "dialect", "", "read the SQL as `DIALECT`: "+strings.Join(dialect.Names(), ", "))
	cmd.Flags().StringVar(&o.database, "db", "", "prepare on the database at `URL` too")
	cmd.Flags().BoolVar(&o.json, "json", false, "print one JSON document per text, each on a line")
	return cmd
}

func runGuard(ctx context.Context, p *Program, o guardOptions) (err error) {
	text, err := readText(p, o.file)
	if err != nil {
		return err
	}
	checker, err := sqlcheck.New(ctx, p.Host, o.database, o.dialect)
	var bad *sqlcheck.DialectError
	if errors.As(err, &bad) {
		return &usageError{bad.Message, bad.Hint}
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, checker.Close()) }()

	refused := false
	for _, s := range sqlcheck.Sections(text, o.file) {
		v := checker.Check(ctx, s)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		refused = refused || !v.Allowed
		if o.json {
			err = writeJSONLine(p.Streams.Out, v)
		} else {
			_, err = io.WriteString(p.Streams.Out, v.Render(p.Streams))
		}
		if err != nil {
			return err
		}
	}
	if refused {
		return errShown
	}
	return nil
}

// maxGuardInput bounds a file of SQL, in bytes.
const maxGuardInput = 64 << 20

func readText(p *Program, file string) (string, error) {
	in := p.Streams.In
	if file != "-" {
		f, err := openInput(file)
		if err != nil {
			return "", usage("%v", err)
		}
		defer f.Close()
		in = f
	}
	raw, err := io.ReadAll(io.LimitReader(in, maxGuardInput+1))
	if err != nil {
		return "", usage("read %s: %v", file, err)
	}
	if len(raw) > maxGuardInput {
		return "", usage("%s is larger than %d MB", file, maxGuardInput>>20)
	}
	return strings.TrimPrefix(string(raw), "\ufeff"), nil
}
