package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/app/sqlcheck"
	"github.com/sqbyl/sqbyl/internal/app/workbench"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/dialect"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
)

type guardOptions struct {
	file     string
	dialect  string
	database string
	json     jsonFlag
}

func newGuard(p *Program) *cobra.Command {
	var o guardOptions
	cmd := &cobra.Command{
		Use: "guard FILE|-", Short: "Say which SQL may run, and why the rest may not", Args: exactly(1, "a file of SQL, or - for the standard input"),
		Long: "Holds SQL against the rules that model SQL is held against. A file may hold several texts, each below a line\n" +
			"\"### name\"; each must be one statement. Nothing is run; with --db statements are also prepared on the live schema.\n" +
			"Exits 1 when any text was refused.",
		Example: "  sqbyl guard --dialect postgres query.sql\n  sqbyl guard --db sqlite:shop.db - --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			o.file = args[0]
			return runGuard(cmd.Context(), p, o)
		},
	}
	cmd.Flags().StringVar(&o.dialect, "dialect", "", "read the SQL as `DIALECT`: "+strings.Join(dialect.Names(), ", "))
	cmd.Flags().StringVar(&o.database, "db", "", "prepare on the database at `URL` too")
	o.json.add(cmd)
	return cmd
}

func runGuard(ctx context.Context, p *Program, o guardOptions) (err error) {
	text, err := readText(p, o.file)
	if err != nil {
		return err
	}
	check, closer, err := checker(ctx, p, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closer()) }()

	refused := false
	for _, s := range sqlcheck.Sections(text, o.file) {
		v := check(ctx, s)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		refused = refused || !v.Allowed
		if o.json.on {
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
		f, err := os.Open(file)
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

type checkFunc func(context.Context, sqlcheck.Section) sqlcheck.Verdict

func checker(ctx context.Context, p *Program, o guardOptions) (checkFunc, func() error, error) {
	if o.database == "" {
		policy, err := offlinePolicy(o.dialect)
		if err != nil {
			return nil, nil, err
		}
		return func(ctx context.Context, s sqlcheck.Section) sqlcheck.Verdict {
			statement, err := guard.Check(ctx, s.SQL, &policy)
			return sqlcheck.Judged(s.Name, statement, err)
		}, func() error { return nil }, nil
	}

	wb, err := workbench.Open(p.Host, workbench.Options{Database: o.database})
	if err != nil {
		return nil, nil, err
	}
	policy, err := livePolicy(ctx, wb, o.dialect)
	if err != nil {
		return nil, nil, errors.Join(err, wb.Close())
	}
	database, err := wb.Database(ctx)
	if err != nil {
		return nil, nil, errors.Join(err, wb.Close())
	}
	return func(ctx context.Context, s sqlcheck.Section) sqlcheck.Verdict {
		statement, err := guard.Check(ctx, s.SQL, &policy)
		if err == nil {
			err = prepare(ctx, database, statement)
		}
		return sqlcheck.Judged(s.Name, statement, err)
	}, wb.Close, nil
}

func offlinePolicy(name string) (guard.Policy, error) {
	if name == "" {
		return guard.Policy{}, &usageError{message: "guard needs to know how to read the SQL", hint: "name a dialect with --dialect, or a database with --db"}
	}
	d, err := dialect.Lookup(name)
	if err != nil {
		return guard.Policy{}, usage("--dialect: %v", err)
	}
	policy := d.Policy
	policy.Grammar = driver.Grammar(d.Name)
	return policy, nil
}

func livePolicy(ctx context.Context, wb *workbench.Workbench, name string) (guard.Policy, error) {
	database, err := wb.Database(ctx)
	if err != nil {
		return guard.Policy{}, err
	}
	if name != "" {
		d, err := dialect.Lookup(name)
		if err != nil {
			return guard.Policy{}, usage("--dialect: %v", err)
		}
		if d.Name != database.Dialect().Name {
			return guard.Policy{}, usage("--dialect says %s, but the database is %s", d.Title, database.Dialect().Title)
		}
	}
	return wb.Policy(ctx)
}

func prepare(ctx context.Context, database db.Database, s guard.Statement) error {
	session, err := database.Session(ctx, db.Answer)
	if err != nil {
		return err
	}
	defer session.Close()
	_, err = session.Prepare(ctx, s)
	return err
}
