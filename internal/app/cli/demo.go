package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/sqbyl/sqbyl/examples/shop"
	"github.com/sqbyl/sqbyl/internal/app/demo"
	"github.com/sqbyl/sqbyl/internal/app/workbench"
)

type demoOptions struct {
	dir  string
	json jsonFlag
}

func newDemo(p *Program) *cobra.Command {
	o := demoOptions{dir: "sqbyl-demo"}
	cmd := &cobra.Command{
		Use: "demo [DIR]", Short: "Build a sample shop and answer questions about it, without a key",
		Long: "Writes a sample project and its database to DIR (default ./sqbyl-demo, which must not exist) and answers\n" +
			"questions about it from recordings of a real model. Wrong answers stay in. No key, no network, no service.",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage("demo takes one folder, but there are %d", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				o.dir = args[0]
			}
			return runDemo(cmd.Context(), p, o)
		},
	}
	o.json.add(cmd)
	return cmd
}

func runDemo(ctx context.Context, p *Program, o demoOptions) (err error) {
	dir := o.dir
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(p.Host.Dir, dir)
	}
	start := time.Now()
	p.Streams.Status("building the sample shop …")
	switch err := shop.Write(ctx, dir); {
	case errors.Is(err, fs.ErrExist):
		return &usageError{message: fmt.Sprintf("the demo would write to %s, which exists", o.dir), hint: "name another folder: sqbyl demo DIR"}
	case err != nil:
		return err
	}
	p.Streams.Status("")
	host := p.Host
	host.Dir = dir
	wb, err := workbench.Open(host, workbench.Options{Replay: filepath.Join(dir, filepath.FromSlash(shop.Recording))})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, wb.Close()) }()
	if !o.json.on {
		style := p.Streams.Style
		fmt.Fprintf(p.Streams.Out, "%s a sample shop in %s: ten tables, 122,000 rows, in %.1f s\n\n", style.Good(style.OK), o.dir, time.Since(start).Seconds())
	}
	doc, err := demo.Run(ctx, wb, func(q demo.Question) {
		if !o.json.on {
			fmt.Fprint(p.Streams.Out, q.Show(p.Streams, wb.Rules()))
		}
	})
	if err != nil {
		return err
	}
	doc.Project = o.dir
	if o.json.on {
		return writeJSON(p.Streams.Out, doc)
	}
	_, notFound := exec.LookPath("sqbyl")
	_, err = fmt.Fprint(p.Streams.Out, doc.End(p.Streams, notFound == nil))
	return err
}
