package duckdb

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// report is an error as a connection of this product gets it
// (errors_as_json); a host's connection gives plain text.
type report struct {
	Type       string `json:"exception_type"`
	Message    string `json:"exception_message"`
	Subtype    string `json:"error_subtype"`
	Position   string `json:"position"`
	Candidates string `json:"candidates"`
	Name       string `json:"name"`
	Entry      string `json:"type"`
}

var (
	plainError   = regexp.MustCompile(`(?s)^([A-Z][A-Za-z ]+?) Error: (.*)$`)
	caretLine    = regexp.MustCompile(`(?s)\n\nLINE \d+:.*$`)
	didYouMean   = regexp.MustCompile(`\n?Did you mean "([^"]*)"( or ".*?")?\?`)
	bindings     = regexp.MustCompile(`\nCandidate (?:bindings|tables): (.*)`)
	quotedName   = regexp.MustCompile(`"([^"]+)"`)
	unknownTable = regexp.MustCompile(`^Referenced table "([^"]+)" not found|^Table with name "?([^" ]+)"? does not exist|^Catalog "?([^"]+)"? does not exist|^Schema with name (\S+) does not exist`)
	unknownName  = regexp.MustCompile(`^Referenced column "([^"]+)"|does not have a column named "([^"]+)"|^Column with name (\S+) does not exist|^Column "([^"]+)" (?:in .* does not exist|referenced that)`)
	ambiguous    = regexp.MustCompile(`^Ambiguous (?:reference to )?column name "([^"]+)"`)
	ambiguousUse = regexp.MustCompile(`\(use: .*\)`)
	unknownType  = regexp.MustCompile(`^Type with name (\S+) does not exist`)
	wrongCall    = regexp.MustCompile(`^No function matches the given name and argument types '([^(']+)\(`)
	unknownFunc  = regexp.MustCompile(`^(?:Scalar |Table |Aggregate |Pragma |Macro )*(?:Function|Macro) with name (\S+) does not exist|^Aggregate Function with name (\S+) does not exist`)
	readOnlyDB   = regexp.MustCompile(`attached in read-only mode|read-only transaction|transaction is launched in read-only|read-only!`)
)

// Classify tells an error apart by its text, as JSON or plain.
func Classify(_, message string) *db.Error {
	r := parse(message)
	e := &db.Error{Kind: db.ErrUnknown, Code: r.Type, Offset: -1, Name: r.Name}
	if n, err := strconv.Atoi(r.Position); err == nil {
		e.Offset = n
	}
	e.Candidates = candidates(r)
	text := strings.TrimSpace(r.Message)
	// The engine offers its own catalog where nothing of the database is near.
	text = didYouMean.ReplaceAllStringFunc(text, func(s string) string {
		if m := didYouMean.FindStringSubmatch(s); ofEngine(m[1]) {
			return ""
		}
		return s
	})
	e.Kind = kind(r, text)
	if e.Name == "" {
		for _, pattern := range []*regexp.Regexp{unknownTable, unknownName, unknownFunc, unknownType, wrongCall, ambiguous} {
			if m := pattern.FindStringSubmatch(text); m != nil {
				e.Name = m[1]
				for i := 2; e.Name == ""; i++ {
					e.Name = m[i]
				}
				break
			}
		}
	}
	e.Message = text
	if r.Type != "" {
		e.Message = r.Type + " Error: " + text
	}
	return e
}

func parse(message string) report {
	var r report
	if open := strings.IndexByte(message, '{'); open >= 0 && json.Unmarshal([]byte(message[open:]), &r) == nil && r.Type != "" {
		return r
	}
	if m := plainError.FindStringSubmatch(message); m != nil {
		r.Type, message = m[1], m[2]
	}
	r.Message = caretLine.ReplaceAllString(message, "")
	return r
}

// kind orders the engine's classes of error by what can be done about them.
func kind(r report, text string) db.ErrorKind {
	switch strings.ToLower(r.Type) {
	case "catalog":
		return catalogKind(r, text)
	case "binder":
		return binderKind(r, text)
	case "parser", "syntax":
		return db.ErrSyntax
	case "conversion", "mismatch type", "out of range", "invalid type", "divide by zero", "decimal", "invalid input", "expression":
		if readOnlyDB.MatchString(text) {
			return db.ErrReadOnly
		}
		return db.ErrType
	case "out of memory", "object size":
		return db.ErrResource
	case "interrupt":
		return db.ErrCanceled
	case "permission":
		return db.ErrPermission
	case "connection":
		if strings.Contains(text, "different configuration") {
			return db.ErrLocked
		}
		return db.ErrUnreachable
	case "io":
		return ioKind(text)
	}
	if readOnlyDB.MatchString(text) {
		return db.ErrReadOnly
	}
	return db.ErrUnknown
}

func catalogKind(r report, text string) db.ErrorKind {
	entry := strings.ToLower(r.Entry)
	switch {
	case strings.Contains(entry, "function") || strings.Contains(entry, "macro") || unknownFunc.MatchString(text):
		return db.ErrUnknownFunction
	case entry == "type" || unknownType.MatchString(text):
		return db.ErrType
	case entry != "" || unknownTable.MatchString(text):
		return db.ErrUnknownTable
	}
	return db.ErrUnknown
}

func binderKind(r report, text string) db.ErrorKind {
	switch {
	case r.Subtype == "COLUMN_NOT_FOUND" || unknownName.MatchString(text):
		return db.ErrUnknownColumn
	case unknownTable.MatchString(text):
		return db.ErrUnknownTable
	case ambiguous.MatchString(text):
		return db.ErrAmbiguous
	case r.Subtype == "NO_MATCHING_FUNCTION" || wrongCall.MatchString(text),
		strings.Contains(text, "Cannot compare values of type"), strings.Contains(text, "ype mismatch"):
		return db.ErrType
	case readOnlyDB.MatchString(text):
		return db.ErrReadOnly
	}
	return db.ErrUnknown
}

func ioKind(text string) db.ErrorKind {
	for _, known := range []struct {
		part string
		kind db.ErrorKind
	}{
		{"Could not set lock", db.ErrLocked},
		{"not a valid DuckDB database", db.ErrNotADatabase},
		{"older than the minimum", db.ErrNotADatabase},
		{"newer version of DuckDB", db.ErrNotADatabase},
		{"Corrupt database file", db.ErrNotADatabase},
		{"Permission denied", db.ErrPermission},
		{"No space left", db.ErrResource},
		{"read-only mode: database does not exist", db.ErrUnreachable},
		{"No files found", db.ErrUnknownTable},
	} {
		if strings.Contains(text, known.part) {
			return known.kind
		}
	}
	return db.ErrUnknown
}

// candidates are the names that the engine offers instead.
func candidates(r report) []string {
	var names []string
	add := func(name string) {
		if name = strings.Trim(strings.TrimSpace(name), `"`); name != "" && !ofEngine(name) {
			names = append(names, name)
		}
	}
	if r.Candidates != "" && r.Subtype != "NO_MATCHING_FUNCTION" {
		for _, name := range strings.Split(r.Candidates, ",") {
			add(name)
		}
		return names
	}
	for _, pattern := range []*regexp.Regexp{bindings, didYouMean, ambiguousUse} {
		if m := pattern.FindString(r.Message); m != "" {
			for _, name := range quotedName.FindAllStringSubmatch(m, -1) {
				add(name[1])
			}
			return names
		}
	}
	return nil
}

func ofEngine(name string) bool {
	last := name[strings.LastIndexByte(name, '.')+1:]
	return catalogNames[strings.Trim(last, `"`)]
}
