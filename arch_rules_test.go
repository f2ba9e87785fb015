package sqbyl_test

import (
	"bufio"
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"sort"
	"strconv"
	"strings"
)

const module = "github.com/sqbyl/sqbyl"

// tree is what the rules look at: every package of the module, by folder.
type tree struct {
	packages map[string]*pkg // key: folder, "." for the root
	goMod    string
	texts    map[string]string // other text files, by path
}

type pkg struct {
	dir   string
	files []*file
}

type file struct {
	path    string
	test    bool
	lines   int
	source  string
	ast     *ast.File
	fset    *token.FileSet
	imports []string
}

func readTree(fsys fs.FS) (*tree, error) {
	t := &tree{packages: map[string]*pkg{}, texts: map[string]string{}}
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			base := path.Base(name)
			if base == "testdata" || base == "vendor" || name != "." && strings.HasPrefix(base, ".") {
				return fs.SkipDir
			}
			return nil
		}
		switch path.Ext(name) {
		case ".go", ".mod", ".md", ".yaml", ".sql", ".html", ".js", ".txt", ".json":
		default:
			return nil
		}
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		if path.Ext(name) != ".go" {
			if name == "go.mod" {
				t.goMod = string(data)
			}
			t.texts[name] = string(data)
			return nil
		}
		f, err := parseFile(name, data)
		if err != nil {
			return err
		}
		dir := path.Dir(name)
		if t.packages[dir] == nil {
			t.packages[dir] = &pkg{dir: dir}
		}
		t.packages[dir].files = append(t.packages[dir].files, f)
		return nil
	})
	return t, err
}

func parseFile(name string, data []byte) (*file, error) {
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, name, data, parser.ParseComments)
	if err != nil {
		return nil, fmt.Errorf("parse %s: %w", name, err)
	}
	f := &file{path: name, test: strings.HasSuffix(name, "_test.go"), source: string(data), ast: parsed, fset: fset}
	for s := bufio.NewScanner(bytes.NewReader(data)); s.Scan(); {
		f.lines++
	}
	for _, spec := range parsed.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		f.imports = append(f.imports, p)
	}
	return f, nil
}

// folders lists the package folders in order.
func (t *tree) folders() []string {
	dirs := make([]string, 0, len(t.packages))
	for dir := range t.packages {
		dirs = append(dirs, dir)
	}
	sort.Strings(dirs)
	return dirs
}

// imports are what a package's own files (no tests) import, once each.
func (p *pkg) imports() []string {
	seen := map[string]bool{}
	var list []string
	for _, f := range p.files {
		if f.test {
			continue
		}
		for _, i := range f.imports {
			if !seen[i] {
				seen[i] = true
				list = append(list, i)
			}
		}
	}
	sort.Strings(list)
	return list
}

// local gives the folder of an import of this module.
func local(imp string) (string, bool) {
	if imp == module {
		return ".", true
	}
	return strings.CutPrefix(imp, module+"/")
}

func standard(imp string) bool {
	first, _, _ := strings.Cut(imp, "/")
	_, own := local(imp)
	return !own && !strings.Contains(first, ".")
}

func under(dir, parent string) bool { return dir == parent || strings.HasPrefix(dir, parent+"/") }

// reach is every folder and foreign import that a folder's own code reaches.
func (t *tree) reach(dir string) map[string]bool {
	seen := map[string]bool{}
	var walk func(string)
	walk = func(d string) {
		p := t.packages[d]
		if p == nil {
			return
		}
		for _, imp := range p.imports() {
			key := imp
			next, own := local(imp)
			if own {
				key = next
			}
			if seen[key] {
				continue
			}
			seen[key] = true
			if own {
				walk(next)
			}
		}
	}
	walk(dir)
	return seen
}

type rule struct {
	name   string
	report bool // told, not failed
	check  func(*tree) []string
}

