package sqbyl_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestArchitecture holds the tree to the rules of docs/architecture.md. It
// parses the files itself: a test that asks the go command is cached by its
// own inputs and keeps passing after a violation.
func TestArchitecture(t *testing.T) {
	tree, err := readTree(os.DirFS("."))
	if err != nil {
		t.Fatalf("read the tree: %v", err)
	}
	if len(tree.packages) < 10 {
		t.Fatalf("found only %d packages; the walk is broken", len(tree.packages))
	}
	for _, rule := range rules {
		t.Run(rule.name, func(t *testing.T) {
			for _, v := range rule.check(tree) {
				if rule.report {
					t.Logf("%s", v)
				} else {
					t.Errorf("%s", v)
				}
			}
		})
	}
}

// TestArchitectureRulesBite plants one violation a rule and wants it found:
// testdata/arch/<rule>.txt is a small tree, and its first line names what the
// message must contain.
func TestArchitectureRulesBite(t *testing.T) {
	for _, rule := range rules {
		t.Run(rule.name, func(t *testing.T) {
			files, want := plantedTree(t, filepath.Join("testdata", "arch", rule.name+".txt"))
			tree, err := readTree(files)
			if err != nil {
				t.Fatalf("read the planted tree: %v", err)
			}
			got := rule.check(tree)
			if len(got) == 0 {
				t.Fatal("the planted violation was not found")
			}
			if !strings.Contains(strings.Join(got, "\n"), want) {
				t.Errorf("got %q, want one that contains %q", got, want)
			}
		})
	}
}

// plantedTree reads a file of sections "-- path --" into a file system.
func plantedTree(t *testing.T, name string) (fs.FS, string) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, _ := strings.Cut(string(data), "\n")
	dir := t.TempDir()
	for _, section := range strings.Split("\n"+rest, "\n-- ")[1:] {
		path, body, ok := strings.Cut(section, " --\n")
		if !ok {
			t.Fatalf("%s: no header in %q", name, section)
		}
		body = expandRepeat(body)
		full := filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(body+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return os.DirFS(dir), strings.TrimPrefix(head, "want: ")
}

// expandRepeat turns a line "//repeat:N" into N lines, so that budgets need
// no long files in testdata.
func expandRepeat(body string) string {
	const mark = "//repeat:"
	i := strings.Index(body, mark)
	if i < 0 {
		return body
	}
	count, rest, _ := strings.Cut(body[i+len(mark):], "\n")
	n := 0
	for _, r := range count {
		n = n*10 + int(r-'0')
	}
	return body[:i] + strings.Repeat("// line\n", n) + rest
}
