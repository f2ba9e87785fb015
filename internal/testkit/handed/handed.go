// Package handed finds what other people made and this repository does not
// hold: databases, questions, verdicts of other evaluators, attacks.
package handed

import (
	"os"
	"path/filepath"
	"testing"
)

// Data is the path of something in shared/data beside the repository. The test
// is skipped where it is not there.
func Data(t testing.TB, parts ...string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the test")
		}
		dir = filepath.Dir(dir)
	}
	path := filepath.Join(append([]string{filepath.Dir(dir), "shared", "data"}, parts...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("this is tried on data of others, which is not beside the repository: %v", err)
	}
	return path
}