var rules = []rule{
	{name: "arrows", check: arrows},
	{name: "engine-standard-library", check: engineStandardLibrary},
	{name: "runtime-standard-library", check: runtimeStandardLibrary},
	{name: "database-code-in-driver", check: databaseCodeInDriver},
	{name: "dialect-names", check: dialectNames},
	{name: "own-sql-in-dialect", check: ownSQLInDialect},
	{name: "tuning-takes-values", check: tuningTakesValues},
	{name: "tuning-reaches-heldout", check: tuningReachesHeldout},
	{name: "heldout-path", check: heldoutPath},
	{name: "bench-parses-readers", check: benchParsesReaders},
	{name: "package-names", check: packageNames},
	{name: "no-replace", check: noReplace},
	{name: "no-init", check: noInit},
	{name: "environment-at-the-edge", check: environmentAtTheEdge},
	{name: "file-budget", check: fileBudget},
	{name: "package-budget", check: packageBudget},
	{name: "noise", check: noise},
	{name: "function-budget", report: true, check: functionBudget},
	{name: "interface-budget", report: true, check: interfaceBudget},
	{name: "fan-out", report: true, check: fanOut},
}

// layer gives a folder's place; arrows point to a lower or the same number.
func layer(dir string) int {
	switch {
	case dir == "semantic", dir == "llm", dir == "release":
		return 0
	case under(dir, "llm"):
		return 1
	case under(dir, "internal/engine"):
		return 1
	case dir == "runtime", under(dir, "driver"):
		return 2
	case under(dir, "internal/toolkit"):
		return 3
	case under(dir, "examples"):
		return 4
	case under(dir, "internal/app"):
		return 5
	case dir == ".", under(dir, "cmd"), under(dir, "tools"):
		return 6
	}
	return -1 // internal/testkit: for tests
}

func arrows(t *tree) []string {
	var out []string
	for _, dir := range t.folders() {
		from := layer(dir)
		for _, imp := range t.packages[dir].imports() {
			to, own := local(imp)
			if !own || from < 0 {
				continue
			}
			switch target := layer(to); {
			case target < 0:
				out = append(out, fmt.Sprintf("%s imports %s: testkit is for tests", dir, to))
			case target > from:
				out = append(out, fmt.Sprintf("%s imports %s: arrows point left only", dir, to))
			case under(dir, "llm") && under(to, "internal/engine"), under(dir, "internal/engine") && under(to, "llm") && to != "llm":
				out = append(out, fmt.Sprintf("%s imports %s: clients and engine meet in the contract llm", dir, to))
			case under(dir, "internal/toolkit") && under(to, "llm") && to != "llm":
				out = append(out, fmt.Sprintf("%s imports %s: the workbench builds model clients", dir, to))
			}
		}
	}
	return out
}

func engineStandardLibrary(t *tree) []string {
	var out []string
	for _, dir := range t.folders() {
		if !under(dir, "internal/engine") && dir != "semantic" && dir != "llm" && dir != "release" {
			continue
		}
		for _, imp := range t.packages[dir].imports() {
			if _, own := local(imp); !own && !standard(imp) {
				out = append(out, fmt.Sprintf("%s imports %s: it ships inside an agent and takes the standard library only", dir, imp))
			}
		}
	}
	return out
}

func runtimeStandardLibrary(t *tree) []string {
	var out []string
	for imp := range t.reach("runtime") {
		if strings.Contains(strings.SplitN(imp, "/", 2)[0], ".") {
			out = append(out, fmt.Sprintf("runtime reaches %s: the standard library only", imp))
		}
	}
	return out
}

var databaseModules = regexp.MustCompile(`(duckdb|/pgx|pg_query|go-sqlite3|/marino|go-sql-driver|lib/pq|modernc\.org/sqlite)`)

func databaseCodeInDriver(t *tree) []string {
	var out []string
	for _, dir := range t.folders() {
		if under(dir, "driver") || under(dir, "internal/testkit") || under(dir, "examples") {
			continue
		}
		for _, imp := range t.packages[dir].imports() {
			if _, own := local(imp); !own && databaseModules.MatchString(imp) {
				out = append(out, fmt.Sprintf("%s imports %s: third-party database code stands under driver only", dir, imp))
			}
		}
	}
	return out
}

