// Command rerecord renews the recordings of the sample projects: it asks a
// model the demo's questions and keeps its answers, right or wrong, and the
// trace of one answer that was repaired.
//
//	go run ./tools/rerecord --base-url http://127.0.0.1:8765
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/sqbyl/sqbyl/examples/shop"
	"github.com/sqbyl/sqbyl/internal/toolkit/bench"
	"github.com/sqbyl/sqbyl/internal/toolkit/project"
)

func main() {
	base := flag.String("base-url", "", "`URL` of an endpoint that speaks the Anthropic Messages API; empty means the provider's own")
	model := flag.String("model", "anthropic:claude-opus-4-8", "the `MODEL` to ask for")
	only := flag.String("only", "", "one `FOLDER` of examples instead of all")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *base, *model, *only); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, base, model, only string) error {
	if base == "" && os.Getenv("ANTHROPIC_API_KEY") == "" {
		return errors.New("nobody to ask: give --base-url, or set ANTHROPIC_API_KEY")
	}
	if err := command(ctx, nil, "go", "run", "./examples/shop/generate"); err != nil {
		return err
	}
	binary := filepath.Join(os.TempDir(), fmt.Sprintf("sqbyl-rerecord-%d", os.Getpid()))
	defer os.Remove(binary)
	if err := command(ctx, nil, "go", "build", "-o", binary, "./cmd/sqbyl"); err != nil {
		return err
	}
	var env []string
	if base != "" {
		env = append(env, "ANTHROPIC_BASE_URL="+base, "ANTHROPIC_API_KEY=recording")
	}
	for _, folder := range []string{"shop", "shop-duckdb"} {
		if only != "" && only != folder {
			continue
		}
		if err := record(ctx, binary, env, model, filepath.Join("examples", folder)); err != nil {
			return fmt.Errorf("record examples/%s: %w", folder, err)
		}
	}
	return nil
}

// record asks the demo's questions in one project, in their order, into a new
// recording that takes the old one's place when it is whole.
func record(ctx context.Context, binary string, env []string, model, dir string) error {
	questions, err := demoQuestions(dir)
	if err != nil {
		return err
	}
	target := filepath.Join(dir, filepath.FromSlash(shop.Recording))
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return err
	}
	fresh := target + ".new"
	if err := os.Remove(fresh); err != nil && !os.IsNotExist(err) {
		return err
	}
	fresh, err = filepath.Abs(fresh)
	if err != nil {
		return err
	}
	recorded := int64(0)
	for _, question := range questions {
		fmt.Printf("? %s\n", question)
		err := command(ctx, env, binary, "-C", dir, "ask", question, "--model", model, "--record", fresh, "--budget", "5")
		var exit *exec.ExitError
		if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) { // 1: it cannot be answered
			return err
		}
		// 1 is a model that was not reached, too: only answers are recorded.
		info, missing := os.Stat(fresh)
		if missing != nil || info.Size() <= recorded {
			return errors.Join(fmt.Errorf("no answer to %q; the old recording stays", question), err, missing, os.Remove(fresh))
		}
		recorded = info.Size()
	}
	if err := os.Rename(fresh, target); err != nil {
		return err
	}
	return keepRepair(dir)
}

// demoQuestions are the texts of the demo's questions as this project's dev
// set words them.
func demoQuestions(dir string) ([]string, error) {
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(project.DevFile)))
	if err != nil {
		return nil, err
	}
	set, err := bench.Parse(strings.NewReader(string(data)), project.DevFile)
	if err != nil {
		return nil, err
	}
	var list []string
	for _, id := range shop.Demo() {
		for _, q := range set.Questions {
			if q.ID == id {
				list = append(list, q.Question)
			}
		}
	}
	return list, nil
}

// keepRepair copies the newest trace of a repaired answer to traces/, where
// there is one, and the newest of an answer at once.
func keepRepair(dir string) error {
	traces, err := filepath.Glob(filepath.Join(dir, ".sqbyl", "traces", "*.jsonl"))
	if err != nil {
		return err
	}
	kept := map[string]bool{}
	for i := len(traces) - 1; i >= 0; i-- {
		data, err := os.ReadFile(traces[i])
		if err != nil {
			return err
		}
		name := "answered.jsonl"
		if strings.Contains(string(data), `"sqbyl.attempt","value":{"intValue":"2"}`) {
			name = "repaired.jsonl"
		}
		if kept[name] {
			continue
		}
		kept[name] = true
		if err := os.MkdirAll(filepath.Join(dir, "traces"), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, "traces", name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func command(ctx context.Context, env []string, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd.Run()
}
