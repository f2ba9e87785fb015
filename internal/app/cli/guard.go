package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/app/term"
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

// verdict is one line of guard --json.
type verdict struct {
	Name      string    `json:"name"`
	Allowed   bool      `json:"allowed"`
	Layer     string    `json:"layer"`
	Rule      string    `json:"rule"`
	Position  *position `json:"position"`
	Message   string    `json:"message"`
	Repair    string    `json:"repair"`
	Tables    []string  `json:"tables"`
	Functions []string  `json:"functions"`
}

type position struct {
	Offset int `json:"offset"`
	Line   int `json:"line"`
	Column int `json:"column"`
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
	for _, s := range sections(text, o.file) {
		v := check(ctx, s)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		refused = refused || !v.Allowed
		if o.json.on {
			err = writeJSONLine(p.Streams.Out, v)
		} else {
			_, err = io.WriteString(p.Streams.Out, renderVerdict(p.Streams, v))
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

type section struct{ name, sql string }

// sections cuts the text at its lines "### name"; a text without any is one
// statement that carries the file's name.
func sections(text, file string) []section {
	var list []section
	current := section{name: file}
	var body strings.Builder
	flush := func() {
		current.sql = strings.TrimRight(body.String(), "\r\n")
		if current.name != file || strings.TrimSpace(current.sql) != "" || len(list) == 0 {
			list = append(list, current)
		}
		body.Reset()
	}
	started := false
	for _, line := range strings.SplitAfter(text, "\n") {
		name, found := strings.CutPrefix(line, "### ")
		if !found {
			body.WriteString(line)
			continue
		}
		if started || strings.TrimSpace(body.String()) != "" {
			flush()
		}
		body.Reset()
		started, current = true, section{name: strings.TrimSpace(name)}
	}
	flush()
	return list
}

type checkFunc func(context.Context, section) verdict

func checker(ctx context.Context, p *Program, o guardOptions) (checkFunc, func() error, error) {
	if o.database == "" {
		policy, err := offlinePolicy(o.dialect)
		if err != nil {
			return nil, nil, err
		}
		return func(ctx context.Context, s section) verdict {
			statement, err := guard.Check(ctx, s.sql, &policy)
			return judged(s.name, statement, err)
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
	return func(ctx context.Context, s section) verdict {
		statement, err := guard.Check(ctx, s.sql, &policy)
		if err == nil {
			err = prepare(ctx, database, statement)
		}
		return judged(s.name, statement, err)
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

func judged(name string, s guard.Statement, err error) verdict {
	v := verdict{Name: name, Allowed: err == nil, Tables: []string{}, Functions: []string{}}
	facts := s.Facts()
	for _, t := range facts.Tables {
		v.Tables = append(v.Tables, t.String())
	}
	v.Functions = append(v.Functions, facts.Functions...)

	var refusal *guard.Refusal
	var database *db.Error
	switch {
	case err == nil:
	case errors.As(err, &refusal):
		v.Layer, v.Rule, v.Message, v.Repair = string(refusal.Layer), refusal.Rule, refusal.Message, refusal.Repair
		v.Position = &position{refusal.Position.Offset, refusal.Position.Line, refusal.Position.Column}
	case errors.As(err, &database):
		v.Layer, v.Rule, v.Message = string(guard.LayerPrepare), database.Kind.String(), database.Message
		if len(database.Candidates) > 0 {
			v.Repair = "did you mean " + strings.Join(database.Candidates, ", ") + "?"
		}
	default:
		v.Layer, v.Rule, v.Message = string(guard.LayerSession), "failed", err.Error()
	}
	return v
}

func renderVerdict(s *term.Streams, v verdict) string {
	style := s.Style
	if v.Allowed {
		uses := ""
		if len(v.Tables) > 0 {
			uses = style.Dim("  reads " + term.Clean(strings.Join(v.Tables, ", ")))
		}
		return fmt.Sprintf("%s allowed   %s%s\n", style.Good(style.OK), term.Clean(v.Name), uses)
	}
	at := ""
	if v.Position != nil && v.Position.Line > 0 {
		at = fmt.Sprintf("   at %d:%d", v.Position.Line, v.Position.Column)
	}
	text := fmt.Sprintf("%s refused   %s\n            %-8s %s%s\n", style.Wrong(style.Bad), term.Clean(v.Name), v.Layer, term.Clean(v.Message), at)
	if v.Repair != "" {
		text += "            " + style.Dim(term.Clean(v.Repair)) + "\n"
	}
	return text
}