var dialectNameSet = map[string]bool{
	"sqlite": true, "sqlite3": true, "duckdb": true, "postgresql": true, "postgres": true,
	"mysql": true, "mariadb": true, "snowflake": true, "bigquery": true,
}

func dialectNames(t *tree) []string {
	var out []string
	t.eachFile(func(dir string, f *file) {
		if f.test || f.path == "internal/engine/dialect/dialect.go" || under(dir, "internal/testkit") {
			return
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ImportSpec:
				return false
			case *ast.BasicLit:
				if s, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING && dialectNameSet[s] {
					out = append(out, fmt.Sprintf("%s: literal %q: a dialect's name has one home, engine/dialect", f.fset.Position(n.Pos()), s))
				}
			}
			return true
		})
	})
	return out
}

func (t *tree) eachFile(visit func(dir string, f *file)) {
	for _, dir := range t.folders() {
		for _, f := range t.packages[dir].files {
			visit(dir, f)
		}
	}
}

func ownSQLInDialect(t *tree) []string {
	var out []string
	t.eachFile(func(dir string, f *file) {
		if f.test || under(dir, "internal/engine/dialect") || under(dir, "internal/testkit") {
			return
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if sel, ok := call.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "OwnSQL" {
					out = append(out, fmt.Sprintf("%s: OwnSQL: the product's own SQL is written in a dialect folder", f.fset.Position(n.Pos())))
				}
			}
			return true
		})
	})
	return out
}

const tune = "internal/toolkit/tune"

func tuningTakesValues(t *tree) []string {
	banned := map[string]bool{"os": true, "os/exec": true, "io/fs": true, "io/ioutil": true, "path/filepath": true, "embed": true, "database/sql": true}
	var out []string
	for _, dir := range t.folders() {
		if !under(dir, tune) {
			continue
		}
		for _, imp := range t.packages[dir].imports() {
			if banned[imp] {
				out = append(out, fmt.Sprintf("%s imports %s: tuning takes values and returns values", dir, imp))
			}
		}
	}
	return out
}

func tuningReachesHeldout(t *tree) []string {
	var out []string
	for _, dir := range t.folders() {
		if under(dir, tune) && t.reach(dir)["internal/toolkit/heldout"] {
			out = append(out, fmt.Sprintf("%s reaches internal/toolkit/heldout: nothing that tunes may read what it is measured on", dir))
		}
	}
	return out
}

func heldoutPath(t *tree) []string {
	var out []string
	t.eachFile(func(dir string, f *file) {
		if f.test || dir == "internal/toolkit/heldout" || under(dir, "tools") {
			return
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if s, err := strconv.Unquote(lit.Value); err == nil && (s == "test.yaml" || s == "benchmarks/test.yaml") {
					out = append(out, fmt.Sprintf("%s: %q: heldout is the sole reader of the held-out file", f.fset.Position(lit.Pos()), s))
				}
			}
			return true
		})
	})
	return out
}

func benchParsesReaders(t *tree) []string {
	p := t.packages["internal/toolkit/bench"]
	if p == nil {
		return nil
	}
	var out []string
	for _, imp := range p.imports() {
		if imp == "os" || imp == "io/fs" || imp == "embed" {
			out = append(out, fmt.Sprintf("internal/toolkit/bench imports %s: it parses readers, never paths", imp))
		}
	}
	return out
}

func packageNames(t *tree) []string {
	banned := map[string]bool{"util": true, "utils": true, "common": true, "helper": true, "helpers": true, "types": true, "manager": true, "service": true, "shared": true, "misc": true, "base": true, "core": true}
	var out []string
	for _, dir := range t.folders() {
		for _, f := range t.packages[dir].files {
			if banned[f.ast.Name.Name] || banned[path.Base(dir)] {
				out = append(out, fmt.Sprintf("%s: package %s: a package is named by what it provides", dir, f.ast.Name.Name))
				break
			}
		}
	}
	return out
}

func noReplace(t *tree) []string {
	for _, line := range strings.Split(t.goMod, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "replace ") || strings.HasPrefix(line, "replace (") {
			return []string{"go.mod has a replace: it breaks go install …@latest"}
		}
	}
	return nil
}

