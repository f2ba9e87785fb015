package main

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	example "github.com/sqbyl/sqbyl/examples/shop"
	"github.com/sqbyl/sqbyl/internal/testkit/fakemodel"
)

// shownURL is the database of the README's examples.
const shownURL = "postgres://reader@localhost/shop"

// TestReadmeIsTrue runs every command line of the README in the sample shop,
// its database in the place of the server, and looks up every command, flag and
// file that the text names.
func TestReadmeIsTrue(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	readme := string(raw)
	checkNamed(t, readme)

	dir := filepath.Join(t.TempDir(), "shop")
	if err := os.CopyFS(dir, example.Files); err != nil {
		t.Fatal(err)
	}
	if err := example.Build(context.Background(), filepath.Join(dir, example.Database)); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"query.sql": "SELECT 1", "questions.txt": "How many orders are open?\n", "predictions.json": `{"0": "SELECT 1"}`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	fake := fakemodel.New(t)
	fake.Answer(func(fakemodel.Call) fakemodel.Reply {
		return fakemodel.JSON(map[string]any{"plan": "count", "answerable": true, "sql": "SELECT COUNT(*) AS n FROM orders", "used_assets": []string{}, "confidence": "high", "missing": "", "nearest": []string{}})
	})
	vars := map[string]string{"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": fake.URL(), "SQBYL_HOME": filepath.Join(dir, "home")}
	t.Chdir(dir)
	lines := readmeLines(readme)
	for _, line := range lines {
		args := words(strings.ReplaceAll(line, shownURL, "sqlite:"+example.Database))
		if code, out, errOut := sqbyl(t, vars, append([]string{"-C", "."}, args...)...); code != 0 {
			t.Errorf("sqbyl %s: code %d\n%s%s", line, code, out, errOut)
		}
	}
	if len(lines) < 10 {
		t.Errorf("only %d command lines", len(lines))
	}
}

// readmeLines are the indented command lines, without what is said of them
// behind two blanks.
func readmeLines(readme string) (list []string) {
	for _, m := range regexp.MustCompile(`(?m)^    (?:go run \./cmd/)?sqbyl (\S.*)$`).FindAllStringSubmatch(readme, -1) {
		line, _, _ := strings.Cut(m[1], "  ")
		list = append(list, line)
	}
	return list
}

func words(line string) (list []string) {
	for _, w := range regexp.MustCompile(`"[^"]*"|\S+`).FindAllString(line, -1) {
		list = append(list, strings.Trim(w, `"`))
	}
	return list
}

// checkNamed looks up what stands between back quotes.
func checkNamed(t *testing.T, readme string) {
	t.Helper()
	_, help, _ := sqbyl(t, nil, "--help")
	all := help
	for _, m := range regexp.MustCompile(`(?m)^  ([a-z]+) +[A-Z]`).FindAllStringSubmatch(help, -1) {
		_, flags, _ := sqbyl(t, nil, m[1], "--help")
		all += flags
	}
	file := regexp.MustCompile(`^(?:docs|examples|schema)/[\w./-]*$|^[A-Z]+\.md$`)
	for _, m := range regexp.MustCompile("`([^`\n]+)`").FindAllStringSubmatch(readme, -1) {
		named := words(m[1])
		text := all
		if named[0] == "sqbyl" && len(named) > 1 {
			code, out, errOut := sqbyl(t, nil, named[1], "--help")
			if code != 0 {
				t.Errorf("%s: %s", m[1], errOut)
			}
			text = out
		}
		for _, w := range named {
			if flag, _, _ := strings.Cut(w, "="); strings.HasPrefix(w, "--") && !strings.Contains(text, " "+flag+" ") {
				t.Errorf("%s: there is no flag %s", m[1], flag)
			}
		}
		if file.MatchString(m[1]) {
			if _, err := os.Stat(filepath.Join("..", "..", filepath.FromSlash(m[1]))); err != nil {
				t.Error(err)
			}
		}
	}
}
