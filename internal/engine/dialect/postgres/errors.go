package postgres

import (
	"regexp"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// states are the SQLSTATEs that decide what to do next; the first match by
// whole code, then by class (two characters).
var states = map[string]db.ErrorKind{
	"42P01": db.ErrUnknownTable, "3F000": db.ErrUnknownTable, "42703": db.ErrUnknownColumn,
	"42883": db.ErrUnknownFunction, "42702": db.ErrAmbiguous, "42725": db.ErrAmbiguous,
	"42704": db.ErrType, "42804": db.ErrType, "42846": db.ErrType, "42803": db.ErrType, "42809": db.ErrType,
	"42P18": db.ErrType, "42P19": db.ErrType, "42P20": db.ErrType, "42P21": db.ErrType, "42P22": db.ErrType,
	"42601": db.ErrSyntax, "42602": db.ErrSyntax, "42622": db.ErrSyntax, "42P02": db.ErrSyntax, "42P10": db.ErrSyntax,
	"42712": db.ErrAmbiguous, "42501": db.ErrPermission,
	"57014": db.ErrCanceled, "25P03": db.ErrTimeout, "55P03": db.ErrLocked, "40P01": db.ErrLocked, "40001": db.ErrLocked,
	"25006": db.ErrReadOnly, "3D000": db.ErrAuth, "28P01": db.ErrAuth, "28000": db.ErrAuth,
	"57P01": db.ErrUnreachable, "57P02": db.ErrUnreachable, "57P03": db.ErrUnreachable, "53300": db.ErrResource,
	"22": db.ErrType, "53": db.ErrResource, "54": db.ErrResource, "08": db.ErrUnreachable, "28": db.ErrAuth, "58": db.ErrResource,
	"21": db.ErrType, "0A": db.ErrSyntax,
}

// about finds the name an error is about.
var about = map[db.ErrorKind][]*regexp.Regexp{
	db.ErrUnknownTable: {
		regexp.MustCompile(`relation "(.+)" does not exist`),
		regexp.MustCompile(`missing FROM-clause entry for table "(.+)"`),
		regexp.MustCompile(`invalid reference to FROM-clause entry for table "(.+)"`),
		regexp.MustCompile(`schema "(.+)" does not exist`),
	},
	db.ErrUnknownColumn: {
		regexp.MustCompile(`column "(.+)" (?:does not exist|specified in USING clause)`),
		regexp.MustCompile(`column (.+) does not exist`),
		regexp.MustCompile(`column "(.+)" not found in data type`),
	},
	db.ErrUnknownFunction: {
		regexp.MustCompile(`function (.+?)\(.*\) does not exist`),
		regexp.MustCompile(`operator does not exist: (.+)`),
	},
	db.ErrAmbiguous: {
		regexp.MustCompile(`column reference "(.+)" is ambiguous`),
		regexp.MustCompile(`function (.+?)\(.*\) is not unique`),
		regexp.MustCompile(`table name "(.+)" specified more than once`),
	},
	db.ErrPermission: {regexp.MustCompile(`permission denied for \w+ "?([^"]+)"?`)},
	db.ErrType:       {regexp.MustCompile(`type "(.+)" does not exist`)},
}

// Classify tells an error of PostgreSQL apart by its SQLSTATE.
func Classify(code, message string) *db.Error {
	kind, ok := states[code]
	if !ok && len(code) == 5 {
		kind, ok = states[code[:2]]
	}
	if !ok {
		return nil
	}
	if kind == db.ErrCanceled && strings.Contains(message, "timeout") {
		kind = db.ErrTimeout
	}
	e := &db.Error{Kind: kind, Code: code, Message: message, Offset: -1}
	for _, pattern := range about[kind] {
		if m := pattern.FindStringSubmatch(message); m != nil {
			e.Name = strings.ReplaceAll(m[1], `"`, "")
			break
		}
	}
	return e
}

// hinted are the names in a hint: Perhaps you meant to reference the column
// "o.note" or the column "o.nope".
var hinted = regexp.MustCompile(`"([^"]+)"`)

// Candidates are the names that a hint of the server offers.
func Candidates(hint string) []string {
	if !strings.HasPrefix(hint, "Perhaps you meant to reference") {
		return nil
	}
	var names []string
	for _, m := range hinted.FindAllStringSubmatch(hint, -1) {
		// A column is what is asked for; its table is in the statement.
		name := m[1]
		if i := strings.LastIndexByte(name, '.'); i >= 0 && strings.Contains(hint, "column") {
			name = name[i+1:]
		}
		names = append(names, name)
	}
	return names
}
