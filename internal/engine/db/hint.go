package db

import (
	"sort"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/engine/editdistance"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
)

// Nearest picks from names those a writer of name may have meant, best
// first, at most n: case aside, by edit distance, by a shared word, or by one
// holding the other.
func Nearest(name string, names []string, n int) []string {
	type scored struct {
		name  string
		score int
	}
	want := strings.ToLower(name)
	var found []scored
	seen := make(map[string]bool, len(names))
	for _, candidate := range names {
		if seen[candidate] {
			continue
		}
		seen[candidate] = true
		if score, ok := closeness(want, strings.ToLower(candidate)); ok {
			found = append(found, scored{candidate, score})
		}
	}
	sort.SliceStable(found, func(i, j int) bool { return found[i].score < found[j].score })
	if len(found) > n {
		found = found[:n]
	}
	near := make([]string, len(found))
	for i, f := range found {
		near[i] = f.name
	}
	return near
}

// closeness is small for near names; ok is false for unrelated ones.
func closeness(want, have string) (score int, ok bool) {
	if want == have {
		return 0, true
	}
	if distance := editdistance.Between(want, have); distance <= 1+len(want)/4 {
		return 10 * distance, true
	}
	if len(want) >= 3 && len(have) >= 3 && (strings.Contains(have, want) || strings.Contains(want, have)) {
		return 50 + abs(len(want)-len(have)), true
	}
	if shared := sharedWords(want, have); shared > 0 {
		return 100 - 10*shared + abs(len(want)-len(have)), true
	}
	return 0, false
}

func sharedWords(a, b string) int {
	shared := 0
	for _, word := range splitName(a) {
		for _, other := range splitName(b) {
			if len(word) >= 3 && strings.TrimSuffix(word, "s") == strings.TrimSuffix(other, "s") {
				shared++
				break
			}
		}
	}
	return shared
}

func splitName(name string) []string {
	return strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == ' ' || r == '.' || r == '-' })
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

// Hint adds to an error about an unknown table or column the real names that
// may have been meant: tables, or columns as table.column, those of the
// statement's own tables first.
func Hint(e *Error, used []guard.Name, s catalog.Schema) {
	const most = 5
	want := e.Name[strings.LastIndexByte(e.Name, '.')+1:]
	switch e.Kind {
	case ErrUnknownTable:
		names := make([]string, len(s.Tables))
		for i, t := range s.Tables {
			names[i] = qualified(t, s)
		}
		e.Candidates = Nearest(e.Name, names, most)
		if len(e.Candidates) == 0 && want != e.Name {
			e.Candidates = Nearest(want, names, most)
		}
	case ErrUnknownColumn:
		named := make(map[string]bool, len(used))
		for _, n := range used {
			named[strings.ToLower(n.Table)] = true
		}
		var near, far []string
		for _, t := range s.Tables {
			columns := make([]string, len(t.Columns))
			for i, c := range t.Columns {
				columns[i] = c.Name
			}
			for _, c := range Nearest(want, columns, most) {
				switch full := qualified(t, s) + "." + c; {
				case named[strings.ToLower(t.Name)]:
					near = append(near, full)
				case strings.EqualFold(c, want):
					far = append(far, full)
				}
			}
		}
		e.Candidates = append(near, far...)
		e.Candidates = e.Candidates[:min(len(e.Candidates), most)]
	}
}

func qualified(t catalog.Table, s catalog.Schema) string {
	if t.Schema == "" || t.Schema == s.DefaultSchema {
		return t.Name
	}
	return t.Schema + "." + t.Name
}