func noInit(t *tree) []string {
	var out []string
	t.eachFile(func(dir string, f *file) {
		if f.test || under(dir, "driver") {
			return
		}
		for _, d := range f.ast.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
				out = append(out, fmt.Sprintf("%s: func init: only a driver's registration needs one", f.path))
			}
		}
	})
	return out
}

func environmentAtTheEdge(t *tree) []string {
	var out []string
	t.eachFile(func(dir string, f *file) {
		if f.test || under(dir, "cmd") || under(dir, "tools") || dir == "internal/app/workbench" || under(dir, "internal/testkit") || under(dir, "examples") {
			return
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if x, ok := sel.X.(*ast.Ident); ok && x.Name == "os" && x.Obj == nil {
				switch sel.Sel.Name {
				case "Getenv", "LookupEnv", "Environ", "Exit":
					out = append(out, fmt.Sprintf("%s: os.%s: the environment is read, and the process ended, at the edge", f.fset.Position(n.Pos()), sel.Sel.Name))
				}
			}
			return true
		})
	})
	return out
}

func fileBudget(t *tree) []string {
	var out []string
	t.eachFile(func(_ string, f *file) {
		if f.lines > 600 {
			out = append(out, fmt.Sprintf("%s has %d lines; split it by meaning (600)", f.path, f.lines))
		}
	})
	return out
}

func packageBudget(t *tree) []string {
	var out []string
	for _, dir := range t.folders() {
		n := 0
		for _, f := range t.packages[dir].files {
			if !f.test {
				n += f.lines
			}
		}
		if n > 2500 {
			out = append(out, fmt.Sprintf("%s has %d lines; split it by meaning (2,500)", dir, n))
		}
	}
	return out
}

// noiseWords often mark something unfinished, or a text that speaks of its
// own writing instead of its subject.
var noiseWords = regexp.MustCompile(`\b(TODO|FIXME|XXX|NEW:|(?i:not implemented|in a real (system|world)|as requested|coming soon))\b|/wo` + `rk/|/ro` + `ot/`)

func noise(t *tree) []string {
	var out []string
	scan := func(name, text string) {
		for i, line := range strings.Split(text, "\n") {
			if m := noiseWords.FindString(line); m != "" {
				out = append(out, fmt.Sprintf("%s:%d: %q", name, i+1, m))
			}
		}
	}
	t.eachFile(func(_ string, f *file) {
		if !strings.HasPrefix(f.path, "arch_") {
			scan(f.path, f.source)
		}
	})
	for name, text := range t.texts {
		if strings.HasSuffix(name, ".md") || strings.HasSuffix(name, ".yaml") {
			scan(name, text)
		}
	}
	sort.Strings(out)
	return out
}

func functionBudget(t *tree) []string {
	var out []string
	t.eachFile(func(_ string, f *file) {
		for _, d := range f.ast.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || f.test {
				continue
			}
			if n := f.fset.Position(fn.End()).Line - f.fset.Position(fn.Pos()).Line + 1; n > 80 {
				out = append(out, fmt.Sprintf("%s: %s has %d lines (80)", f.path, fn.Name.Name, n))
			}
		}
	})
	return out
}

func interfaceBudget(t *tree) []string {
	var out []string
	t.eachFile(func(_ string, f *file) {
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok {
				if i, ok := spec.Type.(*ast.InterfaceType); ok && i.Methods.NumFields() > 7 {
					out = append(out, fmt.Sprintf("%s: interface %s has %d methods (7)", f.path, spec.Name.Name, i.Methods.NumFields()))
				}
			}
			return true
		})
	})
	return out
}

func fanOut(t *tree) []string {
	var out []string
	for _, dir := range t.folders() {
		if under(dir, "internal/app") || under(dir, "internal/engine/agent") || dir == "." || under(dir, "cmd") || under(dir, "internal/testkit") {
			continue
		}
		n := 0
		for _, imp := range t.packages[dir].imports() {
			if _, own := local(imp); own {
				n++
			}
		}
		if n > 8 {
			out = append(out, fmt.Sprintf("%s imports %d packages of this module (8)", dir, n))
		}
	}
	return out
}
