package values

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ncruces/go-sqlite3"

	"github.com/sqbyl/sqbyl/internal/testkit/handed"
)

// entriesOf reads the distinct texts of a database's columns that name
// things: up to 60 characters, up to 5,000 of them a column.
func entriesOf(t *testing.T, path string) []Entry {
	t.Helper()
	conn, err := sqlite3.OpenFlags(path, sqlite3.OPEN_READONLY)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	var entries []Entry
	for _, c := range query(t, conn, `SELECT m.name, p.name FROM sqlite_schema m, pragma_table_info(m.name) p WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'`) {
		q := func(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }
		rows := query(t, conn, "SELECT DISTINCT "+q(c[1])+", '' FROM "+q(c[0])+" WHERE typeof("+q(c[1])+") = 'text' AND length("+q(c[1])+") <= 60 LIMIT 5001")
		if len(rows) > 5000 {
			continue
		}
		for _, r := range rows {
			entries = append(entries, Entry{Table: c[0], Column: c[1], Value: r[0]})
		}
	}
	return entries
}

func query(t *testing.T, conn *sqlite3.Conn, sql string) [][2]string {
	t.Helper()
	stmt, _, err := conn.Prepare(sql)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	defer stmt.Close()
	var out [][2]string
	for stmt.Step() {
		out = append(out, [2]string{stmt.ColumnText(0), stmt.ColumnText(1)})
	}
	if err := stmt.Err(); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return out
}

// misspellings are the ways a person writes a stored value wrong.
var misspellings = []struct {
	name   string
	change func(r *rand.Rand, s string) string
}{
	{"case", func(r *rand.Rand, s string) string {
		if up := strings.ToUpper(s); up != s {
			return up
		}
		return strings.ToLower(s)
	}},
	{"plural", func(r *rand.Rand, s string) string { return s + "s" }},
	{"accent", func(r *rand.Rand, s string) string {
		return strings.NewReplacer("a", "á", "e", "è", "o", "ö", "u", "ü").Replace(s)
	}},
	{"typo", func(r *rand.Rand, s string) string {
		b := []rune(s)
		i := 1 + r.IntN(len(b)-2)
		switch r.IntN(4) {
		case 0:
			b[i], b[i+1] = b[i+1], b[i]
		case 1:
			b = append(b[:i], b[i+1:]...)
		case 2:
			b[i] = 'q'
		default:
			b = append(b[:i], append([]rune{b[i]}, b[i:]...)...)
		}
		return string(b)
	}},
	{"word order", func(r *rand.Rand, s string) string {
		w := strings.Fields(s)
		for i, j := 0, len(w)-1; i < j; i, j = i+1, j-1 {
			w[i], w[j] = w[j], w[i]
		}
		return strings.Join(w, " ")
	}},
}

// TestMisspelledValuesAreFound draws 500 stored values with a fixed seed,
// spells each wrong in one way, and wants the right value among the first
// three for at least 90 %.
func TestMisspelledValuesAreFound(t *testing.T) {
	dir := handed.Data(t, "bird_layout")
	files, err := filepath.Glob(filepath.Join(dir, "dev_databases", "*", "*.sqlite"))
	if err != nil || len(files) < 10 {
		t.Fatalf("found %d databases: %v", len(files), err)
	}
	random := rand.New(rand.NewPCG(5, 500))
	letters := regexp.MustCompile(`\p{L}{2}`)
	right, asked, wrong := 0, 0, map[string]int{}
	for asked < 500 {
		entries := entriesOf(t, files[asked%len(files)])
		x := Build(entries)
		for range 25 {
			if len(entries) == 0 || asked == 500 {
				break
			}
			e := entries[random.IntN(len(entries))]
			kind := misspellings[random.IntN(len(misspellings))]
			if len([]rune(e.Value)) < 4 || !letters.MatchString(e.Value) || kind.name == "word order" && len(strings.Fields(e.Value)) < 2 {
				if len(entries) < 10 {
					break
				}
				continue
			}
			asked++
			if hasValue(x.Find(kind.change(random, e.Value), 3), e.Value) {
				right++
			} else {
				wrong[kind.name]++
			}
		}
		files = append(files[1:], files[0])
	}
	t.Logf("%d of %d found; missed: %v", right, asked, wrong)
	if right*10 < asked*9 {
		t.Errorf("found %d of %d misspelled values, want 90 %%", right, asked)
	}
}

func hasValue(matches []Match, value string) bool {
	for _, m := range matches {
		if strings.EqualFold(strings.TrimSpace(m.Value), strings.TrimSpace(value)) {
			return true
		}
	}
	return false
}

// TestFewFalseHints takes the questions that name a value of their gold SQL
// word for word and counts the hints about other values.
func TestFewFalseHints(t *testing.T) {
	dir := handed.Data(t, "bird_layout")
	data, err := os.ReadFile(filepath.Join(dir, "mini_dev_sqlite.json"))
	if err != nil {
		t.Fatal(err)
	}
	var questions []struct {
		DB       string `json:"db_id"`
		Question string `json:"question"`
		SQL      string `json:"SQL"`
	}
	if err := json.Unmarshal(data, &questions); err != nil {
		t.Fatal(err)
	}
	literal := regexp.MustCompile(`'((?:[^']|'')*)'|"([^"]*)"`)
	indexes := map[string]*Index{}
	asked, hits, wanted, wrong := 0, 0, 0, 0
	for _, q := range questions {
		var named []string
		for _, m := range literal.FindAllStringSubmatch(q.SQL, -1) {
			if v := strings.Trim(m[1]+m[2], "% "); len(v) > 1 && regexp.MustCompile(`\p{L}`).MatchString(v) && strings.Contains(q.Question, v) {
				named = append(named, v)
			}
		}
		if len(named) == 0 {
			continue
		}
		if indexes[q.DB] == nil {
			indexes[q.DB] = Build(entriesOf(t, filepath.Join(dir, "dev_databases", q.DB, q.DB+".sqlite")))
		}
		asked++
		spotted := indexes[q.DB].Spot(q.Question, 3)
		wanted += len(named)
		for _, v := range named {
			if hasValue(spotted, v) {
				hits++
			}
		}
		seen := map[string]bool{}
		for _, m := range spotted {
			if seen[strings.ToLower(m.Value)] || isNamed(named, m.Value) {
				continue
			}
			seen[strings.ToLower(m.Value)] = true
			wrong++
			t.Logf("%s: %q: false hint %s.%s = %q (%s, %s)", q.DB, q.Question, m.Table, m.Column, m.Value, m.How, m.Term)
		}
	}
	t.Logf("%d questions name a value; %d of %d named values spotted; %.2f false hints a question", asked, hits, wanted, float64(wrong)/float64(asked))
	if asked < 100 || float64(wrong)/float64(asked) > 0.3 {
		t.Errorf("%d false hints on %d questions, want at most 0.3 each", wrong, asked)
	}
}

func isNamed(named []string, value string) bool {
	for _, n := range named {
		if strings.EqualFold(strings.TrimSpace(n), strings.TrimSpace(value)) {
			return true
		}
	}
	return false
}
