// Command sqbyl builds, measures and ships agents that answer questions about
// a database with SQL.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/sqbyl/sqbyl/internal/app/cli"
	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/app/workbench"
)

func main() { os.Exit(run()) }

func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// The first interrupt ends the work in order, a second one at once.
	context.AfterFunc(ctx, stop)
	// A closed pipe is an error of the write then, and not the end of the
	// process: what was paid for is written down first.
	signal.Ignore(syscall.SIGPIPE)

	return cli.Main(ctx, os.Args[1:], cli.Program{
		Streams: term.System(os.Environ()),
		Host:    workbench.Host{Dir: ".", Env: os.LookupEnv, Version: cli.BuildVersion()},
	})
}
