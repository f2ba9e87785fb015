package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sqbyl/sqbyl/driver"
)

type versionOptions struct {
	json jsonFlag
}

func newVersion(p *Program) *cobra.Command {
	var o versionOptions
	cmd := &cobra.Command{
		Use: "version", Short: "Version, and what this build can open", Args: exactly(0, "no argument"),
		RunE: func(*cobra.Command, []string) error { return runVersion(p, o) },
	}
	o.json.add(cmd)
	return cmd
}

func runVersion(p *Program, o versionOptions) error {
	if o.json.on {
		return writeJSON(p.Streams.Out, struct {
			Version string   `json:"version"`
			Go      string   `json:"go"`
			OS      string   `json:"os"`
			Arch    string   `json:"arch"`
			Drivers []string `json:"drivers"`
		}{p.Host.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH, driver.Registered()})
	}
	_, err := fmt.Fprintf(p.Streams.Out, "sqbyl %s (%s, %s/%s; opens %s)\n", p.Host.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH, strings.Join(driver.Registered(), ", "))
	return err
}

// BuildVersion is the version that the build stamped: a module version, or
// the commit for a build from a working tree.
func BuildVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	var revision, dirty string
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+changes"
		}
	}
	if revision == "" {
		return "devel"
	}
	return "devel-" + revision + dirty
}
