package sqbyl_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestTuningThatReadsHeldOutDoesNotCompile proves the first lock of the
// held-out wall on a small module of the same shape: heldout imports the
// tuning packages, so one of them that imports heldout closes a cycle.
func TestTuningThatReadsHeldOutDoesNotCompile(t *testing.T) {
	build := func(args ...string) (string, error) {
		cmd := exec.Command("go", append([]string{"build"}, args...)...)
		cmd.Dir = filepath.Join("testdata", "heldoutcycle")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := build("./..."); err != nil {
		t.Fatalf("the module does not build without the violation: %v\n%s", err, out)
	}
	out, err := build("-tags=peek", "./...")
	if err == nil {
		t.Fatal("tuning code that imports heldout compiles")
	}
	if !strings.Contains(out, "import cycle not allowed") {
		t.Errorf("it fails for another reason:\n%s", out)
	}
}
