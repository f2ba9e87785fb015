//go:build !unix

package servers

import "fmt"

type process struct{}

func serverDir() (string, error) {
	return "", fmt.Errorf("temporary servers need a Unix system: %w", errNotInstalled)
}

func writeOwned(path, text string) error              { return errNotInstalled }
func runSetup(dir, name string, args ...string) error { return errNotInstalled }
func (*process) exited() bool                         { return true }
func (*process) kill()                                {}
func (*process) stop()                                {}
func startProcess(dir, log string, env []string, name string, args []string) (*process, error) {
	return nil, errNotInstalled
}
