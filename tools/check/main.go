// Command check is the one gate of this repository: what it passes may be
// committed.
//
//	go run ./tools/check          everything
//	go run ./tools/check -fast    format, vet and architecture only
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// step is one part of the gate. Env is added to the environment; want empty
// output where quiet is set.
type step struct {
	name  string
	args  []string
	env   []string
	quiet bool
	slow  bool
}

// sqliteUnwatched keeps the race detector out of SQLite's own code, C made into
// Go, which is ten times slower when every access is watched.
const sqliteUnwatched = "-gcflags=github.com/ncruces/go-sqlite3-wasm/...=-race=false"

func steps() []step {
	all := []step{
		{name: "format", args: []string{"gofmt", "-l", "."}, quiet: true},
		{name: "vet", args: []string{"go", "vet", "./..."}},
		{name: "architecture", args: []string{"go", "test", "."}},
		{name: "vet without cgo", args: []string{"go", "vet", "./..."}, env: []string{"CGO_ENABLED=0"}, slow: true},
		{name: "modules", args: []string{"go", "mod", "tidy", "-diff"}, slow: true},
		{name: "lint", args: []string{"go", "tool", "-modfile=tools/lint/go.mod", "golangci-lint", "run", "./..."}, slow: true},
	}
	for _, target := range []string{"linux/amd64", "darwin/arm64", "windows/amd64"} {
		system, arch, _ := strings.Cut(target, "/")
		all = append(all, step{
			name: "build " + target + " without cgo", args: []string{"go", "build", "./..."},
			env: []string{"CGO_ENABLED=0", "GOOS=" + system, "GOARCH=" + arch}, slow: true,
		})
	}
	return append(all, step{name: "test", args: []string{"go", "test", "-race", sqliteUnwatched, "-shuffle=on", "-timeout", "40m", "./..."}, slow: true})
}

func main() {
	fast := flag.Bool("fast", false, "format, vet and architecture only")
	flag.Parse()
	failed := 0
	for _, s := range steps() {
		if s.slow && *fast {
			continue
		}
		start := time.Now()
		out, err := run(s)
		if err != nil {
			failed++
			fmt.Printf("✗ %s\n%s\n", s.name, indent(out))
			continue
		}
		fmt.Printf("✓ %s (%.1f s)\n", s.name, time.Since(start).Seconds())
	}
	if failed > 0 {
		fmt.Printf("%d of the steps failed\n", failed)
		os.Exit(1)
	}
}

func run(s step) (string, error) {
	cmd := exec.Command(s.args[0], s.args[1:]...)
	cmd.Env = append(os.Environ(), s.env...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if err == nil && s.quiet && strings.TrimSpace(out.String()) != "" {
		err = fmt.Errorf("%s: unexpected output", s.name)
	}
	return out.String(), err
}

func indent(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n    ")
}
